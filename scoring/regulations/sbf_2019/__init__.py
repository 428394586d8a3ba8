"""The Swedish federation's bronze and silver points, as proposed in 2019."""

from scoring.regulations.declaration import Declaration

from .json_schema import BRONZE_SCHEMA, SILVER_SCHEMA
from .rules import BRONZE, SILVER_POINTS

DECLARATIONS = (
    Declaration(BRONZE, schema=BRONZE_SCHEMA),
    Declaration(SILVER_POINTS, schema=SILVER_SCHEMA),
)
