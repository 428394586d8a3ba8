"""Copies of a running PostgreSQL cluster: streaming standbys, and base backups with an archived log."""

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from tests import servers
from tests.servers import Postgres


@contextmanager
def copy_of(primary: Postgres, *options: str) -> Iterator[Postgres]:
    """Copy a running cluster with pg_basebackup. Yield the copy, which is not running.

    options: of pg_basebackup
    """
    directory = Path(tempfile.mkdtemp(prefix="baza-copy-"))
    who, programs = primary.who, Path(primary.command[0]).parent
    if who:
        shutil.chown(directory, who["user"], who["group"])
    data = directory / "data"
    where = ["-h", "127.0.0.1", "-p", str(primary.port), "-U", "baza", "-D", data]
    command = [programs / "pg_basebackup", *where, "--checkpoint=fast", *options]
    copied = None
    try:
        subprocess.run(command, check=True, cwd=directory, capture_output=True, **who)
        port = servers.free_port()
        copied = Postgres(port, directory, who=who, command=_command(primary, data, port))
        yield copied
    finally:
        if copied and copied.process:
            kill(copied)
        shutil.rmtree(directory, ignore_errors=True)


def _command(primary: Postgres, data: Path, port: int) -> list[str | Path]:
    """Return the command of the primary with another folder and port."""
    command = list(primary.command)
    command[command.index("-D") + 1] = data
    command[command.index("-p") + 1] = str(port)
    return command


def take_over(standby: Postgres, primary: Postgres) -> None:
    """Promote a standby at the port of its primary, which was killed."""
    servers.stop(standby.process, signal.SIGINT)
    standby.port = primary.port
    standby.command = _command(primary, standby.directory / "data", primary.port)
    standby.start()
    standby.execute("SELECT pg_promote()")


def processes(server: Postgres) -> list[psutil.Process]:
    """Return all processes of a server. Each has a process group of its own."""
    parent = psutil.Process(server.process.pid)
    return [parent, *parent.children(recursive=True)]


def kill(server: Postgres) -> None:
    """Kill all processes of a server at once, as a power cut would."""
    for process in processes(server) if server.process.poll() is None else []:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    server.process.wait()


def freeze(server: Postgres) -> None:
    """Freeze all processes of a server; first the one that starts the others."""
    for process in processes(server):
        process.suspend()


def thaw(server: Postgres) -> None:
    """Let a frozen server go on; last the one that reaps the others, some of which have ended."""
    for process in reversed(processes(server)):
        process.resume()
