"""Change single board results of a draft: of a correction, or of a file whose ranking is computed here.

`ResultUpload.parsed` holds besides the `ParsedResult`, whose boards are as changed:

changes: {index of a board result, as text: the result before the change}
printed: of a correction, place, percentage and score of each entry before the change
revision: of a correction, the id of the ranking that it started from
given: of a correction, `ResultUpload.details` as they were at the start
reasons: of a correction, {index of a changed board result, as text: the reason of this change}
meanwhile: of a correction to which `board_rebase` added those confirmed since it began: their "reasons", and
    the indexes of the board results that they change too, as "contested"
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.db import transaction

from tournaments.formats.types import BoardResult, ParsedResult
from tournaments.models import ResultUpload, Revision

from . import scorings
from .board_origin import rankings_of, scored_of, without_result
from .drafts import Draft
from .issues import issue
from .stored import stored_guests
from .uploads import Stale, details_of, receive_typed, rewrite

State = ResultUpload.State
REASON_LENGTH = ResultUpload._meta.get_field("correction_reason").max_length


def changes_of(upload: ResultUpload) -> dict[int, BoardResult]:
    """Return {index of a changed board result: the result before the change}."""
    changes: Mapping[str, Any] = upload.parsed.get("changes", {})
    return {int(index): BoardResult.from_json(before) for index, before in sorted(changes.items())}


def result_at(upload: ResultUpload, index: int) -> BoardResult | None:
    """Return the board result of a draft at an index; None if there is none or boards cannot be changed."""
    results = upload.parsed.get("boards", ())
    if not is_changeable(upload) or not 0 <= index < len(results):
        return None
    return BoardResult.from_json(results[index])


def is_changeable(upload: ResultUpload) -> bool:
    """Return whether single board results of an upload can be changed, and the ranking follows."""
    is_computed = scorings.is_computed(upload) or "printed" in upload.parsed
    return upload.state == State.REVIEW and is_computed and upload.parsed.get("edited") != "rows"


def draft_by(user, revision: Revision) -> ResultUpload | None:
    """Return the user's own draft of a correction of this ranking's boards, if there is one."""
    drafts = ResultUpload.objects.drafts().filter(created_by=user, corrects=revision.tournament_id)
    drafts = drafts.filter(parsed__revision=revision.pk)
    return next((draft for draft in drafts.select_related("club", "corrects") if is_changeable(draft)), None)


@transaction.atomic
def correct(user, revision: Revision, index: int, result: BoardResult, reason: str) -> ResultUpload:
    """Begin a correction with a change of one board result, or add the change to the one begun. Return it.

    index: of the board result, in the order of the ids; those of `Rankings.started` that are erased follow
    reason: why the tournament is corrected
    """
    tournament = revision.tournament
    upload = draft_by(user, revision)
    if upload is None:
        parsed = rankings_of(revision).started
        upload = receive_typed(
            user,
            tournament.club,
            details_of(tournament),
            parsed,
            tournament,
            choices=stored_guests(revision),
        )
        upload.parsed |= {"printed": printed_of(parsed), "revision": revision.pk, "given": upload.details}
        # Warnings that were accepted when the ranking was confirmed are not asked again if they are the same.
        confirmed = ResultUpload.objects.filter(revision=revision).first()
        upload.ticks = confirmed.ticks if confirmed else {}
        upload.save(update_fields=["parsed", "ticks"])
    change(upload, index, result, reason)
    return upload


def change(upload: ResultUpload, index: int, result: BoardResult | None, reason: str = "") -> Draft:
    """Change a board result and compute the ranking again. Return the new draft.

    Raises NotUnderReview if the upload is no draft, and Stale if it has no such board result or its ranking
    was edited by hand.

    result: None to undo the change of this board result
    reason: of a correction, the reason of this change; "" to keep that of an earlier change of this result
    """

    return change_all(upload, {index: result}, reason)


def change_all(upload: ResultUpload, results: Mapping[int, BoardResult | None], reason: str = "") -> Draft:
    """Change several board results at once, as `change` does.

    results: {index of a board result: what it becomes}
    """

    def store(locked: ResultUpload) -> None:
        if any(result_at(locked, index) is None for index in results):
            raise Stale(upload.pk)
        changes, boards = dict(locked.parsed.get("changes", {})), list(locked.parsed["boards"])
        reasons = dict(locked.parsed.get("reasons", {}))
        for index, result in results.items():
            boards[index] = before = changes.pop(str(index), boards[index])
            if result is None:
                reasons.pop(str(index), None)
                continue
            changes[str(index)] = before
            boards[index] = asdict(replace(result, ns_points=None, ew_points=None))
            if reason:
                reasons[str(index)] = reason
        before_reasons = reasons_of(locked.parsed)
        own = {"boards": boards, "changes": changes, "reasons": reasons}
        locked.parsed = {**locked.parsed, **own}
        locked.parsed |= scored(locked).to_json()
        compose_reason(locked, before_reasons)

    return rewrite(upload, store)


def printed_of(parsed: ParsedResult) -> list[list[str | None]]:
    """Return place, percentage and score of each entry."""
    return [[entry.place, entry.percentage, entry.score] for entry in parsed.entries]


def reasons_of(parsed: Mapping[str, Any]) -> list[str]:
    """Return the reasons of the changed board results, by board, without repetitions.

    parsed: `ResultUpload.parsed`
    """
    reasons: Mapping[str, str] = parsed.get("reasons", {})
    order = sorted(map(int, reasons), key=lambda index: (parsed["boards"][index]["board"], index))
    return list(dict.fromkeys(reasons[str(index)] for index in order if reasons[str(index)]))


def compose_reason(upload: ResultUpload, before: Sequence[str]) -> None:
    """Let the reason of a correction follow a change of the reasons of its boards. Does not save.

    If the director edited the text, reasons are only added to it and taken out of it.

    before: `reasons_of` before the change
    """
    after = reasons_of(upload.parsed)
    text = upload.correction_reason
    if text == " ".join(before)[:REASON_LENGTH]:
        text = " ".join(after)
    else:
        for reason in before:
            if reason not in after:
                text = text.replace(reason, "")
        text = " ".join([*text.split(), *(reason for reason in after if reason not in text)])
    upload.correction_reason = text[:REASON_LENGTH]


def scored(upload: ResultUpload) -> ParsedResult:
    """Return the ranking that follows from the board results of an upload.

    If the ranking to correct does not follow from its boards in a known way, it stays as printed, and a
    warning says so.
    """
    parsed = ParsedResult.from_json(upload.parsed)
    if "printed" not in upload.parsed:
        return scorings.scored(parsed, upload.details)
    revision = Revision.objects.select_related("tournament").filter(pk=upload.parsed["revision"]).first()
    if revision is None:  # it waited for approval, and was returned
        raise Stale(upload.pk)
    rankings = rankings_of(revision)
    origin = rankings.origin if upload.parsed.get("changes") else rankings.started
    return _recounted(parsed, origin, upload.parsed["printed"])


def _recounted(
    parsed: ParsedResult, origin: ParsedResult, printed: Sequence[scorings.Printed]
) -> ParsedResult:
    """Return a ranking with changed boards, computed from an earlier one.

    origin: the earlier ranking. `parsed` may have more board results, which have no score before the change.
    printed: what the ranking to correct printed of each entry; this stays if the boards do not give it
    """
    lines = (*origin.boards, *map(without_result, parsed.boards[len(origin.boards) :]))
    pairs = list(zip(lines, parsed.boards, strict=True))
    before = {index: old for index, (old, new) in enumerate(pairs) if scored_of(old) != scored_of(new)}
    entries = (
        replace(entry, boards=None if entry.boards is None else old.boards)
        for entry, old in zip(parsed.entries, origin.entries, strict=True)
    )
    boards = (
        replace(new, ns_points=None, ew_points=None)
        if index in before
        else replace(new, ns_points=old.ns_points, ew_points=old.ew_points)
        for index, (old, new) in enumerate(pairs)
    )
    parsed = replace(parsed, entries=tuple(entries), boards=tuple(boards))
    try:
        return scorings.recounted(parsed, before, printed_of(origin))
    except scorings.NotRecountable:
        return _as_printed(parsed, {old.board for old in before.values()}, printed)


def _as_printed(
    parsed: ParsedResult, changed: Collection[int], printed: Sequence[scorings.Printed]
) -> ParsedResult:
    """Return a ranking as it was printed, with boards whose stated results no longer hold.

    changed: the numbers of the changed boards
    """
    entries = tuple(
        replace(entry, place=place, percentage=percentage, score=score)
        for entry, (place, percentage, score) in zip(parsed.entries, printed, strict=True)
    )
    boards = tuple(
        replace(result, ns_points=None, ew_points=None) if result.board in changed else result
        for result in parsed.boards
    )
    return replace(parsed, entries=entries, boards=boards, issues=(issue("boards_not_ranked"),))
