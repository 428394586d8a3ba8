"""Convert the blocks of a regulation's page to template context, in the active language.

A block is a part of the page, such as a paragraph, a formula or a table.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.types import Step
from scoring.ledger.forms import factor_name
from scoring.ledger.queries.factors import factors_in_force
from scoring.ledger.receipts import ReceiptLine, localised, receipt_line
from scoring.ledger.texts import decimal, say
from scoring.ratings.wording import receipt_line as rating_line
from scoring.regulations.declaration import Regulation
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.page import (
    Block,
    Bullets,
    Column,
    ExampleTable,
    Formula,
    Grid,
    OfficeFactors,
    Paragraph,
    Plot,
    Working,
)
from scoring.regulations.texts import Words
from ui.formatting import format_date, format_decimal, format_points
from ui.plots import Chart, Series

Drawn = dict[str, Any]


def draw(block: Block, regulation: Regulation, day: date) -> Drawn:
    """Return the template context of a block: its template's name (`template`) and the values to show.

    day: the day whose factors, as entered by the office, are shown; reading them takes one query
    """
    template, drawn = DRAW[type(block)]
    return {"template": f"rulebook/blocks/{template}.html", **drawn(block, regulation, day)}


def _paragraph(block: Paragraph, regulation: Regulation, day: date) -> Drawn:
    return {"text": say(block.text), "note": block.note}


def _bullets(block: Bullets, regulation: Regulation, day: date) -> Drawn:
    return {"items": [say(item) for item in block.items]}


def _formula(block: Formula, regulation: Regulation, day: date) -> Drawn:
    return {"text": block.text, "source": say(block.source)}


def _grid(block: Grid, regulation: Regulation, day: date) -> Drawn:
    lines = [
        [_cell(words, column) for words, column in zip(row, block.columns, strict=True)] for row in block.rows
    ]
    return _table(block, block.columns, lines)


def _examples(block: ExampleTable, regulation: Regulation, day: date) -> Drawn:
    label = Column(block.label)
    printed, computed = Column(_("Printed"), number=True), Column(_("By the rule"), number=True)
    lines = [
        [
            {**_cell(example.label, label), "note": say(example.reason)},
            _cell(example.printed_words, printed),
            _cell(example.computed_words, computed),
        ]
        for example in block.examples
    ]
    return _table(block, (label, printed, computed), lines)


def _table(block: Grid | ExampleTable, columns: Sequence[Column], lines: list[list[Drawn]]) -> Drawn:
    return {
        "caption": say(block.caption),
        "source": say(block.source),
        "look": block.look,
        "columns": [{"label": say(column.label), "number": column.number} for column in columns],
        "lines": lines,
    }


def _cell(words: Words, column: Column) -> Drawn:
    return {
        "text": say(words),
        "label": say(column.label),
        "number": column.number,
        "formula": column.formula,
    }


def _plot(block: Plot, regulation: Regulation, day: date) -> Drawn:
    lang = get_language() or ""
    x_label, y_label = block.axes

    def formatter(digits: int | None) -> Callable[[Any], str]:
        if digits is None:
            return lambda value: format_points(int(value), lang)
        return lambda value: format_decimal(decimal(value), lang, digits)

    return {
        "chart": Chart(
            title=say(block.title),
            desc=say(block.description),
            x_label=say(x_label),
            y_label=say(y_label),
            series=[Series(say(line.label), line.points, line.kind, line.in_table) for line in block.lines],
            x_format=formatter(block.digits[0]),
            y_format=formatter(block.digits[1]),
            whole_x=block.whole_x,
            y_from_zero=block.y_from_zero,
        )
    }


def _working(block: Working, regulation: Regulation, day: date) -> Drawn:
    return {
        "caption": say(block.caption),
        "lines": [_line(step, block, regulation) for step in block.steps],
    }


def _line(step: Step, block: Working, regulation: Regulation) -> ReceiptLine:
    lang = get_language() or ""
    if block.names:
        formula, working = localised(step.formula, lang), localised(step.working, lang)
        return ReceiptLine(step.key, say(block.names[step.key]), "", formula, working, say(block.source))
    if isinstance(regulation, RatingSystem):
        return rating_line(step)
    line = receipt_line(step, regulation.code, lang)
    return replace(line, sentence=say(block.chosen)) if block.chosen and step.code == "given" else line


def _office_factors(block: OfficeFactors, regulation: Regulation, day: date) -> Drawn:
    lang, in_force = get_language() or "", factors_in_force(regulation.code, day)
    rows: list[tuple[Words, ...]] = []
    for name in block.names:
        factors = [factor for factor in in_force if factor.name == name]
        for factor in factors:
            label = f"{factor_name(name)} ({factor.case})" if factor.case else str(factor_name(name))
            since = _("%(source)s; from %(day)s on") % {
                "source": factor.source,
                "day": format_date(factor.valid_from, lang),
            }
            rows.append((label, format_decimal(factor.value, lang), since))
        if not factors:
            missing = _("not sourced: without it the calculation refuses and names it")
            rows.append((str(factor_name(name)), "—", block.defaults.get(name, missing)))
    columns = (Column(_("Factor")), Column(_("Value"), number=True), Column(_("Source")))
    return _grid(Grid(_("Entered by the office"), columns, rows, look="narrow prose"), regulation, day)


DRAW: dict[type, tuple[str, Callable[..., Drawn]]] = {
    Paragraph: ("paragraph", _paragraph),
    Bullets: ("bullets", _bullets),
    Formula: ("formula", _formula),
    Grid: ("grid", _grid),
    ExampleTable: ("grid", _examples),
    Plot: ("plot", _plot),
    Working: ("working", _working),
    OfficeFactors: ("grid", _office_factors),
}
