"""Read what an annulment affects, and the log of annulments."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from scoring.annulments.models import Annulment
from scoring.ledger.queries.awards import effective_awards
from scoring.ratings.models import RatingTournament
from tournaments.models import Tournament


def players_and_points(tournament: Tournament) -> tuple[int, int]:
    """Return (number of players with points from the tournament, sum of these points in hundredths).

    One query.
    """
    totals = effective_awards(tournament).aggregate(
        players=Count("player", distinct=True), points=Sum("points", default=0)
    )
    return totals["players"], totals["points"]


def count_rated_again(event: RatingTournament) -> int:
    """Count the other Go tournaments that are rated again when this one is annulled or restored."""
    later = RatingTournament.objects.counting().filter(end_date__gte=event.end_date)
    return later.exclude(pk=event.pk).count()


def annulment_log() -> QuerySet[Annulment]:
    """Return all annulments and restorations, latest first."""
    acts = Annulment.objects.select_related("tournament__club", "rating_tournament", "created_by")
    return acts.order_by("-pk")


def records(annulments: Iterable[Annulment]) -> list[dict[str, Any]]:
    """Return the records of `AnnulmentTable`."""
    return [
        {
            "day": timezone.localdate(annulment.created_at),
            "act": annulment.get_act_display(),
            "title": annulment.event.name,
            "url": annulment.event.get_absolute_url(),
            "club": annulment.tournament.club.name if annulment.tournament else "",
            "played": annulment.event.end_date,
            "reason": annulment.reason,
            "by": annulment.created_by.get_username(),
        }
        for annulment in annulments
    ]
