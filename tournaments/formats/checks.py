"""Checks of contestants that the readers of all bridge formats share."""

import re
from collections.abc import Sequence

from .issues import IssueList
from .licence import normalise
from .types import Entry, Kind, Person

_STAND_IN = re.compile(r"(?:director(?:a)?|td|árbitro|arbitro)(?:\s+(?:playing|jugador|jugadora))?", re.I)
_PLACEHOLDER = re.compile(r"0*1?")
_ZERO = re.compile(r"0+(?:[.,]0*)?")


def person(number: str, name: str, line: int, field: str, issues: IssueList) -> Person:
    """Return the person of a seat. Add an issue if the number or the name is missing.

    If the director plays to complete a table, scoring programs list a player named DIRECTOR with number 0 or
    1. Such a person gets an issue and no number. A number that consists of zeros also means no number.
    """
    name = " ".join(name.split())
    number = number.strip()
    if _STAND_IN.fullmatch(name) and _PLACEHOLDER.fullmatch(number):
        issues.add("stand_in", line=line, field=field, value=name)
        return Person(None, name, line)
    if _ZERO.fullmatch(number):
        number = ""
    if not number and name:
        issues.add("no_number", line=line, field=field, name=name)
    elif not number:
        issues.add("no_name", line=line, field=field)
    return Person(number or None, name, line)


def label(entry: Entry) -> str:
    """Return how messages name a contestant: by team name, contestant's number or people's names."""
    return entry.team or entry.number or " - ".join(seat.name or seat.number or "?" for seat in entry.people)


def check_entries(entries: Sequence[Entry], kind: Kind | None, issues: IssueList) -> None:
    """Add the issues of a file's contestants: their number, sizes, licence numbers and percentages.

    kind: pairs, teams or individual; None if unknown
    """
    if not any(entry.people for entry in entries):
        if not issues.has_errors:
            issues.add("no_players")
        return
    _check_sizes(entries, kind, issues)
    _check_licences(entries, issues)
    for entry in entries:
        _check_percentage(entry, issues)
    largest = max((float(entry.percentage) for entry in entries if entry.percentage is not None), default=100)
    if 0 <= largest <= 1:
        issues.add("percentages_of_one", field="percentage", value=f"{largest:g}")


def _check_sizes(entries: Sequence[Entry], kind: Kind | None, issues: IssueList) -> None:
    for entry in entries:
        count = len(entry.people)
        if kind == "pairs" and count != 2:
            issues.add("pair_size", line=entry.line, name=label(entry), count=count)
        elif kind == "individual" and count != 1:
            issues.add("individual_size", line=entry.line, name=label(entry), count=count)
        elif kind == "teams" and not 4 <= count <= 8:
            issues.add("team_size", line=entry.line, name=label(entry), count=count)


def _check_licences(entries: Sequence[Entry], issues: IssueList) -> None:
    first_lines: dict[str, int] = {}
    for entry in entries:
        for seat in entry.people:
            if seat.number is None:
                continue
            line = seat.line or entry.line
            number = normalise(seat.number)
            if number is None:
                issues.add("malformed_licence", line=line, field="licence", value=seat.number, name=seat.name)
            elif number in first_lines:
                first = first_lines[number]
                issues.add("duplicate_player", line=line, field="licence", value=seat.number, first=first)
            else:
                first_lines[number] = line


def _check_percentage(entry: Entry, issues: IssueList) -> None:
    if entry.percentage is not None and not 0 <= float(entry.percentage) <= 100:
        issues.add("bad_percentage", line=entry.line, field="percentage", value=entry.percentage)
