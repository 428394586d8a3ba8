"""The Swedish federation's bronze and silver points, as proposed in 2019."""

from .rules import BRONZE, SILVER_POINTS

REGULATIONS = (BRONZE, SILVER_POINTS)
