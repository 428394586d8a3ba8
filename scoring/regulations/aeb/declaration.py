"""The parts of a declaration that are the same for all regulations of the AEB."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.regulations.calculation import PointsCalculation
from scoring.regulations.context import Context
from scoring.regulations.declaration import Declaration
from scoring.regulations.page import Erratum, Example, Page, Section
from scoring.regulations.texts import Text

from .json_schema import SCHEMA
from .notes import RULINGS
from .page import page
from .scheme import Scheme

CALCULATION = PointsCalculation(
    example={
        "tipo": "pool",
        "formato": "pairs",
        "participantes": "20",
        "manos": "24",
        "lugar": "in_person",
    },
    players={"3P": 8, "2D": 10, "2C": 10, "2P": 8, "1D": 4},
)


def declared(
    scheme: Scheme,
    rulings: Sequence[Text] = RULINGS,
    errata: Sequence[Erratum] = (),
    examples: Callable[[Scheme], Sequence[Example]] = lambda _scheme: (),
    printed_tables: Callable[[Scheme, Context], Sequence[Section]] = lambda _scheme, _context: (),
) -> Declaration:
    """Return the declaration of one AEB regulation from its scheme and the parts that differ between years.

    examples: returns the worked examples of the document
    printed_tables: returns page sections with further tables that the document prints
    """

    def page_of(context: Context) -> Page:
        return page(scheme, examples(scheme), printed_tables(scheme, context), context)

    return Declaration(scheme, SCHEMA, page_of, CALCULATION, rulings, errata)
