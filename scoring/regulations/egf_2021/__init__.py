"""The rating of the European Go Federation since 2021."""

from scoring.regulations.declaration import Declaration
from scoring.regulations.egf.calculation import CALCULATION
from scoring.regulations.egf.json_schema import schema

from . import page
from .notes import RULINGS
from .rules import REGULATION

DECLARATIONS = (
    Declaration(
        REGULATION,
        schema=schema("egf-2021", "EGF rating since 2021"),
        page=page.page,
        calculation=CALCULATION,
        rulings=RULINGS,
    ),
)
