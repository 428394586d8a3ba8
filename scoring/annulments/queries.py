"""Annulled tournaments as pages show them: what is at stake, what was decided, and the log."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from scoring.annulments.models import Annulment
from scoring.ledger.queries.awards import standing_awards
from scoring.ratings.models import RatingTournament
from tournaments.models import Tournament


def at_stake(tournament: Tournament) -> tuple[int, int]:
    """How many players have points of the tournament, and how many hundredths; one query."""
    found = standing_awards(tournament).aggregate(
        players=Count("player", distinct=True), points=Sum("points", default=0)
    )
    return found["players"], found["points"]


def rated_later(event: RatingTournament) -> int:
    """How many other Go tournaments are rated anew when this one is annulled or restored."""
    later = RatingTournament.objects.counting().filter(end_date__gte=event.end_date)
    return later.exclude(pk=event.pk).count()


def listed() -> QuerySet[Annulment]:
    """The log, latest first."""
    found = Annulment.objects.select_related("tournament__club", "rating_tournament", "created_by")
    return found.order_by("-pk")


def records(acts: Iterable[Annulment]) -> list[dict[str, Any]]:
    """Rows of the log's table."""
    return [
        {
            "day": timezone.localdate(each.created_at),
            "act": each.get_act_display(),
            "title": each.event.name,
            "url": each.event.get_absolute_url(),
            "club": each.tournament.club.name if each.tournament else "",
            "played": each.event.end_date,
            "reason": each.reason,
            "by": each.created_by.get_username(),
        }
        for each in acts
    ]
