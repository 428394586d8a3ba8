"""Check the name and dates of a Go tournament, which may come from the form or from the file."""

from __future__ import annotations

from datetime import date

from .go_checks import is_rengo
from .go_types import GoResult
from .issues import IssueList
from .types import Issue

LONG_DAYS = 60  # a longer tournament probably has a wrong month or year


def check_event(result: GoResult, name: str, start: date, end: date) -> tuple[Issue, ...]:
    """Return warnings about the name and dates of a tournament.

    name, start, end: from the form, or from the file if the form leaves them blank
    """
    issues = IssueList()
    if is_rengo(name) and not any(item.code == "go_rengo" for item in result.issues):
        issues.add("go_rengo", value=name)
    if not result.end and result.start == end.isoformat():
        issues.add("go_one_day", day=result.start)
    days = (end - start).days + 1
    if days > LONG_DAYS:
        issues.add("go_long", count=days)
    if result.code and result.code[1:7] != f"{start:%y%m%d}":
        issues.add("go_code_differs", value=result.code)
    return issues.done()
