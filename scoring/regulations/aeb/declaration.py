"""What every year of the AEB declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.regulations.declaration import Declaration
from scoring.regulations.page import Context, Erratum, Example, Page, Section
from scoring.regulations.texts import Text

from .json_schema import SCHEMA
from .notes import RULINGS
from .page import page
from .scheme import Scheme


def declared(
    scheme: Scheme,
    rulings: Sequence[Text] = RULINGS,
    errata: Sequence[Erratum] = (),
    examples: Callable[[Scheme], Sequence[Example]] = lambda _scheme: (),
    printed_tables: Callable[[Scheme, Context], Sequence[Section]] = lambda _scheme, _context: (),
) -> Declaration:
    """Return the declaration of one year. A document may have examples and tables of its own."""

    def page_of(context: Context) -> Page:
        return page(scheme, examples(scheme), printed_tables(scheme, context), context)

    return Declaration(scheme, SCHEMA, page_of, rulings, errata)
