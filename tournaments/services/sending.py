"""Receive files that a program of a club's computer sends. Sending one twice gives the same upload."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from players.models import Club, ClubToken
from tournaments.models import ResultUpload, SentKey

from . import pipeline, stored_files, uploads
from .drafts import parsed_of
from .headers import stated_details, stored_details


class KeyReused(Exception):
    """The request's Idempotency-Key came before with another file or other fields."""


class Sending(NamedTuple):
    """What became of a file that was sent.

    unused: names of the details that the upload does not take, because it was sent before
    """

    upload: ResultUpload
    is_new: bool
    unused: list[str]


def send(token: ClubToken, key: str, file_name: str, data: bytes, details: Mapping[str, Any]) -> Sending:
    """Store and read a file.

    If the key or the same bytes came before for the club, return that upload. It is read again if its reading
    was interrupted. A file that a person uploaded counts as well, unless it is discarded or a correction.
    Details that came with the later request fill what the draft lacks, unless a person has changed it.

    Raises KeyReused.

    key: the request's Idempotency-Key; "" if it has none
    details: the tournament's data, by the names of `Header` fields; blank ones are taken from the file
    """
    content = hashlib.sha256(data).hexdigest()
    fingerprint = _digest(content + json.dumps(stored_details(dict(details)), sort_keys=True))
    keys = [f"bytes {content}", *([f"key {_digest(key)}"] if key else [])]
    with stored_files.together():
        # Of two requests at the same moment, the second waits here and then sees the upload of the first.
        Club.objects.select_for_update(no_key=True).get(pk=token.club_id)
        rows = {
            row.key: row
            for row in SentKey.objects.filter(club=token.club_id, key__in=keys).select_related("upload")
        }
        if key and keys[1] in rows and rows[keys[1]].fingerprint != fingerprint:
            raise KeyReused
        known = next((rows[name].upload for name in reversed(keys) if name in rows), None)
        known = known or _uploaded_by_a_person(token.club_id, content)
        upload = known or uploads.new(token.made_by, token.club, details, token=token)
        if known is None:
            pipeline.store(upload, file_name, data)
        SentKey.objects.bulk_create(
            SentKey(club=token.club, key=name, fingerprint=fingerprint, upload=upload)
            for name in keys
            if name not in rows
        )
    if known is None:
        return Sending(_untouched(pipeline.read(upload, data)), True, [])
    if pipeline.may_read_again(known):
        known = _untouched(pipeline.read_again(known))
    return Sending(known, False, _fill(known, stored_details(dict(details))))


def _untouched(upload: ResultUpload) -> ResultUpload:
    """Store the digest of a draft that was just read. Return the draft.

    If a person changes the draft at this moment, the digest is another one than that of the changed draft.
    """
    upload.sent_version = uploads.version_of(upload)
    upload.save(update_fields=["sent_version"])
    return upload


def _fill(upload: ResultUpload, details: Mapping[str, Any]) -> list[str]:
    """Add the details that a draft lacks, if no person has changed it. Return the names of those not used.

    Details that the upload has already, with the same values, count as used.
    """
    stated = stated_details(upload, parsed_of(upload).event)
    lacking = {name: value for name, value in details.items() if not stated.get(name)}
    if lacking and upload.sent_version:
        try:
            uploads.save(upload, uploads.Answers(details=lacking), version=upload.sent_version)
        except (uploads.Stale, pipeline.NotUnderReview, pipeline.FileGone):
            pass  # named as not used
        else:
            stated |= lacking
            _before, version = upload.step
            ResultUpload.objects.filter(pk=upload.pk).update(sent_version=version)
            upload.refresh_from_db()
    return [name for name, value in details.items() if stated.get(name) != value]


def sent_upload(token: ClubToken, pk: Any) -> ResultUpload | None:
    """Return the upload with this id if it was sent to the token's club and still belongs to it."""
    sent = SentKey.objects.filter(club=token.club_id, upload=pk)
    uploads = ResultUpload.objects.filter(pk=pk, club=token.club_id, pk__in=sent.values("upload"))
    return uploads.select_related("club", "corrects", "created_by", "token", "revision__tournament").first()


def _uploaded_by_a_person(club_id: int, sha256: str) -> ResultUpload | None:
    """Return the club's first upload of these bytes, without discarded ones and corrections; None without."""
    same = ResultUpload.objects.filter(club=club_id, sha256=sha256, corrects=None)
    return same.exclude(state=ResultUpload.State.DISCARDED).order_by("created_at", "pk").first()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
