"""Create issues and describe them in words. The texts are in catalogue.py."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import limits
from .catalogue import CATALOGUE, Definition
from .types import Issue

__all__ = ["CATALOGUE", "Definition", "Description", "IssueList", "describe", "issue", "shorten"]


def shorten(text: str) -> str:
    """Cut a text of the file for display, with control characters shown as a replacement character."""
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
    """Create an issue. Raises KeyError for a code that is not in the catalogue."""
    clean = {key: shorten(param) if isinstance(param, str) else param for key, param in params.items()}
    severity = catalogue[code].severity
    return Issue(code, severity, line, field and shorten(field), shorten(str(value)), clean)


@dataclass(frozen=True, slots=True)
class Description:
    """The texts of an issue: what is wrong, and what to do about it (may be empty)."""

    message: str
    remedy: str


def describe(
    issue: Issue,
    translate: Callable[[str], str] = str,
    catalogue: Mapping[str, Definition] = CATALOGUE,
) -> Description:
    """Return the texts of an issue, translated by `translate` (gettext in a web page)."""
    definition = catalogue[issue.code]
    values = {"line": issue.line, "field": issue.field, "value": issue.value, **issue.params}
    if isinstance(file_type := issue.params.get("found"), str):
        values["found"] = translate(file_type)
    remedy = translate(definition.remedy) % values if definition.remedy else ""
    return Description(translate(definition.message) % values, remedy)


class IssueList:
    """Collect issues: list at most a hundred of each code and count the others.

    A file with ten thousand bad rows must not produce a page with ten thousand issues. The first hundred of a
    code are always listed, so no error disappears.

    uncapped: codes without this limit
    """

    def __init__(self, uncapped: Collection[str] = ()) -> None:
        self._uncapped = uncapped
        self._items: list[Issue] = []
        self._counts: Counter[str] = Counter()

    def add(
        self,
        code: str,
        line: int | None = None,
        field: str | None = None,
        value: object = "",
        **params: Any,
    ) -> None:
        self.extend([issue(code, line, field, value, **params)])

    def extend(self, items: Iterable[Issue]) -> None:
        for item in items:
            self._counts[item.code] += 1
            if self._counts[item.code] <= limits.ISSUES_PER_CODE or item.code in self._uncapped:
                self._items.append(item)

    @property
    def has_errors(self) -> bool:
        return any(item.severity == "error" for item in self._items)

    def done(self) -> tuple[Issue, ...]:
        """Return the issues by severity (errors first) and line, then the counts of those not listed."""
        order = {"error": 0, "warning": 1, "info": 2}
        listed = sorted(self._items, key=lambda item: (order[item.severity], item.line or 0))
        for code, count in self._counts.items():
            if count > limits.ISSUES_PER_CODE and code not in self._uncapped:
                listed.append(issue("more_like_this", kind=code, count=count - limits.ISSUES_PER_CODE))
        return tuple(listed)
