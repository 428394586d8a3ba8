"""Witnesses (C2SP tlog-witness): cosign other logs' checkpoints, and have ours cosigned.

A witness keeps the latest checkpoint that it saw of a log, and cosigns the next one only if a proof shows
that the log begins with that. So a log cannot show its witness one story and others another.
"""

import base64
import binascii
import logging
import time
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.services import queue
from scoring.transparency import client, keys, queries, stamping
from scoring.transparency.models import Checkpoint, Cosignature, WitnessedLog, WitnessRound
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.notes import InvalidNote, signatures_of
from scoring.transparency.tree import EMPTY, InvalidProof, check_consistency

logger = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024  # of a request to the witness, and of its answer
MOST_HASHES = 63
TIMEOUT = 5  # seconds that a witness may take
LEASE = timedelta(seconds=60)  # of a round, which asks a few witnesses
AGAIN = timedelta(minutes=2)  # after which a witness that did not cosign is asked again
KEPT = timedelta(days=30)  # for which rounds are kept
TEXT, SIZE = "text/plain; charset=utf-8", "text/x.tlog.size"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: str
    content_type: str = TEXT


class Refused(Exception):
    """A checkpoint that the witness does not cosign. `answer` says why."""

    def __init__(self, status: int, body: str, content_type: str = TEXT) -> None:
        super().__init__(body)
        self.answer = Answer(status, body, content_type)


# --- As a witness -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Submission:
    """A request: the size of the log that the witness should know, a proof and a checkpoint."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    @classmethod
    def parse(cls, body: bytes) -> "Submission":
        """Read a request. Raise Refused."""
        if len(body) > MOST_BYTES:
            raise Refused(413, "the request is too large\n")
        try:
            head, _blank, checkpoint = body.decode().partition("\n\n")
            first, *hashes = head.split("\n")
            word, _space, size = first.partition(" ")
            is_size = size.isascii() and size.isdecimal() and len(size) < 19 and str(int(size)) == size
            proof = tuple(base64.b64decode(line, validate=True) for line in hashes)
            note = Note.parse(checkpoint)
        except (ValueError, binascii.Error, InvalidNote):
            raise Refused(400, "not a request to a witness\n") from None
        if word != "old" or not is_size or len(proof) > MOST_HASHES or any(len(part) != 32 for part in proof):
            raise Refused(400, "not a request to a witness\n")
        return cls(int(size), proof, note)


def witness(body: bytes) -> Answer:
    """Answer a log's request to cosign its checkpoint."""
    try:
        return _witness(Submission.parse(body))
    except Refused as refused:
        return refused.answer


def _witness(asked: Submission) -> Answer:
    signer, note = keys.signer(), asked.note
    trusted = [verifier for verifier in keys.witnessed() if verifier.name == note.origin]
    if signer is None or not trusted:
        raise Refused(404, "this log is not known here\n")
    try:
        is_signed = bool(note.signed_by(trusted))
    except InvalidNote:
        is_signed = False
    if not is_signed:
        raise Refused(403, "the log did not sign this checkpoint\n")
    if asked.old > note.size:
        raise Refused(400, "the old size is larger than the checkpoint\n")
    _keep(asked)
    signature = signer.cosign(note.body, int(time.time()))
    return Answer(200, str(signature))


def _keep(asked: Submission) -> None:
    """Store the checkpoint as the latest of its log, if a proof shows that it follows from the one before.

    The row is locked, so that of two requests at once the second sees what the first stored.
    """
    note = asked.note
    with transaction.atomic():
        known = WitnessedLog.objects.select_for_update().filter(origin=note.origin).first()
        size, root = (known.size, bytes(known.root)) if known else (0, EMPTY)
        if asked.old != size:
            raise Refused(409, f"{size}\n", SIZE)
        if size == note.size and root != note.root:
            raise Refused(409, f"{size}\n", SIZE)
        try:
            check_consistency(size, root, note.size, note.root, asked.proof)
        except InvalidProof as error:
            raise Refused(422, f"{error}\n") from None
        values = {"size": note.size, "root": note.root, "note": str(note), "seen_at": queue.now()}
        try:
            with transaction.atomic():
                WitnessedLog.objects.update_or_create(origin=note.origin, defaults=values)
        except IntegrityError:
            raise Refused(409, "0\n", SIZE) from None


# --- Having ours witnessed --------------------------------------------------------------------------------
def ask_if_due() -> None:
    """Let a worker ask the witnesses for the cosignatures that the latest checkpoint lacks.

    Witnesses that did not answer are asked again after a while. No query without witnesses and authority.
    """
    names = {one.verifier.name for one in keys.witnesses()}
    checkpoint = queries.latest_checkpoint() if names or settings.TIMESTAMP_URL else None
    if checkpoint is None:
        return
    missing = names - set(checkpoint.cosignatures.values_list("witness", flat=True))
    if not missing and not stamping.is_due(checkpoint):
        return
    since = max(queue.now() - AGAIN, checkpoint.created_at)
    if WitnessRound.objects.filter(Q(created_at__gte=since) | Q(state__in=UNDER_WAY)).exists():
        return
    WitnessRound.objects.filter(created_at__lt=queue.now() - KEPT).delete()
    with transaction.atomic():
        queue.enqueue_on_commit(WitnessRound.objects.create())


def perform(round_id: int) -> None:
    """Ask all witnesses about the latest checkpoint. Safe to repeat."""
    queue.work_on(WitnessRound, round_id, LEASE, _perform)


def _perform(work: WitnessRound) -> None:
    checkpoint = queries.latest_checkpoint()
    problems = ask_witnesses(checkpoint) if checkpoint else []
    try:
        if checkpoint:
            stamping.stamp_if_due(checkpoint)
    except stamping.NotStamped as error:
        problems.append(str(error))
        logger.warning("the checkpoint got no time stamp: %s", error)
    queue.finish(work, problems=problems)


def ask_witnesses(checkpoint: Checkpoint) -> list[str]:
    """Ask every witness for a cosignature that the checkpoint has not yet. Return the problems, as texts."""
    problems = []
    for one in keys.witnesses():
        name = one.verifier.name
        if Cosignature.objects.filter(checkpoint=checkpoint, witness=name).exists():
            continue
        try:
            line = _cosignature(one, checkpoint)
        except (*client.FAULTS, InvalidNote, Refused) as error:
            problems.append(f"{name}: {error}")
            logger.warning("the witness %s did not cosign the checkpoint: %s", name, error)
            continue
        Cosignature.objects.get_or_create(checkpoint=checkpoint, witness=name, defaults={"line": line})
    return problems


def _cosignature(one: keys.Witness, checkpoint: Checkpoint) -> str:
    """Return the line with which a witness cosigns. Raise Refused, InvalidNote or an error of the network."""
    latest = Cosignature.objects.filter(witness=one.verifier.name).order_by("-checkpoint__size")
    old = latest.values_list("checkpoint__size", flat=True).first() or 0
    answer = _post(one.url, checkpoint, old)
    if answer.status == 409 and answer.body.strip().isdecimal():
        old = int(answer.body)
        answer = _post(one.url, checkpoint, old)
    if answer.status != 200:
        raise Refused(answer.status, f"{answer.status} {answer.body.strip()[:200]}")
    note = Note.parse(checkpoint.note)
    for signature in signatures_of(answer.body):
        key = one.verifier
        if (signature.name, signature.key_id) == (key.name, key.key_id) and key.verifies(
            note.body, signature
        ):
            return str(signature)
    raise InvalidNote("its answer has no valid cosignature")


def _post(url: str, checkpoint: Checkpoint, old: int) -> Answer:
    if old > checkpoint.size:
        raise Refused(409, f"it knows a larger log, of {old} entries")
    proof = queries.stored_tree(checkpoint.size).consistency(old)
    lines = [f"old {old}", *(base64.b64encode(part).decode() for part in proof)]
    body = "\n".join(lines) + "\n\n" + checkpoint.note
    status, answer = client.post(
        f"{url}/add-checkpoint", body.encode(), TEXT, timeout=TIMEOUT, most=MOST_BYTES
    )
    return Answer(status, answer.decode("utf-8", "replace"))
