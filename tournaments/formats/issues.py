"""Making issues and putting them into words; the texts themselves are in catalogue.py."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from . import limits
from .catalogue import CATALOGUE, Definition
from .types import Issue

__all__ = ["CATALOGUE", "Definition", "Description", "IssueList", "describe", "issue", "shorten"]


def shorten(text: str) -> str:
    """Cut a file's own text for display and show control characters as a replacement character."""
    cut = text if len(text) <= limits.ISSUE_VALUE_LENGTH else text[: limits.ISSUE_VALUE_LENGTH - 1] + "…"
    return "".join("�" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char for char in cut)


def issue(
    code: str,
    line: int | None = None,
    field: str | None = None,
    value: object = "",
    catalogue: Mapping[str, Definition] = CATALOGUE,
    **params: str | int,
) -> Issue:
    """Make an issue of a catalogued code. Raises KeyError for a code that is not in the catalogue."""
    clean = {key: shorten(param) if isinstance(param, str) else param for key, param in params.items()}
    severity = catalogue[code].severity
    return Issue(code, severity, line, field and shorten(field), shorten(str(value)), clean)


@dataclass(frozen=True, slots=True)
class Description:
    """An issue in words: what is wrong, and what to do (empty when nothing needs doing)."""

    message: str
    remedy: str


def describe(
    found: Issue,
    translate: Callable[[str], str] = str,
    catalogue: Mapping[str, Definition] = CATALOGUE,
) -> Description:
    """Fill the texts of an issue, translated by `translate` (gettext in a web page)."""
    definition = catalogue[found.code]
    values = {"line": found.line, "field": found.field, "value": found.value, **found.params}
    if isinstance(kind_of_file := found.params.get("found"), str):
        values["found"] = translate(kind_of_file)
    remedy = translate(definition.remedy) % values if definition.remedy else ""
    return Description(translate(definition.message) % values, remedy)


class IssueList:
    """Collects issues, listing at most a hundred of each code and counting the others.

    A file with ten thousand bad rows must not make a page with ten thousand remarks. A code that is cut
    keeps its first hundred, so an error never disappears.

    listed_whole: codes of which every issue is listed
    """

    def __init__(self, listed_whole: Collection[str] = ()) -> None:
        self._listed_whole = listed_whole
        self._items: list[Issue] = []
        self._counts: Counter[str] = Counter()

    def add(self, code: str, line: int | None = None, field: str | None = None, value: object = "", **params):
        self.extend([issue(code, line, field, value, **params)])

    def extend(self, items: Iterable[Issue]) -> None:
        for item in items:
            self._counts[item.code] += 1
            if self._counts[item.code] <= limits.ISSUES_PER_CODE or item.code in self._listed_whole:
                self._items.append(item)

    @property
    def has_errors(self) -> bool:
        return any(item.severity == "error" for item in self._items)

    def done(self) -> tuple[Issue, ...]:
        """The issues in file order within severity (errors first), and what was only counted."""
        order = {"error": 0, "warning": 1, "info": 2}
        listed = sorted(self._items, key=lambda item: (order[item.severity], item.line or 0))
        for code, count in self._counts.items():
            if count > limits.ISSUES_PER_CODE and code not in self._listed_whole:
                listed.append(issue("more_like_this", kind=code, count=count - limits.ISSUES_PER_CODE))
        return tuple(listed)
