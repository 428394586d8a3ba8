"""Create issues. Their texts are in the catalogue, and `wording.describe` returns them."""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

from . import limits
from .catalogue import CATALOGUE
from .types import Issue


def shorten(text: str) -> str:
    """Cut a text of the file to the length shown in messages, and replace its control characters."""
    cut = text if len(text) <= limits.ISSUE_VALUE_LENGTH else text[: limits.ISSUE_VALUE_LENGTH - 1] + "…"
    return "".join("�" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char for char in cut)


def issue(
    code: str,
    line: int | None = None,
    field: str | None = None,
    value: object = "",
    **params: str | int,
) -> Issue:
    """Create an issue. Raises KeyError for a code that is not in the catalogue."""
    clean = {key: shorten(param) if isinstance(param, str) else param for key, param in params.items()}
    severity = CATALOGUE[code].severity
    return Issue(code, severity, line, field and shorten(field), shorten(str(value)), clean)


class IssueList:
    """A collection of issues that lists only the first hundred issues of each code and counts the others.

    A file with ten thousand bad rows must not produce a page with ten thousand issues. The first hundred
    issues of a code are always listed, so no kind of error is hidden.

    items: issues to start with
    uncapped: codes of which all issues are listed
    """

    def __init__(self, items: Iterable[Issue] = (), uncapped: Collection[str] = ()) -> None:
        self._uncapped = uncapped
        self._items: list[Issue] = []
        self._counts: Counter[str] = Counter()
        self.extend(items)

    def add(
        self,
        code: str,
        line: int | None = None,
        field: str | None = None,
        value: object = "",
        **params: Any,
    ) -> None:
        self.extend([issue(code, line, field, value, **params)])

    def with_issue(self, code: str) -> Self:
        """Add an issue and return this collection."""
        self.add(code)
        return self

    def extend(self, items: Iterable[Issue]) -> None:
        for item in items:
            self._counts[item.code] += 1
            if self._counts[item.code] <= limits.ISSUES_PER_CODE or item.code in self._uncapped:
                self._items.append(item)

    def count_more(self, code: str, number: int) -> None:
        """Count issues of a code that are not listed."""
        self._counts[code] += number

    @property
    def has_errors(self) -> bool:
        return any(item.severity == "error" for item in self._items)

    @property
    def has_fatal(self) -> bool:
        """Whether reading stopped before the end of the file."""
        return any(item.code in ("too_many_rows", "too_many_columns", "bad_quotes") for item in self._items)

    def done(self) -> tuple[Issue, ...]:
        """Return the issues by severity (errors first) and line, then notes about the issues not listed.

        There is one such note per code, with the number of its issues that are not listed.
        """
        order = {"error": 0, "warning": 1, "info": 2}
        listed = sorted(self._items, key=lambda item: (order[item.severity], item.line or 0))
        for code, count in self._counts.items():
            if count > limits.ISSUES_PER_CODE and code not in self._uncapped:
                listed.append(issue("more_like_this", kind=code, count=count - limits.ISSUES_PER_CODE))
        return tuple(listed)


def merged(parts: Sequence[Iterable[Issue]]) -> tuple[Issue, ...]:
    """Join the issues of the parts of a table, each as `IssueList.done` returns them.

    Issues without a line count something in the whole table: those of one code become one.
    """
    if len(parts) == 1:
        return tuple(parts[0])
    issues, whole = IssueList(), Counter[str]()
    of_lines = [item for items in parts for item in items if item.line is not None]
    issues.extend(sorted(of_lines, key=lambda item: item.line or 0))
    for item in (item for items in parts for item in items if item.line is None):
        if item.code == "more_like_this":
            issues.count_more(str(item.params["kind"]), int(item.params["count"]))
        else:
            whole[item.code] += int(item.params["count"])
    for code, count in whole.items():
        issues.add(code, count=count)
    return issues.done()
