"""A database is restored from a backup that was taken while results were sent and scored."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.faults.conftest import serve
from tests.faults.replicas import copy_of, kill
from tests.faults.sender import Sender
from tests.folders import ROOT
from tests.system.conftest import CLUSTER, PATIENCE, TEMPLATE, Installation, kill_group
from tests.system.faults import locked_table, wait_half_way

ARCHIVED = "SELECT last_archived_wal >= '{0}' FROM pg_stat_archiver"
RECOVERY = """
restore_command = 'cp {archive}/%f %p'
recovery_target_name = 'before_the_mistake'
recovery_target_action = 'promote'
"""


@pytest.fixture
def archiving() -> Iterator[servers.Postgres]:
    """A cluster that archives its log in the folder `archive` beside its data."""
    options = {"archive_mode": "on", "archive_command": "cp %p ../archive/%f", "lock_timeout": "60s"}
    with servers.postgres(options=options, data=CLUSTER and Path(CLUSTER)) as server:
        archive = server.directory / "archive"
        archive.mkdir()
        if server.who:
            shutil.chown(archive, server.who["user"], server.who["group"])
        yield server


@pytest.fixture
def archived(archiving: servers.Postgres, tmp_path: Path) -> Iterator[Installation]:
    """An installation in the cluster. No program is running yet."""
    template = f'TEMPLATE "{TEMPLATE}"' if CLUSTER else ""
    archiving.execute(f"CREATE DATABASE baza_archived {template}")
    with servers.redis_server() as redis:
        environment = servers.clean_environment(
            DATABASE_URL=archiving.url("baza_archived"), REDIS_URL=redis.url, BAZA_VAR=str(tmp_path / "var")
        )
        site = Installation(environment, tmp_path, redis)
        try:
            site.migrate()
            yield site
        finally:
            site.stop()


def interrupt_scoring(site: Installation) -> None:
    """Let a worker die in the middle of posting, so that runs are running which nobody works on."""
    with locked_table(site, "ledger_ledgerentry"):
        victim = site.worker()
        wait_half_way(site, "ledger_ledgerentry")
        kill_group(victim)
    assert "running" in site.states()


def test_a_restore_to_a_point_in_time_scores_what_was_sent_until_then(
    archiving: servers.Postgres, archived: Installation
):
    site = archived
    site.act("confirm", 4)
    interrupt_scoring(site)
    sender = Sender.of(site, serve(site).base, 8)
    with copy_of(archiving, "--wal-method=none") as copied:
        sender.start().join(PATIENCE)
        assert (len(sender.confirmed), sender.errors) == (8, [])
        archiving.execute("SELECT pg_create_restore_point('before_the_mistake')")
        site.query("UPDATE players_player SET surname = 'Nobody' RETURNING id")
        ((segment,),) = site.query("SELECT pg_walfile_name(pg_switch_wal())")
        wanted = [(True,)]
        servers.wait_until(lambda: site.query(ARCHIVED.format(segment)) == wanted, "the log to be archived")
        kill(archiving)
        data = copied.directory / "data"
        with open(data / "postgresql.auto.conf", "a") as file:
            file.write(RECOVERY.format(archive=archiving.directory / "archive"))
        (data / "recovery.signal").touch()
        copied.port = archiving.port
        copied.command[copied.command.index("-p") + 1] = str(archiving.port)
        copied.start()
        recovering = "SELECT pg_is_in_recovery()"
        servers.wait_until(lambda: site.query(recovering) == [(False,)], "the recovery to end", PATIENCE)
        assert site.query("SELECT count(*) FROM players_player WHERE surname = 'Nobody'") == [(0,)]
        assert site.query("SELECT count(*) FROM ledger_ledgerentry") == [(0,)]
        site.worker()
        site.wait_scored()
        assert site.query("SELECT count(*) FROM ledger_scoringrun") == [(12,)]
        assert site.act("audit") == []
        site.stop()


def test_a_dump_taken_while_results_are_sent_is_restored_and_scored(
    archiving: servers.Postgres, archived: Installation, tmp_path: Path
):
    site = archived
    site.act("confirm", 4)
    interrupt_scoring(site)
    sender = Sender.of(site, serve(site).base, 200)
    thread = sender.start()
    servers.wait_until(lambda: len(sender.confirmed) >= 3, "uploads to be confirmed", PATIENCE)
    programs = f"{servers.postgres_programs()}{os.pathsep}{site.environment['PATH']}"
    site.environment["PATH"] = programs
    made = site.run(sys.executable, "-m", "tools.backup", "make", str(tmp_path / "backups"))
    sender.ended.set()
    thread.join(PATIENCE)
    assert (made.returncode, sender.errors) == (0, []), made.stderr
    after = len(sender.confirmed)
    restored = Installation(
        {**site.environment, "DATABASE_URL": archiving.create("baza_restored")}, tmp_path, site.redis
    )
    site.stop()
    command = [
        "pg_restore",
        "--no-owner",
        "--exit-on-error",
        "--dbname",
        restored.environment["DATABASE_URL"],
    ]
    subprocess.run([*command, made.stdout.strip()], cwd=ROOT, env=restored.environment, check=True)
    try:
        ((count,),) = restored.query("SELECT count(*) FROM ledger_scoringrun")
        assert 4 + 3 <= count <= 4 + after
        assert "running" in restored.states()
        restored.worker()
        restored.wait_scored()
        assert restored.act("audit") == []
    finally:
        restored.stop()
