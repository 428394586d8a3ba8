"""Ask for dumps, write them, keep the latest ones, and withdraw those that name who may not be named."""

import logging
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from players.models import Player
from players.models.people import PlayerQuerySet, is_hidden
from scoring.dataset import storing, writing
from scoring.dataset.models import Dump, DumpQuerySet
from scoring.dataset.writing import Written
from scoring.ledger.services import queue
from scoring.ratings.models import RatedPlayer, RatedPlayerQuerySet, is_shown
from tournaments.services.stored_files import FilesUnavailable
from ui.chunks import chunks, rows_in

logger = logging.getLogger(__name__)

KEPT = 30  # dumps
LEASE = queue.LONGEST_LEASE
FOLDER = "dataset-"  # and the id of a dump: where a worker writes it
State = Dump.State


# --- Write ----------------------------------------------------------------------------------------------
def ask() -> Dump:
    """Ask for a new dump, and return it. One that waits is returned instead."""
    if waiting := Dump.objects.filter(state=State.PENDING).first():
        return waiting
    dump = Dump.objects.create()
    queue.enqueue_on_commit(dump)
    return dump


def ask_daily(day: date) -> None:
    """Ask for the day's dump, unless this installation signs no checkpoints. A daily chore."""
    if settings.LOG_KEY:
        with transaction.atomic():
            ask()
    delete_files()


def make(dump_id: int) -> None:
    """Write a dump that waits. The work of `Dump`; safe to repeat."""
    try:
        queue.work_on(Dump, dump_id, LEASE, _make)
    finally:
        if Dump.objects.filter(pk=dump_id, state=State.FAILED).exists():
            delete_files()


def _make(dump: Dump) -> None:
    key = storing.key_of(dump.pk)
    queue.held(dump).update(key=key)  # before it is there: what an interrupted attempt left is deleted, too
    with _folder_of(dump) as folder, queue.keeping(dump, LEASE):
        written = writing.write(folder / "dataset.zip")
        storing.save(folder / "dataset.zip", key)
    _finish(dump, written, key)
    delete_files()


@contextmanager
def _folder_of(dump: Dump) -> Iterator[Path]:
    """Make an empty folder for a dump, in place of one that an interrupted attempt left, and delete it.

    It is not in the system's folder for temporary files, which may be in memory.
    """
    folder = Path(settings.VAR_DIR) / f"{FOLDER}{dump.pk}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@transaction.atomic
def _finish(dump: Dump, written: Written, key: str) -> None:
    """Publish a dump, unless it names somebody who was hidden or erased while it was written."""
    queue.lock_held(dump)
    queue.finish(dump, key=key, **asdict(written))
    dump = Dump.objects.get(pk=dump.pk)
    secret = Secret(_secret_players(Player.objects.all()), _secret_rated(RatedPlayer.objects.all()))
    if _shows(dump, secret):
        _withdraw([dump])


# --- Withdraw -------------------------------------------------------------------------------------------
class Secret(NamedTuple):
    """The people of whom the public may not see everything.

    players: {id of a hidden player: whether the player's data were erased}
    rated: ids of Go players who are not shown
    """

    players: dict[int, bool]
    rated: set[int]


def withdraw_naming(sender: object, player_ids: Iterable[int], **kwargs: object) -> None:
    """Withdraw the dumps that name one of these players who is hidden or erased now, and ask for a new one.

    So are those that name them with a number that was merged into the player's, or as Go players. A receiver
    of `players_changed`, in the transaction of the change.
    """
    ids, players, rated = set(player_ids), Player.objects, RatedPlayer.objects
    ids.update(rows_in(players.values_list("pk", flat=True), "merged_into", player_ids))
    secret = Secret({}, set())
    for part in chunks(ids):
        secret.players.update(_secret_players(players.filter(pk__in=part)))
        secret.rated.update(_secret_rated(rated.filter(player__in=part)))
    _withdraw_showing(secret)


def withdraw_rated(sender: object, rated_ids: Iterable[int], **kwargs: object) -> None:
    """Withdraw the dumps that show more of one of these Go players than everybody may see now.

    A receiver of `rated_changed`, in the transaction of the change.
    """
    _withdraw_showing(Secret({}, _secret_rated(RatedPlayer.objects.filter(pk__in=rated_ids))))


def _withdraw_showing(secret: Secret) -> None:
    if not any(secret):
        return
    # The lock of a dump that is being written makes its worker see this change when it finishes.
    dumps = Dump.objects.filter(state__in=(State.RUNNING, State.DONE), withdrawn_at=None)
    locked = dumps.select_for_update().order_by("pk")
    _withdraw([dump for dump in locked if dump.state == State.DONE and _shows(dump, secret)])


def _secret_players(players: PlayerQuerySet) -> dict[int, bool]:
    is_erased = Q(erased_on__isnull=False)
    rows = players.filter(is_hidden() | is_erased).annotate(is_erased=is_erased)
    return dict(rows.values_list("pk", "is_erased"))


def _secret_rated(rated: RatedPlayerQuerySet) -> set[int]:
    return set(rated.exclude(is_shown()).values_list("pk", flat=True))


def _shows(dump: Dump, secret: Secret) -> bool:
    """Return whether a dump shows more of one of these people than everybody may see now."""
    hidden, erased = set(dump.hidden), set(dump.erased)
    shown_rated = secret.rated.difference(dump.hidden_rated or ())
    return any(
        pk <= dump.last_player and (pk not in hidden or (is_erased and pk not in erased))
        for pk, is_erased in secret.players.items()
    ) or any(dump.last_rated is None or pk <= dump.last_rated for pk in shown_rated)


def _withdraw(dumps: list[Dump]) -> None:
    """Withdraw dumps, and ask for a new one if there are any. Their files are deleted after the commit."""
    if not dumps:
        return
    rows = Dump.objects.filter(pk__in=[dump.pk for dump in dumps])
    rows.update(withdrawn_at=queue.now())
    transaction.on_commit(delete_files, robust=True)
    ask()


# --- Delete ---------------------------------------------------------------------------------------------
def delete_files() -> None:
    """Delete the files of withdrawn and failed dumps, and all but the latest `KEPT` others with their rows.

    What the storage does not delete now is left to the next time.
    """
    delete_leftovers()
    useless = Dump.objects.filter(Q(withdrawn_at__isnull=False) | Q(state=State.FAILED)).exclude(key="")
    if _delete_files_of(useless):
        useless.update(key="")
    old = Dump.objects.kept().order_by("-pk").values_list("pk", flat=True)[KEPT:]
    rows = Dump.objects.filter(pk__in=list(old))
    if _delete_files_of(rows):
        rows.delete()


def delete_leftovers() -> None:
    """Delete the folders in which workers of this host were interrupted while they wrote a dump.

    Every sweep of every worker does: no other host sees them, and names stand in them.
    """
    for folder in Path(settings.VAR_DIR).glob(f"{FOLDER}*"):
        number = folder.name.removeprefix(FOLDER)
        if number.isdecimal():
            _delete_leftover(folder, int(number))


@transaction.atomic
def _delete_leftover(folder: Path, dump_id: int) -> None:
    """Delete the folder of a dump unless a worker holds the dump. The lock keeps workers from claiming it."""
    dump = Dump.objects.select_for_update().filter(pk=dump_id).first()
    if not (dump and dump.state == State.RUNNING and dump.lease_until and dump.lease_until > queue.now()):
        shutil.rmtree(folder, ignore_errors=True)


def _delete_files_of(rows: DumpQuerySet) -> bool:
    """Delete the files of these dumps. Return whether all are deleted."""
    try:
        storing.delete(key for key in rows.values_list("key", flat=True) if key)
    except FilesUnavailable as error:
        logger.warning("dumps could not be deleted from the storage: %s", error)
        return False
    return True
