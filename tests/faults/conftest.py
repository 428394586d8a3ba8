"""Fixtures that make real servers fail for some seconds. `make faults` runs these tests.

They take minutes, so the normal test suite leaves them out.
"""

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from tests import servers
from tests.faults import scene as scenes
from tests.faults.harness import Run, Verdict, table
from tests.faults.matrix import LIBRARY, NO_FAULT, full
from tests.system.conftest import TEMPLATE, Installation, alone, cluster, migrated, site
from tests.system.web import Reader

__all__ = ["alone", "cluster", "full", "migrated", "site"]

UPLOADS = 10
VERDICTS: list[Verdict] = []  # what the faults left, for the table at the end
CONTROLS: list[Verdict] = []  # what they left where nothing protects the ledger
_databases = count(1)


def pytest_terminal_summary(terminalreporter) -> None:
    """Print the tables of the faults and of the negative controls."""
    if CONTROLS:
        terminalreporter.section("negative controls, which must lose or double")
        terminalreporter.write_line(table(CONTROLS))
    if VERDICTS:
        terminalreporter.section("faults")
        terminalreporter.write_line(table(VERDICTS))
        for verdict in VERDICTS:
            for complaint, times in Counter(verdict.complaints).items():
                who = f"{verdict.fault.number} with seed {verdict.seed}"
                terminalreporter.write_line(f"{who}: {complaint} (× {times})")


@pytest.fixture(scope="session", autouse=True)
def all_programs() -> None:
    """End at once if something is missing that a fault would need half an hour later."""
    missing = [name for name in ("nginx", "varnishd", "pgbouncer") if not shutil.which(name)]
    missing += ["libfaketime"] * (not Path(LIBRARY).exists()) + ["the rights of root"] * bool(os.geteuid())
    if missing:
        pytest.exit(f"`make faults` needs {', '.join(missing)}.", returncode=2)


@contextmanager
def installed(cluster: servers.Postgres, template: str, folder: Path) -> Iterator[Installation]:
    """An installation with a copy of a database of the cluster, and with a Redis server of its own."""
    name = f"baza_fault_{next(_databases)}"
    with servers.redis_server() as redis:
        database = scenes.copy_of(cluster, template, name)
        environment = servers.clean_environment(
            DATABASE_URL=database, REDIS_URL=redis.url, BAZA_VAR=str(folder / "var")
        )
        installation = Installation(environment, folder, redis)
        try:
            yield installation
        finally:
            installation.stop()
            # A full disk is tried with a copy of the whole cluster, which has to fit on it.
            cluster.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def scene(migrated: servers.Postgres, tmp_path_factory) -> scenes.Scene:
    """The drafts that each run confirms, and what a run without a fault stores."""
    folder = tmp_path_factory.mktemp("scene")
    environment = servers.clean_environment(
        DATABASE_URL=scenes.copy_of(migrated, TEMPLATE, scenes.TEMPLATE), BAZA_VAR=str(folder / "var")
    )
    empty = Installation(environment, folder)
    made = scenes.Scene.make(empty)
    empty.stop()
    with installed(migrated, scenes.TEMPLATE, tmp_path_factory.mktemp("without")) as site:
        verdict = Run(NO_FAULT, 0, site, migrated, made).judge()
        made.outcome = scenes.Outcome.of(site)
        assert (verdict.complaints, site.act("audit")) == ([], [])
    VERDICTS.append(verdict)
    return made


@pytest.fixture
def faulty_cluster(number: str, migrated: servers.Postgres, scene: scenes.Scene, request) -> servers.Postgres:
    """The cluster of a run. For a full disk, a copy of it on a small disk."""
    return request.getfixturevalue("cluster_on_small_disk") if number == "20" else migrated


@pytest.fixture
def cluster_on_small_disk(migrated: servers.Postgres, small_disk: Path, tmp_path, monkeypatch):
    """A copy of the cluster on a small disk."""
    migrated.copy_data(tmp_path / "data")
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with servers.postgres(durable=True, data=tmp_path / "data") as database:
        monkeypatch.undo()
        yield database


@pytest.fixture
def faulty_site(faulty_cluster: servers.Postgres, tmp_path: Path) -> Iterator[Installation]:
    """An installation of which a fault takes hold. No program is running yet."""
    with installed(faulty_cluster, scenes.TEMPLATE, tmp_path) as installation:
        yield installation


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """Mount a file system of 300 MB in memory, which needs root."""
    folder = Path(tempfile.mkdtemp(prefix="baza-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m,mode=1777", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


@pytest.fixture
def site_on_small_disk(small_disk: Path, tmp_path: Path, monkeypatch) -> Iterator[Installation]:
    """Run an installation whose database files are on the small disk. All other files are elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    with servers.postgres(durable=True) as database:
        monkeypatch.undo()
        with servers.redis_server() as redis:
            environment = servers.clean_environment(
                DATABASE_URL=database.create(TEMPLATE), REDIS_URL=redis.url, BAZA_VAR=str(tmp_path / "var")
            )
            installation = Installation(environment, tmp_path, redis)
            installation.manage("migrate", "--verbosity", "0")
            try:
                yield installation
            finally:
                installation.stop()


def serve(site: Installation, port: int = 0, **environment: str) -> Reader:
    """Start gunicorn for an installation, by default on a free port. Return once it responds."""
    port = port or servers.free_port()
    site.start(
        "gunicorn",
        "-c",
        "federation/gunicorn_conf.py",
        "federation.wsgi",
        log="web",
        PORT=str(port),
        WEB_CONCURRENCY="1",
        **environment,
    )
    reader = Reader(f"http://127.0.0.1:{port}")

    def answers() -> bool:
        try:
            return reader.get("/salud/").status == 200
        except OSError:
            return False

    servers.wait_until(answers, "gunicorn to answer", 90)
    return reader


def sign_in(reader: Reader, password: str):
    """Submit the sign-in form. Return the response."""
    page = reader.get("/cuenta/entrar/")
    return reader.submit(page, page.form("login"), {"login": "lola", "password": password})


def forgotten(reader: Reader):
    """Request an e-mail with a link to choose a new password. Return the response."""
    page = reader.get("/cuenta/clave/olvidada/")
    return reader.submit(page, page.form("email"), {"email": "lola@example.org"})
