"""Receivers of webhooks on this machine: good, bad and hostile servers."""

import hmac
import socket
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """A server that notes what it gets. `status`, `headers` and `body` are those of its answers."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def verified(self, *secrets: str) -> bool:
        """Return whether the last message has one signature for each of these secrets, and no other.

        Written from the specification, without the application's code.
        """
        headers, body = self.got[-1]
        content = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
        wanted = []
        for secret in secrets:
            start, _underscore, encoded = secret.partition("_")
            assert start == "whsec"
            wanted.append("v1," + b64encode(hmac.digest(b64decode(encoded), content, sha256)).decode())
        return sorted(headers["webhook-signature"].split(" ")) == sorted(wanted)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Run a receiver in a thread."""
    noted = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802
            body = self.rfile.read(int(self.headers["Content-Length"]))
            noted.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(noted.status)
            for name, value in noted.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(noted.body)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    noted.url = f"http://127.0.0.1:{server.server_port}/hook?of=baza"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield noted
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def raw_server(answer: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """Run a server of plain bytes, and yield its port.

    answer: called with each connection and what is set when the test is over
    """
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection = listening.accept()[0]
                with connection, suppress(OSError):
                    answer(connection, over)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        over.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(2)


def drip(text: bytes) -> Callable[[socket.socket, threading.Event], None]:
    """Return an answer that begins with a text and then sends one byte after the other, for ever."""

    def answer(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(text)
        while not over.wait(0.05):
            connection.sendall(b"x")

    return answer
