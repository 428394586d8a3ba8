"""The Swedish federation's bronze and silver points, as proposed in 2019."""

from .rules import BRONZE, SILVER_POINTS

__all__ = ["BRONZE", "SILVER_POINTS"]
