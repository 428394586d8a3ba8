"""Fixtures that make real servers fail for some seconds. `make faults` runs these tests.

They take minutes, so the normal test suite leaves them out.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import servers
from tests.system.conftest import TEMPLATE, Installation, alone, cluster, migrated, site
from tests.system.web import Reader

__all__ = ["alone", "cluster", "migrated", "site"]

UPLOADS = 10


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


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Keep the file system full to the last byte inside the context."""
    ballast = disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    try:
        yield
    finally:
        ballast.unlink()


def serve(site: Installation, **environment: str) -> Reader:
    """Start gunicorn for an installation. Return once it responds."""
    port = servers.free_port()
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
