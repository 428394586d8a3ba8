"""What can be done with an upload: receive it, complete it, mend it, tick its warnings, discard it.

Every verb keeps the stored issues up to date with the draft. Confirming is `scoring.services.confirm`.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.db import transaction

from players.models import Club
from tournaments.boards import keep_labels
from tournaments.drafts import HEADER_FIELDS, header_of
from tournaments.formats.sandbox import read_results_safely
from tournaments.formats.types import Entry, ParsedResult
from tournaments.models import ResultUpload, SeparateEvent, Tournament, UploadFile, UploadIssue

from . import repeats
from .drafts import Draft, draft_of
from .headers import stored_details
from .issues import issue

__all__ = [
    "NotUnderReview", "Stale", "accept", "correct_instead", "details_of", "discard", "draft_of", "keep_apart",
    "mend", "receive", "receive_typed", "replace_entries", "save_details",
]  # fmt: skip

State = ResultUpload.State
TYPED = "typed"
FIELD_LENGTH = UploadIssue._meta.get_field("field").max_length
FORMAT_LENGTH = ResultUpload._meta.get_field("file_format").max_length
FILE_NAME_LENGTH = ResultUpload._meta.get_field("file_name").max_length


class NotUnderReview(Exception):
    """The upload was confirmed or discarded in the meantime: nothing of it can change any more."""


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
            corrects=corrects,
            correction_reason=reason,
        )
        UploadFile.objects.create(upload=upload, content=data)
    reading = _read(upload, data, upload.details.get("format"))
    with transaction.atomic():
        upload.file_format = reading.format_name[:FORMAT_LENGTH]
        upload.parsed = reading.to_json()
        upload.save(update_fields=["file_format", "parsed"])
        _refresh(upload)
    return upload


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
    return stored_details(values)


def save_details(upload: ResultUpload, club: Club, details: Mapping[str, Any]) -> Draft:
    """Replace what the director said about the tournament. Raises NotUnderReview.

    A table is read again when the format changes, because its rows then group differently.
    """
    said = stored_details(dict(details))
    regroup = (
        said.get("format") != upload.details.get("format")
        and upload.file_format in ("csv", "xlsx")
        and "edited" not in upload.parsed
    )
    # Outside the transaction: nobody should wait for a lock while a file is read.
    reading = _read(upload, bytes(upload.file.content), said.get("format")) if regroup else None
    with _under_review(upload) as locked:
        if "family" not in said:  # not on the form where only one points system is offered
            said |= {name: locked.details[name] for name in ("family", "params") if name in locked.details}
        locked.club = club
        locked.details = said
        if reading:
            locked.parsed = reading.to_json()
        locked.save(update_fields=["club", "details", "parsed"])
        return _refresh(locked)


def replace_entries(upload: ResultUpload, entries: Iterable[Entry]) -> Draft:
    """Put a ranking edited by hand in the place of the one read. Raises NotUnderReview.

    The results of single boards stay only while the contestants keep their numbers.
    """
    with _under_review(upload) as locked:
        parsed = ParsedResult.from_json(locked.parsed)
        event = replace(parsed.event, winner_type=None)
        issues = (issue("edited_by_hand"),) if locked.file_name else ()
        entries = tuple(entries)
        boards = parsed.boards if keep_labels(parsed.entries, entries) else ()
        edited = replace(parsed, entries=entries, boards=boards, issues=issues, event=event)
        locked.parsed = {**edited.to_json(), "edited": "rows"}
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def mend(upload: ResultUpload, seats: Mapping[tuple[int, int], str | None]) -> Draft:
    """Correct numbers on the spot: (entry, seat), counted from 0 -> number, or None for a guest.

    Places, names and lines stay those of the file. Raises NotUnderReview, and Stale for a seat that is
    not there.
    """
    with _under_review(upload) as locked:
        parsed = ParsedResult.from_json(locked.parsed)
        entries = list(parsed.entries)
        for (row, seat), number in seats.items():
            if row >= len(entries) or seat >= len(entries[row].people):
                raise Stale(f"{row}-{seat}")
            people = list(entries[row].people)
            people[seat] = replace(people[seat], number=number or None)
            entries[row] = replace(entries[row], people=tuple(people))
        issues = parsed.issues
        if not any(each.code == "numbers_mended" for each in issues) and locked.file_name:
            issues += (issue("numbers_mended"),)
        mended = replace(parsed, entries=tuple(entries), issues=issues)
        locked.parsed = {**mended.to_json(), "edited": locked.parsed.get("edited", "numbers")}
        locked.save(update_fields=["parsed"])
        return _refresh(locked)


def accept(upload: ResultUpload, codes: Iterable[str]) -> Draft:
    """Tick exactly these warnings, as far as the draft has them. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        draft = draft_of(locked)
        locked.accepted_codes = sorted(set(draft.warnings) & set(codes))
        locked.save(update_fields=["accepted_codes"])
        return replace(draft, accepted=tuple(locked.accepted_codes))


def correct_instead(upload: ResultUpload, tournament: Tournament, reason: str) -> Draft:
    """Make an upload a correction of a tournament that it was found to repeat. Raises NotUnderReview.

    What the form says is kept, but for the club: that is the tournament's.
    """
    with _under_review(upload) as locked:
        locked.corrects = tournament
        locked.correction_reason = reason
        locked.club = tournament.club
        locked.save(update_fields=["corrects", "correction_reason", "club"])
        return _refresh(locked)


def keep_apart(upload: ResultUpload, tournament: Tournament, reason: str, by) -> Draft:
    """Keep the office's word that the upload and a tournament are two events. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        same = repeats.alike(tournament, draft_of(locked).rows)
        word = {"reason": reason, "alike": same, "by": by}
        SeparateEvent.objects.update_or_create(upload=locked, tournament=tournament, defaults=word)
        return _refresh(locked)


def discard(upload: ResultUpload) -> None:
    """Put a draft away. Raises NotUnderReview."""
    with _under_review(upload) as locked:
        locked.state = State.DISCARDED
        locked.save(update_fields=["state"])


@contextmanager
def _under_review(upload: ResultUpload) -> Iterator[ResultUpload]:
    """The upload's row, fresh and locked, if it is still a draft."""
    with transaction.atomic():
        locked = ResultUpload.objects.select_for_update().get(pk=upload.pk)
        if locked.state != State.REVIEW:
            raise NotUnderReview(locked.state)
        yield locked


def _read(upload: ResultUpload, data: bytes, kind: str | None) -> ParsedResult:
    return read_results_safely(upload.file_name, data, kind or None)


def _refresh(upload: ResultUpload) -> Draft:
    """Store the draft's issues anew; a tick stays only where the warnings it was given for did."""
    draft = draft_of(upload)
    before = _by_code((each.code, each.line, each.value, each.params) for each in upload.issues.all())
    after = _by_code((each.code, each.line, each.value, dict(each.params)) for each in draft.issues)
    upload.accepted_codes = [code for code in upload.accepted_codes if before.get(code) == after.get(code)]
    upload.save(update_fields=["accepted_codes"])
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
    return replace(draft, accepted=tuple(upload.accepted_codes))


def _by_code(issues: Iterable[tuple]) -> dict[str, list[tuple]]:
    found: dict[str, list[tuple]] = defaultdict(list)
    for code, *rest in issues:
        found[code].append(rest)
    return found
