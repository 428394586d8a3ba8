"""Tell whether a correction changes nothing, so that it is not published as if it did."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from scoring.ledger.queries.awards import PointsChange
from tournaments.boards import locate_results
from tournaments.drafts import Row, header_of, rows_of
from tournaments.formats.types import BoardResult, Issue
from tournaments.models import ResultUpload, Revision
from tournaments.services.drafts import Draft
from tournaments.services.issues import issue

SEATS = ("ns__position", "ew__position", "ns_partner__position", "ew_partner__position")
RESULT = ("board", "section", "score", "adjusted_ns", "adjusted_ew", "contract", "declarer", "tricks")


def nothing_corrected(upload: ResultUpload, draft: Draft, changes: Collection[PointsChange]) -> list[Issue]:
    """Return an error if confirming a correction would leave points, ranking, boards and data as they are.

    At most five queries.

    changes: the changes of points
    """
    tournament = upload.corrects
    if upload.state != ResultUpload.State.REVIEW or changes or not (tournament and draft.header):
        return []
    stored = header_of(tournament)
    header = replace(draft.header, source_id=draft.header.source_id or stored.source_id)
    revision = tournament.revisions.order_by("number").last()
    if header != stored or revision is None:
        return []
    rows = rows_of(revision)
    if _sorted(draft.rows) != _sorted(rows) or _other_boards(upload, draft, revision, rows):
        return []
    return [issue("nothing_corrected")]


def _sorted(rows: Sequence[Row]) -> list[str]:
    """Return the contestants as texts, without their positions, which tied ones may exchange."""
    return sorted(map(_text, rows))


def _text(row: Row) -> str:
    return repr(replace(row, position=0))


def _other_boards(upload: ResultUpload, draft: Draft, revision: Revision, rows: Sequence[Row]) -> bool:
    """Return whether the upload has other boards than a stored ranking, or hands that this lacks.

    rows: the contestants of the stored ranking
    """
    results = upload.parsed.get("boards", ())
    if not results:
        return bool(upload.file_name) and revision.boards.exists()
    read = (BoardResult.from_json(result) for result in results)
    located = locate_results(read, [ranked.entry for ranked in draft.ranked], draft.known.format)
    new = {row.position: _text(row) for row in draft.rows}
    old = {row.position: _text(row) for row in rows}
    after = [
        (
            *(new.get(seat or 0) for seat in (line.ns, line.ew, line.ns_partner, line.ew_partner)),
            *(line.board, line.section, line.score, *(line.adjusted or (None, None))),
            *(line.contract, line.declarer, line.tricks),
        )
        for line in located
    ]
    before: list[tuple[Any, ...]] = [
        (*(old.get(seat or 0) for seat in values[:4]), *values[4:])
        for values in revision.boards.values_list(*SEATS, *RESULT)
    ]
    if sorted(after, key=repr) != sorted(before, key=repr):
        return True
    return len(upload.parsed.get("deals", ())) > revision.deals.count()
