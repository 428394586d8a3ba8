"""The services and the proxy of `deploy/`, started for real, with the application's role of the database."""

import json
import os
import socket
import ssl
import subprocess
import sys
import warnings
from contextlib import ExitStack
from urllib.request import HTTPRedirectHandler

import psycopg
import pytest

from tests import servers
from tests.deploy.conftest import Installed, as_role
from tests.factories import PASSWORD
from tests.folders import ROOT
from tests.system.web import Reader, Stay

pytestmark = pytest.mark.needs("nginx")

FORBIDDEN = [
    "UPDATE ledger_ledgerentry SET points = points + 1",
    "DELETE FROM ledger_ledgerentry",
    "TRUNCATE ledger_ledgerentry CASCADE",
    "UPDATE ledger_scoringrun SET inputs = '[]'",
    "UPDATE ledger_scoringrun SET input_digest = ''",
    "UPDATE promotions_campaignact SET reason = ''",
    "DELETE FROM players_accountevent",
    "DELETE FROM django_migrations",
    "DROP TRIGGER guard_ledger_ledgerentry_append_only ON ledger_ledgerentry",
    "ALTER TABLE ledger_ledgerentry DISABLE TRIGGER ALL",
    "SET session_replication_role = replica",
    "CREATE OR REPLACE FUNCTION guard_ledger_ledgerentry_append_only() RETURNS trigger LANGUAGE plpgsql "
    "AS $$ BEGIN RETURN NEW; END $$",
    "ALTER TABLE players_player ADD COLUMN note text",
    "CREATE TABLE own (id int)",
    "CREATE TEMPORARY TABLE ledger_ledgerentry (id int)",
    "DROP TABLE players_player CASCADE",
    "SET ROLE baza_owner",
]
HIDDEN = [
    "SELECT password FROM auth_user",
    "SELECT * FROM auth_user",
    "SELECT * FROM django_session",
    "SELECT * FROM usersessions_usersession",
    "SELECT * FROM mfa_authenticator",
    "SELECT * FROM players_signupkey",
    "SELECT digest FROM players_clubtoken",
    "SELECT digest FROM players_invitation",
    "SELECT * FROM privacy_datacopy",
    "UPDATE players_player SET surname = ''",
    "INSERT INTO players_tally DEFAULT VALUES",
]


def allowed(url: str, statements: list[str]) -> list[str]:
    """Return the statements that the database does not refuse for lack of rights."""
    result = []
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            try:
                connection.execute(statement)
            except psycopg.errors.InsufficientPrivilege:
                continue
            result.append(statement)
    return result


def test_people_sign_in_and_workers_score_without_the_owners_rights(installed: Installed):
    inside = installed.inside
    inside.act("account")
    installed.host.start("baza-worker@1.service")
    inside.act("confirm", 2)
    reader = installed.reader(HTTPRedirectHandler())
    page = reader.get("/cuenta/entrar/")
    signed_in = reader.submit(page, page.form("login"), {"login": "lola", "password": PASSWORD})
    assert (signed_in.status, "/cuenta/entrar/" in signed_in.url) == (200, False)
    inside.wait_scored()
    assert inside.act("audit") == []
    logs = "".join(path.read_text() for path in installed.host.folder.glob("*.log"))
    assert "permission denied" not in logs
    assert allowed(inside.environment["DATABASE_URL"], FORBIDDEN) == []


def test_the_reader_of_the_database_sees_points_and_no_secrets(installed: Installed):
    url = as_role(installed.owner, "baza_reader")
    assert allowed(url, ["SELECT * FROM ledger_ledgerentry", "SELECT username FROM auth_user", *HIDDEN]) == [
        "SELECT * FROM ledger_ledgerentry",
        "SELECT username FROM auth_user",
    ]


def test_the_proxy_speaks_https_alone_and_leaves_compressing_to_the_application(installed: Installed):
    plain = Reader(f"http://127.0.0.1:{installed.proxy.http}", Stay()).get("/torneos/?q=a")
    assert (plain.status, plain.headers["Location"]) == (301, "https://127.0.0.1/torneos/?q=a")
    program = Reader(f"http://127.0.0.1:{installed.proxy.http}", Stay()).get("/api/v1/clubs/A/uploads/1")
    assert (program.status, json.loads(program.text)["code"]) == (403, "plain_http")
    reader = installed.reader()
    home = reader.get("/", **{"Accept-Encoding": "gzip", "X-Forwarded-Proto": "http"})
    assert (home.status, home.headers["Content-Encoding"]) == (200, "gzip")
    assert home.headers["Server"] == "nginx"
    assert "includeSubDomains" in home.headers["Strict-Transport-Security"]
    signed_in = {"Accept-Encoding": "gzip", "Cookie": "__Host-session=abc"}
    assert reader.get("/cuenta/entrar/", **signed_in).headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in reader.get("/cuenta/entrar/?next=/a/", **signed_in).headers


def test_old_versions_and_weak_ciphers_of_tls_are_refused(installed: Installed):
    context = ssl._create_unverified_context()  # noqa: S323
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with socket.create_connection(("127.0.0.1", installed.proxy.https)) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain)
    weak = ssl._create_unverified_context()  # noqa: S323
    weak.maximum_version = ssl.TLSVersion.TLSv1_2
    weak.set_ciphers("AES128-SHA:AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", installed.proxy.https)) as plain, pytest.raises(ssl.SSLError):
        weak.wrap_socket(plain)


def slow_sender(installed: Installed, port: int, stack: ExitStack) -> socket.socket:
    """Send the beginning of a form, and leave the connection open."""
    sender = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=servers.PATIENCE))
    if port == installed.proxy.https:
        context = ssl._create_unverified_context()  # noqa: S323
        sender = stack.enter_context(context.wrap_socket(sender))
    lines = [
        "POST /cuenta/entrar/ HTTP/1.1",
        "Host: 127.0.0.1",
        f"Origin: https://127.0.0.1:{installed.proxy.https}",
        "X-Forwarded-Proto: https",
        f"Cookie: __Host-csrf={'a' * 32}",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 100000",
        "",
        "csrfmiddlewaretoken=",
    ]
    sender.sendall("\r\n".join(lines).encode())
    return sender


def test_slow_senders_keep_no_thread_waiting_and_one_address_has_a_limit(installed: Installed):
    """Senders who never finish leave all threads free. Without the proxy, four of them block all four."""
    reader = installed.reader()
    with ExitStack() as stack:
        for _ in range(19):
            slow_sender(installed, installed.proxy.https, stack)
        assert reader.get("/static/favicon.svg").status in (200, 404)
        assert reader.get("/salud/").status == 200
        slow_sender(installed, installed.proxy.https, stack)
        servers.wait_until(lambda: reader.get("/static/x").status == 429, "the limit of connections")
    with ExitStack() as stack:
        for _ in range(4):
            slow_sender(installed, installed.pages, stack)
        waiting = stack.enter_context(socket.create_connection(("127.0.0.1", installed.pages), timeout=2))
        waiting.sendall(b"GET /salud/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\n\r\n")
        with pytest.raises(TimeoutError):
            waiting.recv(1)


def test_docker_asks_whether_the_pages_answer(installed: Installed):
    script = [sys.executable, str(ROOT / "deploy" / "healthcheck.py")]
    for port, code in [(installed.pages, 0), (servers.free_port(), 1)]:
        environment = {**os.environ, "PORT": str(port), "BAZA_HOSTS": "127.0.0.1, other.example.org"}
        done = subprocess.run(script, env=environment, capture_output=True, text=True)
        assert done.returncode == code, done.stderr


def test_a_program_that_asks_too_often_is_refused_and_static_files_are_not_counted(installed: Installed):
    """The last test, because it uses up what this address may ask for."""
    reader = installed.reader()
    servers.wait_until(lambda: reader.get("/salud/").status == 429, "the limit of requests")
    assert reader.get("/static/x").status == 404
