"""The federation's licence numbers: what is one, and when two spellings are the same number."""

import re

_DIGITS = re.compile(r"[0-9]{1,8}")


def normalise(number: str) -> str | None:
    """Return the number as compared, or None when it cannot be a licence.

    Spaces and dots are dropped and leading zeros removed, because one scoring program pads numbers to
    eight digits and another does not. Callers keep the text as given for display.
    """
    compact = re.sub(r"[\s.]", "", number)
    if not _DIGITS.fullmatch(compact):
        return None
    return compact.lstrip("0") or None
