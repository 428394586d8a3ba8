"""The tables of a tournament's boards: the list of boards, a board's traveller and a contestant's card."""

from decimal import Decimal
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.ledger.tables import OwnPeopleMixin, in_lines
from scoring.ledger.wording import FIELD_NAMES
from tournaments.boards import IN_PERCENT
from ui.cards import card_html, contract_html
from ui.columns import NumberColumn
from ui.formatting import format_fixed, format_share, format_whole
from ui.tables import BaseTable


def _whole(value: int) -> str:
    return format_whole(value, get_language() or "")


def result_heading(scored: str, side: str) -> str:
    """Return the heading of a column of results on boards.

    side: the side whose results they are, or "" for a contestant's own
    """
    return f"{'%' if scored in IN_PERCENT else gettext('IMPs')} {side}".strip()


class ResultColumn(NumberColumn):
    """A column of results on boards, in percent or IMPs."""

    def render(self, value: Decimal) -> str:
        return format_fixed(value, get_language() or "", 2)


class SideColumn(tables.Column):
    """A column of contestants: numbers, linked to the cards, and names, which telephones hide."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(attrs={"cell": {"class": "side"}}, empty_values=(), **kwargs)

    def render(self, value: list[dict[str, Any]]) -> SafeString | str:
        if not value:
            return gettext("not in the ranking")
        return format_html_join(" ", "{}", ((self._contestant(contestant),) for contestant in value))

    def _contestant(self, contestant: dict[str, Any]) -> SafeString:
        names = in_lines(person["name"] or gettext("guest") for person in contestant["people"])
        return format_html(
            '<a href="{}"><span class="pair-number">{}</span> <span class="pair-names">{}{}</span></a>',
            contestant["card"],
            contestant["label"],
            contestant["team"],
            names,
        )

    def value(self, value: list[dict[str, Any]]) -> str:
        """Return the numbers and names of the contestants, for a file."""
        texts = (
            (contestant["label"], contestant["team"], *(person["name"] for person in contestant["people"]))
            for contestant in value
        )
        return ", ".join(" – ".join(filter(None, text)) for text in texts)


class PlayTable(OwnPeopleMixin, BaseTable):
    """Base of tables whose rows are results of boards.

    scored: how the boards were scored, as in `Revision.boards_scored`
    """

    side_of_figures: str | Promise = ""

    contract = tables.Column(verbose_name=_("Contract"), attrs={"cell": {"class": "nowrap"}})
    lead = tables.Column(verbose_name=_("Lead"), attrs={"cell": {"class": "nowrap roomy-only"}})
    tricks = NumberColumn(verbose_name=_("Tricks"), attrs={"cell": {"class": "num roomy-only"}})
    points = NumberColumn(verbose_name=_("Score N-S"), empty_values=())
    adjusted = tables.Column(verbose_name=_("Adjusted score in percent"), visible=False)
    result = ResultColumn(attrs={"cell": {"class": "num key"}})

    class Meta:
        attrs = {"class": "baza stays plays"}

    def __init__(self, data: Any, *, scored: str, **options: Any) -> None:
        super().__init__(data, **options)
        heading = result_heading(scored, str(self.side_of_figures))
        self.columns["result"].column.verbose_name = heading

    def render_contract(self, value: str, record: dict[str, Any]) -> SafeString:
        return contract_html(value, record["declarer"])

    def value_contract(self, value: str, record: dict[str, Any]) -> str:
        return f"{value} {record['declarer']}".strip()

    def render_lead(self, value: str) -> SafeString:
        return card_html(value)

    def value_lead(self, value: str) -> str:
        return value

    def render_points(self, value: int | None, record: dict[str, Any]) -> str:
        if value is not None:
            return _whole(value)
        if record["adjusted"] is None:
            return "—"
        lang = get_language() or ""
        shares = record["adjusted"] if record["side"] == "NS" else record["adjusted"][::-1]
        return "/".join(format_share(share, lang) for share in shares)

    def value_adjusted(self, value: tuple[int, int], record: dict[str, Any]) -> str:
        return "/".join(map(str, value if record["side"] == "NS" else value[::-1]))


class TravellerTable(PlayTable):
    """A board's results. Its records come from `queries.boards.traveller`."""

    row_header = "ns"
    side_of_figures = _("N-S")

    ns = SideColumn(verbose_name=_("N-S"))
    ew = SideColumn(verbose_name=_("E-W"))
    correct = tables.Column(
        verbose_name=_("Correct"),
        accessor="pk",
        exclude_from_export=True,
        attrs={"cell": {"class": "screen-only correct"}},
    )

    class Meta:
        sequence = ("ns", "ew", "...", "correct")

    def render_correct(self, value: int) -> SafeString:
        url = reverse("upload_correct_board", args=[value])
        return format_html('<a href="{}">{}</a>', url, gettext("Correct"))


class CardTable(PlayTable):
    """A contestant's boards. Its records come from `queries.boards.card`."""

    row_header = "board"

    board = tables.Column(verbose_name=_("Board"))
    partner = SideColumn(verbose_name=_("Partner"))
    side = tables.Column(
        verbose_name=pgettext_lazy("of the table", "Side"), attrs={"cell": {"class": "nowrap roomy-only"}}
    )
    opponents = SideColumn(verbose_name=_("Opponents"))
    points = NumberColumn(
        verbose_name=_("Score"), empty_values=(), attrs={"cell": {"class": "num own-score"}}
    )

    class Meta:
        sequence = ("board", "side", "partner", "opponents", "...")

    def render_board(self, value: int, record: dict[str, Any]) -> SafeString:
        return format_html('<a href="{}">{}</a>', record["url"], value)

    def value_board(self, value: int) -> int:
        return value

    def value_side(self, value: str) -> str:
        return gettext("N-S") if value == "NS" else gettext("E-W")

    def render_side(self, value: str) -> SafeString:
        return format_html(
            '<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>',
            gettext("N-S") if value == "NS" else gettext("E-W"),
            FIELD_NAMES[value],
        )


class MatchTable(BaseTable):
    """The matches of a team. Its records come from `queries.boards.matches`."""

    row_header = "opponents"
    key_column = "balance"

    round = NumberColumn(verbose_name=_("Round"))
    opponents = SideColumn(verbose_name=_("Opponents"))
    boards = NumberColumn(verbose_name=_("Boards"))
    imps_for = ResultColumn(verbose_name=_("IMPs for"))
    imps_against = ResultColumn(verbose_name=_("IMPs against"))
    balance = ResultColumn(verbose_name=_("Difference"), accessor="imps_for", empty_values=())

    class Meta:
        attrs = {"class": "baza stays"}

    def render_balance(self, record: dict[str, Any]) -> str:
        return format_fixed(self.value_balance(record), get_language() or "", 2)

    def value_balance(self, record: dict[str, Any]) -> Decimal:
        return record["imps_for"] - record["imps_against"]


class BoardTable(BaseTable):
    """The boards of a tournament. Its records come from `queries.boards.summaries`."""

    row_header = "board"

    board = tables.Column(verbose_name=_("Board"))
    contract = tables.Column(verbose_name=_("Most often played"))
    best_ns = NumberColumn(verbose_name=_("Best N-S"))
    best_ew = NumberColumn(verbose_name=_("Best E-W"))

    class Meta:
        attrs = {"class": "baza stays narrow"}

    def render_board(self, value: int, record: dict[str, Any]) -> SafeString:
        return format_html('<a href="{}">{}</a>', record["url"], value)

    def render_contract(self, value: tuple[str, str], record: dict[str, Any]) -> SafeString:
        times = gettext("%(times)s of %(count)s") % {
            "times": _whole(record["times"]),
            "count": _whole(record["count"]),
        }
        return format_html('{} <span class="muted nowrap">{}</span>', contract_html(*value), times)

    def render_best_ns(self, value: int) -> str:
        return _whole(value)

    def render_best_ew(self, value: int) -> str:
        return _whole(value)

    def value_board(self, value: int) -> int:
        return value

    def value_contract(self, value: tuple[str, str]) -> str:
        return " ".join(value).strip()

    def value_best_ns(self, value: int) -> int:
        return value

    def value_best_ew(self, value: int) -> int:
        return value
