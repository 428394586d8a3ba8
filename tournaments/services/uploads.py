"""Receive, complete and correct uploads, tick their warnings and discard them.

Every function keeps the stored issues up to date with the draft. `scoring.uploads.services.confirm` confirms.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from players.models import Club
from tournaments.boards import has_same_contestants
from tournaments.drafts import HEADER_FIELDS, header_of
from tournaments.formats import registry
from tournaments.formats.declaration import TableFormat
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.types import Entry, Issue, ParsedResult
from tournaments.models import ResultUpload, SeparateEvent, Tournament, UploadIssue

from . import pipeline, repeats
from .drafts import Draft, draft_of, parsed_of
from .headers import NAME_LENGTH, stored_details
from .issues import issue
from .people import Seat, choices_of, seats_of, stored_choices
from .seat_decisions import Decision, NoSuchSeat, apply_decisions, keep_guests, transfer_decisions
from .ticks import stored_ticks

State = ResultUpload.State
TYPED = "typed"
FIELD_LENGTH = UploadIssue._meta.get_field("field").max_length
Check = Callable[[ResultUpload, Draft], Iterable[Issue]]
# Checks of other packages, such as those of the regulation. See `register_check`.
CHECKS: list[Check] = []


def register_check(check: Check) -> None:
    """Include the errors that `check` finds in `ResultUpload.errors`. Call it from `AppConfig.ready`."""
    if check not in CHECKS:
        CHECKS.append(check)


class Stale(Exception):
    """The draft has changed since the page was opened."""


# --- Digests of a draft, to detect that a page was opened before the draft changed ----------------------
def version_of(upload: ResultUpload) -> str:
    """Return a digest of the draft. Board results are left out, because they only change with the ranking."""
    parsed = {name: value for name, value in upload.parsed.items() if name != "boards"}
    return _digest(json.dumps([upload.club_id, upload.details, upload.ticks, parsed], sort_keys=True))


def people_version_of(upload: ResultUpload) -> str:
    """Return a digest of the person in each seat, to detect a page that shows a seat with another person."""
    people = seats_of(parsed_of(upload).entries)
    return _digest([(seat, person.name, line) for seat, person, line in people])


def ranking_version(draft: Draft) -> str:
    """Return a digest of the ranking and the layout of its form, to detect an outdated form."""
    return _digest((draft.entries, draft.known.format, draft.known.ranking))


def warnings_version(draft: Draft) -> str:
    """Return a digest of the warnings, to detect that a tick was meant for a warning that has changed."""
    return _digest(
        sorted((tick, [repr(issue) for issue in issues]) for tick, issues in draft.by_tick.items())
    )


def _digest(state: Any) -> str:
    text = state if isinstance(state, str) else repr(state)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


# --- Changes --------------------------------------------------------------------------------------------
def receive(
    user,
    club: Club,
    file_name: str,
    data: bytes,
    details: Mapping[str, Any],
    corrects: Tournament | None = None,
    reason: str = "",
) -> ResultUpload:
    """Store a result file as a new upload, and read it (see `pipeline.receive`).

    details: the form's values, as `Header` fields; blank ones are taken from the file
    """
    upload = ResultUpload(
        club=club,
        created_by=user,
        details=stored_details(dict(details)),
        title=(details.get("name") or "")[:NAME_LENGTH],
        corrects=corrects,
        correction_reason=reason,
    )
    return pipeline.receive(upload, file_name, data)


def _is_refused(parsed: ParsedResult) -> bool:
    """Return whether a file has nothing to review. Entries of a typed ranking may still be added."""
    return parsed.has_errors and not parsed.entries and parsed.format_name != TYPED


def _read(upload: ResultUpload, data: bytes) -> ParsedResult:
    return read_results_safely(upload.file_name, data, upload.details.get("format") or None)


@transaction.atomic
def receive_typed(
    user,
    club: Club,
    details: Mapping[str, Any],
    parsed: ParsedResult | None = None,
    corrects: Tournament | None = None,
    reason: str = "",
) -> ResultUpload:
    """Create an upload of a ranking typed by hand, starting with the rows of `parsed`."""
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
    """Return a tournament's data as the initial details of its correction."""
    header = header_of(tournament)
    values = {name: getattr(header, name) for name in HEADER_FIELDS if name != "club_id"}
    if header.boards_scheduled == header.boards:
        # Leave it blank, so that it follows a correction of the boards of the winner.
        values["boards_scheduled"] = None
    return stored_details(values)


@dataclass(frozen=True)
class Answers:
    """The input of a review page. None leaves the stored value.

    details: the tournament's data, as `Header` fields; a missing one is kept, a blank one comes from the file
    seats: numbers and decisions by seat
    ticks: all ticks, as returned by `tick_of`
    """

    club: Club | None = None
    details: Mapping[str, Any] | None = None
    seats: Mapping[Seat, str | Decision] = field(default_factory=dict)
    ticks: Collection[str] | None = None


def save(upload: ResultUpload, answers: Answers, version: str = "") -> Draft:
    """Store all input of a review page, or none of it.

    A table is read again if the format changes, because its rows are then grouped differently.
    Raises NotUnderReview. Raises Stale if the version has changed or a seat does not exist. Raises FileGone
    if the table has to be read again but is deleted.

    version: `version_of` the upload that the page showed
    """
    details = dict(answers.details or {})
    must_read_again = (
        upload.state == State.REVIEW
        and details.get("format", upload.details.get("format")) != upload.details.get("format")
        and isinstance(registry.get(upload.file_format), TableFormat)
        and upload.parsed.get("edited") != "rows"
    )
    # Read outside the transaction, so that nobody waits for a lock meanwhile.
    content = pipeline.content_of(upload) if must_read_again else b""
    parsed = (
        read_results_safely(upload.file_name, content, details["format"] or None) if must_read_again else None
    )
    with _under_review(upload) as locked:
        if version and version != version_of(locked):
            raise Stale(upload.pk)
        if answers.ticks is not None:
            locked.ticks = stored_ticks(draft_of(locked).issues, answers.ticks)
        locked.club = answers.club or locked.club
        kept = {name: value for name, value in locked.details.items() if name not in details}
        locked.details = kept | stored_details(details)
        _store_decisions(locked, answers.seats, parsed)
        locked.save(update_fields=["club", "details", "parsed", "ticks"])
        return _refresh(locked)


def _with_boards(entries: tuple[Entry, ...], before: Iterable[Entry]) -> tuple[Entry, ...]:
    """Add the boards stated in the file, which the form does not ask for, to entries with the same number."""
    boards = {(entry.number, entry.direction): entry.boards for entry in before if entry.number}
    return tuple(replace(entry, boards=boards.get((entry.number, entry.direction))) for entry in entries)


def ignore_numbers(upload: ResultUpload) -> Draft:
    """Remove all numbers, because they are not of our register. People are then matched by name."""
    return _decide_all_numbers(upload, "", "ignored")


def use_numbers(upload: ResultUpload) -> Draft:
    """Restore the player numbers of the file, which `ignore_numbers` removed."""
    return _decide_all_numbers(upload, Decision.AS_READ, "")


def _decide_all_numbers(upload: ResultUpload, decision: str | Decision, numbers: str) -> Draft:
    """Apply one decision to every seat that has a number in the file."""
    with _under_review(upload) as locked:
        before = draft_of(locked)
        as_read = {seat: choice.number for seat, choice in before.choices.items()}
        decisions = {
            seat: decision
            for seat, person, _line in seats_of(before.entries)
            if as_read.get(seat, person.number)
        }
        _store_decisions(locked, decisions)
        locked.parsed = {**locked.parsed, "numbers": numbers}
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def _store_decisions(
    upload: ResultUpload,
    decisions: Mapping[Seat, str | Decision],
    read_again: ParsedResult | None = None,
) -> None:
    """Update `upload.parsed` with decisions about seats and, if `read_again` is not None, a new reading."""
    if not decisions and read_again is None:
        return
    try:
        parsed, choices = apply_decisions(
            ParsedResult.from_json(upload.parsed), choices_of(upload), decisions
        )
    except NoSuchSeat as error:
        raise Stale(upload.pk) from error
    if read_again is not None:
        parsed, choices = transfer_decisions(parsed, choices, read_again)
    own = {name: upload.parsed[name] for name in ("edited", "numbers") if name in upload.parsed}
    edited = "rows" if own.get("edited") == "rows" else "numbers" if choices else ""
    upload.parsed = {**parsed.to_json(), **own, "edited": edited, "choices": stored_choices(choices)}


def replace_entries(upload: ResultUpload, entries: Sequence[Entry], version: str = "") -> Draft:
    """Replace the ranking of an upload with one edited by hand.

    Board results are kept only if the contestants keep their numbers, and guests stay guests by their names.
    Raises NotUnderReview. Raises Stale if the ranking has changed.

    version: `ranking_version` of the draft that the page showed
    """
    with _under_review(upload) as locked:
        before = draft_of(locked)
        if version and version != ranking_version(before) and not _are_rows_of(entries, before):
            raise Stale(upload.pk)
        parsed = ParsedResult.from_json(locked.parsed)
        event = replace(parsed.event, winner_type=None)
        issues = (issue("edited_by_hand"),) if locked.file_name else ()
        guests = keep_guests(parsed.entries, before.choices, entries)
        entries = _with_boards(tuple(entries), parsed.entries)
        boards = parsed.boards if has_same_contestants(parsed.entries, entries) else ()
        edited = replace(parsed, entries=entries, boards=boards, issues=issues, event=event)
        locked.parsed = {**edited.to_json(), "edited": "rows", "choices": stored_choices(guests)}
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def _are_rows_of(entries: Sequence[Entry], draft: Draft) -> bool:
    """Return whether the draft already has this ranking, as after a second click on a button."""
    return list(entries) == [replace(entry, section=None, boards=None) for entry in draft.entries]


def make_correction(upload: ResultUpload, tournament: Tournament, reason: str) -> Draft:
    """Turn an upload into a correction of a tournament that it repeats. Raises NotUnderReview.

    Keep the director's input except for the club, which becomes the tournament's.
    """
    with _under_review(upload) as locked:
        locked.corrects = tournament
        locked.correction_reason = reason
        locked.club = tournament.club
        locked.save(update_fields=["corrects", "correction_reason", "club"])
        return _refresh(locked)


def refresh_issues(upload: ResultUpload) -> Draft:
    """Store the current issues of the draft, for lists, which do not build it. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        return _refresh(locked)


def mark_separate(upload: ResultUpload, tournament: Tournament, reason: str, by) -> Draft:
    """Store the office's statement that the upload and a tournament are two events. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        before = draft_of(locked)
        _nearest, likeness = repeats.nearest_ranking(tournament, before.rows, before.players)
        values = {"reason": reason, "alike": likeness.same, "by": by}
        SeparateEvent.objects.update_or_create(upload=locked, tournament=tournament, defaults=values)
        return _refresh(locked)


@contextmanager
def _under_review(upload: ResultUpload) -> Iterator[ResultUpload]:
    """Lock and yield a fresh copy of a draft. Raises NotUnderReview.

    On exit, set `upload.step` to the versions of the draft before and after the change.
    """
    with pipeline.locked(upload, State.REVIEW) as current:
        before = version_of(current)
        yield current
        upload.step = before, version_of(current)


def _refresh(upload: ResultUpload) -> Draft:
    """Store the draft's issues, and the ticks that still count.

    Errors found by `CHECKS` are counted but not stored: the review page runs its own checks.
    """
    draft = draft_of(upload)
    upload.ticks = stored_ticks(draft.issues, draft.accepted)
    upload.title, upload.played_on = draft.known.name, draft.known.end_date
    unstored = (item for check in CHECKS for item in check(upload, draft))
    upload.errors = sum(item.severity == "error" for item in (*draft.issues, *unstored))
    upload.unticked = len(draft.unticked)
    upload.save(update_fields=["ticks", "title", "played_on", "errors", "unticked"])
    upload.issues.all().delete()
    UploadIssue.objects.bulk_create(
        UploadIssue(
            upload=upload,
            position=position,
            code=item.code,
            severity=item.severity,
            line=item.line,
            field=(item.field or "")[:FIELD_LENGTH],
            value=item.value,
            params=dict(item.params),
        )
        for position, item in enumerate(draft.issues, start=1)
    )
    return draft


KIND = pipeline.Kind(ResultUpload, ParsedResult, _read, _is_refused, _refresh)
