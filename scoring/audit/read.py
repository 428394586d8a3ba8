"""The audit of rankings that came with a file: the file is read again, and says the same.

Compared are rows, places, fields, numbers, scores and percentages, the number of persons in each row, and
every result of a board. Whose a number is, the runs say (`verify`). What no file can confirm is counted.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from scoring.audit.uploaded import Line, Origin, Result, Table, Uploaded, origins, stored
from scoring.audit.verify import Difference
from scoring.ledger.isolation import consistent_read
from tournaments.boards import BoardRow, scoring_of
from tournaments.drafts import Row
from tournaments.formats.sandbox import read_results_safely
from tournaments.services.drafts import as_read
from ui.chunks import chunks

MOST = 40  # rankings a batch: reading a file takes a child process a fifth of a second
AT_ONCE = 8  # files held in memory at a time; the largest have a few megabytes


class Unread(StrEnum):
    """Why a ranking has no file that could confirm it."""

    NO_UPLOAD = "without an upload"
    TYPED = "typed by hand"
    EDITED = "edited in the review"
    GONE = "whose file is gone"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rankings: the id of the last, how many were read again, why others were not, what differs."""

    last: int
    read: int
    unread: Counter[Unread]
    differences: list[Difference]


def batches(
    only: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Check rankings in the order of their ids, `size` at a time or fewer, from the one behind `after` on.

    only: those of a single tournament; since: of tournaments that ended on that day or later
    One query a batch, and three for every few files; a child process reads each file, as when it came.
    """
    while True:
        with consistent_read():
            found = origins(only, since, after, min(size, MOST))
        if not found:
            return
        reasons = [unread(origin) for origin in found]
        kept = [origin for origin, reason in zip(found, reasons, strict=True) if reason is None]
        differences = [difference for few in chunks(kept, AT_ONCE) for difference in _check_all(few)]
        after = found[-1].revision
        yield Batch(after, len(kept), Counter(reason for reason in reasons if reason), differences)


def unread(origin: Origin) -> Unread | None:
    """Why a ranking cannot be read again; None when it can.

    Mended numbers change no place and no score, so they are no reason.
    """
    if origin.upload is None:
        return Unread.NO_UPLOAD
    if origin.typed:
        return Unread.TYPED
    if origin.edited == "rows":
        return Unread.EDITED
    return None if origin.kept else Unread.GONE


def _check_all(few: list[Origin]) -> Iterator[Difference]:
    with consistent_read():
        found = list(stored(few))
    # Outside the snapshot: a file may take its reader seconds.
    for uploaded in found:
        yield from check(uploaded)


def check(uploaded: Uploaded) -> Iterator[Difference]:
    """What differs in one ranking; no query.

    The reader is told the format that the form says at last. A table that was read as another one, and whose
    numbers were mended before the form changed, is confirmed only where both group its rows alike.
    """
    kind = uploaded.upload.details.get("format")
    parsed = read_results_safely(uploaded.upload.file_name, uploaded.content, kind)
    rows, results = as_read(uploaded.upload, parsed)
    if not rows:
        codes = [each.code for each in parsed.issues if each.severity == "error"]
        text = ", ".join(dict.fromkeys(codes)) or "no ranking"
        yield _difference(uploaded, "read_file", f"{len(uploaded.lines)} rows", text)
        return
    yield from _compare_rows(uploaded, {row.position: _line(row) for row in rows})
    scored = scoring_of(parsed.event) if results else ""
    if uploaded.origin.scored != scored:
        yield _difference(uploaded, "read_board", f"boards: {uploaded.origin.scored}", f"boards: {scored}")
    yield from _compare_results(uploaded, results)


def _difference(uploaded: Uploaded, code: str, one: str, other: str) -> Difference:
    where = f"ranking {uploaded.origin.revision}"
    return Difference(code, uploaded.origin.tournament, f"{where}, {one}", f"{where}, {other}")


def _line(row: Row) -> Line:
    return Line(row.field, row.place, row.label, row.team_name, row.score, row.percentage, len(row.seats))


def _compare_rows(uploaded: Uploaded, read: dict[int, Line]) -> Iterator[Difference]:
    for position in sorted(uploaded.lines.keys() | read.keys()):
        one, other = uploaded.lines.get(position), read.get(position)
        if one != other:
            texts = (
                f"row {position}: {_said(each, unlike)}" for each, unlike in ((one, other), (other, one))
            )
            yield _difference(uploaded, "read_row", *texts)


def _said(line: Line | None, unlike: Line | None) -> str:
    """What a row says that the other one does not."""
    if line is None:
        return "nothing"
    if unlike is None:
        return f"place {line.place}"
    names = [name for name in Line._fields if getattr(line, name) != getattr(unlike, name)]
    return ", ".join(f"{name} {getattr(line, name)}" for name in names)


def _compare_results(uploaded: Uploaded, rows: list[BoardRow]) -> Iterator[Difference]:
    read: dict[Table, list[Result]] = {}
    for row in rows:
        result = Result(row.score, *(row.adjusted or (None, None)), *row.stated)
        read.setdefault(Table(row.board, row.section, row.ns, row.ew), []).append(result)
    for table in sorted(uploaded.results.keys() | read.keys(), key=str):
        one, other = (sorted(each.get(table, []), key=str) for each in (uploaded.results, read))
        if one != other:
            texts = (
                f"{_where(table)}: {', '.join(map(_result, each)) or 'nothing'}" for each in (one, other)
            )
            yield _difference(uploaded, "read_board", *texts)


def _where(table: Table) -> str:
    section = f" of section {table.section}" if table.section else ""
    return f"board {table.board}{section}, row {table.ns} against {table.ew}"


def _result(result: Result) -> str:
    given = result.adjusted_ns is not None
    text = f"{result.adjusted_ns} % and {result.adjusted_ew} %" if given else str(result.score)
    stated = [str(each) for each in (result.ns_points, result.ew_points) if each is not None]
    return f"{text} ({' and '.join(stated)})" if stated else text
