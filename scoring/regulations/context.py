"""The day and the settings that the page and the calculation of a regulation depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Context:
    """The day and the settings that the page and the calculation of a regulation depend on.

    place_rule, bronze_decimals: the federation's settings
    family: the regulations of the same family, the oldest first
    """

    day: date
    place_rule: str
    bronze_decimals: int
    family: Sequence[Any]
