"""What can be done with an upload: receive it, complete it, mend it, tick its warnings, discard it.

Every verb keeps the stored issues up to date with the draft. `scoring.uploads.services.confirm` confirms.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from players.models import Club
from tournaments.boards import keep_labels
from tournaments.drafts import HEADER_FIELDS, header_of
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.types import Entry, Issue, ParsedResult
from tournaments.models import ResultUpload, SeparateEvent, Tournament, UploadFile, UploadIssue

from . import repeats
from .drafts import Draft, draft_of, is_unread
from .headers import NAME_LENGTH, stored_details
from .issues import issue
from .mending import Decision, NoSuchSeat, decide, regroup
from .people import Seat, choices_of, seats_of, stored_choices
from .versions import people_version_of, version_of, warnings_version

__all__ = [
    "Answers", "Decision", "FileGone", "NotUnderReview", "Stale", "accept", "check_again", "correct_instead",
    "details_of", "discard", "draft_of", "ignore_numbers", "keep_apart", "may_read_again", "mend",
    "people_version_of", "read_again", "receive", "receive_typed", "recover", "replace_entries",
    "save", "save_details", "use_numbers", "version_of", "warnings_version",
]  # fmt: skip

State = ResultUpload.State
TYPED = "typed"
# Why a reading ends before the file does: a limit of ours, which a busy machine meets sooner, or our fault.
STOPPED = frozenset({"too_slow", "too_big_to_read", "reader_failed"})
FIELD_LENGTH = UploadIssue._meta.get_field("field").max_length
FORMAT_LENGTH = ResultUpload._meta.get_field("file_format").max_length
FILE_NAME_LENGTH = ResultUpload._meta.get_field("file_name").max_length
Check = Callable[[ResultUpload, Draft], Iterable[Issue]]
# Find errors of a draft that this package cannot know, such as those of the regulation. See `register_check`.
CHECKS: list[Check] = []


def register_check(check: Check) -> None:
    """Count the errors that `check` finds among those of a draft. Call it from `AppConfig.ready`."""
    if check not in CHECKS:
        CHECKS.append(check)


class NotUnderReview(Exception):
    """The upload was confirmed or discarded in the meantime: nothing of it can change any more."""


class FileGone(Exception):
    """The file of a discarded upload is no longer kept, so that nothing can be read of it again."""


class Stale(Exception):
    """The ranking is no longer the one that the reader of the page saw."""


def receive(
    user,
    club: Club,
    file_name: str,
    data: bytes,
    details: Mapping[str, Any],
    corrects: Tournament | None = None,
    reason: str = "",
) -> ResultUpload:
    """Store a file as it came, then read it in a bounded child process.

    details: the form's values, as `Header` fields; blank ones are taken from the file. The bytes are
    committed before they are read, so that a file that kills its reader can still be looked at.
    """
    with transaction.atomic():
        upload = ResultUpload.objects.create(
            club=club,
            created_by=user,
            file_name=file_name[-FILE_NAME_LENGTH:],
            file_format="",
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            parsed=ParsedResult("unknown", file_name).to_json(),
            details=stored_details(dict(details)),
            title=(details.get("name") or "")[:NAME_LENGTH],
            corrects=corrects,
            correction_reason=reason,
        )
        UploadFile.objects.create(upload=upload, content=data)
        _refresh(upload)
    return _store_reading(upload, _read(upload, data, upload.details.get("format")))


def read_again(upload: ResultUpload) -> ResultUpload:
    """Read a file whose reading was interrupted or stopped. Raises NotUnderReview for any other."""
    if not may_read_again(upload):
        raise NotUnderReview(upload.state)
    reading = _read(upload, bytes(upload.file.content), upload.details.get("format"))
    return _store_reading(upload, reading)


def may_read_again(upload: ResultUpload) -> bool:
    """Whether nothing was read of the upload's file yet, and the file alone was not the reason."""
    if upload.state == State.REFUSED:
        return any(found["code"] in STOPPED for found in upload.parsed["issues"])
    return upload.state == State.REVIEW and is_unread(upload)


def _is_refused(reading: ParsedResult) -> bool:
    """Whether there is nothing to review of what was read; of a ranking typed by hand there may be, later."""
    return reading.has_errors and not reading.entries and reading.format_name != TYPED


@transaction.atomic
def _store_reading(upload: ResultUpload, reading: ParsedResult) -> ResultUpload:
    """Keep what was read, unless another reading of the same file was quicker."""
    locked = ResultUpload.objects.select_for_update().get(pk=upload.pk)
    if may_read_again(locked):
        locked.file_format = reading.format_name[:FORMAT_LENGTH]
        locked.parsed = reading.to_json()
        locked.state = State.REFUSED if _is_refused(reading) else State.REVIEW
        locked.save(update_fields=["file_format", "parsed", "state"])
        _refresh(locked)
    return locked


@transaction.atomic
def receive_typed(
    user,
    club: Club,
    details: Mapping[str, Any],
    parsed: ParsedResult | None = None,
    corrects: Tournament | None = None,
    reason: str = "",
) -> ResultUpload:
    """Begin a ranking that is typed by hand, with the rows that are known already in `parsed`."""
    parsed = parsed or ParsedResult(TYPED, "")
    upload = ResultUpload.objects.create(
        club=club,
        created_by=user,
        file_format=TYPED,
        parsed=parsed.to_json(),
        details=stored_details(dict(details)),
        corrects=corrects,
        correction_reason=reason,
    )
    _refresh(upload)
    return upload


def details_of(tournament: Tournament) -> dict[str, Any]:
    """A stored tournament's data as the details its correction starts from."""
    header = header_of(tournament)
    values = {name: getattr(header, name) for name in HEADER_FIELDS if name != "club_id"}
    if header.boards_scheduled == header.boards:
        # Written out, it would not follow when the boards of the winner are corrected.
        values["boards_scheduled"] = None
    return stored_details(values)


@dataclass(frozen=True)
class Answers:
    """What a review page sends; None where it does not ask.

    details: the tournament's data, as `Header` fields; a missing one stays, a blank one is the file's
    seats: numbers and decisions by seat
    ticks: all warnings that are ticked, as `tick_of` names them
    """

    club: Club | None = None
    details: Mapping[str, Any] | None = None
    seats: Mapping[Seat, str | Decision] = field(default_factory=dict)
    ticks: Collection[str] | None = None


def save(upload: ResultUpload, answers: Answers, seen: str = "") -> Draft:
    """Store everything that a review page sends, or nothing.

    seen: `version_of` the upload that the page showed; Stale where it has changed since then.
    Raises NotUnderReview, and Stale for a seat that is not there.
    A table is read again when the format changes, because its rows then group differently.
    """
    details = dict(answers.details or {})
    read_again = (
        details.get("format", upload.details.get("format")) != upload.details.get("format")
        and upload.file_format in ("csv", "xlsx")
        and upload.parsed.get("edited") != "rows"
    )
    # Outside the transaction: nobody should wait for a lock while a file is read.
    fresh = _read(upload, bytes(upload.file.content), details["format"]) if read_again else None
    with _under_review(upload) as locked:
        if seen and seen != version_of(locked):
            raise Stale(upload.pk)
        before = draft_of(locked)
        if answers.ticks is not None:
            locked.accepted_codes = sorted(set(before.warnings) & set(answers.ticks))
        locked.club = answers.club or locked.club
        kept = {name: value for name, value in locked.details.items() if name not in details}
        locked.details = kept | stored_details(details)
        _save_seats(locked, answers.seats, fresh)
        locked.save(update_fields=["club", "details", "parsed", "accepted_codes"])
        return _refresh(locked, before)


def save_details(upload: ResultUpload, club: Club, details: Mapping[str, Any]) -> Draft:
    """Store what the director says about the tournament. Raises NotUnderReview."""
    return save(upload, Answers(club=club, details=details))


def _with_boards(entries: tuple[Entry, ...], before: Iterable[Entry]) -> tuple[Entry, ...]:
    """The edited entries with the boards that the file states of the same number; no form asks for them."""
    known = {(each.number, each.direction): each.boards for each in before if each.number}
    return tuple(replace(each, boards=known.get((each.number, each.direction))) for each in entries)


def mend(upload: ResultUpload, seats: Mapping[Seat, str | Decision]) -> Draft:
    """Correct numbers on the spot; places, names and lines stay those of the file. Raises as `save` does."""
    return save(upload, Answers(seats=seats))


def accept(upload: ResultUpload, ticks: Iterable[str]) -> Draft:
    """Tick exactly these warnings, as far as the draft has them. Raises NotUnderReview."""
    return save(upload, Answers(ticks=set(ticks)))


def ignore_numbers(upload: ResultUpload) -> Draft:
    """Take all numbers away, because they are not ours: people are then matched by name."""
    return _all_numbers(upload, "", "ignored")


def use_numbers(upload: ResultUpload) -> Draft:
    """Give every seat back what the file has there."""
    return _all_numbers(upload, Decision.AS_READ, "")


def _all_numbers(upload: ResultUpload, decision: str | Decision, numbers: str) -> Draft:
    """Decide alike about every seat for which the file has a number."""
    with _under_review(upload) as locked:
        before = draft_of(locked)
        as_read = {seat: choice.number for seat, choice in before.choices.items()}
        seats = {
            seat: decision
            for seat, person, _line in seats_of(before.entries)
            if as_read.get(seat, person.number)
        }
        _save_seats(locked, seats)
        locked.parsed = {**locked.parsed, "numbers": numbers}
        locked.save(update_fields=["parsed"])
        return _refresh(locked, before)


def _save_seats(
    upload: ResultUpload, seats: Mapping[Seat, str | Decision], fresh: ParsedResult | None = None
) -> None:
    """Put decisions, and the same file read again, into `parsed`."""
    if not seats and fresh is None:
        return
    try:
        parsed, choices = decide(ParsedResult.from_json(upload.parsed), choices_of(upload), seats)
    except NoSuchSeat as error:
        raise Stale(upload.pk) from error
    if fresh is not None:
        parsed, choices = regroup(parsed, choices, fresh)
    own = {name: upload.parsed[name] for name in ("edited", "numbers") if name in upload.parsed}
    edited = "rows" if own.get("edited") == "rows" else "numbers" if choices else ""
    upload.parsed = {
        **parsed.to_json(), **own, "edited": edited, "choices": stored_choices(choices)
    }  # fmt: skip


def replace_entries(upload: ResultUpload, entries: Iterable[Entry]) -> Draft:
    """Put a ranking edited by hand in the place of the one read. Raises NotUnderReview.

    The results of single boards stay only while the contestants keep their numbers.
    """
    with _under_review(upload) as locked:
        before = draft_of(locked)
        parsed = ParsedResult.from_json(locked.parsed)
        event = replace(parsed.event, winner_type=None)
        issues = (issue("edited_by_hand"),) if locked.file_name else ()
        entries = tuple(entries)
        entries = _with_boards(entries, parsed.entries)
        boards = parsed.boards if keep_labels(parsed.entries, entries) else ()
        edited = replace(parsed, entries=entries, boards=boards, issues=issues, event=event)
        locked.parsed = {**edited.to_json(), "edited": "rows"}
        locked.save(update_fields=["parsed"])
        return _refresh(locked, before)


def correct_instead(upload: ResultUpload, tournament: Tournament, reason: str) -> Draft:
    """Make an upload a correction of a tournament that it was found to repeat. Raises NotUnderReview.

    What the form says is kept, but for the club: that is the tournament's.
    """
    with _under_review(upload) as locked:
        before = draft_of(locked)
        locked.corrects = tournament
        locked.correction_reason = reason
        locked.club = tournament.club
        locked.save(update_fields=["corrects", "correction_reason", "club"])
        return _refresh(locked, before)


def check_again(upload: ResultUpload) -> Draft:
    """Store what a fresh look at the draft finds, for lists, which do not look. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        return _refresh(locked, draft_of(locked))


def keep_apart(upload: ResultUpload, tournament: Tournament, reason: str, by) -> Draft:
    """Keep the office's word that the upload and a tournament are two events. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        before = draft_of(locked)
        same = repeats.alike(tournament, before.rows)
        word = {"reason": reason, "alike": same, "by": by}
        SeparateEvent.objects.update_or_create(upload=locked, tournament=tournament, defaults=word)
        return _refresh(locked, before)


def discard(upload: ResultUpload) -> None:
    """Put a draft, or a file that could not be read, away. Raises NotUnderReview."""
    with _under_review(upload, State.REVIEW, State.REFUSED) as locked:
        locked.state, locked.discarded_at = State.DISCARDED, timezone.now()
        locked.save(update_fields=["state", "discarded_at"])


def recover(upload: ResultUpload) -> None:
    """Take the discarding back. Raises NotUnderReview, and FileGone once the file is deleted."""
    with _under_review(upload, State.DISCARDED) as locked:
        if locked.file_deleted_at:
            raise FileGone
        before = draft_of(locked)
        reading = ParsedResult.from_json(locked.parsed)
        locked.state = State.REFUSED if _is_refused(reading) else State.REVIEW
        locked.discarded_at = None
        locked.save(update_fields=["state", "discarded_at"])
        _refresh(locked, before)


@contextmanager
def _under_review(upload: ResultUpload, *states: str) -> Iterator[ResultUpload]:
    """The upload's row, fresh and locked, if it is still a draft, or in one of `states`.

    Afterwards `upload.step` says which version became which.
    """
    with transaction.atomic():
        locked = ResultUpload.objects.select_for_update().get(pk=upload.pk)
        if locked.state not in (states or (State.REVIEW,)):
            raise NotUnderReview(locked.state)
        before = version_of(locked)
        yield locked
        upload.step = before, version_of(locked)


def _read(upload: ResultUpload, data: bytes, kind: str | None) -> ParsedResult:
    return read_results_safely(upload.file_name, data, kind or None)


def _refresh(upload: ResultUpload, before: Draft | None = None) -> Draft:
    """Store the draft's issues; a tick stays where nothing was added to the warnings it was given for.

    before: the draft that the ticks are about; without it they all lapse.
    Errors found by `CHECKS` are counted but not stored: the review page finds them anew.
    """
    draft = draft_of(upload)
    was, now = before.by_tick if before else {}, draft.by_tick
    upload.accepted_codes = [
        tick
        for tick in upload.accepted_codes
        if tick in now and all(warning in was.get(tick, ()) for warning in now[tick])
    ]
    upload.title, upload.played_on = draft.known.name, draft.known.end_date
    unstored = (found for check in CHECKS for found in check(upload, draft))
    upload.errors = sum(found.severity == "error" for found in (*draft.issues, *unstored))
    draft = replace(draft, accepted=tuple(upload.accepted_codes))
    upload.unticked = len(draft.unticked)
    upload.save(update_fields=["accepted_codes", "title", "played_on", "errors", "unticked"])
    upload.issues.all().delete()
    UploadIssue.objects.bulk_create(
        UploadIssue(
            upload=upload,
            position=position,
            code=each.code,
            severity=each.severity,
            line=each.line,
            field=(each.field or "")[:FIELD_LENGTH],
            value=each.value,
            params=dict(each.params),
        )
        for position, each in enumerate(draft.issues, start=1)
    )
    return draft
