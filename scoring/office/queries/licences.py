"""Read the licences of a season: who has one, whose has lapsed, and whose can be renewed."""

from array import array
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
from ui.memo import per_version

WITH, LAPSED, WITHOUT = "con", "caducada", "sin"  # the values of the filter by state


def first_day(season: int) -> date:
    return date(season, 1, 1)


def last_day(season: int) -> date:
    return date(season, 12, 31)


def _in_season(season: int) -> QuerySet[Licence]:
    """Return the counting licences of the outer player that are valid on some day of the season."""
    days = Q(valid_from__lte=last_day(season), valid_to__gte=first_day(season))
    return Licence.objects.counting().filter(days, player=OuterRef("pk"))


def _register(club_id: int | None) -> QuerySet[Player]:
    players = Player.objects.unmerged().filter(deceased_on=None, erased_on=None)
    return players.filter(club=club_id) if club_id else players


def players_by_state(season: int, state: str, club: Club | None = None) -> QuerySet[Player]:
    """Return the players with this state of the licence in a season, by name, with `until` and `issuer`.

    state: WITH a licence in the season; LAPSED: with one in the season before only; WITHOUT in both
    """
    players = _register(club and club.pk).select_related("club")
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


@per_version(16)
def count_by_state(people_version: int, season: int, club_id: int | None = None) -> dict[str, int]:
    """Return {state: number of players}. Two queries, cached until persons or licences change.

    Licences are read in the order of the table: looking up those of each player takes several times as long.
    """
    days = {"valid_from__lte": last_day(season), "valid_to__gte": first_day(season - 1)}
    held = _of_register(club_id).filter(player__deceased_on=None, **days).values("player")
    held = held.annotate(last=Max("valid_to"))
    has = Q(last__gte=first_day(season))
    counts = held.aggregate(has=Count("player", filter=has), had=Count("player", filter=~has))
    without = _register(club_id).count() - counts["has"] - counts["had"]
    return {WITH: counts["has"], LAPSED: counts["had"], WITHOUT: without}


def _of_register(club_id: int | None) -> QuerySet[Licence]:
    """Return the counting licences of the players of a club, or of all players."""
    licences = Licence.objects.counting().filter(player__merged_into=None, player__erased_on=None).order_by()
    return licences.filter(player__club=club_id) if club_id else licences


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

    ids: "array[int]"
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


@per_version(8)
def cached_plan(
    people_version: int, season: int, first: date, club_id: int | None, foreign: bool
) -> RenewalPlan:
    """Return what a renewal would do, cached until persons or licences change."""
    return plan(season, first, club_id, foreign=foreign)


def plan(season: int, first: date, club_id: int | None, *, foreign: bool) -> RenewalPlan:
    """Return what a renewal would do. Two queries.

    Its players are those of `to_renew`. Here the licences are read in the order of the table: looking up
    those of each player takes several times as long.
    """
    licences = _of_register(club_id).filter(valid_to__gte=first_day(season - 1))
    rows = licences.annotate(
        ours=Q(issuer=""),
        before=Q(valid_from__lte=last_day(season - 1)),
        later=Q(valid_to__gte=first),
    )
    own: set[int] = set()
    others: set[int] = set()
    later: set[int] = set()
    for player, is_ours, is_before, is_later in rows.values_list("player", "ours", "before", "later"):
        if is_before:
            (own if is_ours else others).add(player)
        if is_later:
            later.add(player)
    dead = set(Player.objects.exclude(deceased_on=None).values_list("pk", flat=True))
    held = own | others if foreign else own
    return RenewalPlan(
        ids=array("q", held - later - dead),
        have=len(held & later - dead),
        foreign=0 if foreign else len(others - own - dead),
        deceased=len(held & dead),
    )


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
