"""Format numbers with their nouns: "1 board", "2 boards", "1 point", "1.00 points".

gettext can choose between singular and plural by one number of a message only. Every other number of a
message is therefore formatted here together with its noun, and the result is inserted into the message.
"""

from django.utils.translation import get_language, ngettext, ngettext_lazy

from ui.formatting import MINUS, format_points, format_signed_points, format_whole

NOUNS = {
    "award": ngettext_lazy("%(number_text)s award", "%(number_text)s awards", "number"),
    "board": ngettext_lazy("%(number_text)s board", "%(number_text)s boards", "number"),
    "category": ngettext_lazy("%(number_text)s category", "%(number_text)s categories", "number"),
    "contestant": ngettext_lazy("%(number_text)s contestant", "%(number_text)s contestants", "number"),
    "licensed player": ngettext_lazy(
        "%(number_text)s licensed player", "%(number_text)s licensed players", "number"
    ),
    "line": ngettext_lazy("%(number_text)s line", "%(number_text)s lines", "number"),
    "pair": ngettext_lazy("%(number_text)s pair", "%(number_text)s pairs", "number"),
    "person": ngettext_lazy("%(number_text)s person", "%(number_text)s people", "number"),
    "player": ngettext_lazy("%(number_text)s player", "%(number_text)s players", "number"),
    "region": ngettext_lazy("%(number_text)s region", "%(number_text)s regions", "number"),
    "team": ngettext_lazy("%(number_text)s team", "%(number_text)s teams", "number"),
    "table": ngettext_lazy("%(number_text)s table", "%(number_text)s tables", "number"),
}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the active language, such as "2 boards".

    noun: a key of `NOUNS`
    """
    text = format_whole(number, get_language() or "")
    return NOUNS[noun] % {"number": number, "number_text": text}


def counted_points(hundredths: int, decimals: int = 2, *, signed: bool = False) -> str:
    """Return integer hundredths as points with their noun: 100 -> "1.00 points", or "1 point" for 0 decimals.

    signed: whether to write a plus sign before a positive number, as for a difference
    """
    write = format_signed_points if signed else format_points
    text = write(hundredths, get_language() or "", decimals)
    number = 1 if text.strip(f"+{MINUS}") == "1" else 2
    return ngettext("%(points)s point", "%(points)s points", number) % {"points": text}
