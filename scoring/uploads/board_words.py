"""Words for the board results of a draft: the result, the contestants, and what a correction changes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.access import name_for
from players.models import Player
from scoring.uploads.services.review import Review
from tournaments.boards import artificial_score, whole_score
from tournaments.formats import cards
from tournaments.formats.contestants import PositionFinder
from tournaments.formats.licence import normalise
from tournaments.formats.types import BoardResult, Doubt, Entry, ParsedResult, Person
from tournaments.models import ResultUpload
from tournaments.services import board_changes, uploads
from tournaments.services.matching import players_by_number
from ui.cards import contract_html
from ui.formatting import format_fixed, format_percent, format_share, format_whole

REASONS = {
    "bws_double": _("Entered twice, with different results."),
    "bws_erased": _("Erased and not entered again."),
    "bws_arbitral": _("An arbitral score without its decision."),
    "bws_wrong_direction": _("Played in the wrong direction."),
    "bws_other_pairs": _(
        "The entry has the number of a pair that did not sit there. What you choose here counts for all such "
        "entries of this table in the round."
    ),
    "bws_other_round": _(
        "At this table, all results of the round have other pairs than the movement. What you choose here "
        "counts for all of them."
    ),
    "bws_exchanged": _("By the movement, the pairs sat the other way round."),
    "bws_other_board": _(
        "The movement does not have the board that was entered at this table in this round."
    ),
    "bws_other_boards": _(
        "At this table, several boards of the round have other numbers than in the movement. What you choose "
        "here counts for all of them."
    ),
    "bws_result_unreadable": _("What was entered is no result."),
    "bws_remark_unknown": _("The remark beside the result is not known here."),
    "bws_played_twice": _("A pair has two results of this board."),
}
# A decision counts for all results of a table in a round that have no other issue.
OF_ROUND = frozenset({"bws_other_round", "bws_other_boards", "bws_other_pairs"})
MAX_LINES = 100  # of the board results in doubt; more follow when these are decided
BUTTON = re.compile(r"(use|undo)-([0-9]{1,6})(?:-([0-9]{1,3}))?")


def result_html(result: BoardResult) -> SafeString:
    """Return a board result as it is shown: contract, tricks and score, or the adjusted score."""
    lang = get_language() or ""
    adjusted, score = artificial_score(result.score or ""), whole_score(result.score or "")
    if adjusted:
        return format_html("{}", "/".join(format_share(share, lang) for share in adjusted))
    parts: list[str | SafeString] = []
    if contract := cards.contract_text(result.contract or ""):
        parts.append(contract_html(contract, cards.seat_text(result.declarer or "") or ""))
    if (tricks := cards.tricks_number(result.tricks or "")) is not None and score is not None:
        text = ngettext("%(count)s trick", "%(count)s tricks", tricks)
        parts.append(text % {"count": tricks})
    parts.append(gettext("no result") if score is None else format_whole(score, lang))
    return format_html_join(", ", "{}", ((part,) for part in parts))


class ContestantNames:
    """A function that returns the numbers and names of the contestants on a side of board results. One query.

    entries: the ranking
    results: the board results whose contestants are wanted
    user: the viewer, who may not see the names of all hidden players
    """

    def __init__(self, entries: Sequence[Entry], results: Sequence[BoardResult], user) -> None:
        self.entries, self.user = entries, user
        self.find = PositionFinder(entries)
        wanted = {
            position for result in results for side in ("NS", "EW") for position in self._on(result, side)
        }
        people = [person for position in wanted for person in entries[position - 1].people]
        self.players = players_by_number(person.number for person in people)

    def _on(self, result: BoardResult, side: str) -> list[int]:
        numbers = result.ns if side == "NS" else result.ew
        positions = (self.find(result.section or "", number, side) for number in numbers)
        return [position for position in positions if position is not None]

    def __call__(self, result: BoardResult, side: str) -> str:
        entries = [self.entries[position - 1] for position in self._on(result, side)]
        return ", ".join(self._entry(entry) for entry in entries) or gettext("not in the ranking")

    def _entry(self, entry: Entry) -> str:
        number = entry.number or str(entry.line)
        names = " – ".join(filter(None, (self._person(person) for person in entry.people)))
        return f"{number}: {names}" if names else number

    def _person(self, person: Person) -> str:
        player = self.players.get(normalise(person.number) or "") if person.number else None
        return name_for(self.user, player) if player else person.name or person.number or ""


def traveller(parsed: ParsedResult, shown: BoardResult) -> list[dict[str, Any]]:
    """Return the results of a board at all tables that played the same deal: the pairs and what they did.

    "current" marks the result itself.
    """
    find_position = PositionFinder(parsed.entries)

    def numbers(result: BoardResult, side: str) -> str:
        references = result.ns if side == "NS" else result.ew
        positions = [find_position(result.section or "", reference, side) for reference in references]
        entries = [parsed.entries[position - 1] for position in positions if position]
        return ", ".join(entry.number or entry.team or str(entry.line) for entry in entries) or "–"

    same = [result for result in parsed.boards if result.board == shown.board]
    if any(deal.section for deal in parsed.deals):
        same = [result for result in same if result.section == shown.section]
    return [
        {
            "ns": numbers(result, "NS"),
            "ew": numbers(result, "EW"),
            "result": result_html(result),
            "current": result == shown,
        }
        for result in same[:MAX_LINES]
    ]


def difference_rows(review: Review, upload: ResultUpload, user) -> list[dict[str, Any]]:
    """Return the records of `DifferenceTable`: the contestants whose result, place or points would change.

    The largest change of points is first.

    upload: a correction of single boards
    """
    printed = upload.parsed.get("printed", ())
    old_points = {change.player_id: change.old for change in review.changes}
    rows = []
    for row, ranked in zip(review.draft.rows, review.draft.ranked, strict=True):
        if not 0 < ranked.entry.line <= len(printed):
            continue  # the ranking was edited by hand, with more rows than before
        place, percentage, score = printed[ranked.entry.line - 1]
        players = [seat.player_id for seat in row.seats if seat.player_id]
        after = [review.points_by_player.get(player) for player in players]
        before = [old_points.get(player, new) for player, new in zip(players, after, strict=True)]
        results = (_result(percentage, score), _result(ranked.entry.percentage, ranked.entry.score))
        if results[0] == results[1] and place == str(row.place) and before == after:
            continue
        rows.append(
            {
                "contestant": _contestant(ranked.entry, review.players, players, user),
                "result": results,
                "place": (place, str(row.place)),
                "points": (before, after),
            }
        )
    return sorted(rows, key=lambda row: -_moved(*row["points"]))


def _moved(before: Sequence[int | None], after: Sequence[int | None]) -> int:
    """Return by how many hundredths the points of a contestant's players change, at most."""
    return max((abs((new or 0) - (old or 0)) for old, new in zip(before, after, strict=True)), default=0)


def _contestant(entry: Entry, players: dict[int, Player], ids: Sequence[int], user) -> str:
    names = [name_for(user, players[pk]) for pk in ids] + [
        person.name for person in entry.people if not person.number and person.name
    ]
    return f"{entry.number or entry.line}: {' – '.join(names)}"


def _result(percentage: str | None, score: str | None) -> str:
    lang = get_language() or ""
    if percentage is not None:
        return format_percent(Decimal(percentage), lang)
    return "" if score is None else format_fixed(Decimal(score), lang, 2)


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A board result of a draft that is in doubt or was changed, as the review shows it.

    index: among the board results of the draft
    now, before: the result that counts, and that before the change
    reasons: why it is in doubt
    entries: the entries found in the file: (number, time, whether erased, result, the board's number if it is
        another one)
    decided: whether the director has decided about it
    counts: whether it has a score, so that it counts
    """

    index: int
    board: int
    section: str
    ns: str
    ew: str
    now: SafeString
    before: SafeString | None
    reasons: list[str]
    entries: tuple[tuple[int, str, bool, SafeString, int | None], ...]
    decided: bool
    counts: bool


def board_lines(upload: ResultUpload, user) -> list[BoardLine]:
    """Return the board results of a draft that are in doubt or were changed, undecided ones first.

    At most MAX_LINES undecided ones, and all that were decided. One query.
    """
    if not (upload.parsed.get("changes") or upload.parsed.get("doubts")):
        return []
    parsed = ParsedResult.from_json(upload.parsed)
    changes = board_changes.changes_of(upload)
    doubts = {doubt.index: doubt for doubt in parsed.doubts}
    is_changeable = board_changes.is_changeable(upload)
    undecided = [index for index in doubts if index not in changes] if is_changeable else []
    by_board = lambda index: (parsed.boards[index].board, parsed.boards[index].section or "", index)  # noqa: E731
    shown = [index for index in undecided[:MAX_LINES] if index < len(parsed.boards)]
    shown += sorted((index for index in changes if index < len(parsed.boards)), key=by_board)
    names = ContestantNames(parsed.entries, [parsed.boards[index] for index in shown], user)
    return [
        BoardLine(
            index,
            parsed.boards[index].board,
            parsed.boards[index].section or "",
            names(parsed.boards[index], "NS"),
            names(parsed.boards[index], "EW"),
            result_html(parsed.boards[index]),
            result_html(changes[index]) if index in changes else None,
            [str(REASONS[code]) for code in doubts[index].codes] if index in doubts else [],
            _entries_found(doubts[index]) if index in doubts else (),
            index in changes,
            parsed.boards[index].score is not None,
        )
        for index in shown
    ]


def _entries_found(doubt: Doubt) -> tuple[tuple[int, str, bool, SafeString, int | None], ...]:
    """Return the entries found for a doubtful result, with their boards and pairs if these differ."""
    has_boards = len({entry.result.board for entry in doubt.entries}) > 1
    has_pairs = len({(entry.result.ns, entry.result.ew) for entry in doubt.entries}) > 1
    rows: list[tuple[int, str, bool, SafeString, int | None]] = []
    for number, entry in enumerate(doubt.entries):
        text, result = result_html(entry.result), entry.result
        if has_boards:
            board = gettext("board %(number)s") % {"number": result.board}
            text = format_html("{}, {}", text, board)
        if has_pairs:
            pairs = gettext("pairs %(ns)s and %(ew)s")
            pairs %= {"ns": ", ".join(result.ns), "ew": ", ".join(result.ew)}
            text = format_html("{}, {}", text, pairs)
        other_board = result.board if result.board != doubt.board else None
        rows.append((number, entry.time, entry.erased, text, other_board))
    return tuple(rows)


def pressed(upload: ResultUpload, data: QueryDict) -> None:
    """Perform the decision about a board result whose button was pressed on the review.

    Its name is `board`, and its value `use-INDEX-NUMBER` for an entry found, or `undo-INDEX`. Raises Stale if
    the draft has no such board result.
    """
    match = BUTTON.fullmatch(data.get("board", ""))
    if match is None:
        return
    index = int(match[2])
    if match[1] == "undo":
        board_changes.change(upload, index, None)
        return
    doubts = {doubt.index: doubt for doubt in ParsedResult.from_json(upload.parsed).doubts}
    entries = doubts[index].entries if index in doubts else ()
    if int(match[3] or 0) >= len(entries):
        raise uploads.Stale(upload.pk)
    chosen = entries[int(match[3] or 0)].result
    others = _of_round(upload, doubts.values(), doubts[index], chosen)
    board_changes.change_all(upload, {**others, index: chosen})


def _of_round(
    upload: ResultUpload, doubts: Iterable[Doubt], decided: Doubt, chosen: BoardResult
) -> dict[int, BoardResult]:
    """Return {index: result} of the undecided results of the table in that round, as the chosen one has them.

    They get its pairs and, if their boards have wrong numbers too, boards as far from these.
    """
    changes, shift = board_changes.changes_of(upload), chosen.board - decided.board
    results = {}
    for doubt in doubts:
        shared = OF_ROUND & {*decided.codes} & {*doubt.codes}
        is_there = (doubt.file, doubt.place) == (decided.file, decided.place)
        if is_there and shared and OF_ROUND.issuperset(doubt.codes) and doubt.index not in changes:
            board = doubt.board + (shift if "bws_other_boards" in shared else 0)
            wanted = board, chosen.ns, chosen.ew
            entered = (entry.result for entry in doubt.entries)
            same = [result for result in entered if (result.board, result.ns, result.ew) == wanted]
            results |= {doubt.index: same[0]} if same else {}
    return results
