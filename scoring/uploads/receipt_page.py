"""What the receipt of a confirmed upload says once its points are posted."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from players.access import name_for
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import colour
from scoring.ledger.wording import reasons_of
from tournaments.models import Contestant


def context(run: ScoringRun, user) -> dict[str, Any]:
    """`paid` players, their `total` in hundredths, `reasons` where nothing counted, `rows` by contestant,
    `colour` of points that have one.

    Three queries, whatever the size of the tournament; one more where somebody's number was merged.
    """
    entries = LedgerEntry.objects.filter(run=run, kind=LedgerEntry.Kind.AWARD)
    awards = list(entries.values_list("contestant_id", "points"))
    points = dict(awards)
    return {
        "paid": len(awards),
        "total": sum(each for _contestant, each in awards),
        "rule": run.regulation,
        "colour": colour(run.tournament),
        "reasons": reasons_of(run),
        "rows": ranking_rows(run, lambda contestant: points.get(contestant.pk), user),
    }


def ranking_rows(
    run: ScoringRun, points_of: Callable[[Contestant], int | None], user
) -> list[dict[str, Any]]:
    """A row a contestant of the run's ranking, for `ReceiptTable`."""
    contestants = list(run.revision.contestants.prefetch_related("seats__player__merged_into"))
    places = Counter((each.field, each.place) for each in contestants)
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
