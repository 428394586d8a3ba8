"""Installations that witness one another's logs."""

import base64
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from scoring.transparency import queries, services, witnessing
from scoring.transparency.models import Cosignature, WitnessedLog
from scoring.transparency.notes import COSIGNATURE, Signer, signatures_of
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.tree import fold, leaf_hash
from tests import factories as make
from tests.scoring.transparency.test_tree import Stored, numbered

pytestmark = pytest.mark.django_db
ADDRESS = "/transparencia/add-checkpoint"


class OtherLog:
    """A log of another installation, in memory."""

    def __init__(self, count: int = 10) -> None:
        self.signer, self.stored = Signer.generate("other.test/log"), Stored()
        self.stored.append(numbered(0, count))

    def request(self, old: int, size: int, *, signer: Signer | None = None) -> str:
        """Return a request to the witness about the first `size` leaves."""
        tree = self.stored.tree(size)
        note = Note(self.signer.name, size, tree.root())
        lines = [f"old {old}", *(base64.b64encode(part).decode() for part in tree.consistency(old))]
        return "\n".join(lines) + f"\n\n{note.body}\n{(signer or self.signer).sign(note.body)}"


@pytest.fixture
def other(key, settings) -> OtherLog:
    log = OtherLog()
    settings.WITNESSED_LOGS = [str(log.signer.verifier())]
    return log


def submit(client, body: str | bytes):
    return client.post(ADDRESS, body, content_type="text/plain")


def test_a_witness_cosigns_what_follows_from_what_it_saw(client, key, other):
    for old, size in ((0, 4), (4, 4), (4, 10)):
        response = submit(client, other.request(old, size))
        assert response.status_code == 200
        [line] = signatures_of(response.content.decode())
        note = Note(other.signer.name, size, other.stored.tree(size).root())
        assert key.verifier(COSIGNATURE).verifies(note.body, line)
    assert (WitnessedLog.objects.get().size, WitnessedLog.objects.count()) == (10, 1)


def test_a_witness_says_which_size_it_knows(client, other):
    submit(client, other.request(0, 4))
    for old, size in ((0, 10), (3, 10)):
        response = submit(client, other.request(old, size))
        assert (response.status_code, response.content) == (409, b"4\n")
        assert response["Content-Type"] == "text/x.tlog.size"


def test_a_witness_does_not_cosign_a_rewritten_log(client, other):
    submit(client, other.request(0, 4))
    forged = OtherLog()
    forged.signer, forged.stored = other.signer, Stored()
    forged.stored.append([leaf_hash(b"forged"), *numbered(1, 9)])
    assert submit(client, forged.request(4, 10)).status_code == 422
    assert submit(client, forged.request(4, 4)).status_code == 409  # the same size with another root
    assert WitnessedLog.objects.get().size == 4


def test_a_witness_knows_only_logs_and_keys_of_its_settings(client, other, settings):
    stranger = Signer.generate(other.signer.name)
    assert submit(client, other.request(0, 4, signer=stranger)).status_code == 403
    settings.WITNESSED_LOGS = []
    assert submit(client, other.request(0, 4)).status_code == 404
    assert not WitnessedLog.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text.replace("old 0", "old -1"),
        lambda text: text.replace("old 0", "old 00"),
        lambda text: text.replace("old 0", "new 0"),
        lambda text: text.replace("old 0", "old 11"),
        lambda text: text.replace("old 0\n", "old 0\n!\n"),
        lambda text: text.replace("old 0\n", "old 0\nAAAA\n"),
        lambda text: text.replace("old 0\n", "old 0\n" + f"{base64.b64encode(bytes(32)).decode()}\n" * 64),
        lambda text: text.replace("\n\n", "\n"),
        lambda text: b"\xff" + text.encode(),
    ],
)
def test_what_is_no_request_is_refused(client, other, change):
    assert submit(client, change(other.request(0, 10))).status_code == 400
    assert not WitnessedLog.objects.exists()


def test_a_request_that_is_too_large_is_refused(client, other):
    assert submit(client, b"x" * (witnessing.MOST_BYTES + 1)).status_code == 413
    assert client.get(ADDRESS).status_code == 405


# --- Ours, at a witness -------------------------------------------------------------------------------------
@contextmanager
def server(answer):
    """Serve HTTP on this machine. `answer` takes the body of a request and returns (status, body)."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, content = answer(body)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments) -> None:
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


class Witness:
    """A witness in memory, which checks what it is sent as the specification says."""

    def __init__(self, log_key) -> None:
        self.signer, self.log_key = Signer.generate("witness.test/1"), log_key
        self.size, self.root, self.asked = 0, b"", []

    def __call__(self, body: bytes) -> tuple[int, bytes]:
        asked = witnessing.Submission.parse(body)
        self.asked.append((asked.old, asked.note.size))
        assert asked.note.signed_by([self.log_key.verifier()])
        if asked.old != self.size:
            return 409, f"{self.size}\n".encode()
        if self.size:
            witnessing.check_consistency(self.size, self.root, asked.note.size, asked.note.root, asked.proof)
        self.size, self.root = asked.note.size, asked.note.root
        return 200, str(self.signer.cosign(asked.note.body, 1_790_000_000)).encode()

    @property
    def verifier(self):
        return self.signer.verifier(COSIGNATURE)


def test_our_checkpoint_gets_the_cosignature_of_the_witness(client, log, settings):
    witness = Witness(log.key)
    with server(witness) as url:
        settings.LOG_WITNESSES = [f"{witness.verifier}@{url}"]
        assert witnessing.ask_witnesses(queries.latest_checkpoint()) == []
        make.scored(*log.pairs)
        services.append()
        assert witnessing.ask_witnesses(queries.latest_checkpoint()) == []
        assert witnessing.ask_witnesses(queries.latest_checkpoint()) == []  # it has it already
    assert witness.asked == [(0, 10), (10, 15)]
    note = Note.parse(client.get("/transparencia/checkpoint").content.decode())
    assert note.signed_by([log.key.verifier(), witness.verifier]) == [log.key.verifier(), witness.verifier]


def test_a_witness_that_knows_more_than_we_think_is_asked_again(log, settings):
    witness = Witness(log.key)
    witness.size, witness.root = 4, queries.stored_tree(4).root()
    with server(witness) as url:
        settings.LOG_WITNESSES = [f"{witness.verifier}@{url}"]
        assert witnessing.ask_witnesses(queries.latest_checkpoint()) == []
    assert witness.asked == [(0, 10), (4, 10)]


@pytest.mark.parametrize(
    "answer",
    [
        (500, b""),
        (409, b"11\n"),
        (409, b"text/html"),
        (200, b""),
        (200, "— witness.test/1 AAAAAAAA\n".encode()),
        (302, b""),
        (200, b"\xff" * 100),
    ],
)
def test_a_witness_that_does_not_cosign_is_a_problem_and_nothing_is_stored(log, settings, answer):
    witness = Witness(log.key)
    with server(lambda body: answer) as url:
        settings.LOG_WITNESSES = [f"{witness.verifier}@{url}"]
        [problem] = witnessing.ask_witnesses(queries.latest_checkpoint())
    assert problem.startswith("witness.test/1: ")
    assert not Cosignature.objects.exists()


def test_a_witness_that_is_away_is_a_problem(log, settings):
    witness = Witness(log.key)
    with server(witness) as url:
        pass
    settings.LOG_WITNESSES = [f"{witness.verifier}@{url}"]
    assert len(witnessing.ask_witnesses(queries.latest_checkpoint())) == 1


def test_the_root_of_the_witnessed_tree_is_that_of_its_leaves(other):
    assert other.stored.tree(4).root() == fold(other.stored.leaves[:4])
