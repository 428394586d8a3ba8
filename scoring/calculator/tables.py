"""Tables of the calculator's results."""

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.calculator.forms import LISTED
from scoring.ledger.receipts import ReceiptLine
from scoring.ratings.tables import ChangeColumn, RatingColumn
from ui.columns import NumberColumn, PointsColumn
from ui.formatting import format_points
from ui.tables import BaseTable


def award_text(points: int, decimals: int) -> str:
    """Format an award, given in hundredths, with the number of decimals of its kind of points."""
    return format_points(points, get_language() or "", decimals)


class DifferenceColumn(PointsColumn):
    """A column of differences between two awards, shown with a sign."""

    def render(self, value: int) -> str:
        return f"+{super().render(value)}" if value > 0 else super().render(value)


class WorkingColumn(tables.Column):
    """A column that explains how a number was computed: a sentence, and below it the formula with numbers."""

    def render(self, value: ReceiptLine) -> SafeString:
        return format_html(
            '<div>{}<br><span class="formula">{}</span></div>', value.sentence, value.working or value.formula
        )


class PlaceTable(BaseTable):
    """A table of the places that earn points.

    The view adds a column of points for each answer. If there is only one answer, the view also adds a column
    that explains how the points are computed.
    """

    row_header = "place"
    caption = _("Points of every place")

    place = NumberColumn(verbose_name=_("Place"))

    class Meta:
        per_page = LISTED


class CalculatedTable(BaseTable):
    """A table of a player's rating before and after the games, with a row per rating system."""

    row_header = "name"
    caption = _("The rating before and after")

    name = tables.Column(verbose_name=_("Regulation"))
    start = RatingColumn(verbose_name=_("Before"), digits=2)
    con = RatingColumn(verbose_name="con", digits=4)
    bonus = RatingColumn(verbose_name=_("Bonus of each game"), digits=4)
    epsilon = RatingColumn(verbose_name="ε", digits=3)
    change = ChangeColumn(verbose_name=_("Change"), digits=2)
    after = RatingColumn(verbose_name=_("After"), digits=2)


class CalculatedGameTable(BaseTable):
    """A table of the user's games of Go. The view adds two columns per rating system."""

    row_header = "opponent"
    caption = _("What each game changes")

    opponent = tables.Column(verbose_name=_("Opponent"))
    result = tables.Column(verbose_name=_("Result"))
    handicap = tables.Column(verbose_name=_("Handicap"))
