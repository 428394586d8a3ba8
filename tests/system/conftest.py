"""Fixtures of real installations: each test has its own database and, if it needs one, Redis server."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.folders import ROOT

TEMPLATE = servers.MIGRATED
# Migrated databases, which `tools/check.py` makes: the files of a cluster that has the database TEMPLATE, and
# a SQLite file. Without them the tests migrate.
CLUSTER, SQLITE = os.environ.get("BAZA_TESTS_CLUSTER"), os.environ.get("BAZA_TESTS_MIGRATED")
PATIENCE = 120  # seconds that actions in a real installation may take
# Committed data survive killing the server, but not a power cut.
SETTINGS = {"synchronous_commit": "on", "lock_timeout": "60s"}
_databases = count(1)
# The tests of the pooler are collected only where PgBouncer is installed.
NO_POOLER = "" if servers.pgbouncer() else "the tests of the pooler: no PgBouncer on this machine"
collect_ignore = ["test_pooler.py"] if NO_POOLER else []


def pytest_configure() -> None:
    if NO_POOLER and os.environ.get("BAZA_NO_SKIPS"):
        raise pytest.UsageError(f"cannot run {NO_POOLER}")


def pytest_terminal_summary(terminalreporter) -> None:
    if NO_POOLER:
        terminalreporter.write_line(f"not run: {NO_POOLER}")


@dataclass
class Installation:
    """An installation of the project with its environment variables. Its processes end with the test.

    folder: for the log files of its programs
    actor: the process of `tests.system.acts`, once `act` has started it
    """

    environment: dict[str, str]
    folder: Path
    redis: servers.Redis | None = None
    processes: list[subprocess.Popen] = field(default_factory=list)
    actor: subprocess.Popen | None = None

    def start(self, *command: str, log: str = "log", **environment: str) -> subprocess.Popen:
        """Start a program in the project's folder. Its output goes to the file `log`. Return the process."""
        with open(self.folder / log, "ab") as out:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def run(self, *command: str) -> subprocess.CompletedProcess:
        """Run a program in the project's folder, and wait until it ends."""
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=180
        )

    def manage(self, *arguments: str) -> str:
        done = self.run(sys.executable, "manage.py", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def migrate(self) -> None:
        """Make the tables, or copy the migrated database if the installation uses SQLite and there is one."""
        if SQLITE and "DATABASE_URL" not in self.environment:
            var = Path(self.environment["BAZA_VAR"])
            var.mkdir(exist_ok=True)
            servers.copy_sqlite(Path(SQLITE), var / "baza.sqlite3")
        else:
            self.manage("migrate", "--verbosity", "0")

    def act(self, verb: str, *arguments: object):
        """Perform an action of `tests.system.acts`, and return its result.

        The process of the actions is started once, and reused for later actions.
        """
        if self.actor is None:
            with open(self.folder / "acts.log", "ab") as log:
                self.actor = subprocess.Popen(
                    [sys.executable, "-m", "tests.system.acts"],
                    cwd=ROOT,
                    env=self.environment,
                    text=True,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,
                )
            self.processes.append(self.actor)
        print(json.dumps([verb, *arguments]), file=self.actor.stdin, flush=True)
        answered, _, _ = select.select([self.actor.stdout], [], [], PATIENCE)
        answer = self.actor.stdout.readline() if answered else ""
        assert answer, f"{verb}: {self.log_text('acts.log')[-4000:]}"
        return json.loads(answer)

    def worker(self, **environment: str) -> subprocess.Popen:
        """Start a Celery worker with two child processes, and return before it is ready."""
        name = f"w{len(self.processes)}@%h"
        options = ["--concurrency", "2", "-n", name, "--loglevel", "INFO"]
        return self.start("celery", "-A", "federation", "worker", *options, **environment)

    def query(self, statement: str) -> list[tuple]:
        with psycopg.connect(self.environment["DATABASE_URL"], autocommit=True) as connection:
            return connection.execute(statement).fetchall()

    def states(self) -> set[str]:
        return {state for (state,) in self.query("SELECT state FROM ledger_scoringrun")}

    def wait_scored(self) -> None:
        """Wait until every scoring run is done. Raise with the worker's log if that takes too long."""
        try:
            servers.wait_until(lambda: self.states() == {"done"}, "every run to be scored", PATIENCE)
        except TimeoutError as error:
            raise AssertionError(f"{self.states()}\n{self.log_text()[-4000:]}") from error

    def log_text(self, name: str = "log") -> str:
        log = self.folder / name
        return log.read_text(errors="replace") if log.exists() else ""

    def stop(self) -> None:
        """Kill the processes that still run. They need not finish, because the database is discarded."""
        for process in self.processes:
            kill_group(process)


def kill_group(process: subprocess.Popen) -> None:
    """Kill a process and its children at once, as a power cut would."""
    with suppress(ProcessLookupError):  # no process of the group is left
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture(scope="session")
def cluster() -> Iterator[servers.Postgres]:
    """A PostgreSQL cluster that these tests may stop and start."""
    with servers.postgres(options=SETTINGS, data=CLUSTER and Path(CLUSTER)) as started:
        yield started


@pytest.fixture(scope="session")
def migrated(cluster: servers.Postgres, tmp_path_factory) -> servers.Postgres:
    """The cluster with a migrated template database, from which each test's database is copied."""
    if CLUSTER:
        return cluster
    environment = servers.clean_environment(
        DATABASE_URL=cluster.create(TEMPLATE), BAZA_VAR=str(tmp_path_factory.mktemp("template"))
    )
    Installation(environment, tmp_path_factory.mktemp("log")).migrate()
    return cluster


@pytest.fixture
def site(migrated: servers.Postgres, tmp_path: Path) -> Iterator[Installation]:
    """An installation with PostgreSQL and Redis. No worker is running yet."""
    database = f"baza_system_{next(_databases)}"
    migrated.execute(f'CREATE DATABASE "{database}" TEMPLATE "{TEMPLATE}"')
    with servers.redis_server() as redis:
        environment = servers.clean_environment(
            DATABASE_URL=migrated.url(database), REDIS_URL=redis.url, BAZA_VAR=str(tmp_path / "var")
        )
        installation = Installation(environment, tmp_path, redis)
        try:
            yield installation
        finally:
            installation.stop()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Installation]:
    """An installation with SQLite and an in-memory queue, as `manage.py up` uses without other servers."""
    installation = Installation(servers.clean_environment(BAZA_VAR=str(tmp_path / "var")), tmp_path)
    try:
        yield installation
    finally:
        installation.stop()
