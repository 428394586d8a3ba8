"""Declared grades: 30k to 1k and 1d to 9d, a hundred points apart."""

from __future__ import annotations

import re

from scoring.engine.errors import EngineError

FIRST_DAN = 2100
A_GRADE = 100
WEAKEST_KYU, STRONGEST_DAN = 30, 9
_GRADE = re.compile(r"([1-9][0-9]?)([kd])")


def steps_above_first_kyu(grade: str, field: str) -> int:
    """Return how many grades above 1k a grade is: 1k is 0, 1d is 1, 2k is -1.

    Raise EngineError ``unknown_grade`` for ``field`` if there is no such grade.
    """
    match = _GRADE.fullmatch(grade)
    if match:
        number, kind = int(match[1]), match[2]
        if kind == "k" and number <= WEAKEST_KYU:
            return 1 - number
        if kind == "d" and number <= STRONGEST_DAN:
            return number
    message = f"{grade[:40]!r} is not a grade from {WEAKEST_KYU}k to {STRONGEST_DAN}d"
    raise EngineError("unknown_grade", field, message)


def nominal(grade: str, floor: int, field: str) -> int:
    """Return the nominal rating of a grade, at least ``floor``, the lowest rating of the system.

    Raise EngineError ``unknown_grade`` for ``field`` if there is no such grade.
    """
    return max(floor, FIRST_DAN - A_GRADE + A_GRADE * steps_above_first_kyu(grade, field))
