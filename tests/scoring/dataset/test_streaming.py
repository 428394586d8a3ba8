"""Writing a dump takes no more memory for more rows."""

import tracemalloc
from collections.abc import Callable
from datetime import date

import pytest

from scoring.dataset import archive, rows, writing
from scoring.ledger.models import LedgerEntry
from scoring.transparency import services
from tests import factories as make
from ui.copying import copy_rows

pytestmark = pytest.mark.django_db
NUMBER, MOST = 10_000, 2_000_000  # rows; bytes at once


def peak_of(function: Callable[[], object]) -> int:
    """Return the most memory that a function has at once, in bytes."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_rows_are_streamed_from_the_database_to_the_file(folder, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", 100)
    monkeypatch.setattr(archive, "CHUNK", 100)
    player = make.player()
    writing.write(folder / "warm.zip")  # what is loaded once is not counted
    columns = [
        "family",
        "kind",
        "player",
        "points",
        "played_on",
        "online",
        "title",
        "reason",
        "source_key",
        "posted_at",
    ]
    entry = ("aeb", "opening", player.pk, 1, date(2020, 1, 1), False, "T", "")
    values = ((*entry, f"k{number}", "2020-01-01 00:00:00+00:00") for number in range(NUMBER))
    copy_rows(LedgerEntry, columns, values)
    size = services.append()
    assert peak_of(lambda: writing.write(folder / "dump.zip")) < MOST
    assert peak_of(lambda: list(rows.awards(size))) > 2 * MOST  # what collecting them would take
