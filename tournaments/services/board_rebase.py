"""Bring corrections of single boards up to date with a correction that was confirmed meanwhile.

The changes of the draft are applied to the boards of the newest ranking, so that confirming the draft does
not undo the boards of the other correction. Of a board that both change, the review asks which result counts.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.boards import has_same_contestants, with_lines_of
from tournaments.formats.types import BoardResult, ParsedResult
from tournaments.models import ResultUpload, Revision, Tournament

from . import board_changes
from .board_origin import counterparts, outcome_of, rankings_of, without_result
from .people import choices_of, keep_decisions, stored_choices
from .stored import stored_guests
from .uploads import details_of, rewrite


class NotComparable(Exception):
    """The newest ranking has other contestants, so that changes of boards cannot be applied to it."""


@dataclass(frozen=True)
class _Change:
    """A changed board result of a draft: before the change, as changed, and its reason.

    place: its index among the board results of the newest ranking; None if that does not have it
    contested: whether an earlier correction to which the draft was added changed it, too
    """

    place: int | None
    before: BoardResult
    after: BoardResult
    reason: str
    contested: bool


def newer_revision(upload: ResultUpload) -> Revision | None:
    """Return the newest ranking of the tournament, if a correction of boards did not start from it."""
    started = upload.parsed.get("revision")
    if started is None:
        return None
    newest = Revision.objects.filter(tournament=upload.corrects_id).order_by("number").last()
    return None if newest is None or newest.pk == started else newest


def bring_drafts_up_to_date(user, tournament: Tournament) -> None:
    """Apply the user's own corrections of boards of a tournament to its newest ranking."""
    drafts = ResultUpload.objects.drafts().filter(created_by=user, corrects=tournament)
    for draft in drafts.filter(parsed__has_key="revision"):
        bring_up_to_date(draft)


def bring_up_to_date(upload: ResultUpload) -> bool:
    """Apply a correction of boards to the newest ranking, if that is not the one it started from.

    Return whether the draft was changed. It is not if the newest ranking has other contestants.
    """
    if not (board_changes.is_changeable(upload) and newer_revision(upload)):
        return False
    try:
        rewrite(upload, _rebase)
    except NotComparable:
        return False
    return True


def _rebase(locked: ResultUpload) -> None:
    """Replace the ranking, boards and data of a draft by the newest ones with its changes. Does not save.

    Raises NotComparable.
    """
    revision = newer_revision(locked)
    if revision is None:
        return  # another request was faster
    mine, newest = ParsedResult.from_json(locked.parsed), rankings_of(revision).started
    if not has_same_contestants(mine.entries, newest.entries):
        raise NotComparable
    state = _applied(_changes(locked, mine, newest), newest)
    known = locked.parsed.get("meanwhile", {})
    later = revision.tournament.revisions.filter(pk__gt=locked.parsed["revision"]).order_by("number")
    state["meanwhile"] = {
        "reasons": [*known.get("reasons", ()), *later.values_list("reason", flat=True)],
        "contested": state.pop("contested"),
    }
    before = board_changes.reasons_of(locked.parsed)
    people, choices = keep_decisions(mine, choices_of(locked), newest)
    details = details_of(revision.tournament)
    copied = locked.parsed.get("given", locked.details)
    own = {name: value for name, value in locked.details.items() if value != copied.get(name)}
    locked.details = {**details, **own}
    kept = {name: locked.parsed[name] for name in ("edited", "numbers") if name in locked.parsed}
    printed = board_changes.printed_of(newest)
    locked.parsed = {
        **people.to_json(),
        **kept,
        **state,
        "choices": stored_choices({**stored_guests(revision), **choices}),
        "printed": printed,
        "revision": revision.pk,
        "given": details,
    }
    locked.parsed |= board_changes.scored(locked).to_json()
    board_changes.compose_reason(locked, before)


def _changes(locked: ResultUpload, mine: ParsedResult, newest: ParsedResult) -> list[_Change]:
    """Return the changes of a draft, with the lines of the newest ranking."""
    befores = board_changes.changes_of(locked)
    started = [befores.get(index, result) for index, result in enumerate(mine.boards)]
    started = list(with_lines_of(started, mine.entries, newest.entries))
    after = with_lines_of(mine.boards, mine.entries, newest.entries)
    places = counterparts(started, newest.boards)
    reasons = locked.parsed.get("reasons", {})
    contested = locked.parsed.get("meanwhile", {}).get("contested", ())
    return [
        _Change(places[k], started[k], after[k], reasons.get(str(k), ""), k in contested) for k in befores
    ]


def _applied(changes: Sequence[_Change], newest: ParsedResult) -> dict[str, Any]:
    """Return the board results of the newest ranking with the changes, and what is stored beside them.

    A line that the newest ranking does not have is added again, without a result before the change.
    """
    boards = list(newest.boards)
    befores, reasons, contested = {}, {}, []
    for change in changes:
        index = len(boards) if change.place is None else change.place
        if change.place is None:
            boards.append(without_result(change.before))
        theirs = boards[index]
        if outcome_of(theirs) == outcome_of(change.after):
            continue
        if change.contested or outcome_of(theirs) != outcome_of(change.before):
            contested.append(index)
        befores[str(index)] = asdict(theirs)
        reasons[str(index)] = change.reason
        boards[index] = change.after
    return {
        "boards": [asdict(result) for result in boards],
        "changes": befores,
        "reasons": reasons,
        "contested": contested,
    }
