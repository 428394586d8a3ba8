"""Read the lists of cases: the player's own, those of a club, and those of the office."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case as Switch
from django.db.models import F, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import Roles, roles_of
from players.ages import OF_AGE
from players.models import Club, NamePair, Player
from players.models.names import matching
from scoring.cases import states
from scoring.cases.access import answered_clubs, name_of
from scoring.cases.models import Case
from scoring.cases.states import State
from tournaments.models import Revision, has_name
from ui.clock import today

STATES = {
    "open": _("waiting for an answer"),
    State.CLUB.value: _("with the club"),
    State.OFFICE.value: _("with the office"),
    State.ANSWERED.value: _("answered"),
    State.CLOSED.value: _("closed"),
}
MENDING = 20  # rankings that an answer may name


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """The filters of a list of cases. Empty values mean all."""

    state: str = ""
    kind: str = ""
    club_id: int | None = None
    text: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.state or self.kind or self.club_id or self.text)

    def apply(self, cases: QuerySet[Case], viewer: Any, first: Sequence[str]) -> QuerySet[Case]:
        """Return the cases that match, those whose turn is the reader's first, the longest wait first.

        first: the states that come first
        """
        if self.state == "open":
            cases = cases.filter(state__in=states.WAITING)
        elif self.state:
            cases = cases.filter(state=self.state)
        if self.kind:
            cases = cases.filter(kind=self.kind)
        if self.club_id:
            cases = cases.filter(club=self.club_id)
        if self.text:
            cases = cases.filter(_search(self.text, viewer))
        own_turn = Switch(When(state__in=first, then=Value(0)), default=Value(1))
        waits = Switch(When(state__in=first, then=F("waiting_since")), default=Value(None))
        return _with_names(cases).order_by(own_turn, waits, "-opened_at", "-pk")


def _with_names(cases: QuerySet[Case]) -> QuerySet[Case]:
    """Return the cases with what their lists and titles name."""
    return cases.select_related("player__merged_into", "club", "tournament")


def _search(text: str, viewer: Any) -> Q:
    """Return the condition for cases of a person, of a tournament, or with a number.

    Who does not read hidden names finds hidden players and minors by number only.
    """
    number = text.strip().lstrip("0")
    if roles_of(viewer).reads_everything:
        players = Player.objects.filter(matching(text, NamePair))
    else:
        named = Q(hidden=False) & (Q(birth_year=None) | Q(birth_year__lt=today().year - OF_AGE))
        players = Player.objects.filter(named & matching(text, NamePair))
    meant = has_name(text, "tournament__") | Q(player__in=players.values("pk"))
    meant |= Q(player__number=number) | Q(player__merged_into__number=number)
    return meant | Q(pk=int(number)) if number.isdecimal() and len(number) < 10 else meant


def cases_of(player: Player) -> QuerySet[Case]:
    """Return the cases of a person, those of merged numbers included, latest first."""
    return Case.objects.filter(player__in=Player.objects.numbers_of(player)).order_by("-opened_at", "-pk")


def records(cases: Sequence[Case], viewer: Any) -> list[dict[str, Any]]:
    """Return the records of `CaseTable`. No query.

    viewer: the account that reads the list, on which the displayed names depend
    """
    return [
        {
            "title": title_of(case),
            "url": case.get_absolute_url(),
            "about": case.tournament.name if case.tournament else "",
            "day": case.day,
            "player": name_of(viewer, case.player.current),
            "club": case.club.name if case.club else "",
            "state": case.state,
            "closes": closes_on(case),
            "opened_at": case.opened_at,
            "waiting": waited_days(case),
        }
        for case in cases
    ]


def waited_days(case: Case) -> int | None:
    """Return for how many days a case has waited for the club or the office; None if it does not wait."""
    return (today() - timezone.localdate(case.waiting_since)).days if case.is_waiting else None


def closes_on(case: Case) -> date | None:
    """Return the day on which an answered case closes by itself; None for a case in another state."""
    return timezone.localdate(case.reopens_until) if case.state == State.ANSWERED else None


def title_of(case: Case) -> str:
    """Return what a case is about in a few words, with its number."""
    return gettext("%(kind)s (no. %(number)s)") % {"kind": case.get_kind_display(), "number": case.pk}


def to_answer(user: Any, roles: Roles) -> QuerySet[Case] | tuple[()]:
    """Return the cases that wait for the account, the longest wait first; () if it answers none.

    Cases about the account's own player are left out, because somebody else answers them.

    roles: the roles by which to choose
    """
    clubs = answered_clubs(roles)
    if not (roles.office or clubs):
        return ()
    wanted = Q(state=State.CLUB, club__in=clubs)
    if roles.office:
        wanted |= Q(state=State.OFFICE)
    rows = _with_names(Case.objects.filter(wanted))
    if player := getattr(user, "player", None):
        rows = rows.exclude(player__in=Player.objects.numbers_of(player.current))
    return rows.order_by("waiting_since", "pk")


def waiting_of(club: Club) -> QuerySet[Case]:
    """Return the cases that the club has to answer, the longest wait first."""
    rows = _with_names(Case.objects.filter(club=club, state=State.CLUB))
    return rows.order_by("waiting_since", "pk")


def answered_news(player: Player) -> QuerySet[Case]:
    """Return the cases of a person that are answered and not closed, the latest answer first."""
    return cases_of(player).filter(state=State.ANSWERED).order_by("-answered_at", "-pk")


def mending(case: Case) -> QuerySet[Revision]:
    """Return the rankings that may have mended what a case is about, the latest first.

    They are those of its tournament, and those that its club confirmed since the case was opened.
    """
    wanted = Q(tournament=case.tournament_id) if case.tournament_id else Q(pk__in=())
    if case.club_id:
        wanted |= Q(tournament__club=case.club_id, created_at__gte=case.opened_at)
    if case.tournament_id is None and case.club_id and case.day:
        wanted |= Q(tournament__club=case.club_id, tournament__end_date=case.day)
    ids = Revision.objects.filter(wanted).order_by("-created_at", "-pk").values_list("pk", flat=True)
    # A form checks the choice by a further filter, which a sliced query set does not allow.
    rows = Revision.objects.filter(pk__in=list(ids[:MENDING]))
    return rows.select_related("tournament").order_by("-created_at", "-pk")
