"""The class that holds the day and the settings on which a regulation's page and calculation depend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Context:
    """The day and the settings that the page and the calculation of a regulation depend on.

    place_rule: the setting for how regulations of the AEB convert places to positions
    bronze_decimals: the setting for the number of decimals of Swedish bronze points
    family: the regulations of the same family, the oldest first
    """

    day: date
    place_rule: str
    bronze_decimals: int
    family: Sequence[Any]
