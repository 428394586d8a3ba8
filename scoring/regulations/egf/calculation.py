"""The example with which the calculator's form for Go ratings is filled."""

from scoring.regulations.calculation import RatingCalculation

CALCULATION = RatingCalculation(
    {"clase": "A", "puntos": "1850", "rival_1": "2015", "rival_2": "3k", "resultado_2": "0"}
)
