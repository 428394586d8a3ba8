"""The rating of the European Go Federation before 2021."""

from .rules import REGULATION

REGULATIONS = (REGULATION,)
