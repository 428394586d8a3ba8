"""Reading in a child process: the results are the same, and no file can crash the parent."""

import logging
import subprocess
import sys

import pytest

from tests.tournaments.formats import makers
from tests.tournaments.formats.examples import example_of
from tournaments.formats import read_go, read_results, read_table, sandbox
from tournaments.formats.registry import FORMATS
from tournaments.formats.types import Column

COLUMNS = (Column("number", ("licencia",), "licence"), Column("name", ("nombre",)))
GOOD = makers.mitchell(3, 6).data()


@pytest.mark.parametrize("declared", FORMATS, ids=lambda declared: declared.code)
def test_reading_in_a_child_process_gives_the_same_result(declared):
    name, data = example_of(declared)
    assert sandbox.read_results_safely(name, data) == read_results(name, data)
    assert sandbox.read_go_safely(name, data) == read_go(name, data)
    assert sandbox.read_table_safely(name, data, COLUMNS) == read_table(name, data, COLUMNS)


def test_a_file_name_with_control_characters_is_read_the_same_in_a_child_process():
    name, data = "r\x00\u00f1\n.xml", GOOD[:400]
    assert sandbox.read_results_safely(name, data) == read_results(name, data)


def test_the_chosen_kind_of_contestant_is_passed_to_the_child_process():
    data = makers.csv_table([["puesto", "licencia"], ["1", "1"], ["1", "2"]])
    assert len(sandbox.read_results_safely("r.csv", data, kind="individual").entries) == 2
    assert len(sandbox.read_results_safely("r.csv", data, kind="pairs").entries) == 1


def test_a_table_is_read_the_same_in_a_child_process():
    data = makers.csv_table([["licencia", "nombre"], ["1", "Ana"], ["2", "Eva"]])
    assert sandbox.read_table_safely("t.csv", data, COLUMNS) == read_table("t.csv", data, COLUMNS)
    short = sandbox.read_table_safely("t.csv", data, COLUMNS, max_rows=1)
    assert [issue.code for issue in short.issues] == ["too_many_rows"]


def test_running_out_of_memory_is_reported_as_an_issue():
    big = makers.Event(body="<X>text</X>" * 600_000).data()
    result = sandbox.read_results_safely("r.xml", big, memory=80 * 1024 * 1024)
    assert [issue.code for issue in result.issues] == ["too_big_to_read"]


def test_exceeding_the_time_limit_is_reported_as_an_issue():
    result = sandbox.read_results_safely("r.xml", GOOD, timeout=0)
    assert [issue.code for issue in result.issues] == ["too_slow"]
    table = sandbox.read_table_safely("t.csv", b"licencia;nombre\n1;Ana\n", COLUMNS, timeout=0)
    assert [issue.code for issue in table.issues] == ["too_slow"]
    assert (result.format_name, table.format_name) == ("unknown", "unknown")


def run_instead(monkeypatch, program):
    """Make the sandbox start another program instead of the reader."""
    original = subprocess.run

    def replaced(_command, **options):
        return original([sys.executable, "-c", program], **options)

    monkeypatch.setattr(sandbox.subprocess, "run", replaced)


def test_exceeding_the_processor_limit_is_reported_as_an_issue(monkeypatch):
    run_instead(monkeypatch, "import os, signal; os.kill(os.getpid(), signal.SIGXCPU)")
    assert [issue.code for issue in sandbox.read_results_safely("r.xml", GOOD).issues] == ["too_slow"]


def test_a_killed_child_process_is_reported_as_an_issue(monkeypatch):
    run_instead(monkeypatch, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert [issue.code for issue in sandbox.read_results_safely("r.xml", GOOD).issues] == ["too_big_to_read"]


@pytest.mark.parametrize("program", ["import os; os.abort()", "raise ValueError('broken')"])
def test_a_crash_of_the_child_process_is_reported_as_an_issue_and_logged(monkeypatch, caplog, program):
    run_instead(monkeypatch, program)
    with caplog.at_level(logging.ERROR, logger=sandbox.__name__):
        result = sandbox.read_results_safely("r.xml", GOOD)
    assert [issue.code for issue in result.issues] == ["reader_failed"]
    assert "r.xml" in caplog.text


def test_the_error_output_of_a_crashed_child_process_is_logged_in_any_encoding(monkeypatch, caplog):
    run_instead(monkeypatch, "import sys; sys.stderr.buffer.write(b'caf\\xe9 broke'); sys.exit(9)")
    with caplog.at_level(logging.ERROR, logger=sandbox.__name__):
        sandbox.read_results_safely("r.xml", GOOD)
    assert "caf\ufffd broke" in caplog.text


def test_the_child_process_gets_no_secrets_from_the_environment(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    seen = {}
    original = subprocess.run

    def spy(command, **options):
        seen.update(options["env"])
        return original(command, **options)

    monkeypatch.setattr(sandbox.subprocess, "run", spy)
    assert sandbox.read_results_safely("r.xml", GOOD).issues == ()
    assert set(seen) == {"PYTHONPATH"}


def test_readers_and_ranking_import_no_django():
    program = (
        "import sys, tournaments.ranking, tournaments.formats.child, tournaments.formats.readers.usebio,"
        " tournaments.formats.results_table, tournaments.formats.templates;"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'openpyxl')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_empty_table_and_a_slow_go_file_are_refused():
    assert [issue.code for issue in sandbox.read_table_safely("t.csv", b"", COLUMNS).issues] == ["empty_file"]
    assert [issue.code for issue in sandbox.read_go_safely("t.h9", b"; EV[x]", timeout=0).issues] == [
        "too_slow"
    ]
