"""Send one HTTP request to a receiver that may be slow, broken or hostile.

There is one limit of time for everything: resolving, connecting, sending and reading. No redirect is
followed, and only the beginning of the answer is read, whatever length it claims to have.
"""

import io
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse

from scoring.webhooks.addresses import Problem, Target, Undelivered, target_of
from ui.text import printable

SECONDS = 5.0  # for one request; short, because it keeps the worker from scoring
ANSWER_BYTES = 500  # of the answer's body that are kept
MOST_BYTES = 32 * 1024  # of the whole answer that are read, headers included


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a receiver that took the message. `text`: its first characters."""

    status: int
    text: str


class Deadline:
    """The time at which a request ends."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left. Raises TimeoutError if there are none."""
        seconds = self.at - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


class _Reading(io.RawIOBase):
    """The incoming bytes of a connection, as `HTTPResponse` reads them, up to a number and until a deadline.

    `HTTPResponse` believes the lengths that the receiver claims, also negative ones, which mean “all”. The
    timeout of a socket starts anew with every byte. Here, it is what is left until the deadline.
    """

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self.connection, self.deadline = connection, deadline
        self.left = MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        """Read some bytes. Raises OSError if the answer is too long."""
        if not self.left:
            raise OSError("the answer is too long")
        self.connection.settimeout(self.deadline.left())
        number = self.connection.recv_into(buffer, min(len(buffer), self.left))
        self.left -= number
        return number

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return the file that `HTTPResponse` reads."""
        return io.BufferedReader(self)


def post(url: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Post a message to an address and return the answer. Raises Undelivered unless the status is 2xx."""
    deadline = Deadline(SECONDS)
    try:
        target = target_of(url, deadline.left())
        with closing(_connect(target, deadline)) as connection:
            status, text = _exchange(connection, target, headers, body, deadline)
    except ssl.SSLCertVerificationError as error:
        raise Undelivered(Problem.CERTIFICATE, error.verify_message) from error
    except TimeoutError as error:
        raise Undelivered(Problem.TIME) from error
    except (OSError, HTTPException) as error:
        raise Undelivered(Problem.CONNECTION, error) from error
    if 300 <= status < 400:
        raise Undelivered(Problem.REDIRECT, "", status, text)
    if not 200 <= status < 300:
        raise Undelivered(Problem.STATUS, "", status, text)
    return Answer(status, text)


def _connect(target: Target, deadline: Deadline) -> socket.socket:
    """Connect to the first address of a target that answers. Raises OSError."""
    failure: OSError = OSError("no address")
    for ip in target.ips:
        try:
            connection = socket.create_connection((ip, target.port), timeout=deadline.left())
        except OSError as error:
            failure = error
            continue
        return _encrypted(connection, target, deadline) if target.encrypted else connection
    raise failure


def _encrypted(connection: socket.socket, target: Target, deadline: Deadline) -> socket.socket:
    """Return the connection with TLS, whose certificate has to be valid for the target's name."""
    try:
        connection.settimeout(deadline.left())  # for the whole handshake
        return tls_context().wrap_socket(connection, server_hostname=target.name)
    except BaseException:
        connection.close()
        raise


def tls_context() -> ssl.SSLContext:
    """Return what verifies the receivers' certificates: the authorities that this system trusts."""
    return ssl.create_default_context()


def _exchange(
    connection: socket.socket, target: Target, headers: Mapping[str, str], body: bytes, deadline: Deadline
) -> tuple[int, str]:
    """Send the request. Return the status and the beginning of the answer."""
    http = HTTPConnection(target.name, target.port)
    http.sock = connection
    connection.settimeout(deadline.left())
    http.request("POST", target.path, body, {"Host": target.host, "Connection": "close", **headers})
    response = HTTPResponse(_Reading(connection, deadline), method="POST")  # type: ignore[arg-type]
    with closing(response):
        try:
            response.begin()
            body = response.read(ANSWER_BYTES)
        except (ValueError, OverflowError) as error:  # negative lengths of chunks, for instance
            raise HTTPException(error) from error
        return response.status, printable(body.decode(errors="replace"))
