"""Shared caches are told of every write to what public pages read."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from federation import purging
from players.models import Player
from scoring.ledger.models import Purge, ScoringRun
from scoring.ledger.services import queue, runs, standings
from tests import factories as make
from tests.access.matrix import MATRIX, READING
from tests.access.test_matrix import address, client_of
from tests.access.test_shared import SHARED
from ui.clock import today
from ui.shared import ANYTHING, EVERY, changes_only

_READS = re.compile(r'(?:FROM|JOIN) "?(\w+)"?', re.IGNORECASE)


def test_no_public_page_reads_a_table_that_is_not_watched(world):
    """A write to a table that is not watched would leave old pages in the caches."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    client, read = client_of(world, "nobody"), {}
    for name in [*SHARED, *READING]:
        with CaptureQueriesContext(connection) as queries:
            b"".join(client.get(address(name, world), MATRIX[name].query))
        for query in queries:
            read |= dict.fromkeys(_READS.findall(query["sql"]), name)
    # Names of accounts change seldom, and may be old for 40 seconds.
    read = {table: name for table, name in read.items() if (table, name) != ("auth_user", "underived")}
    unwatched = {table: name for table, name in read.items() if table in tables - purging.watched_tables()}
    assert len(read) > 20 and not unwatched


@pytest.fixture
def watched(settings, db):
    """Watch the writes of the test's connection. No cache takes the messages."""
    settings.PURGE_URLS = ["http://127.0.0.1:9"]
    with connection.execute_wrapper(purging.note_write):
        yield


def noted() -> list[set[str]]:
    """Return the keys of the purges stored since the last call, in order, as if a transaction ended here."""
    keys = [set(purge.keys.split()) for purge in Purge.objects.order_by("pk")]
    Purge.objects.all().delete()
    connection.run_on_commit.clear()
    return keys


def test_a_write_removes_every_page_unless_it_says_less(watched):
    player = make.player()
    noted()
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(surname="Otra")
        Player.objects.bulk_update([player], ["given_name"])
    assert noted() == [{EVERY}], "once for each transaction"
    with transaction.atomic(), changes_only("tournament-1"):
        player.save()
        with changes_only():
            player.save()
    assert noted() == [{"tournament-1"}]
    make.user()  # no public page reads accounts
    assert noted() == []


def test_a_new_database_whose_first_migrations_write_has_no_purges(watched, monkeypatch):
    """Migrations add categories before they make the table of purges."""
    monkeypatch.setattr(purging, "_with_purges", set())
    monkeypatch.setattr(connection.introspection, "table_names", lambda *_arguments, **_options: [])
    make.player()
    assert noted() == []
    monkeypatch.undo()
    make.player()
    assert noted()


def test_posting_removes_only_the_pages_that_points_may_change(watched):
    a, b, c, d = make.players(4, category="2C")
    run = runs.create_run(make.revision((a, b), (c, d)), None)
    noted()
    queue.enqueue(ScoringRun, run.pk)
    assert noted() == []
    runs.score(run.pk)
    assert noted() == [{ANYTHING, f"tournament-{run.tournament_id}"}]


def test_preparing_a_day_removes_no_page_and_publishing_it_all(watched):
    standings.rebuild(today() - timedelta(days=1))
    make.scored(*make.pairs(make.players(4, category="2C")))
    noted()
    assert standings._begin(today())
    standings._prepare_slice()
    assert noted() == []
    standings.roll(today())
    assert noted() == [{EVERY}]


def test_a_purge_that_was_rolled_back_is_stored_again(watched):
    player = make.player()
    noted()
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            player.save()
            1 / 0  # noqa: B018
        player.save()
    assert noted() == [{EVERY}]


def test_a_page_that_was_written_during_a_change_is_not_kept(watched, client, monkeypatch):
    """A cache might receive it after the message about the change."""
    kept = client.get("/torneos/")
    assert "s-maxage=10" in kept.headers["Cache-Control"]
    assert kept.headers["Surrogate-Key"] == f"every any {purging.version()}"
    versions = iter(["v1x1", "v2x3"])
    monkeypatch.setattr(purging, "version", lambda: next(versions))
    changing = client.get("/torneos/")
    assert "s-maxage" not in changing.headers["Cache-Control"]
    assert "Surrogate-Key" not in changing.headers


def test_the_pages_of_a_tournament_depend_on_it_alone(watched, client):
    a, b, c, d = make.players(4)
    tournament = make.scored((a, b), (c, d))
    keys = client.get(tournament.get_absolute_url()).headers["Surrogate-Key"].split()
    assert keys[:-1] == ["every", f"tournament-{tournament.pk}"]


def test_a_cache_that_does_not_answer_is_told_later_and_is_a_problem(watched, monkeypatch):
    make.player()
    purging.send()
    assert Purge.objects.get().sent_at is None
    assert purging.problems() == []
    monkeypatch.setattr(purging, "LATE", -purging.LATE)
    (problem,) = purging.problems()
    assert problem.values == {"number": 1}
