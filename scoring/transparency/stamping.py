"""Have the day's checkpoint stamped by a time-stamping authority (RFC 3161), if one is configured.

The stamp proves to everybody that the log had this root at that time. `openssl ts -verify` checks it; the
application only stores what the authority answered, after checking that it is about this checkpoint.
"""

from datetime import timedelta
from hashlib import sha256
from secrets import token_bytes

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from scoring.transparency import client
from scoring.transparency.models import Checkpoint, Stamp

EVERY = timedelta(hours=20)  # between two stamps
TIMEOUT = 10  # seconds
MOST_BYTES = 100_000  # of an answer
QUERY, REPLY = "application/timestamp-query", "application/timestamp-reply"
# DER of the identifier of SHA-256 with NULL parameters, and of a digest of 32 bytes.
_SHA256 = bytes.fromhex("300d06096086480165030402010500")
_DIGEST = bytes.fromhex("0420")
GRANTED = (0, 1)  # PKIStatus: granted, granted with changes


class NotStamped(Exception):
    """The authority gave no stamp for this checkpoint."""


def is_due(checkpoint: Checkpoint) -> bool:
    """Return whether a checkpoint should be stamped: no other was, for a day, and it was not. One query.

    False, without a query, if no authority is configured.
    """
    if not settings.TIMESTAMP_URL:
        return False
    recent = Q(created_at__gte=timezone.now() - EVERY) | Q(checkpoint=checkpoint)
    return not Stamp.objects.filter(recent).exists()


def stamp_if_due(checkpoint: Checkpoint) -> Stamp | None:
    """Have a checkpoint stamped if it is due. Return the stamp. Raise NotStamped."""
    if not is_due(checkpoint):
        return None
    content = _stamped(checkpoint.note.encode())
    return Stamp.objects.create(checkpoint=checkpoint, service=settings.TIMESTAMP_URL, content=content)


def request_of(digest: bytes, nonce: bytes) -> bytes:
    """Return a request for a stamp in DER, which asks for the authority's certificate, too.

    digest: SHA-256 of what is to be stamped
    nonce: 8 bytes, of which the first is 1 to 127
    """
    imprint = _sequence(_SHA256 + _DIGEST + digest)
    version, with_certificate = bytes.fromhex("020101"), bytes.fromhex("0101ff")
    return _sequence(version + imprint + b"\x02\x08" + nonce + with_certificate)


def _sequence(content: bytes) -> bytes:
    return b"\x30" + bytes([len(content)]) + content  # all of ours are shorter than 128 bytes


def _stamped(content: bytes) -> bytes:
    """Return the authority's answer for this content, in DER. Raise NotStamped."""
    digest, nonce = sha256(content).digest(), b"\x01" + token_bytes(7)
    try:
        status, answer = client.post(
            settings.TIMESTAMP_URL, request_of(digest, nonce), QUERY, timeout=TIMEOUT, most=MOST_BYTES
        )
    except client.FAULTS as error:
        raise NotStamped(f"{settings.TIMESTAMP_URL}: {error}") from error
    if status != 200:
        raise NotStamped(f"{settings.TIMESTAMP_URL}: {status}")
    if _status(answer) not in GRANTED or digest not in answer or nonce not in answer:
        raise NotStamped(f"{settings.TIMESTAMP_URL}: its answer is no stamp of this checkpoint")
    return answer


def _status(answer: bytes) -> int | None:
    """Return the status of a TimeStampResp, its first integer; None if there is none."""
    rest = _inside(_inside(answer))
    return rest[2] if rest[:2] == b"\x02\x01" and len(rest) > 2 else None


def _inside(data: bytes) -> bytes:
    """Return what follows the tag and the length of a sequence in DER; b"" if it is none."""
    if data[:1] != b"\x30" or len(data) < 2:
        return b""
    return data[2:] if data[1] < 128 else data[2 + data[1] - 128 :]
