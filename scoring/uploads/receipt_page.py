"""The receipt of a confirmed upload whose points are posted."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from players.access import name_for
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import colour
from scoring.ledger.wording import reasons_of
from tournaments.models import Contestant


def context(run: ScoringRun, user) -> dict[str, Any]:
    """Return the context of the page. Three queries; one more if a player's number was merged.

    paid: the number of players with points
    total: the sum of their points in hundredths
    reasons: why the tournament did not count, if it did not
    rows: the records of `ReceiptTable`
    colour: the colour of the points, if their family has one
    """
    entries = LedgerEntry.objects.filter(run=run, kind=LedgerEntry.Kind.AWARD)
    awards = list(entries.values_list("contestant_id", "points"))
    points = dict(awards)
    return {
        "paid": len(awards),
        "total": sum(hundredths for _contestant, hundredths in awards),
        "rule": run.regulation,
        "colour": colour(run.tournament),
        "reasons": reasons_of(run),
        "rows": ranking_rows(run, lambda contestant: points.get(contestant.pk), user),
    }


def ranking_rows(
    run: ScoringRun, points_of: Callable[[Contestant], int | None], user
) -> list[dict[str, Any]]:
    """Return the records of `ReceiptTable`, one per contestant of the run's ranking."""
    contestants = list(run.revision.contestants.prefetch_related("seats__player__merged_into"))
    places = Counter((contestant.field, contestant.place) for contestant in contestants)
    return [
        {
            "place": contestant.place,
            "shared": places[contestant.field, contestant.place] > 1,
            "players": _people(contestant, user),
            "points": points_of(contestant),
        }
        for contestant in contestants
    ]


def _people(contestant, user) -> str:
    names = [
        name_for(user, seat.player.current) if seat.player else seat.guest_name
        for seat in contestant.seats.all()
    ]
    joined = " – ".join(names)
    return f"{contestant.team_name}: {joined}" if contestant.team_name else joined
