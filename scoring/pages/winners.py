"""The sentence about who won a tournament."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language, gettext, ngettext

from scoring.ledger.wording import FIELD_NAMES
from ui.counting import counted_points
from ui.formatting import format_list, format_percent

MOST_NAMED = 3  # more contestants that share the first place are not listed


def winners(rows: Sequence[dict[str, Any]], decimals: int) -> list[str]:
    """Return who won and with how many points: a sentence for each field, without its full stop.

    rows: those of `scoring.pages.queries.tournaments.ranking_of`
    decimals: number of decimals of the points

    There is no sentence about a field whose first place more than MOST_NAMED contestants share.
    """
    sentences = []
    for field in dict.fromkeys(row["field"] for row in rows):
        first = [row for row in rows if row["field"] == field and row["place"] == 1]
        if 1 <= len(first) <= MOST_NAMED:
            sentences.append(_sentence(field, first, decimals))
    return sentences


def _sentence(field: str, first: list[dict[str, Any]], decimals: int) -> str:
    text = _who(first, first[0]["percentage"])
    if field:
        text = gettext("%(text)s in %(line)s") % {"text": text, "line": FIELD_NAMES[field]}
    points = first[0]["points"]
    if points is None:
        return text
    return gettext("%(text)s: %(points)s") % {"text": text, "points": counted_points(points, decimals)}


def _who(first: list[dict[str, Any]], percentage: Decimal | None) -> str:
    """Return who won, or who share the first place, and with which percentage if it is known."""
    lang = get_language() or ""
    if len(first) > 1:
        names = format_list([names_of(row["team"], row["people"]) for row in first], lang)
        return gettext("%(names)s share the first place") % {"names": names}
    names = [first[0]["team"]] if first[0]["team"] else _names(first[0])
    values = {"names": format_list(names, lang)}
    if percentage is None:
        return ngettext("%(names)s wins", "%(names)s win", len(names)) % values
    values["result"] = format_percent(percentage, lang)
    return ngettext("%(names)s wins with %(result)s", "%(names)s win with %(result)s", len(names)) % values


def names_of(team: str, people: Sequence[dict[str, Any]]) -> str:
    """Return a contestant's name: the team's, or those of its persons, "Ana Gil – Eva Ruiz"."""
    return team or " – ".join(_names({"people": people}))


def _names(row: dict[str, Any]) -> list[str]:
    return [person["name"] or gettext("guest") for person in row["people"]]
