"""Read the database of an evening with Bridgemates: the results at the tables, without a ranking.

The database has what was entered at the tables. The points of the contracts are computed here; the ranking is
computed from them as the director chooses (`tournaments.services.scorings`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import cast

from tournaments.formats import cards, limits, mdb
from tournaments.formats.declaration import Evidence, RawFile, ResultsFormat, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.mdb import Table
from tournaments.formats.types import (
    BoardResult,
    Deal,
    Direction,
    Entry,
    EventInfo,
    ParsedResult,
    Person,
    Seat,
)
from tournaments.formats.values import date_text

from .catalogue import BWS_ISSUES
from .late import in_planned_rounds
from .movement import compared, movement_of, reliable
from .people import Named, Pair, people_of
from .results import Entered, board_results, entered_of, in_order, lines_of_play, places_of, whole_number
from .seats import seated_first, table_seats

CODE = "bws"
RESULTS = "ReceivedData"
TABLES = ("Section", "RoundData", RESULTS, "PlayerNumbers", "PlayerNames", "HandRecord")
_ACCESS = (b"\x00\x01\x00\x00Standard Jet DB", b"\x00\x01\x00\x00Standard ACE DB")
# The length of a page, of which a database has a whole number; byte 20 tells the version.
_JET_3_PAGE, _PAGE = 2048, 4096
_NAMES = (RESULTS.encode(), RESULTS.encode("utf-16-le"))
_SUITS = ("Spades", "Hearts", "Diamonds", "Clubs")
_SEATS: dict[Seat, str] = {"N": "North", "E": "East", "S": "South", "W": "West"}


def parse_bws(file_name: str, data: bytes) -> ParsedResult:
    """Read the results, the people and the deals of a database. Pairs get no place.

    Problems become issues; no exception is raised.
    """
    issues = IssueList()
    tables = _tables(data, issues)
    if RESULTS not in tables:
        if not issues.has_errors:
            issues.add("bws_other_database", value=RESULTS)
        return ParsedResult(CODE, file_name, issues=issues.done())
    entered = entered_of(tables[RESULTS])
    if len(entered) > limits.BOARD_RESULTS:
        issues.add("bws_too_many_results", limit=limits.BOARD_RESULTS)
        return ParsedResult(CODE, file_name, issues=issues.done())
    movement = reliable(entered, movement_of(tables.get("RoundData", [])), issues)
    entered_at = places_of(in_planned_rounds(entered, movement), issues)
    places = compared(entered_at, movement, issues)
    rows = [place.row for place in places if not place.row.erased]
    lines = lines_of_play(rows)
    places = in_order(places, lines, issues)
    letters = _letters(tables.get("Section", []), rows)
    results = list(board_results(places, letters, issues))
    boards = tuple(result for result, _doubt in results)
    doubts = tuple(replace(doubt, index=index) for index, (_result, doubt) in enumerate(results) if doubt)
    if not any(result.score is not None for result in boards):
        issues.add("bws_no_results")
        return ParsedResult(CODE, file_name, issues=issues.done())
    seated = seated_first(tables.get("RoundData", []) if movement else [], rows)
    entries = tuple(_entries(boards, lines, letters, people_of(tables, seated)))
    days = _days(rows, issues)
    if len(letters) > 1:
        issues.add("bws_sections", value=", ".join(sorted(letter or "" for letter in letters.values())))
    return ParsedResult(
        CODE,
        file_name,
        event=replace(_event(entries, days), section=_only_letter(tables.get("Section", []), rows)),
        entries=entries,
        boards=boards,
        deals=_deals(tables.get("HandRecord", []), letters),
        issues=issues.done(),
        doubts=doubts,
        seats=tuple(table_seats(seated, tables.get("Section", []), letters, bool(movement))),
    )


def _tables(data: bytes, issues: IssueList) -> dict[str, Table]:
    """Return the tables of the database; {} and an issue if it cannot be read."""
    page = _JET_3_PAGE if data[20:21] == b"\x00" else _PAGE
    try:
        if len(data) % page:
            raise mdb.Unreadable
        return mdb.read_tables(data, TABLES)
    except mdb.ProgramMissing:
        issues.add("mdbtools_missing")
    except mdb.Unreadable:
        issues.add("bws_unreadable")
    except (mdb.TooSlow, mdb.TooLarge) as error:
        if len(data) <= limits.SMALL_DATABASE_BYTES:
            issues.add("bws_stopped")
        elif isinstance(error, mdb.TooSlow):
            issues.add("too_slow", seconds=limits.DATABASE_SECONDS)
        else:
            issues.add("too_big_to_read")
    return {}


def _letters(sections: Table, rows: Iterable[Entered]) -> dict[str, str | None]:
    """Return {ID of a section with results: its letter}.

    If only one section has results, its letter is left out: its value is None.
    """
    names = {row.get("ID", ""): row.get("Letter", "").strip() for row in sections}
    used = sorted({row.section for row in rows})
    if len(used) < 2:
        return dict.fromkeys(used)
    return {section: names.get(section) or section for section in used}


def _only_letter(sections: Table, rows: Iterable[Entered]) -> str | None:
    """Return the letter of the only section with results; None if there are several."""
    used = {row.section for row in rows}
    names = {row.get("ID", ""): row.get("Letter", "").strip() for row in sections}
    return (names.get(used.pop()) or None) if len(used) == 1 else None


def _entries(
    boards: Sequence[BoardResult],
    lines: Mapping[str, bool | None],
    letters: Mapping[str, str | None],
    people: Mapping[Pair, Sequence[Named]],
) -> Iterable[Entry]:
    """Yield the pairs that have results, sorted by section, direction (North-South first) and number.

    lines: what `lines_of_play` returns
    letters: {ID of a section: its letter}
    people: {pair: its two people}
    """
    ids = {letter: section for section, letter in letters.items()}
    counts: Counter[tuple[str, str, int]] = Counter()
    for result in (item for item in boards if item.score is not None):
        section = ids[result.section]
        keeps = lines[section] is not False
        counts[section, "NS" if keeps else "", int(result.ns[0])] += 1
        counts[section, "EW" if keeps else "", int(result.ew[0])] += 1
    order = sorted(counts, key=lambda key: (letters[key[0]] or "", key[1] != "NS", key[2]))
    for line, (section, side, number) in enumerate(order, start=1):
        sides = cast("tuple[Direction, ...]", (side,) if side else ("NS", "EW"))
        named = next((people[section, at, number] for at in sides if (section, at, number) in people), None)
        yield Entry(
            line=line,
            number=str(number),
            place=None,
            score=None,
            percentage=None,
            direction=cast("Direction | None", side or None),
            section=letters[section],
            team=None,
            people=tuple(_person(item, line) for item in named or [Named("", "")] * 2),
            boards=counts[section, side, number],
        )


def _person(named: Named, line: int) -> Person:
    number = named.number if named.number.strip("0") else ""
    return Person(number or None, named.name, line)


def _days(rows: Sequence[Entered], issues: IssueList) -> Counter[str]:
    """Count the results entered on each day, and add an issue if there are several days.

    Results entered at night count for the day before, if play began then.
    """
    entered = [(date.fromisoformat(day), row.time) for row in rows if (day := date_text(row.day))]
    evenings = {day for day, time in entered if time >= "12:00"}
    days: Counter[str] = Counter()
    for played, time in entered:
        before = played - timedelta(days=1) if played > date.min else played
        days[(before if time < "06:00" and before in evenings else played).isoformat()] += 1
    if len(days) > 1:
        main, count = days.most_common(1)[0]
        other = min(day for day in days if day != main)
        issues.add("bws_several_days", count=days.total() - count, total=days.total(), day=main, other=other)
    return days


def _event(entries: Sequence[Entry], days: Counter[str]) -> EventInfo:
    """Return what the database says of the event. The day is the one on which most results were entered."""
    boards = max(entry.boards or 0 for entry in entries)
    return EventInfo(
        date=days.most_common(1)[0][0] if days else None,
        program="Bridgemate",
        kind="pairs",
        winner_type=2 if all(entry.direction for entry in entries) else 1,
        boards=boards,
        boards_scheduled=boards,
    )


def _deals(rows: Table, letters: Mapping[str, str | None]) -> tuple[Deal, ...]:
    deals = []
    for row in rows:
        board, section = whole_number(row.get("Board", "")), row.get("Section", "")
        if board and section in letters:
            hands = {
                seat: cards.hand_text(row.get(f"{name}{suit}", "") for suit in _SUITS)
                for seat, name in _SEATS.items()
            }
            deals.append(cards.make_deal(board, hands, section=letters[section]))
    return cards.unambiguous(deal for deal in deals if deal)


def _sniff(file: RawFile) -> Evidence:
    if not file.data.startswith(_ACCESS):
        return Evidence.NONE
    is_ours = file.extension == ".bws" or any(name in file.data for name in _NAMES)
    return Evidence.SIGNATURE if is_ours else Evidence.NONE


def _sniff_access(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.data.startswith(_ACCESS) else Evidence.NONE


FORMATS = (
    ResultsFormat(
        code=CODE,
        name="Bridgemate (BWS)",
        extensions=(".bws", ".mdb"),
        sniff=_sniff,
        content=gettext_noop("a Bridgemate database"),
        reads=gettext_noop(
            "The database of an evening with Bridgemates: contracts and results, scored here (matchpoints, "
            "IMPs, Butler or teams), deals, and numbers and names if the players entered them."
        ),
        issues=BWS_ISSUES,
        read=parse_bws,
        is_scored_here=True,
        missing=mdb.missing_command,
    ),
    UnsupportedFormat(
        code="access",
        name=gettext_noop("an Access database"),
        extensions=(".mdb", ".accdb"),
        sniff=_sniff_access,
        instead=gettext_noop("Open it in the program that made it, and export the table as CSV or XLSX."),
    ),
)
