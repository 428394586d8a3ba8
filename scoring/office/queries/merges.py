"""What the office looks at before it merges two numbers, and what mergings did."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Count, Max, Q, QuerySet, Sum

from players.models import CategoryAssignment, Licence, Player, PlayerMerge
from scoring.ledger.models import LedgerEntry
from scoring.ratings.models import RatedPlayer


@dataclass(frozen=True, slots=True)
class Total:
    """A player's points of one family: hundredths ever, tournaments with any, the day of the last."""

    family: str
    points: int
    tournaments: int
    last: date


@dataclass(slots=True)
class Portrait:
    """One of two numbers, as the page sets them side by side."""

    player: Player
    totals: list[Total] = field(default_factory=list)
    licences: list[Licence] = field(default_factory=list)
    categories: list[CategoryAssignment] = field(default_factory=list)
    rated: RatedPlayer | None = None


def portraits(players: Sequence[Player]) -> list[Portrait]:
    """Portraits of these players, in their order; five queries."""
    ids = [player.pk for player in players]
    known = {
        player.pk: Portrait(player)
        for player in Player.objects.select_related("club__region", "user").filter(pk__in=ids)
    }
    for player, *total in _totals(ids):
        known[player].totals.append(Total(*total))
    for licence in Licence.objects.filter(player__in=ids):
        known[licence.player_id].licences.append(licence)
    for assignment in CategoryAssignment.objects.filter(player__in=ids).select_related("category"):
        known[assignment.player_id].categories.append(assignment)
    for rated in RatedPlayer.objects.filter(player__in=ids):
        known[rated.player_id].rated = rated
    return [known[pk] for pk in ids]


def _totals(ids: list[int]) -> QuerySet:
    # As the standings count: an award and its reversal are one tournament less one.
    given = Count("pk", filter=Q(kind__in=[LedgerEntry.Kind.AWARD, LedgerEntry.Kind.OPENING]))
    taken = Count("pk", filter=Q(kind=LedgerEntry.Kind.REVERSAL))
    rows = LedgerEntry.objects.filter(player__in=ids).order_by("family").values_list("player_id", "family")
    return rows.annotate(points=Sum("points"), tournaments=given - taken, last=Max("played_on"))


def listed() -> QuerySet[PlayerMerge]:
    """Every merging, the latest first, with whom it concerns."""
    return PlayerMerge.objects.select_related("duplicate", "kept", "by", "undone_by")
