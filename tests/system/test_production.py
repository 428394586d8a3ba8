"""The production setup of docs/production.md: gunicorn with PostgreSQL and Redis, behind a TLS proxy."""

import json
import secrets

from tests import servers
from tests.headers import wrong_headers
from tests.system.conftest import Installation
from tests.system.web import Reader, Stay

TLS = {"X-Forwarded-Proto": "https", "Host": "baza.example.org"}


def test_gunicorn_redirects_to_https_and_serves_pages_and_static_files(site: Installation):
    reader = started(site)
    plain = reader.get("/", Host="baza.example.org")
    assert (plain.status, plain.headers["Location"]) == (301, "https://baza.example.org/")
    program = reader.get("/api/v1/openapi.json", Host="baza.example.org")
    assert (program.status, json.loads(program.text)["code"]) == (403, "plain_http")
    home = reader.get("/", **TLS)
    assert home.status == 200
    assert "max-age=31536000" in home.headers["Strict-Transport-Security"]
    sheet = home.text.split('.css"')[0].rpartition('"')[2] + ".css"
    assert sheet.startswith("/static/")
    style = reader.get(sheet, **TLS)
    assert (style.status, "immutable" in style.headers["Cache-Control"]) == (200, True)
    moved = reader.get("/clubes/", **TLS, SCRIPT_NAME="/evil")
    assert moved.status == 200 and "/evil" not in moved.text
    stranger = reader.get("/", **TLS | {"Host": "evil.example.com"})
    missing = reader.get("/no-such-page/", **TLS)
    assert (stranger.status, missing.status) == (400, 404)
    for answer in (plain, program, home, style, stranger, missing):
        assert wrong_headers(answer) == []
        assert answer.headers["Server"] == "baza"
    for answer in (home, style, stranger, missing):
        assert "includeSubDomains" in answer.headers["Strict-Transport-Security"]


def test_only_a_trusted_proxy_can_declare_a_request_as_https(site: Installation):
    reader = started(site, FORWARDED_ALLOW_IPS="192.0.2.1")
    answer = reader.get("/", **TLS)
    assert (answer.status, answer.headers["Location"]) == (301, "https://baza.example.org/")


def started(site: Installation, **environment: str) -> Reader:
    """Start production under gunicorn. Return a reader of its pages that does not follow redirects."""
    port = servers.free_port()
    site.environment |= {
        "BAZA_PRODUCTION": "1",
        "BAZA_SECRET_KEY": secrets.token_urlsafe(60),
        "BAZA_HOSTS": "baza.example.org",
        "BAZA_PROXIES": "1",
        "EMAIL_HOST": "mail.example.org",
        "BAZA_STATIC": str(site.folder / "static"),
        "PORT": str(port),
        "WEB_CONCURRENCY": "1",
        **environment,
    }
    site.manage("collectstatic", "--no-input", "--verbosity", "0")
    process = site.start("gunicorn", "-c", "federation/gunicorn_conf.py", "federation.wsgi")
    reader = Reader(f"http://127.0.0.1:{port}", Stay())
    servers.wait_until(lambda: process.poll() is not None or _up(reader), "gunicorn to answer", 90)
    assert process.poll() is None, site.log_text()
    return reader


def _up(reader: Reader) -> bool:
    try:
        return reader.get("/salud/", **TLS).status in (200, 301)
    except OSError:
        return False
