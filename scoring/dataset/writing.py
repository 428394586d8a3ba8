"""Write a dump: everything that is public, as of one moment, with a checkpoint of the transparency log."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from players.models import Player
from players.models.people import is_hidden
from scoring.dataset import rows, schema
from scoring.dataset.packing import Packer
from scoring.dataset.rows import Row
from scoring.dataset.standings import lists_of
from scoring.ledger.conditional import standings_state
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry
from scoring.ratings.models import RatedPlayer, is_shown
from scoring.transparency import queries, services
from scoring.transparency.models import Checkpoint


class NoCheckpoint(Exception):
    """There is no signed checkpoint of the transparency log, without which nobody could check the dump."""


@dataclass(frozen=True, slots=True)
class Written:
    """A dump that was written to a file. The fields are those of `Dump`."""

    day: date
    schema: int
    size: int
    sha256: str
    counts: dict[str, int]
    log_size: int
    hidden: list[int]
    erased: list[int]
    last_player: int
    hidden_rated: list[int]
    last_rated: int


def write(path: Path) -> Written:
    """Bring the transparency log up to date and write a dump to a file.

    Equal data give equal bytes. Raise NoCheckpoint, `services.LogDamaged` or OSError.
    """
    services.append()
    with consistent_read():
        checkpoint = queries.latest_checkpoint()
        if checkpoint is None:
            raise NoCheckpoint("there is no signed checkpoint: set BAZA_LOG_KEY (manage.py log key)")
        day = standings_state().as_of
        with Packer(path) as packer:
            _fill(packer, day, checkpoint)
        players = Player.objects.order_by("pk").values_list("pk", flat=True)
        rated = RatedPlayer.objects.order_by("pk").values_list("pk", flat=True)
        return Written(
            day=day,
            schema=schema.VERSION,
            size=path.stat().st_size,
            sha256=_digest(path),
            counts=packer.counts,
            log_size=checkpoint.size,
            hidden=list(players.filter(is_hidden())),
            erased=list(players.exclude(erased_on=None)),
            last_player=players.last() or 0,
            hidden_rated=list(rated.exclude(is_shown())),
            last_rated=rated.last() or 0,
        )


def _fill(packer: Packer, day: date, checkpoint: Checkpoint) -> None:
    packer.add_text(schema.CHECKPOINT, checkpoint.note)
    for file, its_rows in tables(checkpoint.size):
        packer.add_rows(file, its_rows)
    for file, its_rows in lists_of(day, LedgerEntry.objects.filter(leaf__lt=checkpoint.size)):
        packer.add_rows(file, its_rows)
    facts = {
        "schema": schema.VERSION,
        "federation": settings.FEDERATION_NAME,
        "day": day.isoformat(),
        "licence": f"{schema.LICENCE}, {schema.LICENCE_URL}",
        "log_size": checkpoint.size,
        "rows": packer.counts,
    }
    packer.add_text(schema.MANIFEST, json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
    with translation.override(settings.LANGUAGE_CODE):
        packer.add_text(schema.README, render_to_string("dataset/readme.txt", {**facts, "day": day}))


def tables(log_size: int) -> Iterable[tuple[schema.File, Iterable[Row]]]:
    """Return the files of a dump but the standings, each with its rows, which are read when they are used.

    log_size: size of the checkpoint
    """
    return (
        (schema.REGIONS, rows.regions()),
        (schema.CLUBS, rows.clubs()),
        (schema.PLAYERS, rows.players()),
        (schema.LADDER, rows.ladder()),
        (schema.ASSIGNMENTS, rows.assignments()),
        (schema.LICENCES, rows.licences()),
        (schema.TOURNAMENTS, rows.tournaments()),
        (schema.RANKINGS, rows.rankings()),
        (schema.AWARDS, rows.awards(log_size)),
        (schema.REGULATIONS, rows.regulation_rows()),
        (schema.RATINGS, rows.ratings()),
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
