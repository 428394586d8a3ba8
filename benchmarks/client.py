"""A small HTTP client for loopback: keep-alive connections and request rates."""

import socket
import threading
import time


class Connection:
    """A keep-alive HTTP/1.1 connection to 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open()

    def open(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def get(self, path: str, headers: str = "") -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers by lower-case name and the body."""
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"
        self.socket.sendall(request.encode())
        status = self.file.readline()
        response_headers = {}
        while (row := self.file.readline()) not in (b"\r\n", b""):
            name, _colon, value = row.decode("latin-1").partition(":")
            response_headers[name.lower()] = value.strip()
        body = self.file.read(int(response_headers.get("content-length", 0)))
        if response_headers.get("connection", "").lower() == "close":
            self.socket.close()
            self.open()
        return int(status.split()[1]), response_headers, body


def rate(port: int, path: str, seconds: float, expect: int, headers: str = "", connections: int = 2) -> float:
    """Request a page for some seconds over several connections at once. Return the requests per second.

    expect: the HTTP status of every response
    headers: further lines of the request's header, each with its line end

    Raises RuntimeError for another status.
    """
    counts, wrong = [0] * connections, []
    deadline = time.perf_counter() + seconds

    def request(index: int) -> None:
        connection = Connection(port)
        while time.perf_counter() < deadline:
            status, _headers, _body = connection.get(path, headers)
            if status != expect:
                wrong.append(status)
                return
            counts[index] += 1

    started = time.perf_counter()
    threads = [threading.Thread(target=request, args=[index]) for index in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise RuntimeError(f"{path} answered {wrong[0]}, not {expect}")
    return sum(counts) / (time.perf_counter() - started)
