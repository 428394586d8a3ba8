"""The Swedish federation's bronze and silver points, as proposed in 2019."""

from scoring.regulations.declaration import Declaration

from . import page_bronze, page_silver
from .json_schema import BRONZE_SCHEMA, SILVER_SCHEMA
from .notes import BRONZE_ERRATA, BRONZE_RULINGS, SILVER_RULINGS
from .rules import BRONZE, SILVER_POINTS

DECLARATIONS = (
    Declaration(BRONZE, BRONZE_SCHEMA, page_bronze.page, BRONZE_RULINGS, BRONZE_ERRATA),
    Declaration(SILVER_POINTS, SILVER_SCHEMA, page_silver.page, SILVER_RULINGS),
)
