"""The calculator's forms for the ACBL's overall and club awards."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from scoring.regulations.calculation import (
    CaseField,
    ChoiceField,
    NumberField,
    PlacesCalculation,
    WholeField,
)
from scoring.regulations.context import Context
from scoring.regulations.texts import Text, Words, _

from .club import ClubEvent
from .labels import RATINGS, RESTRICTIONS
from .overall import OverallEvent, half_tables
from .shared import LARGEST_FACTOR, LEAST_FACTOR
from .tables import MOST_SESSIONS, UNSOURCED

PERSONS = 2  # persons per contestant, to compute the number of tables from the number of contestants
MOST_TABLES = 5_000


def _example(context: Context) -> dict[str, str]:
    return {"participantes": "40", "calificacion": "sectional", "sesiones": "1", "restriccion": "none"}


def _own_factor(name: str, factor: str, label: Text) -> NumberField:
    """Return the form field for a factor's value, which replaces the value that the office entered."""
    help_text: Words = ""
    most = LARGEST_FACTOR
    if factor == "depth":
        help_text = _("Share of the field that earns points: 0.25 is a quarter.")
        most = Decimal(1)
    return NumberField(name, factor, label, help_text, least=LEAST_FACTOR, most=most, decimals=4)


def _overall(
    ranking: Mapping[str, Any], values: Mapping[str, Any], factors: dict[str, Decimal]
) -> OverallEvent:
    tables = values["tables"]
    return OverallEvent(
        **ranking,
        tables=half_tables(PERSONS * ranking["contestant_count"]) if tables is None else tables,
        rating=values["rating"],
        sessions=values["sessions"],
        restriction=values["restriction"],
        factors=factors,
    )


OVERALL_CALCULATION = PlacesCalculation(
    (
        NumberField(
            "mesas",
            "tables",
            _("Tables"),
            _("Half tables too; if blank, one for every two pairs."),
            least=Decimal("0.5"),
            most=Decimal(MOST_TABLES),
            decimals=1,
            step=Decimal("0.5"),
            not_a_step=_("Tables are whole or half."),
        ),
        ChoiceField(
            "calificacion",
            "rating",
            _("Rating of the tournament"),
            choices=[(code, _(label)) for code, label in RATINGS.items()],
        ),
        WholeField("sesiones", "sessions", _("Sessions"), least=1, most=MOST_SESSIONS),
        ChoiceField(
            "restriccion",
            "restriction",
            _("Who may play"),
            choices=[(code, _(label)) for code, label in RESTRICTIONS.items()],
        ),
        CaseField("limite", "limit", _("Masterpoint limit"), factor="M"),
        CaseField("concurso", "contest", _("Type of contest"), factor="T"),
    ),
    _overall,
    _example,
    factors=(
        _own_factor("factor_m", "M", _("M of your own")),
        _own_factor("factor_t", "T", _("T of your own")),
        _own_factor("factor_r", "R", _("R of your own")),
        _own_factor("profundidad", "depth", _("Depth of your own")),
    ),
    needed=UNSOURCED,
)
CLUB_CALCULATION = PlacesCalculation(
    (),
    lambda ranking, _values, factors: ClubEvent(**ranking, factors=factors),
    _example,
    factors=(_own_factor("profundidad_club", "depth", _("Depth of your own, club awards")),),
)
