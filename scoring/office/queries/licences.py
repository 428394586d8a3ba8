"""Read the licences of a season: who has one, whose has lapsed, and whose can be renewed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.urls import reverse

from players.models import Club, Licence, Player
from scoring.office.models import LicenceRenewal, RenewedLicence
from tournaments.models import Seat
from ui.chunks import rows_in

WITH, LAPSED, WITHOUT = "con", "caducada", "sin"  # the values of the filter by state


def first_day(season: int) -> date:
    return date(season, 1, 1)


def last_day(season: int) -> date:
    return date(season, 12, 31)


def _in_season(season: int) -> QuerySet[Licence]:
    """Return the counting licences of the outer player that are valid on some day of the season."""
    days = Q(valid_from__lte=last_day(season), valid_to__gte=first_day(season))
    return Licence.objects.counting().filter(days, player=OuterRef("pk"))


def _register(club: Club | None) -> QuerySet[Player]:
    players = Player.objects.unmerged().filter(deceased_on=None, erased_on=None)
    return players.filter(club=club) if club else players


def players_by_state(season: int, state: str, club: Club | None = None) -> QuerySet[Player]:
    """Return the players with this state of the licence in a season, by name, with `until` and `issuer`.

    state: WITH a licence in the season; LAPSED: with one in the season before only; WITHOUT in both
    """
    players = _register(club).select_related("club")
    if state == WITH:
        players = players.filter(Exists(_in_season(season)))
    else:
        players = players.exclude(Exists(_in_season(season)))
        before = Exists(_in_season(season - 1))
        players = players.filter(before) if state == LAPSED else players.exclude(before)
    latest = Licence.objects.counting().filter(player=OuterRef("pk"), valid_from__lte=last_day(season))
    latest = latest.order_by("-valid_to")
    return players.annotate(
        until=Subquery(latest.values("valid_to")[:1]), issuer=Subquery(latest.values("issuer")[:1])
    ).order_by("sort_key", "pk")


def count_by_state(season: int, club: Club | None = None) -> dict[str, int]:
    """Return {state: number of players}. Two queries.

    Licences are read in the order of the table: looking up those of each player takes several times as long.
    """
    days = Q(valid_from__lte=last_day(season), valid_to__gte=first_day(season - 1))
    held = Licence.objects.counting().filter(days, player__in=_register(club)).order_by().values("player")
    held = held.annotate(last=Max("valid_to"))
    has = Q(last__gte=first_day(season))
    counts = held.aggregate(has=Count("player", filter=has), had=Count("player", filter=~has))
    without = _register(club).count() - counts["has"] - counts["had"]
    return {WITH: counts["has"], LAPSED: counts["had"], WITHOUT: without}


def records(players: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the records of `SeasonTable` for players of `players_by_state`."""
    return [
        {
            "name": player.desk_name,
            "url": reverse("person", args=[player.number]),
            "number": player.number,
            "club": player.club.name if player.club else "",
            "until": player.until,
            "issuer": player.issuer,
        }
        for player in players
    ]


# --- Renewing ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class RenewalPlan:
    """What a renewal would do: of whom it renews the licence, and whom it leaves out and why.

    ids: ids of those who get a licence; `to_renew` has their names
    have: how many have a licence of the season already
    foreign: how many have only a foreign licence that counts, which is not renewed
    deceased: how many have died
    """

    ids: list[int]
    have: int
    foreign: int
    deceased: int

    @property
    def number(self) -> int:
        """How many get a licence."""
        return len(self.ids)


def to_renew(
    season: int, first: date, *, club: Club | None, foreign: bool, chosen: Iterable[int] = ()
) -> QuerySet[Player]:
    """Return the players whose licence a renewal would renew, by name, with `issuer`.

    These are the players with a licence in the season before, and none that is valid on `first` or later.

    chosen: ids of the players, if only some of them are renewed
    """
    players = _held_before(season, club, foreign=foreign).filter(deceased_on=None)
    if ids := list(chosen):
        players = players.filter(pk__in=ids)
    return players.exclude(Exists(_from(first))).select_related("club").order_by("sort_key", "pk")


def _from(first: date) -> QuerySet[Licence]:
    return Licence.objects.counting().filter(player=OuterRef("pk"), valid_to__gte=first)


def _held_before(season: int, club: Club | None, *, foreign: bool) -> QuerySet[Player]:
    """Return the players with a licence in the season before, of ours or, if `foreign`, one that counts.

    Those whose personal data are erased are not among them.
    """
    before = _in_season(season - 1)
    own, others = before.filter(issuer=""), before.exclude(issuer="")
    players = Player.objects.unmerged().filter(erased_on=None).alias(own=Exists(own))
    players = players.filter(club=club) if club else players
    players = players.filter(Q(own=True) | Q(Exists(others))) if foreign else players.filter(own=True)
    issuer = Coalesce(Subquery(others.order_by("-valid_to").values("issuer")[:1]), Value(""))
    return players.annotate(
        issuer=Case(When(own=True, then=Value("")), default=issuer, output_field=CharField())
    )


def ids_to_renew(season: int, first: date, *, club: Club | None, foreign: bool) -> list[int]:
    """Return the ids of the players of `to_renew`. One query, which is faster if they are very many."""
    rows = _by_player(season, first, club).filter(_held(foreign=foreign), dead=False, later=0)
    return list(rows.values_list("player", flat=True))


def plan(season: int, first: date, *, club: Club | None, foreign: bool) -> RenewalPlan:
    """Return what a renewal would do. Two queries."""
    held = _held(foreign=foreign)
    counts = _by_player(season, first, club).aggregate(
        have=Count("player", filter=held & Q(dead=False, later__gt=0)),
        foreign=Count("player", filter=Q(own=0, others__gt=0, dead=False)),
        deceased=Count("player", filter=held & Q(dead=True)),
    )
    ids = ids_to_renew(season, first, club=club, foreign=foreign)
    return RenewalPlan(ids, counts["have"], 0 if foreign else counts["foreign"], counts["deceased"])


def _by_player(season: int, first: date, club: Club | None) -> QuerySet[Licence]:
    """Return a row for each player with a counting licence in the season before or later.

    Licences are read in the order of the table: looking up those of each player takes several times as long.

    own, others: how many licences of ours, and of other federations, the player had in the season before
    later: how many that are valid on `first` or later
    dead: whether the player has died
    """
    players = Player.objects.unmerged().filter(erased_on=None)
    players = players.filter(club=club) if club else players
    before, ours = Q(valid_from__lte=last_day(season - 1)), Q(issuer="")
    licences = Licence.objects.counting().filter(valid_to__gte=first_day(season - 1), player__in=players)
    return (
        licences.order_by()
        .values("player", dead=Q(player__deceased_on__isnull=False))
        .annotate(
            own=Count("pk", filter=before & ours),
            others=Count("pk", filter=before & ~ours),
            later=Count("pk", filter=Q(valid_to__gte=first)),
        )
    )


def _held(*, foreign: bool) -> Q:
    """Return the condition for players whose licence of the season before is renewed, for `_by_player`."""
    return Q(own__gt=0) | Q(others__gt=0) if foreign else Q(own__gt=0)


# --- Undoing ----------------------------------------------------------------------------------------------
def changed_since(renewal: LicenceRenewal) -> QuerySet[RenewedLicence]:
    """Return the licences of a renewal that somebody corrected since."""
    licences = renewal.licences.select_related("licence__player")
    return licences.exclude(licence__valid_from=renewal.first, licence__valid_to=renewal.last)


def played_since(renewal: LicenceRenewal) -> QuerySet[Player]:
    """Return the players of a renewal who played a tournament within the days of the new licence.

    Their tournaments may have counted because of it.
    """
    seats = Seat.objects.filter(
        player=OuterRef("pk"),
        revision__tournament__published=F("revision"),
        revision__tournament__end_date__range=(renewal.first, renewal.last),
    )
    holders = renewal.licences.values("licence__player")
    return Player.objects.filter(Exists(seats), pk__in=holders).order_by("sort_key", "pk")


def players_of(renewal: LicenceRenewal, ids: Iterable[int]) -> list[Any]:
    """Return those of these players whose licence the renewal still has to renew."""
    players = to_renew(renewal.season, renewal.first, club=None, foreign=renewal.foreign)
    return list(rows_in(players.order_by("pk"), "pk", ids))
