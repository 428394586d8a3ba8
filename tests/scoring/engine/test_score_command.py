"""`manage.py score`, run as a process: input, output and exit codes."""

import io
import json
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from tests.folders import ROOT

EVENT = {
    "regulation": "aeb-2022",
    "event_type": "pool",
    "format": "pairs",
    "boards": 24,
    "venue": "in_person",
    "c4": "1.23",
    "contestant_count": 30,
    "contestants": [{"id": "1", "place": 1}],
}


def program(data, *arguments):
    """Run the command in a process with `data` as its standard input."""
    command = [sys.executable, str(ROOT / "manage.py"), "score", *arguments]
    return subprocess.run(command, input=data, capture_output=True, cwd=ROOT, check=False)


def lines(output):
    return [json.loads(line) for line in output.splitlines()]


def test_the_command_reads_events_from_standard_input_line_by_line():
    """The events before and after an invalid one are scored, and the exit code reports the error."""
    wrong = EVENT | {"boards": 0}
    data = "\n\n".join(json.dumps(event) for event in (EVENT, wrong, EVENT)).encode()
    done = program(data)
    first, second, third = lines(done.stdout)
    assert done.returncode == 1
    assert first["awards"][0]["points"] == third["awards"][0]["points"] == "16.07"
    assert second["error"]["field"] == "boards"


def test_the_command_reads_an_event_from_a_file(tmp_path):
    file = tmp_path / "event.json"
    file.write_text("\ufeff" + json.dumps(EVENT, indent=2), encoding="utf-8")
    done = program(b"", str(file))
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines(done.stdout)[0]["regulation"] == "aeb-2022"


@pytest.mark.parametrize("data", [b"", b"\n \n", b"{", b"\xff\xfe{}", json.dumps(EVENT).encode() + b"\n{"])
def test_unreadable_input_prints_nothing(data, tmp_path):
    file = tmp_path / "event.json"
    file.write_bytes(data)
    output = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("score", str(file), stdout=output)
    assert caught.value.returncode == 2
    assert output.getvalue() == ""


def test_unreadable_input_gives_exit_code_two(tmp_path):
    done = program(b"", str(tmp_path / "absent.json"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"unreadable input" in done.stderr


def test_the_command_makes_no_database_query(tmp_path):
    """The command makes no query: pytest would fail the test, which has no access to the database."""
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT))
    output = io.StringIO()
    call_command("score", str(file), stdout=output)
    assert lines(output.getvalue())[0]["awards"][0]["points"] == "16.07"


def test_ids_that_cannot_be_encoded_are_printed_escaped(tmp_path):
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT | {"contestants": [{"id": "\ud800", "place": 1}]}))
    output = io.StringIO()
    call_command("score", str(file), stdout=output)
    assert output.getvalue().isascii()
    assert lines(output.getvalue())[0]["awards"][0]["contestant"] == "\ud800"
