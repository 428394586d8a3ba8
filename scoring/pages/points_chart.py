"""The chart of a tournament's points by place."""

from collections.abc import Callable
from decimal import Decimal

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.placed import PlacedEvent
from scoring.engine.points import hundredths
from scoring.engine.types import Award
from scoring.ledger.evaluation import FieldResult
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.places.scheme import PlaceScheme
from ui.counting import counted_points
from ui.formatting import format_points, format_whole
from ui.plots import Chart, evenly_spaced, points_curve

CURVE_STEPS = 40  # the most points by which a curve is drawn
MARKED = 60  # the most places that are marked in the chart of the points


def points_chart(
    regulation: Scheme | PlaceScheme, field: FieldResult, decimals: int, award: Award | None = None
) -> Chart | None:
    """Return the chart of the points by place, in which the places of the ranking are marked.

    Of very many places, MARKED at equal distances are marked. Return None if there is only one contestant.

    decimals: of points
    award: the award to highlight, if any
    """
    event, result = field.event, field.result
    count = event.count
    if count < 2:
        return None
    lang = get_language() or ""
    if isinstance(regulation, PlaceScheme):
        drawn, points_at = _by_place(regulation, event)
    else:
        drawn, points_at = _along_the_curve(regulation, field)
    places = sorted({(award.place, award.points) for award in result.awards if award.place is not None})
    desc = _("From %(first)s for the first to %(last)s for the last of %(count)s.") % {
        "first": counted_points(places[0][1], decimals),
        "last": format_points(places[-1][1], lang, decimals),
        "count": format_whole(count, lang),
    }
    return points_curve(
        [(place, points_at(place)) for place in drawn],
        evenly_spaced(places, MARKED),
        desc=desc,
        points=lambda value: format_points(int(value), lang, decimals),
        own=(award.place, award.points) if award and award.place is not None else None,
    )


def _along_the_curve(regulation: Scheme, field: FieldResult) -> tuple[list, Callable[[Decimal], int]]:
    """Return the places to draw in the chart of an AEB tournament, and a function for points.

    The places include fractional ones. The function takes a place and returns its points in hundredths.
    """
    count, curve = field.event.count, regulation.curve(field.result)
    steps = min(count, CURVE_STEPS)
    drawn = [Decimal(1) + Decimal(count - 1) * step / (steps - 1) for step in range(steps)]
    return drawn, lambda place: hundredths(curve.at(regulation.position(field.event, place)))


def _by_place(regulation: PlaceScheme, event: PlacedEvent) -> tuple[list, Callable[[int], int]]:
    """Return the places to draw in the chart of a tournament scored by place, and a function for points.

    The places are those that earn points, plus the first that earns none. The function takes a place and
    returns its points in hundredths.
    """
    ladder = regulation.ladder(event)
    drawn = range(1, min(event.count, ladder.paid + 1) + 1)
    return list(drawn), lambda place: ladder.points(ladder.at(place))
