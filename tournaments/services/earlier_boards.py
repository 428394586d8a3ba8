"""Issues about the boards of a correction that earlier corrections of the same tournament changed too."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from tournaments.boards import BoardRow, artificial_score, locate_results
from tournaments.drafts import Row
from tournaments.formats.contestants import PositionFinder
from tournaments.formats.types import BoardResult as ReadResult
from tournaments.formats.types import Entry, Issue, ParsedResult
from tournaments.formats.values import bare_number
from tournaments.models import BoardResult, ResultUpload, Revision

from .issues import issue

MOST_LISTED = 20  # boards that a message lists
Score = tuple[int | None, int | None, int | None]


def meanwhile(upload: ResultUpload, parsed: ParsedResult) -> list[Issue]:
    """Return what to say of the corrections to which `board_rebase` added this one.

    parsed: the draft; board results are not needed
    """
    known = upload.parsed.get("meanwhile", {})
    changes, find_position = upload.parsed.get("changes", {}), PositionFinder(parsed.entries)
    issues = [issue("corrections_joined", value=reason) for reason in known.get("reasons", ())]
    for index in known.get("contested", ()):
        if theirs := changes.get(str(index)):
            mine = ReadResult.from_json(upload.parsed["boards"][index])
            numbers = {
                side: _number(parsed.entries, find_position(mine.section or "", reference, side.upper()))
                for side, (reference, *_others) in (("ns", mine.ns), ("ew", mine.ew))
            }
            first, second = _score_text(ReadResult.from_json(theirs)), _score_text(mine)
            issues.append(
                issue("board_corrected_twice", board=mine.board, first=first, second=second, **numbers)
            )
    return issues


def _number(entries: Sequence[Entry], position: int | None) -> str:
    entry = entries[position - 1] if position else None
    return (entry.number or entry.team or str(entry.line)) if entry else "?"


def _score_text(result: ReadResult) -> str:
    """Return a score as digits, which read the same in every language; "–" for none."""
    shares = artificial_score(result.score or "")
    if shares:
        return "/".join(f"{share}\xa0%" for share in shares)
    return (result.score or "–").replace("-", "−")


def going_back(upload: ResultUpload, entries: Sequence[Entry], rows: Sequence[Row], kind: str) -> list[Issue]:
    """Return a warning if boards that were corrected would have an earlier result again. Two queries.

    That happens when the director corrects boards here, and later uploads the file from the scoring program,
    which does not know of it.

    entries, rows: the contestants in the order of the ranking, as read and as they would be stored
    kind: the tournament's format
    """
    results = upload.parsed.get("boards", ())
    if not upload.corrects_id or not results or not rows or "revision" in upload.parsed:
        return []
    if not Revision.objects.filter(tournament=upload.corrects_id, number__gt=1).exists():
        return []
    earlier, now = _stored_scores(upload.corrects_id)
    located = locate_results((ReadResult.from_json(result) for result in results), entries, kind)
    back = {
        line.board
        for line in located
        if line.seated
        and (key := _key_of(line, rows)) in now
        and (score := (line.score, *(line.adjusted or (None, None)))) != now[key]
        and score in earlier[key]
    }
    if not back:
        return []
    listed = ", ".join(map(str, sorted(back)[:MOST_LISTED])) + (" …" if len(back) > MOST_LISTED else "")
    return [issue("boards_go_back", value=listed)]


def _stored_scores(tournament_id: int) -> tuple[dict[Hashable, set[Score]], dict[Hashable, Score]]:
    """Return the scores of the rankings before the newest, and those of the newest, by `_key`."""
    columns = ("revision__number", "board", "section", "score", "adjusted_ns", "adjusted_ew")
    sides = ("ns__label", "ns__field", "ew__label", "ew__field")
    stored = BoardResult.objects.filter(revision__tournament=tournament_id)
    rows = list(stored.order_by("revision__number", "pk").values_list(*columns, *sides))
    newest = rows[-1][0] if rows else 0
    earlier, now = defaultdict(set), {}
    for number, board, section, *score, ns, ns_field, ew, ew_field in rows:
        key = _key(board, section, ((ns, ns_field), (ew, ew_field)))
        if number == newest:
            now[key] = tuple(score)
        else:
            earlier[key].add(tuple(score))
    return earlier, now


def _key_of(line: BoardRow, rows: Sequence[Row]) -> Hashable:
    """Return the key of a result of the draft, as `_stored_scores` has those of stored ones."""
    seated = (rows[position - 1] if position else None for position in (line.ns, line.ew))
    return _key(line.board, line.section, ((row.label, row.field) if row else ("", "") for row in seated))


def _key(board: int, section: str, sides: Iterable[tuple[str | None, str | None]]) -> Hashable:
    numbers = frozenset((bare_number(label or ""), field or "") for label, field in sides)
    return board, section, numbers
