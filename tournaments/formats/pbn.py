"""Portable Bridge Notation 2.1: the result tables of a tournament, not its deals.

A ranking stands in [TotalScoreTable], the results of a board in [ScoreTable] below its [Board]. Rows are
split into tokens, quotation marks respected, because programs do not keep to the widths they declare. Extra
columns are common (Magic Contest adds member numbers, OKbridge leaves PairId out of the ranking).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from . import checks, values
from .issues import IssueList
from .text import CODE_PAGE, decode
from .types import BoardResult, Direction, Entry, EventInfo, ParsedResult, Person
from .usebio_boards import board_counts

FORMAT = "pbn"

_TAG = re.compile(r'\[\s*([A-Za-z_][\w]*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')
_META = re.compile(r'%\s*<META\s+name=(\w+)\s+content="([^"]*)"', re.IGNORECASE)
_TITLE = re.compile(r'%HRTitleEvent\s+"?([^"]*)"?', re.IGNORECASE)
_COMMENT = re.compile(r"\{[^}]*\}")
_DATE = re.compile(r"(\d{4})\.(\d{2})\.(\d{2})")
_ARTIFICIAL = {"A+": 60, "A=": 50, "A": 50, "A-": 40}
_PERCENTAGES = ("TotalPercentage", "MeanPercentage", "Percentage")
_SCORES = (
    "TotalIMP", "MeanIMP", "TotalScoreIMP", "TotalScore", "MeanScore", "TotalScoreMP", "TotalMP", "MeanMP",
    "IMP", "MP",
)  # fmt: skip
_SCORINGS = (
    ("butler", "butler_imps"),
    ("imp", "imps"),
    ("mp", "match_points"),
    ("matchpoint", "match_points"),
)


@dataclass(slots=True)
class Table:
    """A table section: its columns, and its rows of tokens with their lines."""

    line: int
    columns: list[str]
    board: str
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    def records(self) -> Iterator[tuple[int, dict[str, str] | None]]:
        """Rows by column name; None for a row with fewer or more tokens than columns."""
        for line, tokens in self.rows:
            fits = len(tokens) == len(self.columns)
            yield line, dict(zip(self.columns, tokens, strict=True)) if fits else None


@dataclass(slots=True)
class Notation:
    """What is of use of a file: the first value of each tag, the heading's remarks, and the tables."""

    tags: dict[str, str] = field(default_factory=dict)
    meta: dict[str, str] = field(default_factory=dict)
    rankings: list[Table] = field(default_factory=list)
    boards: list[Table] = field(default_factory=list)


def parse_pbn(
    file_name: str,
    data: bytes,
    normalise: checks.Normalise = checks.normalise_licence,
    code_page: str = CODE_PAGE,
) -> ParsedResult:
    """Read the ranking and the travellers; problems are issues with their line, never exceptions."""
    issues = IssueList()
    decoded = decode(data, code_page)
    issues.extend(decoded.issues)
    if decoded.text is None:
        return ParsedResult(FORMAT, file_name, decoded.encoding, issues=issues.done())
    notation = _notation(decoded.text)
    ranking = _ranking(notation, issues)
    if ranking is None:
        return ParsedResult(FORMAT, file_name, decoded.encoding, issues=issues.done())
    entries = tuple(_entries(ranking, issues))
    checks.check_entries(entries, "pairs", issues, normalise)
    boards = tuple(_boards(notation.boards, issues))
    info = board_counts(_event(notation, issues), entries, boards, None, issues)
    return ParsedResult(FORMAT, file_name, decoded.encoding, info, entries, boards, issues.done())


def _notation(text: str) -> Notation:
    """Sections of the file. Deals, auctions and play are passed over, and with them who held which cards."""
    found = Notation()
    table: Table | None = None
    board = ""
    for number, line in enumerate(_without_comments(text), start=1):
        if line.startswith("%"):
            _remark(line, found.meta)
            continue
        if match := _TAG.match(line.strip()):
            name, value = match.groups()
            value = _value(value)
            table = None
            if name == "Board":
                board = value or board
            if name in ("ScoreTable", "TotalScoreTable"):
                table = Table(number, [_column(part) for part in value.split(";")], board)
                (found.boards if name == "ScoreTable" else found.rankings).append(table)
            elif value not in ("", "-", "?"):
                found.tags.setdefault(name, value)
        elif not line.strip():
            table = None
        elif table is not None:
            table.rows.append((number, _tokens(line)))
    return found


def _without_comments(text: str) -> Iterator[str]:
    """The lines, comments in braces left out; those over several lines leave their lines blank."""
    return iter(_COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text).split("\n"))


def _remark(line: str, meta: dict[str, str]) -> None:
    if match := _META.match(line):
        meta.setdefault(match.group(1).lower(), match.group(2).strip())
    elif match := _TITLE.match(line):
        meta.setdefault("contestname", match.group(1).strip())


def _value(text: str) -> str:
    """A tag's value: "#" says "as before", "##" the same of this value and all that follow."""
    return text.removeprefix("##").removeprefix("#").replace('\\"', '"').replace("\\\\", "\\").strip()


def _column(part: str) -> str:
    return part.partition("\\")[0].strip().lstrip("+-")


def _tokens(line: str) -> list[str]:
    return [(quoted or plain).strip() for quoted, plain in _TOKEN.findall(line)]


def _ranking(notation: Notation, issues: IssueList) -> Table | None:
    """The one ranking of pairs, or None with the reason among the issues."""
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
        # Without PairId the travellers name a pair by its line in the ranking.
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
            boards=_count(record.get("NrBoards", "")),
        )


def _filled(text: str) -> str | None:
    return None if text in ("", "-", "?", "???") else text


def _count(text: str) -> int | None:
    number = values.integer_text(text)
    return int(number) if number and 0 < int(number) < 1000 else None


def _number(record: dict[str, str], names: tuple[str, ...], line: int, issues: IssueList) -> str | None:
    name = next((name for name in names if name in record), None)
    if name is None:
        return None
    found = values.decimal_text(record[name])
    if found is None:
        issues.add("bad_number", line=line, field=name, value=record[name])
    return found or None


def _people(record: dict[str, str], line: int, issues: IssueList) -> tuple[Person, ...]:
    """Two persons out of `A;B`, `A - B` or `A/B`, with their numbers where the program adds them."""
    written = record["Names"]
    mark = next((mark for mark in (";", " - ", "/", " & ") if mark in written), None)
    names = written.split(mark) if mark else [written]
    return tuple(
        checks.person(
            _filled(record.get(f"MemberID{seat}", "")) or "", name.strip(), line, f"MemberID{seat}", issues
        )
        for seat, name in enumerate(names, start=1)
    )


def _boards(tables: list[Table], issues: IssueList) -> Iterator[BoardResult]:
    """The travellers; tables that only count how often a score occurred name no pairs."""
    unreadable, nameless = 0, 0
    for table in tables:
        if not {"PairId_NS", "PairId_EW"} <= set(table.columns):
            nameless += 1
            continue
        board = values.integer_text(table.board)
        for _line, record in table.records():
            if record is None or not board:
                unreadable += 1
            else:
                yield _result(int(board), record)
    if unreadable:
        issues.add("boards_unreadable", count=unreadable)
    if nameless:
        issues.add("pbn_boards_without_pairs", count=nameless)


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
    )


def _score(record: dict[str, str]) -> str | None:
    """Points from North-South's side, or an artificial score in the manner of USEBIO: A6040."""
    ns, ew = record.get("Score_NS", "-"), record.get("Score_EW", "-")
    if ns in _ARTIFICIAL or ew in _ARTIFICIAL:
        mine, theirs = _ARTIFICIAL.get(ns), _ARTIFICIAL.get(ew)
        mine = 100 - cast(int, theirs) if mine is None else mine
        return f"A{mine:02d}{100 - mine if theirs is None else theirs:02d}"
    if number := values.integer_text(ns):
        return number
    if number := values.integer_text(ew):
        return str(-int(number))
    return "0" if record.get("Contract", "").upper() == "PASS" else None


def _points(record: dict[str, str], side: str) -> str | None:
    name = next((name for name in (f"IMP_{side}", f"MP_{side}") if name in record), None)
    return values.decimal_text(record[name]) or None if name else None


def _event(notation: Notation, issues: IssueList) -> EventInfo:
    tags, meta = notation.tags, notation.meta
    scoring = (meta.get("scoringtype") or tags.get("Scoring", "")).lower()
    return EventInfo(
        title=meta.get("contestname") or tags.get("Event"),
        date=_date(tags.get("EventDate") or tags.get("Date", "")),
        club_name=tags.get("Site"),
        source_id=meta.get("contestid") or None,
        program=" ".join(filter(None, (meta.get("generator"), meta.get("version")))) or None,
        kind="pairs",
        scoring=next((name for mark, name in _SCORINGS if mark in scoring), None),
    )


def _date(text: str) -> str | None:
    """PBN's YYYY.MM.DD as ISO text; a date with question marks in it is none."""
    match = _DATE.fullmatch(text)
    return values.date_text("-".join(match.groups())) if match else None
