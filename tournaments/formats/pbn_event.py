"""What a PBN file says of its event: title, last day, sessions and boards, and whether anything is missing.

A program that writes a file for each session of an event puts the ranking after that session into it, but the
travellers of the session alone. PBN marks no end, so a file that was cut off only shows by its own counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from . import values
from .issues import IssueList
from .pbn_notation import Notation, Table
from .types import BoardResult, Entry, EventInfo
from .usebio_boards import board_counts

_DAY = re.compile(r"(\d{4})\.(\d{2})\.(\d{2})")
_SPAN = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:\s*-\s*(?:(?:(\d{4})-)?(\d{2})-)?(\d{2}))?")
_SCORINGS = (
    ("butler", "butler_imps"),
    ("imp", "imps"),
    ("mp", "match_points"),
    ("matchpoint", "match_points"),
)


def read_event(
    notation: Notation,
    entries: Sequence[Entry],
    boards: Sequence[BoardResult],
    issues: IssueList,
) -> EventInfo:
    """The event with the boards of its winner. What looks incomplete is among the issues."""
    tags, meta = notation.tags, notation.meta
    session, sessions = count(meta.get("crsession", "")), count(meta.get("crsessioncount", ""))
    if session and sessions and session < sessions:
        issues.add("pbn_intermediate", session=session, sessions=sessions)
    info = EventInfo(
        title=meta.get("contestname") or tags.get("Event"),
        date=max(_days(notation), default=None),
        club_name=tags.get("Site"),
        source_id=meta.get("contestid") or None,
        program=" ".join(filter(None, (meta.get("generator"), meta.get("version")))) or None,
        kind="pairs",
        scoring=_scoring(notation),
        session_count=sessions,
    )
    is_cumulative = session is not None and session > 1
    _check_complete(notation, entries, boards, is_cumulative, issues)
    # The ranking counts the boards of all its sessions, the travellers may be of the last one.
    counts_boards = any(entry.boards for entry in entries)
    shown = () if is_cumulative or counts_boards else boards
    return board_counts(info, entries, shown, count(meta.get("boardcount", "")), issues)


def count(text: str) -> int | None:
    """A small positive number, None for anything else."""
    number = values.integer_text(text)
    return int(number) if number and 0 < int(number) < 1000 else None


# --- Days ----------------------------------------------------------------------------------------------
def _days(notation: Notation) -> Iterator[str]:
    """The days that can be read, as ISO text; a date with question marks in it is none."""
    for text in notation.days:
        if (match := _DAY.fullmatch(text)) and (day := values.date_text("-".join(match.groups()))):
            yield day
    yield from _span(notation.meta.get("contestdate", ""))


def _span(text: str) -> Iterator[str]:
    """First and last day of `2026-03-07 - 04-11`, where the last one leaves out what the first one says."""
    match = _SPAN.fullmatch(text)
    if match is None:
        return
    year, month, day, last_year, last_month, last_day = match.groups()
    first = f"{year}-{month}-{day}"
    last = f"{last_year or year}-{last_month or month}-{last_day or day}"
    if last < first and last_month and not last_year:
        last = f"{int(year) + 1}{last[4:]}"
    yield from filter(None, (values.date_text(first), values.date_text(last)))


# --- Scoring -------------------------------------------------------------------------------------------
def _scoring(notation: Notation) -> str | None:
    """As the file says; without a word about it, as the names of the columns do."""
    stated = (notation.meta.get("scoringtype") or notation.tags.get("Scoring", "")).lower()
    named = next((name for mark, name in _SCORINGS if mark in stated), None)
    if named:
        return named
    columns = {column.upper() for table in notation.rankings + notation.boards for column in table.columns}
    if any("IMP" in column for column in columns):
        return "imps"
    return "match_points" if any(re.search(r"MP|PERCENTAGE", column) for column in columns) else None


# --- What is missing -----------------------------------------------------------------------------------
def _check_complete(
    notation: Notation,
    entries: Sequence[Entry],
    boards: Sequence[BoardResult],
    is_cumulative: bool,
    issues: IssueList,
) -> None:
    """Compare what the file counts with what it holds."""
    meta = notation.meta
    pairs = (count(meta.get("paircount", "")) or 0) - (count(meta.get("phantomcount", "")) or 0)
    if len(entries) < pairs:
        issues.add("pbn_pairs_missing", stated=pairs, counted=len(entries))
    cut_at = notation.cut_at
    if is_cumulative and not cut_at:  # no pair says how many boards of the last session it played
        cut_at = _shorter_at_the_end(notation.boards)
    if cut_at:
        issues.add("pbn_cut_off", line=cut_at)
    if boards and not is_cumulative and any(entry.boards for entry in entries):
        _check_results(entries, boards, issues)
        return
    stated = count(meta.get("boardcountsession", ""))
    if not is_cumulative:
        stated = max([stated or 0, *(entry.boards or 0 for entry in entries)])
    counted = len({table.board for table in notation.boards})
    if stated and counted < stated:
        issues.add("pbn_boards_missing", stated=stated, counted=counted)


def _check_results(entries: Sequence[Entry], boards: Sequence[BoardResult], issues: IssueList) -> None:
    """Whether the travellers show as many boards of each pair as the ranking counts."""
    shown: dict[tuple[str, str], set[int]] = {}
    sections = any(entry.section for entry in entries)
    for result in boards:
        for number in (*result.ns, *result.ew):
            section = (result.section or "") if sections else ""
            shown.setdefault((section, number), set()).add(result.board)
    stated = counted = 0
    for entry in entries:
        own = len(shown.get((entry.section or "", entry.number or ""), ()))
        stated, counted = stated + (entry.boards or 0), counted + min(own, entry.boards or 0)
    if counted < stated:
        issues.add("pbn_results_missing", stated=stated, counted=counted)


def _shorter_at_the_end(tables: Sequence[Table]) -> int | None:
    """The last line of the travellers, if the last board has fewer results than most boards."""
    if len(tables) < 2:
        return None
    usual, _ = Counter(len(table.rows) for table in tables).most_common(1)[0]
    last = tables[-1]
    if len(last.rows) >= usual:
        return None
    return last.rows[-1][0] if last.rows else last.line
