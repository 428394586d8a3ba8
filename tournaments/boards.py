"""Find the contestants of board results in a ranking, and store the results and deals with a revision."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from tournaments.formats import cards
from tournaments.formats.contestants import PositionFinder, line_reference
from tournaments.formats.types import BoardResult as ReadResult
from tournaments.formats.types import Deal as ReadDeal
from tournaments.formats.types import Entry, EventInfo
from tournaments.formats.values import bare_number, decimal_text, thousandths
from tournaments.models import BoardResult, Contestant, Deal, ResultUpload, Revision, Tournament

MATCHPOINTS, IMPS = Revision.Boards.MATCHPOINTS.value, Revision.Boards.IMPS.value
TEAMS = Revision.Boards.TEAMS.value
INDIVIDUAL, INDIVIDUAL_IMPS = Revision.Boards.INDIVIDUAL.value, Revision.Boards.INDIVIDUAL_IMPS.value
MATCHPOINTS_APART = Revision.Boards.MATCHPOINTS_APART.value
OF_PAIRS = (MATCHPOINTS, IMPS)
IN_PERCENT = (MATCHPOINTS, MATCHPOINTS_APART, INDIVIDUAL)
APART = "_apart"  # the end of `EventInfo.scoring` if the sections played other deals, and are scored apart
BATCH = 2_000
SECTION_LENGTH = BoardResult._meta.get_field("section").max_length
MAX_BOARD, MAX_SCORE, MAX_STATED_POINTS = 32_767, 20_000, Decimal(1_000)
_ARTIFICIAL = re.compile(r"A(100|[0-9]{2})(100|[0-9]{2})")
_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The result of one board at one table, with its two contestants as positions in the ranking.

    ns, ew: the contestants' positions in the ranking; None for a contestant who is not in it
    ns_partner, ew_partner: in an individual event, the positions of their partners, else None
    round: the round of a match of teams; None if it is not known
    score: points for North-South; None for an artificial score
    adjusted: an artificial score, as percentages of North-South and East-West, else None
    stated: the matchpoints or IMPs of both contestants as the file states them
    contract, declarer, lead, tricks: in the forms of `tournaments.formats.cards`; blank or None if not known
    """

    board: int
    section: str
    ns: int | None
    ew: int | None
    score: int | None = None
    adjusted: tuple[int, int] | None = None
    stated: tuple[Decimal | None, Decimal | None] = (None, None)
    contract: str = ""
    declarer: str = ""
    lead: str = ""
    tricks: int | None = None
    ns_partner: int | None = None
    ew_partner: int | None = None
    round: int | None = None

    @property
    def seated(self) -> list[int]:
        """The positions of the contestants who are in the ranking."""
        positions = (self.ns, self.ns_partner, self.ew, self.ew_partner)
        return [position for position in positions if position is not None]


def scoring_of(event: EventInfo, kind: str = Tournament.Format.PAIRS) -> str:
    """Return how the boards of an event were scored, as a value of `Revision.boards_scored`.

    kind: the tournament's format
    """
    scoring = (event.scoring or "").lower()
    is_imps = any(word in scoring for word in ("imp", "butler", "aggregate"))
    if kind == Tournament.Format.TEAMS:
        return TEAMS
    if kind == Tournament.Format.INDIVIDUAL:
        return INDIVIDUAL_IMPS if is_imps else INDIVIDUAL
    if is_imps:
        # IMPs of sections that are scored apart are stored with each result.
        return IMPS
    return MATCHPOINTS_APART if scoring.endswith(APART) else MATCHPOINTS


def unit_of(event: EventInfo, entries: Iterable[Entry]) -> str:
    """Return the unit of the scores of a ranking, as a value of `Revision.unit`; "" if it is not known."""
    if not any(entry.score for entry in entries):
        return ""
    if event.unit:
        return event.unit
    scoring = (event.scoring or "").lower()
    if any(word in scoring for word in ("imp", "butler")):
        return Revision.Unit.IMPS.value
    return (
        Revision.Unit.MATCHPOINTS.value if scoring.replace("_", "").startswith(("matchpoint", "mp")) else ""
    )


def locate_results(
    results: Iterable[ReadResult], entries: Sequence[Entry], kind: str = Tournament.Format.PAIRS
) -> list[BoardRow]:
    """Convert the board results of an event to rows that refer to positions in its ranking.

    Results are left out if they have no score or impossible numbers, or if a contestant sits in two seats. If
    none of the contestants is in the ranking, the result stays if others of its board stay, because these are
    compared with it.

    entries: the contestants in the order of the ranking
    kind: the tournament's format
    """
    find_position = PositionFinder(entries)
    contestants = 2 if kind == Tournament.Format.INDIVIDUAL else 1
    located = (_board_row(result, find_position, contestants) for result in results)
    rows = [row for row in located if row is not None and len(row.seated) == len(set(row.seated))]
    ranked = {row.board for row in rows if row.seated}
    return [row for row in rows if row.board in ranked]


def _board_row(result: ReadResult, find_position: PositionFinder, contestants: int) -> BoardRow | None:
    """Return the row of a board result, or None.

    contestants: the number of contestants on each side
    """
    if not 0 < result.board <= MAX_BOARD or {len(result.ns), len(result.ew)} != {contestants}:
        return None
    text = (result.score or "").strip().upper()
    artificial, score = artificial_score(text), whole_score(text)
    if score is None and artificial is None:
        return None
    section = result.section or ""
    return BoardRow(
        result.board,
        section[:SECTION_LENGTH],
        find_position(section, result.ns[0], "NS"),
        find_position(section, result.ew[0], "EW"),
        score,
        artificial,
        (_stated_points(result.ns_points), _stated_points(result.ew_points)),
        contract=cards.contract_text(result.contract or "") or "",
        declarer=cards.seat_text(result.declarer or "") or "",
        lead=cards.card_text(result.lead or "") or "",
        tricks=cards.tricks_number(result.tricks or ""),
        ns_partner=find_position(section, result.ns[1], "NS") if contestants > 1 else None,
        ew_partner=find_position(section, result.ew[1], "EW") if contestants > 1 else None,
        round=_round(result.round_number or ""),
    )


def _round(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and 0 < int(text[:6]) <= MAX_BOARD else None


def artificial_score(text: str) -> tuple[int, int] | None:
    """Return the percentages of North-South and East-West of an artificial score, else None.

    text: the two percentages of two digits, or 100, such as A6040 or A10000
    """
    match = _ARTIFICIAL.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def whole_score(text: str) -> int | None:
    """Return a score in points; None for any other text, and for a score that is impossibly large."""
    score = int(text) if _WHOLE.fullmatch(text) else None
    return None if score is None or abs(score) > MAX_SCORE else score


def _stated_points(text: str | None) -> Decimal | None:
    number = decimal_text(text or "")
    if not number or abs(Decimal(number)) >= MAX_STATED_POINTS:
        return None
    return thousandths(Decimal(number))


def has_same_contestants(before: Sequence[Entry], after: Sequence[Entry]) -> bool:
    """Return whether an edited ranking has the same contestant numbers as before, without duplicates.

    Only then do the board results still belong to the right contestants.
    """
    old, new = [sorted(_numbers_and_sides(entries)) for entries in (before, after)]
    return old == new and len(set(new)) == len(new) and all(number for number, _side in new)


def with_lines_of(
    results: Iterable[ReadResult], before: Sequence[Entry], after: Sequence[Entry]
) -> tuple[ReadResult, ...]:
    """Let board results that refer to lines of a ranking refer to those of the edited ranking.

    The contestants of both rankings are the same, as `has_same_contestants` checks.
    """
    lines = dict(zip(_numbers_and_sides(after), (entry.line for entry in after), strict=True))
    new = {
        line_reference(entry.line): line_reference(lines[key])
        for entry, key in zip(before, _numbers_and_sides(before), strict=True)
    }
    return tuple(
        replace(
            result,
            ns=tuple(new.get(number, number) for number in result.ns),
            ew=tuple(new.get(number, number) for number in result.ew),
        )
        for result in results
    )


def entries_like(before: Sequence[Entry], after: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries of a ranking in the order of the edited ranking, with its lines.

    The contestants of both rankings are the same, as `has_same_contestants` checks.
    """
    old = dict(zip(_numbers_and_sides(before), before, strict=True))
    return tuple(
        replace(old[key], line=entry.line)
        for entry, key in zip(after, _numbers_and_sides(after), strict=True)
    )


def _numbers_and_sides(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    return [(bare_number(entry.number or ""), entry.direction or "") for entry in entries]


def store_upload_boards(revision: Revision, upload: ResultUpload, entries: Sequence[Entry]) -> None:
    """Store the board results and deals of an upload with its new revision, and the unit of its scores.

    A correction typed by hand has none: those of the previous revision are copied if both rankings have the
    same contestants. Call this function in a transaction.

    entries: the contestants in the order of the ranking
    """
    kind = revision.tournament.format
    event = EventInfo(**upload.parsed["event"])
    revision.unit = unit_of(event, entries)
    revision.save(update_fields=["unit"])
    results = upload.parsed.get("boards", ())
    if results:
        rows = locate_results((ReadResult.from_json(result) for result in results), entries, kind)
        store_boards(revision, scoring_of(event, kind), rows)
        store_deals(revision, (ReadDeal.from_json(deal) for deal in upload.parsed.get("deals", ())), rows)
    elif revision.number > 1 and not upload.file_name:
        _copy_previous_boards(revision)


def _copy_previous_boards(revision: Revision) -> None:
    previous = Revision.objects.get(tournament=revision.tournament_id, number=revision.number - 1)
    old, new = _contestant_ids(previous), _contestant_ids(revision)
    if not previous.boards_scored or None in (old, new) or old.keys() != new.keys():
        return
    new_ids = {old[key]: new[key] for key in old}
    results = list(previous.boards.order_by("pk"))
    for result in results:
        result.pk, result.revision = None, revision
        result.ns_id = result.ns_id and new_ids[result.ns_id]
        result.ew_id = result.ew_id and new_ids[result.ew_id]
        result.ns_partner_id = result.ns_partner_id and new_ids[result.ns_partner_id]
        result.ew_partner_id = result.ew_partner_id and new_ids[result.ew_partner_id]
    BoardResult.objects.bulk_create(results, batch_size=BATCH)
    deals = list(previous.deals.order_by("pk"))
    for deal in deals:
        deal.pk, deal.revision = None, revision
    Deal.objects.bulk_create(deals, batch_size=BATCH)
    _set_boards_scored(revision, previous.boards_scored)


def _contestant_ids(revision: Revision) -> dict[tuple[str, str], int] | None:
    """Return {(number, field): contestant id}.

    Return None if a contestant has no number, or two contestants have the same number and field.
    """
    ids = {}
    for pk, label, field in revision.contestants.values_list("pk", "label", "field"):
        if not label or (bare_number(label), field) in ids:
            return None
        ids[bare_number(label), field] = pk
    return ids


def _set_boards_scored(revision: Revision, scored: str) -> None:
    revision.boards_scored = scored
    revision.save(update_fields=["boards_scored"])


def store_boards(revision: Revision, scored: str, rows: Sequence[BoardRow]) -> None:
    """Store board results with a revision whose contestants are already stored. Call it in a transaction.

    scored: the scoring method, as in `Revision.boards_scored`
    """
    if not rows:
        return
    ids = dict(Contestant.objects.filter(revision=revision).values_list("position", "pk"))
    BoardResult.objects.bulk_create((_board_result(revision, row, ids) for row in rows), batch_size=BATCH)
    _set_boards_scored(revision, scored)


def store_deals(revision: Revision, deals: Iterable[ReadDeal], rows: Sequence[BoardRow]) -> None:
    """Store the deals of a revision's boards. Call it in a transaction.

    rows: the board results; deals of other boards are left out
    """
    played = {row.board for row in rows}
    by_key = {((deal.section or "")[:SECTION_LENGTH], deal.board): deal for deal in deals}
    Deal.objects.bulk_create(
        (
            Deal(
                revision=revision,
                board=board,
                section=section,
                dealer=deal.dealer,
                vulnerable=deal.vulnerable,
                hands=" ".join(deal.hands),
            )
            for (section, board), deal in by_key.items()
            if board in played
        ),
        batch_size=BATCH,
    )


def _board_result(revision: Revision, row: BoardRow, ids: dict[int, int]) -> BoardResult:
    """Return an unsaved `BoardResult`.

    ids: {position in the ranking: contestant id}
    """
    adjusted_ns, adjusted_ew = row.adjusted or (None, None)
    stated_ns, stated_ew = row.stated
    return BoardResult(
        revision=revision,
        board=row.board,
        section=row.section,
        ns_id=row.ns and ids[row.ns],
        ew_id=row.ew and ids[row.ew],
        ns_partner_id=row.ns_partner and ids[row.ns_partner],
        ew_partner_id=row.ew_partner and ids[row.ew_partner],
        round=row.round,
        score=row.score,
        adjusted_ns=adjusted_ns,
        adjusted_ew=adjusted_ew,
        ns_points=stated_ns,
        ew_points=stated_ew,
        contract=row.contract,
        declarer=row.declarer,
        lead=row.lead,
        tricks=row.tricks,
    )
