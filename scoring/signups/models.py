"""Letters to members who have no account yet, and about forgotten passwords."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from scoring.letters.models import Mail


class SignUpLetter(Mail):
    """A letter with a link to make an account, or to choose a new password.

    A worker finds out what to write, and whether to write at all, when it sends the letter. So the page on
    which a reader asks for a letter does the same work whatever is in the register, and whether or not an
    account has the address.

    player: whom the office invites, or whose account was made; empty if a reader asked
    number, email: what a reader typed who asked for a letter (the address alone for a forgotten password);
        otherwise empty
    by: the account that invites; empty if a reader asked
    language: in which the letter is written
    """

    class Kind(models.TextChoices):
        ASKED = "asked", _("asked for on the site")
        INVITED = "invited", _("invitation")
        MADE = "made", _("an account was made with a code")
        PASSWORD = "password", _("forgotten password")

    kind = models.CharField(max_length=8, choices=Kind)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="sign_up_letters")
    number = models.CharField(max_length=12, blank=True)
    email = models.EmailField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    language = models.CharField(max_length=7, default=settings.LANGUAGE_CODE)

    class Meta:
        verbose_name = _("letter to a member without an account")
        verbose_name_plural = _("letters to members without an account")
        ordering = ["pk"]
        indexes = [
            # For the sweeper, which queries unfinished rows every few seconds.
            models.Index(
                fields=["created_at"],
                condition=Q(state__in=["pending", "running"]),
                name="sign_up_letter_unfinished",
            ),
            models.Index(fields=["finished_at"], name="sign_up_letter_finished"),
        ]
        constraints = [
            # So that two simultaneous acts do not invite a member twice.
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(kind="invited", state__in=["pending", "running"]),
                name="sign_up_invited_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
