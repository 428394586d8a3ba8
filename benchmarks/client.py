"""A small HTTP client for loopback: kept-alive connections, as many answers as a few seconds give."""

import socket
import threading
import time


class Connection:
    """One kept-alive HTTP/1.1 connection to 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open()

    def open(self) -> None:
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def get(self, path: str, headers: str = "") -> tuple[int, dict[str, str], bytes]:
        """Status, headers by lower-case name, body."""
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"
        self.socket.sendall(request.encode())
        status = self.file.readline()
        found = {}
        while (row := self.file.readline()) not in (b"\r\n", b""):
            name, _colon, value = row.decode("latin-1").partition(":")
            found[name.lower()] = value.strip()
        body = self.file.read(int(found.get("content-length", 0)))
        if found.get("connection", "").lower() == "close":
            self.socket.close()
            self.open()
        return int(status.split()[1]), found, body


def rate(port: int, path: str, seconds: float, expect: int, headers: str = "", connections: int = 2) -> float:
    """Answers a second over some connections at once. Any other status than `expect` is an error."""
    counts, wrong = [0] * connections, []
    deadline = time.perf_counter() + seconds

    def ask(index: int) -> None:
        connection = Connection(port)
        while time.perf_counter() < deadline:
            status, _headers, _body = connection.get(path, headers)
            if status != expect:
                wrong.append(status)
                return
            counts[index] += 1

    started = time.perf_counter()
    threads = [threading.Thread(target=ask, args=[index]) for index in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise RuntimeError(f"{path} answered {wrong[0]}, not {expect}")
    return sum(counts) / (time.perf_counter() - started)
