"""The primary of PostgreSQL dies while a club sends results, and its standby takes over its address."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import servers
from tests.faults.conftest import serve
from tests.faults.replicas import copy_of, kill, take_over
from tests.faults.sender import Sender
from tests.system.conftest import CLUSTER, PATIENCE, TEMPLATE, Installation

STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
CONFIRMED = "SELECT id::text FROM tournaments_resultupload WHERE confirmed_at IS NOT NULL"


@pytest.fixture
def primary() -> Iterator[servers.Postgres]:
    """A cluster whose commits wait for a standby, once one is named."""
    options = {"synchronous_commit": "remote_apply", "lock_timeout": "60s", "hot_standby": "on"}
    with servers.postgres(options=options, data=CLUSTER and Path(CLUSTER)) as server:
        yield server


@pytest.fixture
def replicated(primary: servers.Postgres, tmp_path: Path) -> Iterator[Installation]:
    """An installation on the primary. No program is running yet."""
    template = f'TEMPLATE "{TEMPLATE}"' if CLUSTER else ""
    primary.execute(f"CREATE DATABASE baza_failover {template}")
    with servers.redis_server() as redis:
        environment = servers.clean_environment(
            DATABASE_URL=primary.url("baza_failover"), REDIS_URL=redis.url, BAZA_VAR=str(tmp_path / "var")
        )
        site = Installation(environment, tmp_path, redis)
        try:
            site.migrate()
            yield site
        finally:
            site.stop()


@contextmanager
def streaming(primary: servers.Postgres, site: Installation) -> Iterator[servers.Postgres]:
    """A standby that has caught up with the primary."""
    with copy_of(primary, "--write-recovery-conf") as standby:
        standby.start()
        servers.wait_until(lambda: site.query(STREAMING) == [(1,)], "the standby to stream", PATIENCE)
        yield standby


def wait_confirmed(sender: Sender, number: int) -> None:
    servers.wait_until(lambda: len(sender.confirmed) >= number, "uploads to be confirmed", PATIENCE)


def lost(site: Installation, sender: Sender) -> set[str]:
    """Return the uploads whose confirmation was answered and of which the database knows nothing."""
    return set(sender.confirmed) - {pk for (pk,) in site.query(CONFIRMED)}


def test_no_acknowledged_upload_is_lost_when_the_standby_takes_over(
    primary: servers.Postgres, replicated: Installation
):
    site = replicated
    reader = serve(site)
    sender = Sender.of(site, reader.base, 24, patient=True)
    site.worker()
    with streaming(primary, site) as standby:
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("SELECT pg_reload_conf()")
        thread = sender.start()
        wait_confirmed(sender, 6)
        kill(primary)
        take_over(standby, primary)
        assert lost(site, sender) == set()
        thread.join(PATIENCE)
        assert (len(sender.confirmed), lost(site, sender)) == (24, set())
        site.wait_scored()
        assert site.act("audit") == []
        site.stop()


def test_without_waiting_for_the_standby_acknowledged_uploads_are_lost(
    primary: servers.Postgres, replicated: Installation
):
    """The negative control: commits do not wait, and the standby was away."""
    site = replicated
    reader = serve(site)
    sender = Sender.of(site, reader.base, 6)
    with streaming(primary, site) as standby:
        servers.stop(standby.process, signal.SIGINT)
        sender.start().join(PATIENCE)
        assert (len(sender.confirmed), sender.errors) == (6, [])
        kill(primary)
        take_over(standby, primary)
        assert lost(site, sender) == set(sender.confirmed)
        site.stop()
