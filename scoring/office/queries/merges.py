"""Read the data that the office compares before a merge, and past merges."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Count, Max, Q, QuerySet, Sum

from players.models import CategoryAssignment, Licence, Player, PlayerMerge
from scoring.ledger.models import LedgerEntry
from scoring.ratings.models import RatedPlayer

KIND, KIND_UNDO = "merge", "merge_undo"  # kinds of proposals


@dataclass(frozen=True, slots=True)
class Total:
    """All points of a player in a family: hundredths, number of tournaments, day of the last tournament."""

    family: str
    points: int
    tournaments: int
    last: date


@dataclass(slots=True)
class PlayerSummary:
    """The data of a player that the pages of merges compare with the data of another number."""

    player: Player
    totals: list[Total] = field(default_factory=list)
    licences: list[Licence] = field(default_factory=list)
    categories: list[CategoryAssignment] = field(default_factory=list)
    rated: RatedPlayer | None = None


def player_summaries(players: Sequence[Player]) -> list[PlayerSummary]:
    """Return summaries of the players, in their order. Five queries."""
    ids = [player.pk for player in players]
    summaries = {
        player.pk: PlayerSummary(player)
        for player in Player.objects.select_related("club__region", "user").filter(pk__in=ids)
    }
    for player, *total in _totals(ids):
        summaries[player].totals.append(Total(*total))
    for licence in Licence.objects.filter(player__in=ids):
        summaries[licence.player_id].licences.append(licence)
    for assignment in CategoryAssignment.objects.filter(player__in=ids).select_related("category"):
        summaries[assignment.player_id].categories.append(assignment)
    for rated in RatedPlayer.objects.filter(player__in=ids):
        summaries[rated.player_id].rated = rated
    return [summaries[pk] for pk in ids]


def _totals(ids: list[int]) -> QuerySet:
    # Count tournaments as the standings do: a reversal subtracts the tournament of its award.
    awards = Count("pk", filter=Q(kind__in=[LedgerEntry.Kind.AWARD, LedgerEntry.Kind.OPENING]))
    reversals = Count("pk", filter=Q(kind=LedgerEntry.Kind.REVERSAL))
    rows = LedgerEntry.objects.filter(player__in=ids).order_by("family").values_list("player_id", "family")
    return rows.annotate(points=Sum("points"), tournaments=awards - reversals, last=Max("played_on"))


def all_merges() -> QuerySet[PlayerMerge]:
    """Return all merges, latest first, with both players and the accounts that made or undid the merge."""
    return PlayerMerge.objects.select_related("duplicate", "kept", "by", "undone_by")
