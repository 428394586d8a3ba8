"""What is stored about a person: one declaration for each table. The copy of one's data is made from them.

A test goes through all models: each one that refers to a player or an account is declared here, or excluded
with a reason.
"""

from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import (
    AccountEvent,
    CategoryAssignment,
    Consent,
    Licence,
    Player,
    PlayerChange,
    PlayerMerge,
    Proposal,
    Role,
)
from scoring.cases.models import Case, CaseMessage
from scoring.ledger.models import LedgerEntry, SeenCorrections, Standing, YearTotal
from scoring.letters.models import Choice, Letter, Notice, Reader
from scoring.privacy.models import DataCopy, Erasure
from scoring.privacy.person import Person
from scoring.promotions.models import CampaignChange, CampaignClaim, CampaignDecision
from scoring.ratings.models import GoUpload, RatedPlayer, RatedPlayerChange, Rating, RatingGame
from scoring.signups.models import SignUpLetter
from scoring.transparency.models import Pseudonym
from tournaments.models import RememberedName, ResultUpload, Seat


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the copy: the rows of a model that belong to a person.

    name: of the files in the zip, and of the section in its list of contents
    about: what it holds, in a sentence
    fields: the columns, as paths of `QuerySet.values`
    player, account: the paths by which a row belongs to a number or an account; "" if it does not
    """

    name: str
    about: str | Promise
    model: type[Model]
    fields: tuple[str, ...]
    player: str = ""
    account: str = ""

    def rows(self, person: Person) -> list[dict[str, Any]]:
        """Return the person's rows as {column: value}, in a fixed order. One query, or none."""
        if self.player and person.players:
            chosen = self.model._default_manager.filter(**{f"{self.player}__in": person.players})
        elif self.account and person.account:
            chosen = self.model._default_manager.filter(**{self.account: person.account.pk})
        else:
            return []
        return list(chosen.order_by("pk").values(*self.fields))


SECTIONS = (
    Section(
        "register",
        _("Your entry in the register, and numbers that were merged into it"),
        Player,
        (
            "number",
            "given_name",
            "surname",
            "club__name",
            "email",
            "birth_year",
            "hidden",
            "deceased_on",
            "erased_on",
            "merged_into__number",
        ),
        player="pk",
    ),
    Section(
        "register_changes",
        _("What was changed in your entry, when and why"),
        PlayerChange,
        ("number", "kind", "before", "after", "reason", "at"),
        player="player",
    ),
    Section(
        "merges",
        _("Merges of your numbers"),
        PlayerMerge,
        ("duplicate__number", "kept__number", "reason", "at", "undone_at", "undone_reason"),
        player="kept",
    ),
    Section(
        "licences",
        _("Your licences"),
        Licence,
        ("valid_from", "valid_to", "issuer", "equivalent"),
        player="player",
    ),
    Section(
        "categories",
        _("Your categories, with the reasons"),
        CategoryAssignment,
        (
            "category__code",
            "valid_from",
            "origin",
            "reason",
            "evidence",
            "created_at",
            "revoked_at",
            "revoked_reason",
        ),
        player="player",
    ),
    Section(
        "pseudonym",
        _("The code that stands for you in the transparency log"),
        Pseudonym,
        ("code",),
        player="player",
    ),
    Section(
        "consents",
        _("What you decided about your data"),
        Consent,
        ("kind", "detail", "at", "by__username"),
        player="player",
    ),
    Section(
        "results",
        _("Your results in rankings, earlier versions included"),
        Seat,
        (
            "revision__tournament__name",
            "revision__tournament__end_date",
            "revision__tournament__club__name",
            "revision__number",
            "contestant__place",
            "contestant__field",
            "contestant__percentage",
            "contestant__score",
            "contestant__boards_played",
        ),
        player="player",
    ),
    Section(
        "points",
        _("Every line of your points in the ledger"),
        LedgerEntry,
        (
            "family",
            "kind",
            "points",
            "played_on",
            "online",
            "tournament__name",
            "title",
            "reason",
            "posted_at",
        ),
        player="player",
    ),
    Section(
        "standings",
        _("Your places in today's standings"),
        Standing,
        ("family", "category__code", "points", "points_in_person", "points_online", "tournaments"),
        player="player",
    ),
    Section(
        "years", _("Your points by year"), YearTotal, ("year", "category__code", "points"), player="player"
    ),
    Section(
        "promotion_claims",
        _("Your claims about lists of the year-end change, and the answers"),
        CampaignClaim,
        ("campaign__year", "text", "at", "answer__text", "answer__at"),
        player="player",
    ),
    Section(
        "promotion_decisions",
        _("Decisions about you in the year-end change"),
        CampaignDecision,
        ("campaign__year", "reason", "at"),
        player="player",
    ),
    Section(
        "promotion_changes",
        _("Changes of your category by the year-end change"),
        CampaignChange,
        ("campaign__year", "problem", "undone"),
        player="player",
    ),
    Section(
        "go_player",
        _("Your entry as a Go player"),
        RatedPlayer,
        ("pin", "name", "given_name", "country", "hidden", "rating", "grade", "events", "last_played"),
        player="player",
    ),
    Section(
        "go_changes",
        _("What was changed in your entry as a Go player"),
        RatedPlayerChange,
        ("before", "after", "reason", "changed_at"),
        player="rated__player",
    ),
    Section(
        "go_ratings",
        _("Your Go ratings, by tournament"),
        Rating,
        ("entrant__tournament__name", "entrant__tournament__end_date", "before", "after", "games"),
        player="entrant__player__player",
    ),
    Section(
        "go_games_as_white",
        _("Your games of Go listed first, as White if colours are known"),
        RatingGame,
        ("tournament__name", "tournament__end_date", "round", "half_points", "handicap", "rated"),
        player="first__player__player",
    ),
    Section(
        "go_games_as_black",
        _("Your games of Go listed second, with the result of the first player"),
        RatingGame,
        ("tournament__name", "tournament__end_date", "round", "half_points", "handicap", "rated"),
        player="second__player__player",
    ),
    Section(
        "names_in_files",
        _("Names in files that clubs remember as yours"),
        RememberedName,
        ("written", "club__name"),
        player="player",
    ),
    Section(
        "cases",
        _("Your cases"),
        Case,
        ("pk", "kind", "club__name", "day", "tournament__name", "state", "opened_at", "closed_at"),
        player="player",
    ),
    Section(
        "case_messages",
        _("What was written in your cases"),
        CaseMessage,
        ("case", "act", "party", "text", "at"),
        player="case__player",
    ),
    Section(
        "sign_up_letters",
        _("Letters with links to make an account"),
        SignUpLetter,
        ("kind", "email", "state", "created_at", "finished_at"),
        player="player",
    ),
    Section(
        "account",
        _("Your account"),
        get_user_model(),
        ("username", "email", "date_joined", "last_login"),
        account="pk",
    ),
    Section("addresses", _("Your e-mail addresses"), EmailAddress, ("email", "verified"), account="user"),
    Section(
        "second_factors",
        _("Your second factors, without their secrets"),
        Authenticator,
        ("type", "created_at", "last_used_at"),
        account="user",
    ),
    Section(
        "sessions",
        _("Where you are signed in"),
        UserSession,
        ("created_at", "last_seen_at", "ip", "user_agent"),
        account="user",
    ),
    Section("roles", _("Your roles"), Role, ("kind", "club__name", "region__name"), account="user"),
    Section(
        "account_journal",
        _("The journal of your account"),
        AccountEvent,
        ("kind", "at", "detail"),
        account="account",
    ),
    Section(
        "proposals",
        _("What you prepared for a second person"),
        Proposal,
        ("kind", "data", "reason", "state", "prepared_at", "decided_at", "decision_reason"),
        account="prepared_by",
    ),
    Section(
        "uploads",
        _("Files that you sent: what you typed with them"),
        ResultUpload,
        ("file_name", "state", "created_at", "details"),
        account="created_by",
    ),
    Section(
        "go_uploads",
        _("Files of Go that you sent: what you typed with them"),
        GoUpload,
        ("file_name", "state", "created_at", "details"),
        account="created_by",
    ),
    Section(
        "notices",
        _("Your notices"),
        Notice,
        ("kind", "data", "made_at", "seen_at"),
        account="account",
    ),
    Section(
        "notice_choices",
        _("Which notices you want by e-mail"),
        Choice,
        ("kind", "delivery"),
        account="account",
    ),
    Section(
        "letters",
        _("E-mails to you"),
        Letter,
        ("kind", "state", "created_at", "finished_at"),
        account="account",
    ),
    Section(
        "language", _("The language of your e-mails"), Reader, ("language", "refused"), account="account"
    ),
)

# Models that refer to a player or an account and are not part of the copy: {model label: why}.
EXCLUDED: dict[str, str] = {
    DataCopy._meta.label: "the copies themselves",
    Erasure._meta.label: "exists only after the account is gone",
    SeenCorrections._meta.label: "a mark of what was read, without content",
    "office.DuplicatePair": "a guess that two entries are one person, who may be two",
    "players.NamePair": "an index of the words of the name",
    "players.SignUpKey": "digests of links and codes",
    "players.Invitation": "says who invited; the invited person has no account yet",
    "players.ClubToken": "belongs to a club",
    "webhooks.Webhook": "belongs to a club or to the office",
    "players.OrganisationChange": "is about clubs and regions",
}
# Fields that name an account because it acted for the federation: the row is about somebody or something
# else. The journal of the account has what the person did to accounts.
ACTOR_FIELDS = frozenset(
    {
        "acknowledged_by",
        "announced_by",
        "applied_by",
        "approved_by",
        "asked_by",
        "by",
        "changed_by",
        "confirmed_by",
        "created_by",
        "decided_by",
        "frozen_by",
        "invited_by",
        "made_by",
        "opened_by",
        "posted_by",
        "revoked_by",
        "set_by",
        "stopped_by",
        "taken_by",
        "undone_by",
        "updated_by",
    }
)
