"""Tell whether a correction changes nothing, so that it is not published as if it did."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from scoring.ledger.queries.awards import PointsChange
from tournaments.boards import BoardRow, locate_results
from tournaments.drafts import header_of, rows_of
from tournaments.formats.types import BoardResult, Issue
from tournaments.models import ResultUpload, Revision
from tournaments.services.drafts import Draft
from tournaments.services.issues import issue

COLUMNS = (
    *("board", "section", "ns__position", "ew__position", "ns_partner__position", "ew_partner__position"),
    *("score", "adjusted_ns", "adjusted_ew", "contract", "declarer", "tricks"),
)


def nothing_corrected(upload: ResultUpload, draft: Draft, changes: Iterable[PointsChange]) -> list[Issue]:
    """Return an error if confirming a correction would leave points, ranking, boards and data as they are.

    At most five queries.

    changes: the changes of points
    """
    tournament = upload.corrects
    if upload.state != ResultUpload.State.REVIEW or any(changes) or not (tournament and draft.header):
        return []
    stored = header_of(tournament)
    header = replace(draft.header, source_id=draft.header.source_id or stored.source_id)
    revision = tournament.revisions.order_by("number").last()
    if header != stored or revision is None or draft.rows != rows_of(revision):
        return []
    return [] if _other_boards(upload, draft, revision) else [issue("nothing_corrected")]


def _other_boards(upload: ResultUpload, draft: Draft, revision: Revision) -> bool:
    """Return whether the upload has other boards than a ranking, or hands that this lacks."""
    results = upload.parsed.get("boards", ())
    if not results:
        return bool(upload.file_name) and revision.boards.exists()
    entries = [ranked.entry for ranked in draft.ranked]
    read = (BoardResult.from_json(result) for result in results)
    rows = locate_results(read, entries, draft.known.format)
    if sorted(map(_values, rows), key=repr) != sorted(revision.boards.values_list(*COLUMNS), key=repr):
        return True
    return len(upload.parsed.get("deals", ())) > revision.deals.count()


def _values(row: BoardRow) -> tuple[Any, ...]:
    """Return the values of COLUMNS of a board result."""
    return (
        *(row.board, row.section, row.ns, row.ew, row.ns_partner, row.ew_partner),
        *(row.score, *(row.adjusted or (None, None)), row.contract, row.declarer, row.tricks),
    )
