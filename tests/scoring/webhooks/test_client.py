"""One request: how it ends with servers that are slow, broken or hostile."""

import ssl
import time
import tracemalloc
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scoring.webhooks import addresses, client
from scoring.webhooks.addresses import Problem, Undelivered
from tests.scoring.webhooks.receivers import drip, raw_server, receiver

pytestmark = pytest.mark.usefixtures("loopback")
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def quick(monkeypatch) -> None:
    """Half a second for a request."""
    monkeypatch.setattr(client, "SECONDS", 0.5)


def post(url: str) -> client.Answer:
    return client.post(url, {"Content-Type": "application/json"}, b"{}")


def failure(url: str) -> Undelivered:
    with pytest.raises(Undelivered) as raised:
        post(url)
    return raised.value


def test_the_answer_is_returned(server):
    server.status, server.body = 200, b"taken"
    assert post(server.url) == client.Answer(200, "taken")
    [(headers, body)] = server.got
    assert (headers["host"], body) == (server.url.split("/")[2], b"{}")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(server, status):
    with receiver() as other:
        server.status, server.headers = status, {"Location": other.url}
        error = failure(server.url)
        assert (error.problem, error.status) == (Problem.REDIRECT, status)
        assert (len(server.got), other.got) == (1, [])


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_other_statuses_are_failures(server, status):
    server.status, server.body = status, "No, gracias\x00\u202e".encode()
    error = failure(server.url)
    assert (error.problem, error.status, error.answer) == (Problem.STATUS, status, "No, gracias")


@pytest.mark.parametrize(
    "answer",
    [
        lambda connection, over: over.wait(),
        drip(b""),
        drip(OK),
        drip(OK + b"X-Long: "),
        drip(OK + b"Content-Length: 400\r\n\r\n"),
        drip(OK + b"Transfer-Encoding: chunked\r\n\r\n1f4\r\n"),
    ],
    ids=["silent", "status", "headers", "header", "body", "chunk"],
)
def test_a_slow_server_is_given_up_after_the_whole_time(quick, answer):
    with raw_server(answer) as port:
        began = time.monotonic()
        assert failure(f"http://127.0.0.1:{port}/").problem == Problem.TIME
        assert 0.4 < time.monotonic() - began < 1.5


def test_a_slow_handshake_is_given_up(quick):
    with raw_server(drip(b"\x16\x03\x03\x40\x00")) as port:
        began = time.monotonic()
        assert failure(f"https://127.0.0.1:{port}/").problem in (Problem.TIME, Problem.CONNECTION)
        assert time.monotonic() - began < 1.5


def test_only_the_beginning_of_a_large_answer_is_read(quick):
    def endless(connection, over) -> None:
        connection.sendall(OK + b"\r\n")
        while not over.is_set():
            connection.sendall(b"a" * 65536)

    with raw_server(endless) as port:
        assert post(f"http://127.0.0.1:{port}/").text == "a" * client.ANSWER_BYTES


def test_endless_headers_are_not_read(quick):
    def endless(connection, over) -> None:
        connection.sendall(OK)
        while not over.is_set():
            connection.sendall(b"X-Header: " + b"a" * 1000 + b"\r\n")

    with raw_server(endless) as port:
        assert failure(f"http://127.0.0.1:{port}/").problem == Problem.CONNECTION


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "start",
    [
        CHUNKED + b"-1\r\n",
        CHUNKED + b"fffffff\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"X: ",
        b"HTTP/1.1 2",
    ],
    ids=["negative chunk", "large chunk", "negative length", "header", "status line"],
)
def test_whatever_length_an_answer_claims_little_of_it_is_read(start):
    """Without a limit, `HTTPResponse` reads a chunk of the size -1 until the memory or the time is over."""
    sent = []

    def flood(connection, over) -> None:
        connection.sendall(start)
        while not over.is_set():
            connection.sendall(b"a" * 65536)
            sent.append(65536)

    with raw_server(flood) as port, suppress(Undelivered):
        tracemalloc.start()
        post(f"http://127.0.0.1:{port}/")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000 and sum(sent) < 32_000_000


@pytest.mark.parametrize("size", [b"-1", b"-5", b"-" + b"f" * 40, b"x", b"", b"\x00", "٣".encode()])
def test_chunks_of_impossible_sizes_are_failures_of_the_receiver(size):
    answer = CHUNKED + size + b"\r\nabc\r\n"
    with raw_server(answering(answer)) as port:
        assert failure(f"http://127.0.0.1:{port}/").problem == Problem.CONNECTION


@pytest.mark.parametrize(
    "line", [b"HTTP/1.1 2\x0000", b"\x00\xff\x1b" * 9, b"HTTP/9 \xe2\x80\xae", b"a" * 20000]
)
def test_what_a_receiver_answers_instead_of_http_can_be_stored(line):
    with raw_server(answering(line + b"\r\n\r\n")) as port:
        error = failure(f"http://127.0.0.1:{port}/")
    assert error.problem == Problem.CONNECTION
    assert str(error).isprintable() and len(str(error)) < 600


@pytest.mark.parametrize("text", [b"", b"nonsense\r\n\r\n", b"\x00" * 100])
def test_what_is_no_http_is_a_failure(quick, text):
    with raw_server(lambda connection, over: connection.sendall(text)) as port:
        assert failure(f"http://127.0.0.1:{port}/").problem == Problem.CONNECTION


def answering(text: bytes):
    """Return an answer that reads the request, whose bytes left unread would reset the connection."""

    def answer(connection, over) -> None:
        got = b""
        while not got.endswith(b"{}"):
            got += connection.recv(4096)
        connection.sendall(text)

    return answer


def test_a_closed_port_is_a_failure():
    with raw_server(drip(b"")) as port:
        pass
    assert failure(f"http://127.0.0.1:{port}/").problem == Problem.CONNECTION


def test_the_name_is_resolved_once_and_the_connection_goes_there(server, monkeypatch):
    """A name that leads elsewhere a moment later changes nothing."""
    asked = []

    def resolve(name: str, port: int, seconds: float) -> list[str]:
        asked.append(name)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    monkeypatch.setattr(addresses, "resolve", resolve)
    assert post(server.url.replace("127.0.0.1", "hooks.example")).status == 204
    assert asked == ["hooks.example"] and server.got[0][0]["host"].startswith("hooks.example:")


# --- TLS ----------------------------------------------------------------------------------------------------
@pytest.fixture
def certified(tmp_path, monkeypatch) -> ssl.SSLContext:
    """The TLS of a server with a certificate for hooks.example, which the client trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hooks.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hooks.example")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "server.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + certificate.public_bytes(pem))
    monkeypatch.setattr(client, "tls_context", lambda: ssl.create_default_context(cafile=str(path)))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def encrypted_server(context: ssl.SSLContext):
    def answer(connection, over) -> None:
        with context.wrap_socket(connection, server_side=True) as encrypted:
            answering(OK + b"Content-Length: 5\r\n\r\ntaken")(encrypted, over)

    return raw_server(answer)


def test_the_certificate_has_to_be_valid_for_the_name(certified, monkeypatch):
    monkeypatch.setattr(addresses, "resolve", lambda name, port, seconds: ["127.0.0.1"])
    with encrypted_server(certified) as port:
        assert post(f"https://hooks.example:{port}/").text == "taken"
        assert failure(f"https://other.example:{port}/").problem == Problem.CERTIFICATE


def test_unknown_authorities_are_refused(certified, monkeypatch):
    monkeypatch.setattr(addresses, "resolve", lambda name, port, seconds: ["127.0.0.1"])
    monkeypatch.setattr(client, "tls_context", ssl.create_default_context)
    with encrypted_server(certified) as port:
        assert failure(f"https://hooks.example:{port}/").problem == Problem.CERTIFICATE
