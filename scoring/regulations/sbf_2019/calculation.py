"""The calculator's forms for Swedish bronze and silver points."""

from scoring.regulations.calculation import (
    CALCULATOR_BOARDS,
    ChoiceField,
    PlacesCalculation,
    Variants,
    WholeField,
)
from scoring.regulations.context import Context
from scoring.regulations.texts import _

from .rules import MOST_DECIMALS, SILVER_POINTS, SbfEvent
from .tables import PLACES_TABLES, decimals_on

BOARDS = WholeField("manos", "boards", _("Boards"), least=1, most=CALCULATOR_BOARDS)
DECIMALS = ChoiceField(
    "decimales",
    "decimals",
    _("Decimals of the points"),
    choices=[(str(number), str(number)) for number in range(MOST_DECIMALS + 1)],
    whole=True,
)
TABLE = ChoiceField(
    "tabla", "places_table", _("Table of places"), choices=[(name, name) for name in PLACES_TABLES]
)


def _bronze_example(context: Context) -> dict[str, str]:
    decimals = decimals_on(context.day, context.bronze_decimals)
    return {"participantes": "40", "decimales": str(decimals), "tabla": PLACES_TABLES[0]}


def _silver_example(context: Context) -> dict[str, str]:
    return {"participantes": "40", "manos": "48", "decimales": str(SILVER_POINTS.default_decimals)}


BRONZE_CALCULATION = PlacesCalculation(
    (DECIMALS, TABLE),
    lambda ranking, values, _factors: SbfEvent(**ranking, **values),
    _bronze_example,
    variants=Variants(TABLE.name, _("Bronze, table %(name)s")),
)
SILVER_CALCULATION = PlacesCalculation(
    (BOARDS, DECIMALS), lambda ranking, values, _factors: SbfEvent(**ranking, **values), _silver_example
)
