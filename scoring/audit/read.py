"""Read the files of rankings again, and compare them with the stored rankings.

The audit compares rows, places, fields, labels, scores, percentages, the number of players in each row, and
every board result. It does not compare who the players are: `scoring.audit.verify` does that. Rankings
without a file are only counted.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from enum import StrEnum

from scoring.audit.uploaded import Line, Origin, Result, Table, Uploaded, origins, with_files
from scoring.audit.verify import Batch, Difference
from scoring.ledger.isolation import consistent_read
from tournaments.boards import BoardRow
from tournaments.drafts import Row
from tournaments.services.drafts import rows_and_boards
from tournaments.services.uploads import read_content
from ui.chunks import chunks

MOST = 40  # rankings per batch: reading each file takes a fifth of a second in a child process
CHUNK = 8  # files held in memory at a time; the largest are a few megabytes


class Unread(StrEnum):
    """Why a ranking has no file to compare it with."""

    NO_UPLOAD = "without an upload"
    TYPED = "typed by hand"
    EDITED = "edited in the review"
    GONE = "whose file is gone"


def batches(
    tournament_id: int | None = None, since: date | None = None, after: int = 0, size: int = 200
) -> Iterator[Batch]:
    """Yield the results of checking rankings with ids above `after`, in order of id.

    tournament_id, since: as in `evidence.selected`
    size: rankings per batch; reduced to MOST if larger

    Each batch takes one query, plus three for every CHUNK files. Each file is read in a child process, with
    the same options as after its upload.
    """
    while True:
        with consistent_read():
            batch = origins(tournament_id, since, after, min(size, MOST))
        if not batch:
            return
        reasons = [unread(origin) for origin in batch]
        readable = [origin for origin, reason in zip(batch, reasons, strict=True) if reason is None]
        differences = [difference for chunk in chunks(readable, CHUNK) for difference in _check_all(chunk)]
        after = batch[-1].revision
        yield Batch(after, {"read_again": len(readable)}, differences, Counter(filter(None, reasons)))


def unread(origin: Origin) -> Unread | None:
    """Return why a ranking cannot be read again, or None if it can.

    A ranking with corrected federation numbers can be read, because its places and scores are those of the
    file.
    """
    if origin.upload is None:
        return Unread.NO_UPLOAD
    if origin.typed:
        return Unread.TYPED
    if origin.edited == "rows":
        return Unread.EDITED
    return None if origin.kept else Unread.GONE


def _check_all(origins: list[Origin]) -> Iterator[Difference]:
    with consistent_read():
        rankings = with_files(origins)
    # Read outside the transaction: reading a file may take seconds.
    for uploaded in rankings:
        yield from check(uploaded)


def check(uploaded: Uploaded) -> Iterator[Difference]:
    """Yield the differences between a stored ranking and its uploaded file. No query.

    The file is read as pairs, teams or individual, as last chosen on the form. The director may have changed
    that choice after correcting federation numbers. In that case a difference is reported, unless both
    choices group the rows of the file into the same contestants.
    """
    parsed = read_content(uploaded.upload, uploaded.content)
    rows, results, scored = rows_and_boards(uploaded.upload, parsed)
    if not rows:
        codes = [issue.code for issue in parsed.issues if issue.severity == "error"]
        text = ", ".join(dict.fromkeys(codes)) or "no ranking"
        yield _difference(uploaded, "read_file", f"{len(uploaded.lines)} rows", text)
        return
    yield from _compare_rows(uploaded, {row.position: _line(row) for row in rows})
    if uploaded.origin.scored != scored:
        yield _difference(uploaded, "read_board", f"boards: {uploaded.origin.scored}", f"boards: {scored}")
    yield from _compare_results(uploaded, results)


def _difference(uploaded: Uploaded, code: str, stored: str, read: str) -> Difference:
    where = f"ranking {uploaded.origin.revision}"
    return Difference(code, uploaded.origin.tournament, f"{where}, {stored}", f"{where}, {read}")


def _line(row: Row) -> Line:
    return Line(row.field, row.place, row.label, row.team_name, row.score, row.percentage, len(row.seats))


def _compare_rows(uploaded: Uploaded, read: dict[int, Line]) -> Iterator[Difference]:
    for position in sorted(uploaded.lines.keys() | read.keys()):
        stored_line, read_line = uploaded.lines.get(position), read.get(position)
        if stored_line != read_line:
            texts = (_line_text(stored_line, read_line), _line_text(read_line, stored_line))
            yield _difference(uploaded, "read_row", *(f"row {position}: {text}" for text in texts))


def _line_text(line: Line | None, compared: Line | None) -> str:
    """Return a text with the values of `line` that differ from those of `compared`."""
    if line is None:
        return "nothing"
    if compared is None:
        return f"place {line.place}"
    names = [name for name in Line._fields if getattr(line, name) != getattr(compared, name)]
    return ", ".join(f"{name} {getattr(line, name)}" for name in names)


def _compare_results(uploaded: Uploaded, rows: list[BoardRow]) -> Iterator[Difference]:
    read: dict[Table, list[Result]] = {}
    for row in rows:
        play = (row.contract, row.declarer, row.lead, row.tricks)
        result = Result(row.score, *(row.adjusted or (None, None)), *row.stated, *play)
        read.setdefault(Table(row.board, row.section, row.ns, row.ew), []).append(result)
    for table in sorted(uploaded.results.keys() | read.keys(), key=str):
        pair = [sorted(results.get(table, []), key=str) for results in (uploaded.results, read)]
        if pair[0] != pair[1]:
            texts = (
                f"{_table_text(table)}: {', '.join(map(_result_text, results)) or 'nothing'}"
                for results in pair
            )
            yield _difference(uploaded, "read_board", *texts)


def _table_text(table: Table) -> str:
    section = f" of section {table.section}" if table.section else ""
    return f"board {table.board}{section}, row {table.ns} against {table.ew}"


def _result_text(result: Result) -> str:
    artificial = result.adjusted_ns is not None
    text = f"{result.adjusted_ns} % and {result.adjusted_ew} %" if artificial else str(result.score)
    stated = [str(points) for points in (result.ns_points, result.ew_points) if points is not None]
    text = f"{text} ({' and '.join(stated)})" if stated else text
    play = [str(fact) for fact in result[-4:] if fact not in ("", None)]
    return f"{text} by {' '.join(play)}" if play else text
