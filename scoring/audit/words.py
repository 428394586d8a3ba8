"""Say in the reader's language what an audit found. The command prints, and the report stores, codes.

Values are texts in English with points in hundredths; what people read most often of them is translated here:
awards, sums of the standings, states. Digests and what a regulation's inputs hold are shown as they are.
"""

import re
from collections.abc import Mapping
from datetime import date

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from ui.counting import counted_points
from ui.formatting import format_date, format_points

WORDS: dict[str, Promise] = {
    "digest": _("The inputs of a computation were changed"),
    "unreadable": _("The inputs of a computation cannot be read"),
    "outcome": _("The tournament scores otherwise"),
    "ranking": _("The ranking is not the one that was scored"),
    "data": _("The tournament's data are not those that were scored"),
    "award": _("The points of a player"),
    "no_run": _("Points that no computation gave"),
    "annulled": _("The tournament's annulment"),
    "published": _("The ranking on the site is not the last one scored"),
    "not_taken_back": _("Points of an earlier ranking still count"),
    "taken_back": _("Points of the last ranking do not count"),
    "reversal": _("Points were not taken back as they had been given"),
    "moved": _("Points that a merge does not explain"),
    "guard": _("A lock of the database"),
    "log": _("The transparency log"),
    "adjustment": _("Points by hand without a second person's approval"),
    "opening": _("Points from before that no list and no former program brought in"),
    "strength": _("Results adjusted for the strength of opponents"),
    "file": _("A stored file"),
    "further_file": _("A stored file, after the first of its upload"),
    "go_file": _("A stored file of Go"),
    "read_row": _("The file has another row of the ranking"),
    "read_board": _("The file has other results of a board"),
    "read_file": _("The file can no longer be read"),
    "standing": _("A player's sum in the standings"),
    "year": _("A player's total of a year"),
    "campaign": _("A list of the year-end category change"),
    "go_rating": _("A rating of Go"),
    "go_unreadable": _("A tournament of Go that cannot be rated"),
    "go_source": _("A tournament of Go is not that of its file"),
    "go_change": _("The record of changes of a rating"),
    "go_player": _("The present rating of a Go player"),
}
_VALUES: dict[str, Promise] = {
    "nothing": _("nothing"),
    "no file": _("no file"),
    "annulled": _("annulled"),
    "counts": _("counts"),
    "standing": _("counts"),
    "taken back": _("taken back"),
    "inputs of the engine": _("inputs that can be read"),
    "as declared": _("as the application declares it"),
    "approved by a second person": _("approved by a second person"),
    "an award that was taken back for it": _("points that were taken back for it"),
    "as a merging explains it": _("as a merge explains it"),
    "nothing: the number is merged": _("nothing: the number is merged"),
    "games that can be rated": _("games that can be rated"),
    "results of boards that can be scored": _("results of boards that can be scored"),
}
_SUMS: dict[str, Promise] = {
    "year": _("year"),
    "points": _("points"),
    "points_in_person": _("points in person"),
    "points_online": _("points online"),
    "tournaments": _("tournaments"),
    "category_id": _("category"),
    "licensed": _("licence"),
}
_POINTS = frozenset({"points", "points_in_person", "points_online"})
_AWARD = re.compile(r"(-?\d+) \(row (\w+), (\d{4}-\d\d-\d\d), (online|in person), \w+\)")
_ENTRY = re.compile(r"entry (\d+): (-?\d+)")
_MIRROR = re.compile(r"the mirror of entry (\d+)")
_RANKING = re.compile(r"ranking (\d+|None)")


def code_in_words(code: str) -> str:
    """Return what differs, in the reader's language."""
    return str(WORDS.get(code, code))


def values_in_words(stored: str, derived: str, categories: Mapping[str, str]) -> tuple[str, str]:
    """Return the stored and the computed value of a difference, translated as far as this module knows them.

    Of sums, only those that differ are returned.

    categories: {id of a category: its code}
    """
    sums = [_sums_of(text) for text in (stored, derived)]
    if not any(sums):
        return _value(stored), _value(derived)
    names = [name for name in _SUMS if len({values.get(name) for values in sums}) > 1]
    return tuple(
        ", ".join(f"{_SUMS[name]}: {_sum(name, values[name], categories)}" for name in names)
        if values
        else _value(text)
        for text, values in zip((stored, derived), sums, strict=True)
    )


def _sums_of(text: str) -> dict[str, str]:
    """Return {name: text} of a player's sums; empty if the text has none."""
    parts = [part.partition("=") for part in text.split(", ")]
    return {name: value for name, sign, value in parts if sign and name in _SUMS}


def _sum(name: str, value: str, categories: Mapping[str, str]) -> str:
    if name in _POINTS and value.lstrip("-").isdecimal():
        return format_points(int(value), get_language() or "")
    if name == "category_id":
        return categories.get(value, "—")
    words = {"True": gettext("yes"), "False": gettext("no")}
    return words.get(value, value)


def _value(text: str) -> str:
    if text in _VALUES:
        return str(_VALUES[text])
    language = get_language() or ""
    if match := _AWARD.fullmatch(text):
        points, row, day, venue = match.groups()
        return gettext("%(points)s, row %(row)s, %(day)s, %(venue)s") % {
            "points": counted_points(int(points)),
            "row": row,
            "day": format_date(date.fromisoformat(day), language),
            "venue": gettext("online") if venue == "online" else gettext("in person"),
        }
    if match := _ENTRY.fullmatch(text):
        values = {"entry": match[1], "points": counted_points(int(match[2]))}
        return gettext("%(points)s (entry %(entry)s)") % values
    if match := _MIRROR.fullmatch(text):
        return gettext("the opposite of entry %(entry)s") % {"entry": match[1]}
    if match := _RANKING.fullmatch(text):
        number = gettext("none") if match[1] == "None" else match[1]
        return gettext("ranking %(number)s") % {"number": number}
    return text
