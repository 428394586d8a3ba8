"""The script for a club's computer, against a small server that answers as each test says."""

import ast
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.api import baza_upload
from scoring.api.baza_upload import LOOK, REFUSED, SENT, UNREACHABLE, USAGE, Folder, Sender, run
from tournaments.formats import registry

DOCUMENT = {
    "id": "1",
    "state": "review",
    "review_url": "https://x/1",
    "summary": {"ready": True},
    "issues": [],
}
SECRET = "baza_" + 43 * "A"
BAD_TOKENS = (b"", b"two words", b"\xff", "baza_ñ".encode())
PROBLEM = {"code": "body_malformed", "detail": "No.", "remedy": "Mend it.", "errors": []}


class Server:
    """Answer requests with the prepared answers, in turn; the last one is repeated.

    answers: (status, headers, body) of each answer; a document is sent as JSON
    requests: (method, path, headers, body) of each request
    """

    def __init__(self) -> None:
        self.answers, self.requests = [(201, {}, DOCUMENT)], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((self.command, self.path, dict(self.headers), body))
                status, headers, content = outer.answers.pop(0) if outer.answers[1:] else outer.answers[0]
                content = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST

            def log_message(self, *_arguments) -> None:
                pass

        self.http = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.http.serve_forever, args=[0.01])
    thread.start()
    yield server
    server.http.shutdown()
    thread.join()
    server.http.server_close()


@pytest.fixture
def waits(monkeypatch) -> list:
    """Let the script not wait. Return the list of the seconds that it would have waited."""
    waits = []
    monkeypatch.setattr(baza_upload.time, "sleep", waits.append)
    return waits


@pytest.fixture
def output() -> list:
    return []


@pytest.fixture
def sender(server, output, waits) -> Sender:
    return Sender(server.url, "C 1", "baza_x", attempts=4, language="en", say=output.append)


@pytest.fixture
def tuesday(tmp_path) -> Path:
    path = tmp_path / "tuesday.xml"
    path.write_bytes(b"<x/>")
    return path


def test_the_script_is_written_in_an_old_python_with_the_standard_library_alone():
    tree = ast.parse(Path(baza_upload.__file__).read_text(), feature_version=(3, 8))
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imported}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_it_can_be_downloaded(client, db):
    answer = client.get("/api/v1/baza_upload.py")
    assert answer.content == Path(baza_upload.__file__).read_bytes()
    assert 'filename="baza_upload.py"' in answer["Content-Disposition"]


def test_a_file_is_sent_with_its_digest_as_key(server, sender):
    assert sender.send('día "1".xml', b"\r\n--a\x00") == DOCUMENT
    method, path, headers, body = server.requests[0]
    assert (method, path) == ("POST", "/api/v1/clubs/C%201/uploads")
    assert headers["Authorization"] == "Bearer baza_x"
    assert len(headers["Idempotency-Key"]) == 64
    assert 'filename="día %221%22.xml"'.encode() in body and b"\r\n\r\n\r\n--a\x00\r\n--" in body


def test_fields_are_sent_with_the_file_and_belong_to_its_key(server, tuesday, output):
    assert go(server.url, tuesday, output) == SENT
    assert go(server.url, tuesday, output, "--set", "event_type=pool", "--set", "name=Día = 1") == SENT
    assert 'name="name"\r\n\r\nDía = 1\r\n--'.encode() in server.requests[1][3]
    assert len({headers["Idempotency-Key"] for _m, _p, headers, _b in server.requests}) == 2
    for wrong in ("pool", '"a=1', "=1"):
        with pytest.raises(SystemExit):
            options_of().parse_args(["--server", "x", "--club", "C1", "--set", wrong, "a"])


def test_issues_are_printed_in_words(sender, output):
    issue = {"severity": "error", "line": 4, "message": "No such player.", "remedy": "Correct it."}
    status = sender.report("a", {**DOCUMENT, "issues": [issue], "summary": {"ready": False}})
    assert (status, output) == (
        LOOK,
        ["a: sent. Finish it here: https://x/1", "  error, line 4: No such player. Correct it."],
    )


def test_it_tries_again_with_growing_delays(server, sender, waits):
    server.answers = [
        (503, {}, b"<html>"),
        (429, {"Retry-After": "9"}, {**PROBLEM, "code": "too_many_requests"}),
        (200, {}, b"<html>not json"),
        (201, {}, DOCUMENT),
    ]
    assert sender.send("a", b"x") == DOCUMENT
    assert waits == [2, 9, 8]
    assert len({headers["Idempotency-Key"] for _m, _p, headers, _b in server.requests}) == 1


def test_it_ends_if_the_server_cannot_be_reached(server, tuesday, output, waits):
    server.answers = [(500, {}, b"")]
    assert go(server.url, tuesday, output) == UNREACHABLE
    assert waits == [2, 4]
    assert "HTTP 500" in output[-1]


@pytest.mark.parametrize(
    "answer",
    [
        (422, {}, PROBLEM),
        (401, {}, b"<html>"),
        (302, {"Location": "http://127.0.0.1:1/elsewhere"}, b""),
        (307, {"Location": "http://127.0.0.1:1/elsewhere"}, b""),
    ],
)
def test_what_is_refused_is_not_sent_again_and_nothing_is_sent_elsewhere(server, tuesday, output, answer):
    server.answers = [answer]
    assert go(server.url, tuesday, output) == REFUSED
    assert len(server.requests) == 1
    assert ("No. Mend it." if answer[2] is PROBLEM else f"HTTP {answer[0]}") in output[-1]


def test_it_confirms_only_what_is_ready(server, tuesday, output):
    server.answers = [(201, {}, {**DOCUMENT, "summary": {"ready": False}})]
    assert go(server.url, tuesday, output, "--confirm") == LOOK
    server.answers = [(201, {}, DOCUMENT), (200, {}, {**DOCUMENT, "state": "confirmed"})]
    assert go(server.url, tuesday, output, "--confirm") == SENT
    assert [path for _m, path, _h, _b in server.requests] == [
        "/api/v1/clubs/C1/uploads",
        "/api/v1/clubs/C1/uploads",
        "/api/v1/clubs/C1/uploads/1/confirm",
    ]


@pytest.mark.parametrize("url", ["http://example.org", "ftp://localhost", "file:///etc/x", "example.org"])
def test_the_token_leaves_the_computer_only_by_tls(tuesday, output, url):
    assert go(url, tuesday, output) == USAGE
    assert "https" in output[-1]


def test_a_token_of_the_command_line_is_used(server, tuesday, output):
    assert go(server.url, tuesday, output, "--token", SECRET) == SENT
    assert server.requests[-1][2]["Authorization"] == f"Bearer {SECRET}"
    for bad in ("", "two words", "baza_ñ"):
        assert go(server.url, tuesday, output, "--token", bad) == USAGE
        assert output[-1].startswith("There is no token")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--token-file", SECRET, "a.xml"],
        ["--tok", SECRET, "a.xml"],
        ["--secret", SECRET, "a.xml"],
        ["--set", SECRET, "a.xml"],
        [SECRET],
        ["--token", SECRET, SECRET],
        ["--language", SECRET],
    ],
)
def test_no_error_repeats_a_secret(monkeypatch, capsys, arguments):
    monkeypatch.setenv("BAZA_TOKEN", "baza_x")
    arguments = ["--server", "http://localhost:1", "--club", "C1", *arguments]
    monkeypatch.setattr(sys, "argv", ["baza_upload.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        sys.exit(baza_upload.main())
    assert ended.value.code == USAGE
    with pytest.raises((SystemExit, CommandError)) as ended:
        call_command("upload", *arguments)
    printed = "".join(capsys.readouterr()) + str(ended.value)
    assert "baza_…" in printed or "unrecognized" in printed
    assert SECRET not in printed and SECRET[:20] not in printed


def test_the_token_comes_from_a_file_or_the_environment(server, tuesday, output, monkeypatch):
    monkeypatch.delenv("BAZA_TOKEN", raising=False)
    path = tuesday.with_name("token.txt")
    for content, cause in [(None, "cannot be read"), *((bad, "has no token") for bad in BAD_TOKENS)]:
        if content is not None:
            path.write_bytes(content)
        assert go(server.url, tuesday, output, "--token-file", str(path)) == USAGE
        assert cause in output[-1] and str(path) in output[-1]
    assert run(options_of().parse_args(["--server", server.url, "--club", "C", "a"]), output.append) == USAGE
    assert "token is missing" in output[-1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_token_file_of_windows_is_read(server, tuesday, output, encoding):
    path = tuesday.with_name("token.txt")
    path.write_bytes("baza_y\r\n".encode(encoding))
    assert go(server.url, tuesday, output, "--token-file", str(path)) == SENT
    assert server.requests[-1][2]["Authorization"] == "Bearer baza_y"


def test_a_missing_file_is_named(server, tmp_path, output):
    assert go(server.url, tmp_path / "none.xml", output) == USAGE
    assert "none.xml" in output[-1]


def test_it_sends_a_file_though_nobody_reads_its_words_to_the_end(server, tuesday):
    server.answers = [(201, {}, {**DOCUMENT, "summary": {"ready": False}})]
    command = [sys.executable, baza_upload.__file__, "--server", server.url, "--club", "C1", str(tuesday)]
    environment = {**os.environ, "BAZA_TOKEN": "baza_x"}
    reader, writer = os.pipe()
    os.close(reader)  # as `| head` does
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr, len(server.requests)) == (LOOK, b"", 1)


def options_of() -> baza_upload.Parser:
    parser = baza_upload.Parser()
    parser.add_argument("--server", required=True)
    baza_upload.add_arguments(parser)
    return parser


def go(url: str, path: Path, output: list, *more: str) -> int:
    """Run the script for a file, with the token of the environment unless `more` names another."""
    if "--token-file" not in more:
        os.environ["BAZA_TOKEN"] = "baza_x"
    arguments = ["--server", url, "--club", "C1", "--attempts", "3", "--language", "en", *more, str(path)]
    try:
        return run(options_of().parse_args(arguments), output.append)
    finally:
        os.environ.pop("BAZA_TOKEN", None)


def test_the_command_of_the_server_does_the_same(server, tuesday, monkeypatch, capsys):
    monkeypatch.setenv("BAZA_TOKEN", "baza_x")
    with pytest.raises(SystemExit) as ended:
        call_command("upload", str(tuesday), server=server.url, club="C1", language="en")
    assert ended.value.code == SENT
    assert "tuesday.xml: sent" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("upload", club="C1")


# --- Folders --------------------------------------------------------------------------------------------
@pytest.fixture
def clock(monkeypatch):
    """Replace the script's clock by one that the test moves: `clock[0]`, in seconds."""
    clock = [1000.0]
    monkeypatch.setattr(baza_upload.time, "monotonic", lambda: clock[0])
    return clock


def folder_of(tmp_path: Path, sender: Sender, **options) -> Folder:
    return Folder(tmp_path, sender, **{"quiet": 60, "everything": True, **options})


def test_a_file_is_sent_once_it_has_not_changed_for_some_time(server, sender, tuesday, clock):
    folder = folder_of(tuesday.parent, sender)
    folder.look()
    clock[0] += 59
    folder.look()
    tuesday.write_bytes(b"<x>longer</x>")
    clock[0] += 59
    folder.look()
    assert server.requests == []
    clock[0] += 60
    folder.look(), folder.look()
    assert len(server.requests) == 1
    assert b"longer" in server.requests[0][3]


def test_nothing_is_sent_twice_even_under_another_name_or_after_a_restart(server, sender, tuesday, output):
    folder_of(tuesday.parent, sender, quiet=0).look()
    tuesday.with_name("copy.xml").write_bytes(tuesday.read_bytes())
    folder_of(tuesday.parent, sender, quiet=0).look()
    assert len(server.requests) == 1
    state = tuesday.with_name(baza_upload.STATE_NAME)
    for damaged in (b"", b"[]", b'{"since": "x"}', b"\xff"):
        state.write_bytes(damaged)
        folder_of(tuesday.parent, sender, quiet=0)
        assert "damaged" in output[-1]


def test_what_is_no_finished_file_is_left_alone(server, sender, tmp_path):
    for name in (".hidden", "~$open.xlsx", "a.tmp", "b.part", "c.ldb", "c.bws", "d.crdownload"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "folder.csv").mkdir()
    folder_of(tmp_path, sender, quiet=0).look()
    assert server.requests == []
    (tmp_path / "c.ldb").unlink()
    folder_of(tmp_path, sender, quiet=0).look()
    assert len(server.requests) == 1


def test_only_result_files_are_sent_unless_other_names_are_asked(server, sender, tmp_path):
    for name in ("letter.docx", "notes.txt", "MONDAY.XML"):
        (tmp_path / name).write_bytes(name.encode())
    folder_of(tmp_path, sender, quiet=0).look()
    assert [b"MONDAY" in request[3] for request in server.requests] == [True]
    folder_of(tmp_path, sender, quiet=0, patterns=["*.TXT"]).look()
    assert b"notes" in server.requests[-1][3] and len(server.requests) == 2


def test_files_from_before_the_first_start_are_left_alone(server, sender, tuesday):
    os.utime(tuesday, (1, 1))
    folder_of(tuesday.parent, sender, quiet=0, everything=False).look()
    assert server.requests == []
    folder_of(tuesday.parent, sender, quiet=0).look()
    assert len(server.requests) == 1


def test_a_file_that_the_server_cannot_take_delays_no_other(server, sender, tuesday, clock):
    sender.attempts = 1
    tuesday.with_name("a.xml").write_bytes(b"<a/>")
    server.answers = [(500, {}, b""), (201, {}, DOCUMENT), (500, {}, b""), (201, {}, DOCUMENT)]
    folder = folder_of(tuesday.parent, sender, quiet=0)
    sent = []
    for seconds in (0, 1, 1, 2, 2):
        clock[0] += seconds
        folder.look()
        sent.append(len(server.requests))
    assert sent == [2, 2, 3, 3, 4], "a.xml again after 2 and 4 seconds"


def test_a_refused_file_is_tried_again_after_hours_and_at_once_if_it_changes(
    server, sender, tuesday, clock, output
):
    server.answers = [(422, {}, PROBLEM)]
    folder = folder_of(tuesday.parent, sender, quiet=0)
    sent = []
    for hours in (0, 0.9, 0.1, 1.9, 0.1):
        clock[0] += hours * 3600
        folder.look()
        sent.append(len(server.requests))
    assert sent == [1, 1, 2, 2, 3], "again after one and two hours"
    assert [line for line in output if "next attempt" in line][-1].startswith(
        "tuesday.xml: next attempt in 4 h"
    )
    tuesday.write_bytes(b"<other/>")
    folder.look()
    assert len(server.requests) == 4
    server.answers = [(201, {}, DOCUMENT)]
    folder_of(tuesday.parent, sender, quiet=0).look()
    assert len(server.requests) == 5, "a new start tries it with the settings of then"


def test_the_folder_sends_every_kind_of_file_that_the_site_reads_but_texts():
    assert set(baza_upload.PATTERNS) == {f"*{end}" for end in registry.extensions(registry.RESULTS)} - {
        "*.txt"
    }


@pytest.mark.parametrize(("language", "word"), [("es", "Uso: "), ("en", "Usage: ")])
def test_help_is_in_one_language(language, word):
    help_text = baza_upload.parser_of(["--language", language]).format_help()
    assert help_text.startswith(word)
    for key, texts in baza_upload.HELP.items():
        mine, other = texts if language == "es" else texts[::-1]
        assert " ".join(mine.split())[:30] in " ".join(help_text.split()), key
        assert " ".join(other.split())[:30] not in " ".join(help_text.split()), key


@pytest.mark.parametrize(
    ("name", "language"), [("es_ES.UTF-8", "es"), ("en_GB.UTF-8", "en"), ("ca_ES.UTF-8", "es"), ("C", "es")]
)
def test_the_language_is_that_of_the_computer(name, language, monkeypatch):
    monkeypatch.setenv("LC_ALL", name)
    assert baza_upload.computer_language() == language
    options = baza_upload.parser_of([]).parse_args(["--server", "x", "--club", "C", "a"])
    assert options.language == language
