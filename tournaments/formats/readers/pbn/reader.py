"""Read the result tables and the deals of a tournament in Portable Bridge Notation 2.1.

The ranking is in the table [TotalScoreTable]. The results of a board are in the table [ScoreTable] below the
tag [Board], and its cards in the tag [Deal]. Columns differ between programs: Magic Contest adds member
numbers, OKbridge omits PairId in the ranking.
"""

import re
from collections.abc import Iterator
from typing import cast

from tournaments.formats import cards, checks, limits, online, values
from tournaments.formats.declaration import Evidence, RawFile, ResultsFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.issues import IssueList
from tournaments.formats.text import decode
from tournaments.formats.types import BoardResult, Deal, Direction, Entry, EventInfo, ParsedResult, Person

from .catalogue import PBN_ISSUES
from .event import read_event
from .notation import Notation, Table, read_notation

CODE = "pbn"

_START = re.compile(r"% PBN|%\s*EXPORT|\[(?:Event|Site|Board|Dealer|Deal)\s+\"", re.IGNORECASE)
_ARTIFICIAL = {"A+": 60, "A=": 50, "A": 50, "A-": 40}
_PERCENTAGES = ("TotalPercentage", "MeanPercentage", "Percentage")
_SCORES = (
    "TotalIMP",
    "MeanIMP",
    "TotalScoreIMP",
    "TotalScore",
    "MeanScore",
    "TotalScoreMP",
    "TotalMP",
    "MeanMP",
    "IMP",
    "MP",
)


def parse_pbn(
    file_name: str,
    data: bytes,
) -> ParsedResult:
    """Read the ranking and the travellers of a PBN file.

    Problems become issues with their line; no exception is raised.
    """
    decoded = decode(data)
    issues = IssueList(decoded.issues)
    if decoded.text is None:
        return ParsedResult(CODE, file_name, decoded.encoding, issues=issues.done())
    notation = read_notation(decoded.text)
    if notation.too_long_at is not None:
        issues.add("too_many_rows", line=notation.too_long_at, limit=limits.PBN_ROWS)
        return ParsedResult(CODE, file_name, decoded.encoding, issues=issues.done())
    marks = [(None, file_name), *notation.comments]
    ranking = _ranking(notation, issues)
    if ranking is None:
        # Beside a file that has the ranking, the results and the deals are of use.
        of_pairs = [table for table in notation.boards if _names_pairs(table)]
        boards, deals = tuple(_boards(of_pairs, issues)), _deals(notation, issues)
        # Deals alone may have been dealt elsewhere before.
        info = online.with_venue(EventInfo(), marks, issues) if boards else EventInfo()
        return ParsedResult(
            CODE, file_name, decoded.encoding, info, boards=boards, deals=deals, issues=issues.done()
        )
    entries = tuple(_entries(ranking, issues))
    checks.check_entries(entries, "pairs", issues)
    boards = tuple(_boards(notation.boards, issues))
    info = read_event(notation, entries, boards, issues)
    info = online.with_venue(info, marks, issues)
    deals = _deals(notation, issues) if boards else ()
    return ParsedResult(CODE, file_name, decoded.encoding, info, entries, boards, deals, issues.done())


def _ranking(notation: Notation, issues: IssueList) -> Table | None:
    """Return the file's ranking.

    If it has none or several, or one without names, return None and add an issue.
    """
    if not notation.rankings:
        frequencies = any("Multiplicity" in table.columns for table in notation.boards)
        issues.add("pbn_frequencies" if frequencies else "pbn_no_ranking")
        return None
    if len(notation.rankings) > 1:
        issues.add("pbn_several_rankings", line=notation.rankings[1].line, count=len(notation.rankings))
        return None
    ranking = notation.rankings[0]
    if "Names" not in ranking.columns:
        issues.add("pbn_no_names", line=ranking.line, field="TotalScoreTable")
        return None
    return ranking


def _entries(ranking: Table, issues: IssueList) -> Iterator[Entry]:
    for order, (line, record) in enumerate(ranking.records(), start=1):
        if record is None:
            issues.add("pbn_row", line=line, field="TotalScoreTable")
            continue
        # Without PairId, the travellers number the pairs by their order in the ranking.
        number = _filled(record.get("PairId", str(order)))
        yield Entry(
            line=line,
            number=number,
            place=_filled(record.get("Rank", "")),
            score=_number(record, _SCORES, line, issues),
            percentage=_number(record, _PERCENTAGES, line, issues),
            direction=cast("Direction | None", values.direction_text(record.get("Direction", "")) or None),
            section=_filled(record.get("Section", "")),
            team=None,
            people=_people(record, line, issues),
            boards=values.count(record.get("NrBoards", "")),
        )


def _filled(text: str) -> str | None:
    return None if text in ("", "-", "?", "???") else text


def _number(record: dict[str, str], names: tuple[str, ...], line: int, issues: IssueList) -> str | None:
    name = next((name for name in names if name in record), None)
    if name is None:
        return None
    number = values.decimal_text(record[name])
    if number is None:
        issues.add("bad_number", line=line, field=name, value=record[name])
    return number or None


def _people(record: dict[str, str], line: int, issues: IssueList) -> tuple[Person, ...]:
    """Return the two people of a pair, with their numbers if the file has them.

    Their names are separated in one of these ways: `A;B`, `A - B`, `A/B` or `A & B`.
    """
    text = record["Names"]
    separator = next((separator for separator in (";", " - ", "/", " & ") if separator in text), None)
    names = text.split(separator) if separator else [text]
    return tuple(
        checks.person(
            _filled(record.get(f"MemberID{seat}", "")) or "", name.strip(), line, f"MemberID{seat}", issues
        )
        for seat, name in enumerate(names, start=1)
    )


def _names_pairs(table: Table) -> bool:
    return {"PairId_NS", "PairId_EW"} <= set(table.columns)


def _boards(tables: list[Table], issues: IssueList) -> Iterator[BoardResult]:
    """Yield the board results.

    Some tables only count how often each score occurred, and do not name pairs. They are left out, and an
    issue states how many there are. Another issue states how many rows are unreadable.
    """
    unreadable, without_pairs = 0, 0
    for table in tables:
        if not _names_pairs(table):
            without_pairs += 1
            continue
        board = values.integer_text(table.board)
        for _line, record in table.records():
            if record is None or not board:
                unreadable += 1
            else:
                yield _result(int(board), record)
    if unreadable:
        issues.add("boards_unreadable", count=unreadable)
    if without_pairs:
        issues.add("pbn_boards_without_pairs", count=without_pairs)


def _result(board: int, record: dict[str, str]) -> BoardResult:
    return BoardResult(
        board=board,
        section=_filled(record.get("Section", "")),
        ns=(_filled(record["PairId_NS"]) or "",),
        ew=(_filled(record["PairId_EW"]) or "",),
        score=_score(record),
        ns_points=_points(record, "NS"),
        ew_points=_points(record, "EW"),
        contract=_filled(record.get("Contract", "")),
        declarer=_filled(record.get("Declarer", "")),
        tricks=_filled(record.get("Result", "")),
        lead=_filled(record.get("Lead", "")),
    )


def _deals(notation: Notation, issues: IssueList) -> tuple[Deal, ...]:
    deals = []
    unreadable = 0
    for board, tags in notation.games:
        if not tags.get("Deal"):
            continue
        number = values.count(board)
        hands = cards.pbn_hands(tags["Deal"])
        dealer = cards.seat_text(tags.get("Dealer", ""))
        vulnerable = cards.vulnerable_text(tags.get("Vulnerable", ""))
        deal = cards.make_deal(number, hands, dealer, vulnerable) if number else None
        if deal is None:
            unreadable += 1
        else:
            deals.append(deal)
    if unreadable:
        issues.add("deals_unreadable", count=unreadable)
    return cards.unambiguous(deals)


def _score(record: dict[str, str]) -> str | None:
    """Return the points for North-South as text, or an artificial score such as A6040, or None.

    A6040 gives North-South 60 % and East-West 40 %.
    """
    ns, ew = record.get("Score_NS", "-"), record.get("Score_EW", "-")
    if ns in _ARTIFICIAL or ew in _ARTIFICIAL:
        ns_percent, ew_percent = _ARTIFICIAL.get(ns), _ARTIFICIAL.get(ew)
        ns_percent = 100 - cast(int, ew_percent) if ns_percent is None else ns_percent
        return f"A{ns_percent:02d}{100 - ns_percent if ew_percent is None else ew_percent:02d}"
    if number := values.integer_text(ns):
        return number
    if number := values.integer_text(ew):
        return str(-int(number))
    return "0" if record.get("Contract", "").upper() == "PASS" else None


def _points(record: dict[str, str], side: str) -> str | None:
    name = next((name for name in (f"IMP_{side}", f"MP_{side}") if name in record), None)
    return values.decimal_text(record[name]) or None if name else None


def _sniff(file: RawFile) -> Evidence:
    if _START.match(file.head.lstrip()):
        return Evidence.SIGNATURE
    return Evidence.EXTENSION if file.extension == ".pbn" else Evidence.NONE


FORMATS = (
    ResultsFormat(
        code=CODE,
        name="PBN",
        extensions=(".pbn", ".txt"),
        sniff=_sniff,
        read=parse_pbn,
        issues=PBN_ISSUES,
        reads=gettext_noop(
            "Version 2.1, with the ranking of a pairs event ([TotalScoreTable], with names) and, if "
            "possible, the results of its boards ([ScoreTable] with both pairs)."
        ),
    ),
)
