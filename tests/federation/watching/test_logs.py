"""Log lines: one line for each event, the id of the request on it, and no personal data.

The canaries are texts of every kind that must not reach the log: they are put in wherever people or programs
can write, everything is logged (also every statement), and each line is searched for all of them.
"""

import io
import json
import logging

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, OperationalError, ProgrammingError, transaction
from django.test import Client
from django.urls import reverse

from federation import alarms
from federation.watching import logs, request_ids, statements
from players.models import Player
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import queue
from tests import factories as make
from tournaments.formats import sandbox

CANARIES = {
    "name": "Xilandra",
    "surname": "Quorvander",
    "number": "7340912",
    "address": "xilandra.q@canary.example",
    "file": "kanarienvogel",
    "search": "papagayo",
    "token": "tokencanary4711",
    "password": "contrasena-canaria-9",
}


@pytest.fixture
def lines():
    """Log everything as production does, and return a function that reads the lines as objects."""
    handler = logging.StreamHandler(stream := io.StringIO())
    handler.setFormatter(logs.formatter("json", private=True))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture
def every_statement(settings) -> None:
    settings.SLOW_QUERY_MS = 0.000001


def assert_no_canary(events: list[dict]) -> None:
    text = json.dumps(events, ensure_ascii=False).lower()
    assert {kind for kind, canary in CANARIES.items() if canary.lower() in text} == set()


@pytest.mark.django_db
@pytest.mark.usefixtures("every_statement")
def test_no_personal_data_of_requests_reach_the_log(lines, client, monkeypatch):
    player = make.player(
        given_name=CANARIES["name"], surname=CANARIES["surname"], number=CANARIES["number"],
        email=CANARIES["address"],
    )  # fmt: skip
    director = make.director(make.club())
    client.get(player.get_absolute_url())
    client.get(f"/jugadores/1-{CANARIES['name']}/")  # 404
    client.get(reverse("search"), {"q": f"{CANARIES['search']} {CANARIES['name']}"})
    client.post(reverse("account_login"), {"login": CANARIES["address"], "password": CANARIES["password"]})
    client.get("/api/v1/", headers={"Authorization": f"Bearer {CANARIES['token']}"})
    Client(enforce_csrf_checks=True).post(reverse("account_login"), {"login": CANARIES["address"]})
    client.get("/", headers={"Host": f"{CANARIES['name']}.example"})
    client.force_login(director)
    broken = SimpleUploadedFile(f"{CANARIES['file']}.xml", b"<USEBIO><EVENT>" + CANARIES["name"].encode())
    client.post(reverse("upload_start"), {"file": broken})
    monkeypatch.setattr("scoring.pages.views.search.render", fail)
    client.raise_request_exception = False
    assert client.get(reverse("search"), {"q": CANARIES["search"]}).status_code == 500
    events = lines()
    assert {"player", "search", "account_login"} <= {event.get("view") for event in events}
    assert any(event["event"].startswith("a statement took") for event in events)
    assert any(event["event"] == "answered 500" for event in events)
    assert_no_canary(events)


def fail(*_args, **_kwargs):
    raise ValueError(f"{CANARIES['name']} {CANARIES['address']} {CANARIES['number']}")


@pytest.mark.django_db(transaction=True)
def test_no_personal_data_of_work_reach_the_log(lines, caplog):
    make.player(number=CANARIES["number"], surname=CANARIES["surname"])
    make.scored((make.player(), make.player()), (make.player(), make.player()))
    run = ScoringRun.objects.get()
    ScoringRun.objects.filter(pk=run.pk).update(state="running")
    try:
        with transaction.atomic():
            Player.objects.create(number=CANARIES["number"], surname=CANARIES["surname"], given_name="x")
    except IntegrityError as error:
        queue.postpone(run, error)
        logging.getLogger("baza").exception("a name twice: %s", error)
    alarms.report(
        alarms.Problem("late", "Late. It says: %(error)s", {"error": f"ValueError: {CANARIES['name']}"})
    )
    logging.getLogger("celery.app.trace").error(
        "Task %(name)s[%(id)s] %(description)s: %(exc)s",
        {"name": "perform", "id": "1", "description": "raised", "exc": repr(ValueError(CANARIES["name"]))},
    )
    logging.getLogger("gunicorn.error").error("Error handling request %s", f"/?q={CANARIES['search']}")
    messages = f'Traceback\n  File "a.py", line 1, in f\nValueError: {CANARIES["name"]}'
    sandbox._failure_of(sandbox.Finished(1, b"", messages.encode()), 5)
    events = lines()
    texts = " ".join(event["event"] for event in events)
    assert "IntegrityError" in texts and "ValueError" in texts and 'File "a.py"' in texts
    assert_no_canary(events)


@pytest.mark.parametrize("style", ["plain", "json"])
@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\x1b[2J"])
def test_nobody_can_forge_a_log_line(style, ending):
    handler = logging.StreamHandler(stream := io.StringIO())
    handler.setFormatter(logs.formatter(style, private=True))
    record = logging.LogRecord(
        "baza", logging.WARNING, "f", 1, "name %s", (f"a{ending}ERROR root: forged",), None
    )
    handler.handle(record)
    (line,) = stream.getvalue().splitlines()
    assert "forged" in line and ending not in line


def test_developers_see_whole_tracebacks():
    handler = logging.StreamHandler(stream := io.StringIO())
    handler.setFormatter(logs.formatter("plain", private=False))
    logger = logging.Logger("baza")
    logger.addHandler(handler)
    try:
        fail()
    except ValueError:
        logger.exception("failed")
    assert CANARIES["name"] in stream.getvalue() and "Traceback" in stream.getvalue()


# --- Ids ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stated", "proxies", "kept"),
    [
        ("4bf92f3577b34da6a3ce929d0e0e4736", 1, True),
        ("4bf92f3577b34da6a3ce929d0e0e4736", 0, False),  # a client's own word
        ("short", 1, False),
        ("a" * 65, 1, False),
        ("4bf92f3577b34da6 ERROR", 1, False),
        ("4bf92f3577b34da6<script>", 1, False),
        ("", 1, False),
    ],
)
def test_the_id_of_a_proxy_is_taken_if_it_is_well_formed(client, settings, stated, proxies, kept):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    given_back = client.get("/robots.txt", headers={"X-Request-ID": stated})["X-Request-ID"]
    assert (given_back == stated) == kept
    assert given_back and given_back != client.get("/robots.txt")["X-Request-ID"]


@pytest.mark.django_db
def test_an_error_page_shows_the_id_that_the_log_has(lines, client, monkeypatch):
    monkeypatch.setattr("scoring.pages.views.search.render", fail)
    client.raise_request_exception = False
    response = client.get(reverse("search"), {"q": "x"})
    request_id = response["X-Request-ID"]
    assert request_id in response.content.decode()
    assert {event["request_id"] for event in lines()} == {request_id}


def test_a_task_has_the_id_of_its_request_and_names_its_row(lines):
    class Task:
        class request:
            headers = {}

    request_ids.bind_contextvars(request_id="f" * 32)
    request_ids._send(headers=Task.request.headers)
    request_ids._begin(Task, args=("ledger.scoringrun", 7))
    logging.getLogger("baza").warning("in the task")
    request_ids._end()
    logging.getLogger("baza").warning("after it")
    inside, after = lines()
    assert (inside["work"], inside["row"], inside["request_id"]) == ("ledger.scoringrun", 7, "f" * 32)
    assert "work" not in after and "request_id" not in after


def test_why_no_database_was_reached_is_in_the_line(lines):
    """Nobody can mend what is called OperationalError alone. The message names a server, and no person."""
    try:
        psycopg.connect("postgresql://baza_app:secret@127.0.0.1:1/baza", connect_timeout=1)
    except psycopg.OperationalError as cause:
        try:
            raise OperationalError(str(cause)) from cause
        except OperationalError:
            logging.getLogger("baza").exception("the database is unavailable")
    (event,) = lines()
    assert "127.0.0.1" in event["exception"][0] and "refused" in event["exception"][0]
    assert "secret" not in json.dumps(event)


def test_the_name_of_an_errors_code_is_in_the_line():
    error = ProgrammingError(CANARIES["name"])
    error.__cause__ = psycopg.errors.InsufficientPrivilege(CANARIES["name"])
    assert logs.summary(error) == "ProgrammingError InsufficientPrivilege 42501"


# --- Slow statements ------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_a_slow_statement_is_logged_without_its_values(lines, settings):
    settings.SLOW_QUERY_MS = 0.000001
    Player.objects.filter(surname=CANARIES["surname"]).exists()
    (event,) = [event for event in lines() if event["event"].startswith("a statement took")]
    assert "%s" in event["event"]
    assert statements.latest()[0]["sql"] in event["event"]
    settings.SLOW_QUERY_MS = 60_000
    Player.objects.exists()
    assert len(statements.latest()) == 1


def test_the_rows_of_an_insert_are_logged_once(lines, settings):
    settings.SLOW_QUERY_MS = 0.000001
    sql = 'INSERT INTO "a" ("b", "c") VALUES (%s, now()), (%s, %s), (%s, %s), (%s, %s) RETURNING "id"'
    statements.timed(lambda *_args: None, sql, [], False, {})
    assert statements.latest()[0]["sql"] == (
        'INSERT INTO "a" ("b", "c") VALUES (%s, now()), (%s, %s), … RETURNING "id"'
    )
