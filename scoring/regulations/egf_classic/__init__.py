"""The rating of the European Go Federation before 2021."""

from scoring.regulations.declaration import Declaration
from scoring.regulations.egf.calculation import CALCULATION
from scoring.regulations.egf.json_schema import schema
from scoring.regulations.json_schema import ref

from . import page, tables
from .notes import ERRATA, RULINGS
from .rules import REGULATION

_EPSILON = f"What the expected scores of a game fall short of 1; {tables.EPSILON} unless given"

DECLARATIONS = (
    Declaration(
        REGULATION,
        schema=schema("egf-classic", "EGF rating until 2020", {"epsilon": ref("amount", _EPSILON)}),
        page=page.page,
        calculation=CALCULATION,
        rulings=RULINGS,
        errata=ERRATA,
    ),
)
