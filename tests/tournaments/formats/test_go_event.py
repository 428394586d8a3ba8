"""Warnings about the name and dates of a Go tournament as a whole."""

from datetime import date, timedelta

import pytest

from tournaments.formats.go_checks import check_event
from tournaments.formats.go_types import GoResult
from tournaments.formats.types import Issue

FIRST = date(2026, 3, 1)


def event_issues(name: str = "Copa", days: int = 2, **fields) -> list[tuple[str, str, dict]]:
    result = GoResult("egd", "copa.h9", **{"end": "2026-03-02", **fields})
    issues = check_event(result, name, FIRST, FIRST + timedelta(days=days - 1))
    return [(issue.code, issue.value, issue.params) for issue in issues]


@pytest.mark.parametrize(
    ("code", "differs"),
    [
        ("", False),
        ("T260301A", False),
        ("W260301", False),
        ("T260302A", True),
        ("T250301A", True),
        ("T2603", True),
    ],
)
def test_a_tournament_code_with_another_day_than_the_start_gives_a_warning(code, differs):
    assert event_issues(code=code) == ([("go_code_differs", code, {})] if differs else [])


@pytest.mark.parametrize(("days", "long"), [(1, False), (60, False), (61, True)])
def test_a_tournament_of_more_than_60_days_gives_a_warning(days, long):
    assert event_issues(days=days) == ([("go_long", "", {"count": days})] if long else [])


def test_a_longer_tournament_in_a_file_with_one_day_gives_a_warning():
    assert event_issues(days=1, end="", start="2026-03-01") == [("go_one_day", "", {"day": "2026-03-01"})]
    assert event_issues(days=2, end="", start="2026-03-01") == []
    assert event_issues(days=1, end="2026-03-01", start="2026-03-01") == []
    assert event_issues(days=1, end="", start="") == []


def test_a_possible_rengo_tournament_is_asked_about_once():
    assert event_issues("Copa de rengo") == [("go_rengo", "Copa de rengo", {})]
    assert event_issues("Copa de rengo", issues=(Issue("go_rengo", "warning", value="rengo"),)) == []
