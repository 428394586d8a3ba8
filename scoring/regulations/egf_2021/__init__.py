"""The rating of the European Go Federation since 2021."""

from .rules import REGULATION

REGULATIONS = (REGULATION,)
