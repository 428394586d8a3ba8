"""The Swedish federation's bronze and silver points, as proposed in 2019."""

from scoring.regulations.declaration import Declaration

from . import page_bronze, page_silver
from .calculation import BRONZE_CALCULATION, SILVER_CALCULATION
from .json_schema import BRONZE_SCHEMA, SILVER_SCHEMA
from .notes import BRONZE_ERRATA, BRONZE_RULINGS, SILVER_RULINGS
from .rules import BRONZE, SILVER_POINTS

DECLARATIONS = (
    Declaration(
        BRONZE,
        schema=BRONZE_SCHEMA,
        page=page_bronze.page,
        calculation=BRONZE_CALCULATION,
        rulings=BRONZE_RULINGS,
        errata=BRONZE_ERRATA,
    ),
    Declaration(
        SILVER_POINTS,
        schema=SILVER_SCHEMA,
        page=page_silver.page,
        calculation=SILVER_CALCULATION,
        rulings=SILVER_RULINGS,
    ),
)
