"""The results of single boards: whose they are, and how they are kept with a revision."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from tournaments.formats.types import BoardResult as ReadResult
from tournaments.formats.types import Entry, EventInfo
from tournaments.formats.values import decimal_text
from tournaments.models import BoardResult, Contestant, ResultUpload, Revision, Tournament

MATCHPOINTS, IMPS = Revision.Boards.MATCHPOINTS.value, Revision.Boards.IMPS.value
BATCH = 2_000
SECTION_LENGTH = BoardResult._meta.get_field("section").max_length
MOST_BOARD, MOST_POINTS, MOST_STATED = 32_767, 20_000, Decimal(1_000)
THOUSANDTH = Decimal("0.001")
_SIDE = re.compile(r"\s*(?:NS|EW)$", re.IGNORECASE)
_ARTIFICIAL = re.compile(r"A([0-9]{2})([0-9]{2})")
_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One result of a board; the sides by their position in the ranking, None for who is not in it.

    `score` in points from North-South's side, or `adjusted`, what each side was given, in percent.
    """

    board: int
    section: str
    ns: int | None
    ew: int | None
    score: int | None = None
    adjusted: tuple[int, int] | None = None
    stated: tuple[Decimal | None, Decimal | None] = (None, None)


def scoring_of(event: EventInfo) -> str:
    """How the boards of an event were scored, as `Revision.boards_scored` says it."""
    said = (event.scoring or "").lower()
    return IMPS if any(word in said for word in ("imp", "butler", "aggregate")) else MATCHPOINTS


def located(results: Iterable[ReadResult], entries: Sequence[Entry]) -> list[BoardRow]:
    """The results of a pairs event in terms of its ranking; `entries` in the order of their positions.

    Lines without a score and lines of which neither side is in the ranking are left out, and so are
    impossible figures.
    """
    find = _Finder(entries)
    rows = []
    for result in results:
        row = _located(result, find)
        if row is not None and (row.ns is not None or row.ew is not None) and row.ns != row.ew:
            rows.append(row)
    return rows


def _located(result: ReadResult, find: "_Finder") -> BoardRow | None:
    if not 0 < result.board <= MOST_BOARD or len(result.ns) != 1 or len(result.ew) != 1:
        return None
    text = (result.score or "").strip().upper()
    artificial = _ARTIFICIAL.fullmatch(text)
    score = int(text) if _WHOLE.fullmatch(text) else None
    if score is not None and abs(score) > MOST_POINTS:
        score = None
    if score is None and artificial is None:
        return None
    section = result.section or ""
    return BoardRow(
        result.board,
        section[:SECTION_LENGTH],
        find(section, result.ns[0], "NS"),
        find(section, result.ew[0], "EW"),
        score,
        (int(artificial[1]), int(artificial[2])) if artificial else None,
        (_stated(result.ns_points), _stated(result.ew_points)),
    )


def _stated(text: str | None) -> Decimal | None:
    number = decimal_text(text or "")
    if not number or abs(Decimal(number)) >= MOST_STATED:
        return None
    return Decimal(number).quantize(THOUSANDTH, ROUND_HALF_UP)


class _Finder:
    """Positions by section, number and side; a number may be used in each section and on each side."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.found: dict[str, list[tuple[int, Entry]]] = defaultdict(list)
        for position, entry in enumerate(entries, start=1):
            if entry.number:
                self.found[_bare(entry.number)].append((position, entry))

    def __call__(self, section: str, number: str, side: str) -> int | None:
        fits = self.found.get(_bare(number), [])
        if len(fits) > 1:
            fits = [each for each in fits if (each[1].section or "") in ("", section)]
        if len(fits) > 1:
            fits = [each for each in fits if each[1].direction == side]
        return fits[0][0] if len(fits) == 1 else None


def _bare(number: str) -> str:
    """A pair's number without the side that some programs append: 7NS is 7."""
    return _SIDE.sub("", number.strip())


def keep_labels(before: Sequence[Entry], after: Sequence[Entry]) -> bool:
    """Whether a ranking edited by hand names the same contestants, so that its boards are still theirs."""
    was, now = [sorted(_names(entries)) for entries in (before, after)]
    return was == now and len(set(now)) == len(now) and all(number for number, _side in now)


def _names(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    return [(_bare(entry.number or ""), entry.direction or "") for entry in entries]


def keep_boards(revision: Revision, upload: ResultUpload, entries: Sequence[Entry]) -> None:
    """Store with a new revision the travellers that came with its upload; those of pairs events only.

    A correction typed by hand brings none: it takes over those of the ranking it corrects, if that has the
    same contestants. Call it in a transaction.

    entries: those behind the ranking, in the order of their positions
    """
    if revision.tournament.format != Tournament.Format.PAIRS:
        return
    read = upload.parsed.get("boards", ())
    if read:
        event = EventInfo(**upload.parsed["event"])
        rows = located((ReadResult.from_json(each) for each in read), entries)
        store_boards(revision, scoring_of(event), rows)
    elif revision.number > 1 and not upload.file_name:
        _inherit(revision)


def _inherit(revision: Revision) -> None:
    before = Revision.objects.get(tournament=revision.tournament_id, number=revision.number - 1)
    old, new = _contestants(before), _contestants(revision)
    if not before.boards_scored or None in (old, new) or old.keys() != new.keys():
        return
    moved = {old[name]: new[name] for name in old}
    kept = list(before.boards.order_by("pk"))
    for result in kept:
        result.pk, result.revision = None, revision
        result.ns_id = result.ns_id and moved[result.ns_id]
        result.ew_id = result.ew_id and moved[result.ew_id]
    BoardResult.objects.bulk_create(kept, batch_size=BATCH)
    _mark(revision, before.boards_scored)


def _contestants(revision: Revision) -> dict[tuple[str, str], int] | None:
    """Contestants by number and field; None where these do not tell them apart."""
    found = {}
    for pk, label, field in revision.contestants.values_list("pk", "label", "field"):
        if not label or (_bare(label), field) in found:
            return None
        found[_bare(label), field] = pk
    return found


def _mark(revision: Revision, scored: str) -> None:
    revision.boards_scored = scored
    revision.save(update_fields=["boards_scored"])


def store_boards(revision: Revision, scored: str, rows: Sequence[BoardRow]) -> None:
    """Keep these results with a revision whose contestants are stored. Call it in a transaction."""
    if not rows:
        return
    ids = dict(Contestant.objects.filter(revision=revision).values_list("position", "pk"))
    BoardResult.objects.bulk_create((board_of(revision, row, ids) for row in rows), batch_size=BATCH)
    _mark(revision, scored)


def board_of(revision: Revision, row: BoardRow, ids: dict[int, int]) -> BoardResult:
    """A row of the table, not yet saved; `ids` are the contestants by position."""
    adjusted_ns, adjusted_ew = row.adjusted or (None, None)
    stated_ns, stated_ew = row.stated
    return BoardResult(
        revision=revision, board=row.board, section=row.section,
        ns_id=row.ns and ids[row.ns], ew_id=row.ew and ids[row.ew], score=row.score,
        adjusted_ns=adjusted_ns, adjusted_ew=adjusted_ew, ns_points=stated_ns, ew_points=stated_ew,
    )  # fmt: skip
