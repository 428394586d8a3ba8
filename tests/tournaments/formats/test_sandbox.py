"""Reading in a child process: the results are the same, and no file can crash the parent."""

import logging
import subprocess
import sys

import pytest

from tests.tournaments.formats import makers
from tests.tournaments.formats.examples import example_of
from tournaments.formats import read_go, read_results, read_table, sandbox
from tournaments.formats.forks import ForkServer
from tournaments.formats.registry import FORMATS
from tournaments.formats.types import Column
from ui.text import DIRECTION_MARKS

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


def test_a_file_is_read_without_marks_of_direction_and_backslashes_stay():
    data = makers.csv_table(
        [["licencia", "nombre"], ["1", f"A{DIRECTION_MARKS}n\\u202e\\{DIRECTION_MARKS}a"]]
    )
    (row,) = sandbox.read_table_safely("t.csv", data, COLUMNS).rows
    assert row.values["name"] == "An\\u202e\\a"


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


@pytest.fixture
def scripted(monkeypatch):
    """Let the sandbox run, instead of the reader, the program that is the name of the file."""
    server = ForkServer("tests.tournaments.formats.scripted_child")
    monkeypatch.setattr(sandbox, "SERVER", server)
    yield
    server.stop()


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import os; os.kill(os.getpid(), 24)", "too_slow"),  # SIGXCPU
        ("import os; os.kill(os.getpid(), 9)", "too_big_to_read"),
        ("import os; os.kill(os.getppid(), 9)", "reader_failed"),  # the fork server
        ("import os; os.abort()", "reader_failed"),
        ("raise ValueError('broken')", "reader_failed"),
        ("import os; os.write(2, b'caf\\xe9 broke'); os._exit(9)", "reader_failed"),
    ],
)
def test_a_crash_of_the_child_process_is_reported_as_an_issue(scripted, caplog, program, code):
    with caplog.at_level(logging.ERROR, logger=sandbox.__name__):
        result = sandbox.read_results_safely(f"{program}  # r.xml", GOOD)
    assert [issue.code for issue in result.issues] == [code]
    assert bool(caplog.records) == (code == "reader_failed")
    assert "r.xml" not in caplog.text and "broke" not in caplog.text  # names and contents may be of people
    assert ("ValueError" in caplog.text) == ("ValueError" in program)


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
