"""The federation's licence numbers: what is one, and when two spellings are the same number."""

import re

_DIGITS = re.compile(r"[0-9]{1,8}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")
_NO_DECIMALS = re.compile(r"([0-9]+)(?:\.|[.,]0+)")


def normalise(number: str) -> str | None:
    """Return the number as compared, or None when it cannot be a licence.

    Spaces, dots between thousands and zeros at the start are dropped, because one scoring program pads
    numbers to eight digits and another does not; so are decimals that are all zeros, which programs add to a
    number they took for a decimal one. Other decimals make it no number, and so does what may be read both
    ways (21.000). Callers keep the text as given for display.
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
