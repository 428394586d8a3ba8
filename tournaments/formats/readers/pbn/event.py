"""Read the event of a PBN file (title, last day, sessions, boards) and check that the file is complete.

Programs that write one file per session include the ranking of all sessions so far, but only the travellers
of the last session. PBN has no end mark. A truncated file is detected by comparing its content with the
counts that it states.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from tournaments.formats import values
from tournaments.formats.issues import IssueList
from tournaments.formats.types import BoardResult, Entry, EventInfo
from tournaments.formats.usebio_boards import board_counts

from .notation import Notation, Table

BoardsByPair = dict[tuple[str, str, str], set[int]]  # by section, number and side
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
    """Return the event as the file states it. Add issues for parts of the file that seem to be missing.

    The event includes the number of boards played by the winner.
    """
    tags, meta = notation.tags, notation.meta
    session, sessions = values.count(meta.get("crsession", "")), values.count(meta.get("crsessioncount", ""))
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
        session=session if sessions and sessions > 1 else None,
    )
    is_cumulative = session is not None and session > 1
    played = _boards_by_pair(entries, boards)
    _check_pairs(notation, entries, played, issues)
    _check_complete(notation, entries, boards, is_cumulative, issues)
    # The ranking counts the boards of all sessions; the travellers may only be of the last one.
    counts_boards = any(entry.boards for entry in entries)
    shown = () if is_cumulative or counts_boards else boards
    stated = values.count(meta.get("boardcount", ""))
    if shown and not stated and not values.count(meta.get("boardcountsession", "")):
        _check_counted(played, issues)
    return board_counts(info, entries, shown, stated, issues)


# --- Days ----------------------------------------------------------------------------------------------
def _days(notation: Notation) -> Iterator[str]:
    """Yield the complete dates as ISO text. A date with question marks is incomplete."""
    for text in notation.days:
        if (match := _DAY.fullmatch(text)) and (day := values.date_text("-".join(match.groups()))):
            yield day
    yield from _span(notation.meta.get("contestdate", ""))


def _span(text: str) -> Iterator[str]:
    """Yield the first and last day of a period such as `2026-03-07 - 04-11`, as ISO text.

    The last day may omit the year, or the year and the month.
    """
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
    """Return the scoring method that the file states, else the one that its column names suggest."""
    stated = (notation.meta.get("scoringtype") or notation.tags.get("Scoring", "")).lower()
    for word, scoring in _SCORINGS:
        if word in stated:
            return scoring
    columns = {column.upper() for table in notation.rankings + notation.boards for column in table.columns}
    if any("IMP" in column for column in columns):
        return "imps"
    return "match_points" if any(re.search(r"MP|PERCENTAGE", column) for column in columns) else None


# --- Completeness --------------------------------------------------------------------------------------
def _check_complete(
    notation: Notation,
    entries: Sequence[Entry],
    boards: Sequence[BoardResult],
    is_cumulative: bool,
    issues: IssueList,
) -> None:
    """Add issues if the file is cut off, or has fewer boards or results than it states.

    is_cumulative: whether the ranking covers several sessions, while the travellers are only of the last one
    """
    cut_at = notation.cut_at
    # the file does not state how many boards the pairs played in the last session
    if is_cumulative and not cut_at:
        cut_at = _line_of_short_last_table(notation.boards)
    if cut_at:
        issues.add("pbn_cut_off", line=cut_at)
    if boards and not is_cumulative and any(entry.boards for entry in entries):
        _check_results(entries, boards, issues)
        return
    stated = values.count(notation.meta.get("boardcountsession", ""))
    if not is_cumulative:
        stated = max([stated or 0, *(entry.boards or 0 for entry in entries)])
    counted = len({table.board for table in notation.boards})
    if stated and counted < stated:
        issues.add("pbn_boards_missing", stated=stated, counted=counted)


def _check_results(entries: Sequence[Entry], boards: Sequence[BoardResult], issues: IssueList) -> None:
    """Add an issue if the travellers have fewer boards of a pair than the ranking states."""
    played: dict[tuple[str, str], set[int]] = {}
    has_sections = any(entry.section for entry in entries)
    for result in boards:
        for number in (*result.ns, *result.ew):
            section = (result.section or "") if has_sections else ""
            played.setdefault((section, number), set()).add(result.board)
    stated = counted = 0
    for entry in entries:
        own = len(played.get((entry.section or "", entry.number or ""), ()))
        stated, counted = stated + (entry.boards or 0), counted + min(own, entry.boards or 0)
    if counted < stated:
        issues.add("pbn_results_missing", stated=stated, counted=counted)


def _check_pairs(
    notation: Notation, entries: Sequence[Entry], played: BoardsByPair, issues: IssueList
) -> None:
    """Add an issue if the ranking has fewer pairs than the file states, or lacks pairs that played.

    The pairs that played are those in the travellers. Some of them may be ranked without a number, or be
    phantoms (a missing pair at a table). They are not counted as lacking.

    played: from `_boards_by_pair`
    """
    phantoms = values.count(notation.meta.get("phantomcount", "")) or 0
    pairs = (values.count(notation.meta.get("paircount", "")) or 0) - phantoms
    if len(entries) < pairs:
        issues.add("pbn_pairs_missing", stated=pairs, counted=len(entries))
    ranked = {_key(entry.section, entry.number, entry.direction) for entry in entries}
    if not any(side for _section, _number, side in played):
        ranked = {(section, number, "") for section, number, _side in ranked}
    unknown = sum(not entry.number for entry in entries) + phantoms
    missing = len(played.keys() - ranked) - unknown
    if missing > 0:
        issues.add("pbn_pairs_unranked", counted=len(entries), missing=missing)


def _check_counted(played: BoardsByPair, issues: IssueList) -> None:
    """Add an issue that asks the director to check the number of boards, which the file does not state."""
    counts = [len(boards) for boards in played.values()]
    if not counts:
        return
    least, most = min(counts), max(counts)
    if least < most:
        issues.add("pbn_boards_unequal", least=least, most=most)
    else:
        issues.add("pbn_boards_counted", count=most)


def _boards_by_pair(entries: Sequence[Entry], boards: Sequence[BoardResult]) -> BoardsByPair:
    """Return {(section, number, side): the boards on which the pair has a result}.

    The side is NS or EW if the file gives North-South and East-West pairs the same numbers, otherwise "". The
    file does so if one number has results on both sides of a board, and the ranking states each pair's
    direction.
    """
    has_sections = any(entry.section for entry in entries)
    played: BoardsByPair = defaultdict(set)
    for result in boards:
        if result.score or result.ns_points or result.ew_points:
            for side, (number,) in (("NS", result.ns), ("EW", result.ew)):
                if number:
                    played[_key(result.section if has_sections else "", number, side)].add(result.board)
    both = any(
        played[section, number, "NS"] & numbers
        for (section, number, side), numbers in list(played.items())
        if side == "EW" and (section, number, "NS") in played
    )
    if both and all(entry.direction for entry in entries):
        return played
    merged: BoardsByPair = defaultdict(set)
    for (section, number, _side), numbers in played.items():
        merged[section, number, ""] |= numbers
    return merged


def _key(section: str | None, number: str | None, side: str | None) -> tuple[str, str, str]:
    return section or "", values.bare_number(number or ""), side or ""


def _line_of_short_last_table(tables: Sequence[Table]) -> int | None:
    """Return the file's last line of results if the last board has fewer results than is usual, else None.

    The file is then probably cut off.
    """
    if len(tables) < 2:
        return None
    usual, _ = Counter(len(table.rows) for table in tables).most_common(1)[0]
    last = tables[-1]
    if len(last.rows) >= usual:
        return None
    return last.rows[-1][0] if last.rows else last.line
