"""`manage.py up`, which `make run` calls: it starts the web server, a worker and a demo federation."""

import os
import re
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests import servers
from tests.system.conftest import Installation
from tests.system.faults import wait_with_log
from tests.system.web import Answer, Reader

PASSWORD = "bridge-demo-2026"


def start(site: Installation, *options: str):
    """Start `manage.py up` on a free port, and wait until it serves pages.

    Return its process, and a `Reader` (an HTTP client) of the site.
    """
    port = servers.free_port()
    process = site.start(sys.executable, "manage.py", "up", *options, PORT=str(port))

    def ready() -> bool:
        assert process.poll() is None, site.log_text()
        return "Ctrl-C" in site.log_text().partition(f":{port}/")[2]

    servers.wait_until(ready, "the pages to answer", 180)
    return process, Reader(f"http://localhost:{port}")


def interrupt(process) -> list[psutil.Process]:
    """Send Ctrl-C to the process and its children. Return the children that are still running afterwards."""
    children = psutil.Process(process.pid).children(recursive=True)
    assert children, "the server has a worker process"
    os.killpg(process.pid, signal.SIGINT)
    process.wait(30)
    return psutil.wait_procs(children, timeout=15)[1]


def sign_in(reader: Reader, name: str) -> Answer:
    page = reader.get("/resultados/subir/")  # redirects to the sign-in page
    return reader.submit(page, page.form("password"), {"login": name, "password": PASSWORD})


def upload_sample(reader: Reader, sample: Path) -> Answer:
    """Upload a file and confirm it, as a signed-in director. Return the receipt's page."""
    page = reader.get("/resultados/subir/")
    form = page.form("file")
    values = {
        "event_type": "pool",
        "format": "pairs",
        "name": "Prueba",
        "end_date": "2026-03-14",
        "boards": "24",
    }
    page = reader.submit(page, form, values, {"file": (sample.name, sample.read_bytes())})
    assert "/revisar/" in page.url, page.text
    form = page.form("seen")
    ticks = {name: texts for name, texts in form.boxes.items() if name == "accept"}
    page = reader.submit(page, form, {"action": "accept", **ticks})
    assert "/confirmar/" in page.url, page.text
    page = reader.submit(page, page.form("csrfmiddlewaretoken"))
    assert "/recibo/" in page.url, page.text
    return page


def query(site: Installation, *statements: str) -> list[tuple]:
    """Execute SQL statements in the installation's SQLite file. Return the rows of the last one."""
    path = Path(site.environment["BAZA_VAR"]) / "baza.sqlite3"
    with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as database:
        return [database.execute(statement).fetchall() for statement in statements][-1]


def row_counts(site: Installation) -> dict[str, int]:
    tables = ["players_player", "tournaments_tournament", "ledger_ledgerentry", "auth_user"]
    return {table: query(site, f"SELECT count(*) FROM {table}")[0][0] for table in tables}


def run_states(site: Installation) -> set[str]:
    return {state for (state,) in query(site, "SELECT DISTINCT state FROM ledger_scoringrun")}


def is_written_to(site: Installation) -> bool:
    """Return whether another process has held the database's write lock for a second."""
    try:
        query(site, "BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False


def test_up_starts_a_demo_federation_in_which_an_upload_earns_points(alone: Installation):
    process, reader = start(alone)
    text = alone.log_text()
    assert all(name in text for name in ("director", "club", "oficina", "comite", "auditor", "jugador"))
    assert PASSWORD in text
    before = row_counts(alone)
    assert before["players_player"] == 800
    assert reader.get("/").status == 200
    assert sign_in(reader, "director").status == 200
    sample = next(Path(alone.environment["BAZA_VAR"], "demo").glob("pool-para-subir.csv"))
    upload_sample(reader, sample)
    servers.wait_until(lambda: run_states(alone) == {"done"}, "the worker to score")
    after = row_counts(alone)
    assert after["tournaments_tournament"] == before["tournaments_tournament"] + 1
    assert after["ledger_ledgerentry"] > before["ledger_ledgerentry"]
    assert interrupt(process) == []
    assert process.returncode == 0
    # Both processes get the signal and stop without waiting for each other.
    assert "SIGKILL" not in alone.log_text()

    process, reader = start(alone)
    assert reader.get("/salud/").status == 200
    assert row_counts(alone) == after
    process.send_signal(signal.SIGTERM)  # a service manager signals only the parent
    assert process.wait(30) == 0
    assert "Traceback" not in alone.log_text()


def test_up_reports_a_taken_port_in_one_line(alone: Installation):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = alone.run(sys.executable, "manage.py", "up", "--port", str(port))
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1
    assert str(port) in done.stderr
    assert not (Path(alone.environment["BAZA_VAR"]) / "baza.sqlite3").exists()


@pytest.mark.parametrize("port", ["0", "65536", "eighty"])
def test_up_refuses_an_invalid_port(alone: Installation, port: str):
    done = alone.run(sys.executable, "manage.py", "up", "--port", port)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_up_uses_the_configured_database_and_redis(site: Installation):
    process, reader = start(site, "--no-demo")
    site.act("confirm", 2)
    site.wait_scored()
    health = servers.wait_until(
        lambda: (page := reader.get("/salud/").text) and '"ok"' in page and page, "the worker's heartbeat"
    )
    assert re.search(r'"standings_as_of": "\d{4}-\d{2}-\d{2}"', health)
    assert interrupt(process) == []


def test_up_resumes_an_interrupted_category_change_after_a_restart(alone: Installation):
    alone.migrate()
    campaign = alone.act("campaign", "published")
    before = alone.act("outcome", campaign)
    # Writing the changes, which comes last, never ends; the categories are already assigned by then.
    query(
        alone,
        "CREATE VIEW endless AS"
        " WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        "CREATE TRIGGER stuck AFTER INSERT ON promotions_campaignchange"
        " BEGIN SELECT count(*) FROM endless; END",
    )
    alone.act("ask", campaign, "apply")
    # The message is lost with the process that queued it in memory; let the sweeper find the task at once.
    query(alone, "UPDATE promotions_campaigntask SET enqueued_at = '2026-01-01 00:00:00'")
    tasks = "SELECT state, attempts FROM promotions_campaigntask WHERE verb = 'apply'"
    process, _reader = start(alone, "--no-demo")
    wait_with_log(alone, lambda: query(alone, tasks) == [("running", 1)], "the worker to take the task")
    wait_with_log(alone, lambda: is_written_to(alone), "the worker to be half-way")
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    # The children end with their parent, whatever they are doing.
    assert psutil.wait_procs(children, timeout=30)[1] == []
    query(
        alone,
        "DROP TRIGGER stuck",
        "DROP VIEW endless",
        "UPDATE promotions_campaigntask SET lease_until = '2026-01-01 00:00:00' WHERE state = 'running'",
    )
    assert alone.act("outcome", campaign) == before
    assert before["unequal"] == []
    start(alone, "--no-demo")
    wait_with_log(alone, lambda: query(alone, tasks) == [("done", 2)], "the worker to apply the change")
    after = alone.act("outcome", campaign)
    assert (after["state"], after["changes"], after["given"], after["unequal"]) == ("applied", 2, 2, [])
