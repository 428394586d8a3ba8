"""The table of official and adjusted results."""

from decimal import ROUND_HALF_UP, Decimal

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import ContestantTable
from scoring.strength.queries import SORTABLE, Comparison
from ui.columns import NumberColumn, RankColumn
from ui.formatting import MINUS, format_fixed, format_whole
from ui.paging import Listing

DIGITS = 2


def rounded(value: Decimal | float) -> Decimal:
    """Round a result per board, in percent or IMPs, half up to the two decimals shown and exported.

    The ranking shows its results rounded in the same way.
    """
    exact = Decimal(repr(value) if isinstance(value, float) else value)
    return exact.quantize(Decimal("0.01"), ROUND_HALF_UP)


class ComparedRows(Listing):
    """The rows of a `Comparison`, which the table can sort by its columns."""

    data: Comparison

    def order_by(self, aliases) -> None:
        # The sort is stable, so sort by the least significant column first.
        for alias in reversed(aliases):
            if alias.bare in SORTABLE:
                self.data.sort(alias.bare, alias.is_descending)


class FigureColumn(NumberColumn):
    """A column of results per board, shown with two decimals."""

    def render(self, value: Decimal | float) -> str:
        return format_fixed(rounded(value), get_language() or "", DIGITS)

    def value(self, value: Decimal | float) -> Decimal:
        return rounded(value)


class StepColumn(FigureColumn):
    """A column of results after one step of the iteration, with the place in parentheses."""

    def render(self, value: tuple[float, int]) -> SafeString:
        result, place = value
        lang = get_language() or ""
        return format_html(
            "<span>{} ({})</span>", format_fixed(rounded(result), lang, DIGITS), format_whole(place, lang)
        )

    def value(self, value: tuple[float, int]) -> Decimal:
        return rounded(value[0])


class MovedColumn(NumberColumn):
    """A column of places gained or lost, shown with a sign."""

    def render(self, value: int) -> str:
        sign = "+" if value > 0 else MINUS if value < 0 else ""
        return f"{sign}{format_whole(abs(value), get_language() or '')}"


class StrengthTable(ContestantTable):
    """A table of official and adjusted results. Its records come from `queries.Comparison`."""

    label = tables.Column(verbose_name=_("Pair"), visible=False)
    people = tables.Column(
        verbose_name=_("Players"),
        orderable=False,
        attrs={"cell": {"class": "roomy"}},
        exclude_from_export=True,
    )
    boards = NumberColumn(verbose_name=_("Boards"))
    official = FigureColumn(verbose_name=_("Official result"))
    step0 = StepColumn(verbose_name=_("Step 0"))
    place0 = tables.Column(verbose_name=_("Place 0"), accessor="step0__1", visible=False)
    step1 = StepColumn(verbose_name=_("Step 1"))
    place1 = tables.Column(verbose_name=_("Place 1"), accessor="step1__1", visible=False)
    step2 = StepColumn(verbose_name=_("Step 2"))
    place2 = tables.Column(verbose_name=_("Place 2"), accessor="step2__1", visible=False)
    adjusted = FigureColumn(verbose_name=_("Adjusted result"))
    new_place = RankColumn(verbose_name=_("Adjusted place"))
    moved = MovedColumn(verbose_name=_("Places gained"), exclude_from_export=True)
    component = NumberColumn(verbose_name=_("Group"), orderable=False)

    class Meta:
        attrs = {"class": "baza crowded"}
        orderable = True
        sequence = ("field", "place", "label", "...")
