"""The fork server of the sandbox: a process that has imported the readers, and forks one child per file.

    python -m tournaments.formats.fork_server MODULE

`forks.ForkServer` starts it, with an environment without secrets and with the control socket as its standard
input. The server has neither Django nor a connection to the database, and one thread. It opens no files.

A job is a message on the control socket: the seconds that it may take, with four descriptors. The child has
the request as standard input, the answer as standard output and the messages as standard error, and runs
`MODULE.main()`, whose return value is its exit code. The fourth is a pipe to which the server writes how the
child ended: its exit code, negative for a signal, or `LATE`. The server ends, and its children with it, when
the control socket is closed, which also happens if the process at its other end dies.
"""

import gc
import importlib
import os
import resource
import selectors
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass

DESCRIPTORS = 4
MESSAGE_BYTES = 64
LATE = b"late"
MAX_DESCRIPTORS = 1024
BROKEN = 1  # the exit code of a child whose `main` raised an exception


@dataclass(frozen=True)
class Child:
    """A running child: its process, a descriptor that is ready when it ends, and where to report its end.

    deadline: the time by the monotonic clock at which it is killed
    """

    pid: int
    handle: int
    status: int
    deadline: float


class Server:
    """Forks a child for each job that arrives on the control socket, and reports how it ended."""

    def __init__(self, module: str, control: socket.socket) -> None:
        self._module = importlib.import_module(module)
        self._module.prepare()
        self._control = control
        self._children: dict[int, Child] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)

    def serve(self) -> None:
        """Run until the control socket is closed at its other end."""
        is_open = True
        while is_open:
            for key, _mask in self._selector.select(self._seconds_left()):
                if key.fileobj is self._control:
                    is_open = self._accept()
                else:
                    self._finish(self._children[key.fd])
            now = time.monotonic()
            for child in [child for child in self._children.values() if child.deadline <= now]:
                self._finish(child, late=True)
        for child in list(self._children.values()):
            self._finish(child, late=True)

    def _seconds_left(self) -> float | None:
        """Return the seconds until the next child is late; None if there is no child."""
        deadlines = [child.deadline for child in self._children.values()]
        return max(0, min(deadlines) - time.monotonic()) if deadlines else None

    def _accept(self) -> bool:
        """Start the next job. Return False if the control socket is closed."""
        try:
            message, descriptors, *_rest = socket.recv_fds(self._control, MESSAGE_BYTES, DESCRIPTORS)
        except ConnectionResetError:
            return False
        if not message:
            return False
        *files, status = descriptors
        pid = os.fork()
        if not pid:
            self._run(files)
        for file in files:
            os.close(file)
        child = Child(pid, os.pidfd_open(pid), status, time.monotonic() + float(message))
        self._children[child.handle] = child
        self._selector.register(child.handle, selectors.EVENT_READ)
        return True

    def _run(self, files: list[int]) -> None:
        """Do the job in the new process, which keeps no other descriptor of the server. Never returns."""
        code = BROKEN
        try:
            os.setsid()
            for number, file in enumerate(files):
                os.dup2(file, number)
            os.closerange(len(files), MAX_DESCRIPTORS)
            code = self._module.main()
        except Exception:
            os.write(sys.stderr.fileno(), traceback.format_exc().encode("utf-8", "replace"))
        finally:
            os._exit(code)

    def _finish(self, child: Child, late: bool = False) -> None:
        """Wait for a child that has ended, or is late and gets killed. Report how it ended."""
        if late:
            os.kill(child.pid, signal.SIGKILL)
        # The programs that the child started are in its group. A child without any has no group any more.
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        _pid, status = os.waitpid(child.pid, 0)
        self._selector.unregister(child.handle)
        del self._children[child.handle]
        os.close(child.handle)
        with suppress(BrokenPipeError):
            os.write(child.status, LATE if late else str(os.waitstatus_to_exitcode(status)).encode())
        os.close(child.status)


def main() -> None:
    # One number for all descriptors of the server: a child closes them all without asking which are open.
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_DESCRIPTORS, MAX_DESCRIPTORS))
    server = Server(sys.argv[1], socket.socket(fileno=sys.stdin.fileno()))
    gc.collect()
    gc.freeze()  # children share the memory of what is imported
    server.serve()


if __name__ == "__main__":
    main()
