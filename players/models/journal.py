"""The journal of accounts: roles, passwords, second factors, addresses, players, tokens and webhooks."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .access import role_in_words
from .signups import SignUpKey


class AccountEvent(models.Model):
    """A line of the journal of accounts: one change of one account. It can never be changed or deleted.

    by: the account that made the change; empty for the command line
    holds: whether `account` may approve no proposals for the following `settings.APPROVAL_WAITING_DAYS`
    """

    class Kind(models.TextChoices):
        CREATED = "created", _("Account created")
        ROLE_GIVEN = "role_given", _("Role given")
        ROLE_TAKEN = "role_taken", _("Role taken away")
        CLOSED = "closed", _("Account closed")
        REOPENED = "reopened", _("Account opened again")
        ADDRESS = "address", _("E-mail address changed")
        NAME = "name", _("Name of the owner changed")
        LINKED = "linked", _("Linked with a player")
        UNLINKED = "unlinked", _("No longer linked with a player")
        LETTER = "letter", _("Letter for a new password sent")
        CODE_ALLOWED = "code_allowed", _("Code for a new password allowed")
        CODE = "code", _("Code for a new password printed")
        RESET = "reset", _("New password, by letter or code")
        PASSWORD = "password", _("Password changed")
        FACTOR_ADDED = "factor_on", _("Codes of an app set up")
        FACTOR_REMOVED = "factor_off", _("Codes of an app removed")
        PASSKEY_ADDED = "passkey_on", _("Passkey added")
        PASSKEY_REMOVED = "passkey_off", _("Passkey removed")
        RECOVERY_MADE = "codes_made", _("Recovery codes made")
        RECOVERY_USED = "code_used", _("Recovery code used")
        FACTORS_LOST = "factor_lost", _("Lost second factor removed")
        TOKEN_MADE = "token_made", _("Token of a club made")
        TOKEN_REVOKED = "token_ended", _("Token of a club revoked")
        WEBHOOK_ADDED = "hook_added", _("Webhook added")
        WEBHOOK_SECRET = "hook_secret", _("New secret of a webhook made")
        WEBHOOK_DISABLED = "hook_off", _("Webhook disabled")
        WEBHOOK_ENABLED = "hook_on", _("Webhook enabled")
        WEBHOOK_DELETED = "hook_deleted", _("Webhook deleted")

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="events", verbose_name=_("account")
    )
    kind = models.CharField(_("what"), max_length=12, choices=Kind)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("who")
    )
    proposal = models.ForeignKey("players.Proposal", models.PROTECT, null=True, related_name="+")
    detail = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    holds = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("line of the journal of accounts")
        verbose_name_plural = _("journal of accounts")
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["at", "id"], name="account_event_by_time"),
            models.Index(fields=["account", "at"], name="account_event_by_account"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.kind}"

    @property
    def about(self) -> str:
        """What the event is about, in the reader's language: a role, a player, a token, a server, …"""
        detail = self.detail
        if "role" in detail:
            return role_in_words(detail["role"], detail.get("scope", ""))
        if "passkey" in detail:
            return detail["passkey"]
        if "token" in detail:
            return f"{detail['token']}, {detail['club']}"
        if "server" in detail:
            return f"{detail['server']}, {detail['club']}" if detail["club"] else detail["server"]
        if "player" in detail:
            return self._about_player()
        if "after" in detail:
            values = {"before": detail["before"] or "—", "after": detail["after"] or "—"}
            return gettext("from %(before)s to %(after)s") % values
        return ""

    def _about_player(self) -> str:
        """Return the player's number and, if the player used a key, how and what they stated."""
        parts = [gettext("player %(number)s") % {"number": self.detail["player"]}]
        if "way" in self.detail:
            parts.append(str(SignUpKey.Way(self.detail["way"]).label))
        if "of_age" in self.detail:
            parts.append(gettext("says to be 14 or older"))
        return ", ".join(parts)
