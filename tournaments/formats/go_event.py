"""What is asked about a Go tournament as a whole, once form and file together say when it was."""

from __future__ import annotations

from datetime import date

from .go_checks import is_rengo
from .go_types import GoResult
from .issues import IssueList
from .types import Issue

LONG_DAYS = 60  # few tournaments last longer; one with a wrong month or year does


def check_event(result: GoResult, name: str, start: date, end: date) -> tuple[Issue, ...]:
    """Warnings about name and dates, whether the file has them or the form."""
    issues = IssueList()
    if is_rengo(name) and not any(each.code == "go_rengo" for each in result.issues):
        issues.add("go_rengo", value=name)
    if not result.end and result.start == end.isoformat():
        issues.add("go_one_day", value=result.start)
    days = (end - start).days + 1
    if days > LONG_DAYS:
        issues.add("go_long", count=days)
    if result.code and result.code[1:7] != f"{start:%y%m%d}":
        issues.add("go_code_differs", value=result.code)
    return issues.done()
