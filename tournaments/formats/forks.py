"""Run jobs on untrusted bytes in child processes of a fork server, which costs less than new interpreters.

Each process has its own server, started at its first job and again whenever it has died. A process that was
forked forgets the server of its parent. See `fork_server` for the protocol.
"""

import atexit
import os
import select
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from .fork_server import LATE, MESSAGE_BYTES

_ROOT = Path(__file__).resolve().parents[2]
# Seconds for the server itself, which starts jobs and kills late ones, on a busy machine.
_GRACE = 20
_MESSAGES_BYTES = 4096


class ServerLost(Exception):
    """The server ended, or did not answer, so that nobody knows how the job ended."""


@dataclass(frozen=True)
class Finished:
    """How a job ended.

    code: exit code of the child, negative for a signal; None if it took too long
    output, messages: what it wrote to standard output, and the last of what it wrote to standard error
    """

    code: int | None
    output: bytes
    messages: bytes


class ForkServer:
    """A server whose children run `main()` of a module. Threads may use it at the same time."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._inherited: list[subprocess.Popen[bytes] | None] = []
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.stop)

    def run(self, request: bytes, seconds: float) -> Finished:
        """Run one job, and return how it ended. Raises ServerLost if two servers in turn were lost.

        request: what the child reads from standard input
        seconds: the time after which the child is killed
        """
        try:
            return self._run(request, seconds)
        except ServerLost:
            return self._run(request, seconds)

    def start(self) -> socket.socket:
        """Start the server unless it runs. Return the control socket."""
        with self._lock:
            if self._process is None or self._control is None or self._process.poll() is not None:
                self._close()
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    self._process = subprocess.Popen(  # noqa: S603 - a fixed command
                        [sys.executable, "-m", "tournaments.formats.fork_server", self._module],
                        stdin=theirs.fileno(),
                        stdout=subprocess.DEVNULL,
                        cwd=_ROOT,
                        env={"PYTHONPATH": str(_ROOT)},
                        start_new_session=True,  # Ctrl-C reaches only the process that uses the server
                    )
                self._control = ours
            return self._control

    def stop(self) -> None:
        """End the server, if it runs, and wait for it. The next job starts another."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._control:
            self._control.close()
        if self._process:
            self._process.wait()
        self._process = self._control = None

    def _forget(self) -> None:
        """Drop the server of the parent in a forked process. Only the parent may wait for it."""
        self._inherited.append(self._process)
        if self._control:
            self._control.close()
        self._process = self._control = None
        self._lock = threading.Lock()

    def _run(self, request: bytes, seconds: float) -> Finished:
        control = self.start()
        files = [os.memfd_create(name) for name in ("request", "answer", "messages")]
        try:
            _write(files[0], request)
            ended = _send(control, str(seconds).encode(), files, seconds + _GRACE)
            if not ended:
                self._abandon(control)
                raise ServerLost
            code = None if ended == LATE else int(ended)
            return Finished(code, _read(files[1]), _read(files[2], _MESSAGES_BYTES))
        finally:
            for file in files:
                os.close(file)

    def _abandon(self, control: socket.socket) -> None:
        """Kill the server with this control socket, unless another thread has replaced it already."""
        with self._lock:
            if self._process and self._control is control:
                self._process.kill()
                self._close()


def _send(control: socket.socket, message: bytes, files: list[int], seconds: float) -> bytes:
    """Send a job to the server, and return how its child ended; b"" if the server does not report it.

    seconds: how long to wait for the report
    """
    status, theirs = os.pipe()
    try:
        try:
            socket.send_fds(control, [message], [*files, theirs])
        except OSError:  # the server has ended
            return b""
        finally:
            os.close(theirs)
        # poll, because select refuses descriptors above 1023. If the server ends, the pipe is closed.
        poll = select.poll()
        poll.register(status, select.POLLIN)
        return os.read(status, MESSAGE_BYTES) if poll.poll(1000 * seconds) else b""
    finally:
        os.close(status)


def _write(file: int, data: bytes) -> None:
    with os.fdopen(os.dup(file), "wb") as stream:
        stream.write(data)
    os.lseek(file, 0, os.SEEK_SET)


def _read(file: int, most: int = 0) -> bytes:
    """Return the content of a file, or its last `most` bytes."""
    with os.fdopen(os.dup(file), "rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - most) if most else 0)
        return stream.read()
