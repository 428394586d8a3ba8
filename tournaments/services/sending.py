"""Receive files that a program of a club's computer sends. Sending one twice gives the same upload."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from players.models import Club, ClubToken
from tournaments.models import ResultUpload, SentKey

from . import pipeline, uploads
from .headers import stored_details


class KeyReused(Exception):
    """The request's Idempotency-Key came before with another file or other fields."""


def send(
    token: ClubToken, key: str, file_name: str, data: bytes, details: Mapping[str, Any]
) -> tuple[ResultUpload, bool]:
    """Store and read a file. Return its upload, and whether it is new.

    If the key or the same bytes came before for the club, return that upload. It is read again if its reading
    was interrupted. A file that a person uploaded counts as well, unless it is discarded or a correction.

    Raises KeyReused.

    key: the request's Idempotency-Key; "" if it has none
    details: the tournament's data, by the names of `Header` fields; blank ones are taken from the file
    """
    content = hashlib.sha256(data).hexdigest()
    fingerprint = _digest(content + json.dumps(stored_details(dict(details)), sort_keys=True))
    keys = [f"bytes {content}", *([f"key {_digest(key)}"] if key else [])]
    with transaction.atomic():
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
        return pipeline.read(upload, data), True
    return pipeline.read_again(known) if pipeline.may_read_again(known) else known, False


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
