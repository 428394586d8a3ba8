"""Normalise the federation's licence numbers."""

import re

_DIGITS = re.compile(r"[0-9]{1,8}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")
_NO_DECIMALS = re.compile(r"([0-9]+)(?:\.|[.,]0+)")


def normalise(number: str) -> str | None:
    """Return a licence number for comparison, or None if the text is not a licence number.

    Drop spaces, dots between thousands and leading zeros, because some scoring programs pad numbers to eight
    digits. Drop decimals that are all zeros, which programs add if they store the number as a decimal. Return
    None for other decimals, and for texts with two possible meanings (21.000).
    """
    compact = re.sub(r"\s", "", number)
    if _GROUPED.fullmatch(compact):
        if compact.count(".") == 1 and compact.endswith(".000"):
            return None
        compact = compact.replace(".", "")
    elif match := _NO_DECIMALS.fullmatch(compact):
        compact = match[1]
    if not _DIGITS.fullmatch(compact):
        return None
    return compact.lstrip("0") or None
