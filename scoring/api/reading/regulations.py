"""The regulations, and one regulation with its tables and dates."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_noop
from ninja import Path, Router

from scoring.api.numbers import number, points
from scoring.api.problems import Problem
from scoring.api.reading.common import OTHERS, absolute
from scoring.api.reading.schemas import RegulationOut, RegulationRef, RegulationsOut, TableOut
from scoring.ledger.context import context_of
from scoring.ledger.texts import say
from scoring.regulations.page import Grid, Page
from scoring.regulations.texts import Category, Day, Name, Number, Words
from scoring.rulebook.listing import declaration_of, listed_rows, row_of
from ui.clock import today

RegulationCode = Annotated[
    str, Path(max_length=20, description=gettext_noop("code of the regulation"), example="aeb-2026")
]

router = Router(tags=["regulations"])


@router.get(
    "/regulations",
    response={200: RegulationsOut, **OTHERS},
    url_name="regulations",
    operation_id="list_regulations",
    summary=gettext_noop("The regulations"),
    description=gettext_noop(
        "List the regulations of the points systems that this installation offers, with their dates."
    ),
)
def list_regulations(request: HttpRequest):
    """List the regulations of the points systems that this installation offers, with their dates."""
    listed = listed_rows(today())
    items = [RegulationRef(family=family, **row) for family, rows in listed.items() for row in rows]
    return RegulationsOut(items=items)


@router.get(
    "/regulations/{code}",
    response={200: RegulationOut, **OTHERS},
    url_name="regulation",
    operation_id="show_regulation",
    summary=gettext_noop("A regulation"),
    description=gettext_noop(
        "Show a regulation with its tables, also of a system that is no longer offered: tournaments cite it."
    ),
)
def show(request: HttpRequest, code: RegulationCode):
    """Show a regulation with its tables, also of a system that is no longer offered: tournaments cite it."""
    declaration = declaration_of(code.lower())
    if declaration is None:
        raise Problem("not_found")
    scheme, day = declaration.regulation, today()
    page = declaration.page(context_of(scheme, day))
    return RegulationOut(
        family=scheme.family,
        **row_of(scheme, day),
        document=say(page.document),
        tables=list(_tables(page)),
        url=absolute(request, reverse("regulation", args=[scheme.code])),
    )


def _tables(page: Page) -> Iterator[TableOut]:
    for section in page.sections:
        for block in section.blocks:
            if isinstance(block, Grid):
                yield TableOut(
                    section=say(section.title),
                    caption=say(block.caption),
                    source=say(block.source),
                    columns=[say(column.label) for column in block.columns],
                    rows=[[_cell(words) for words in row] for row in block.rows],
                )


def _cell(words: Words) -> str:
    """Return the text of a cell: numbers with a point, dates ISO, codes of categories and regulations."""
    return CELLS.get(type(words), say)(words)


def _number(words: Number) -> str:
    return points(int(words.value)) if words.style == "points" else number(words.value)


CELLS: dict[type, Callable[[Any], str]] = {
    Number: _number,
    Day: lambda words: words.day.isoformat(),
    Name: lambda words: words.regulation,
    Category: lambda words: words.code,
}
