"""Error reports: a local endpoint receives what would be sent, and searches it for personal data."""

import gzip
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests import servers
from tests.folders import ROOT

PROGRAM = """
import django
django.setup()
import logging
from django.conf import settings
from django.test import Client
from django.urls import path
import sentry_sdk, sys, types

def broken(request):
    secret = "Xilandra"
    raise ValueError(f"{secret} {request.POST} {request.GET}")

from federation import urls as own

urls = types.ModuleType("urls_of_the_test")
urls.urlpatterns = [path("broken/", broken, name="broken"), *own.urlpatterns]
urls.handler500 = own.handler500
sys.modules["urls_of_the_test"] = urls
settings.ROOT_URLCONF = "urls_of_the_test"
client = Client(raise_request_exception=False, REMOTE_ADDR="203.0.113.77")
client.cookies["session"] = "cookiecanary"
headers = {"Authorization": "Bearer tokencanary"}
client.post("/broken/?q=papagayo", {"name": "Quorvander"}, headers=headers)
logging.getLogger("baza").error("the letter to %s failed", "xilandra.q@canary.example")
sentry_sdk.flush(10)
"""
CANARIES = [
    "Xilandra",
    "Quorvander",
    "papagayo",
    "cookiecanary",
    "tokencanary",
    "canary.example",
    "203.0.113.77",
]


@pytest.fixture
def endpoint():
    """Yield the DSN of a local endpoint, and the list of what it receives."""
    received: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            zipped = self.headers.get("Content-Encoding") == "gzip"
            received.append((gzip.decompress(body) if zipped else body).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://key@127.0.0.1:{server.server_address[1]}/1", received
    server.shutdown()
    thread.join()


def test_a_report_names_the_error_and_nobody(endpoint, tmp_path):
    dsn, received = endpoint
    environment = servers.clean_environment(
        BAZA_VAR=str(tmp_path), SENTRY_DSN=dsn, DJANGO_SETTINGS_MODULE="federation.settings",
        PYTHONPATH=str(ROOT), BAZA_HOSTS="testserver",
    )  # fmt: skip
    program = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60
    )
    assert program.returncode == 0, program.stderr
    text = "\n".join(received)
    events = [json.loads(line) for line in text.splitlines() if line.startswith("{") and '"level"' in line]
    errors = [value["type"] for event in events for value in (event.get("exception") or {}).get("values", [])]
    assert "ValueError" in errors
    assert any(event.get("tags", {}).get("view") == "broken" for event in events)
    assert any((event.get("logentry") or {}).get("message") == "the letter to %s failed" for event in events)
    assert [canary for canary in CANARIES if canary in text] == []
