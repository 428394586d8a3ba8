"""Several hosts as processes of this machine, at their own addresses of 127.0.0.0/8.

Two web hosts and two workers use PostgreSQL through PgBouncer in transaction mode, a streaming replica,
Redis, and a bucket for uploaded files. Programs of clubs' computers upload and confirm through any web host.
"""

import json
import re
import subprocess
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests import servers
from tests.pages import Page
from tests.system.conftest import PATIENCE, Installation, kill_group
from tests.system.web import Answer, Reader, multipart

PAGE = "/torneos/"
PAGES = re.compile(r'baza_shared_pages_total\{database="(\w+)"\} ([\d.]+)')
TOURNAMENT = re.compile(r"/torneos/\d{4}/[\w-]+/")
SCORED = "SELECT count(DISTINCT tournament_id) FROM ledger_scoringrun WHERE state = 'done'"
FIELDS = {"event_type": "pool", "venue": "in_person", "boards": "24"}


@dataclass
class Web:
    """A web host: gunicorn at an address of its own."""

    site: Installation
    address: str
    environment: dict[str, str]
    process: subprocess.Popen | None = None
    port: int = field(default_factory=servers.free_port)

    @property
    def base(self) -> str:
        return f"http://{self.address}:{self.port}"

    def start(self) -> None:
        command = ["gunicorn", "-c", "federation/gunicorn_conf.py", "federation.wsgi"]
        own = {"HOST": self.address, "PORT": str(self.port), "WEB_CONCURRENCY": "1", **self.environment}
        self.process = self.site.start(*command, log=self.address, **own)
        servers.wait_until(self.answers, f"{self.address} to answer", PATIENCE)

    def answers(self) -> bool:
        try:
            return self.get("/salud/").status == 200
        except OSError:
            return False

    def kill(self) -> None:
        kill_group(self.process)

    def get(self, path: str) -> Answer:
        return Reader(self.base).get(path)

    def tournaments(self) -> int:
        """Return the number of tournaments in the public list, as this host shows it."""
        answer = self.get(PAGE)
        assert answer.status == 200, (self.address, answer.status)
        return len(set(filter(TOURNAMENT.fullmatch, Page(answer.text).addresses)))

    def pages_from(self, database: str) -> int:
        """Return how many public pages this host has read from "primary" or "replica"."""
        return int(float(dict(PAGES.findall(self.get("/metricas/").text)).get(database, 0)))


@dataclass
class Club:
    """A club's computer, with a token that may confirm, and files to send."""

    code: str
    token: str
    files: list[str]

    def send(self, web: Web, number: int) -> str | None:
        """Send a file and confirm it. Return the upload's id, or None if the host does not answer."""
        stated = {**FIELDS, "name": f"Pool {number}", "end_date": f"2026-03-{number + 1:02}"}
        try:
            upload = self._post(web, "", stated, self.files[number])
            return self._post(web, f"/{upload['id']}/confirm")["id"]
        except HTTPError as error:
            assert error.code in (502, 503), (error.code, error.read())
        except (OSError, HTTPException):
            pass
        return None

    def post(self, web: Web, number: int) -> int:
        """Send a file without confirming it. Return the status of the answer."""
        try:
            self._post(web, "", FIELDS, self.files[number])
        except HTTPError as error:
            return error.code
        return 201

    def show(self, web: Web, upload: str) -> dict:
        return self._post(web, f"/{upload}", method="GET")

    def _post(
        self, web: Web, path: str, fields: dict | None = None, text: str | None = None, method: str = "POST"
    ) -> dict:
        request = Request(f"{web.base}/api/v1/clubs/{self.code}/uploads{path}", method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        if text is not None:
            boundary = uuid.uuid4().hex
            pairs = list((fields or {}).items())
            request.data = multipart(boundary, pairs, {"file": ("pool.csv", text.encode())})
            request.add_header("Content-Type", f"multipart/form-data; boundary={boundary}")
        with urlopen(request, timeout=60) as response:
            return json.load(response)


@dataclass
class Hosts:
    """The hosts of an installation. `site` reaches the primary without the pooler."""

    site: Installation
    replica: servers.Postgres
    pooler: servers.Pooler
    webs: list[Web]
    workers: list[subprocess.Popen] = field(default_factory=list)

    def worker(self) -> subprocess.Popen:
        """Start a worker, on a host of its own."""
        behind = {"DATABASE_URL": self.pooler.url("work"), "DATABASE_POOLER": "transaction"}
        self.workers.append(self.site.worker(**behind))
        return self.workers[-1]

    def club(self, files: int) -> Club:
        made = self.site.act("club_token", files)
        self.site.query("UPDATE players_clubtoken SET may_confirm = true RETURNING id")
        return Club(made["club"], made["token"], made["files"])

    def scored(self) -> int:
        """Return the number of scored tournaments in the primary."""
        return self.site.query(SCORED)[0][0]

    def wait_replayed(self) -> None:
        """Wait until the replica has replayed what the primary has committed."""
        (position,) = self.site.query("SELECT pg_current_wal_flush_lsn()::text")[0]
        asked = f"SELECT pg_last_wal_replay_lsn() >= '{position}'"
        servers.wait_until(lambda: _answer(self.replica, asked), "the replica to replay")


def _answer(server: servers.Postgres, statement: str) -> object:
    import psycopg

    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        return connection.execute(statement).fetchone()[0]


@contextmanager
def hosts(primary: servers.Postgres, site: Installation, replica: servers.Postgres) -> Iterator[Hosts]:
    """Start all parts of an installation on several hosts, except workers.

    replica: a copy of the primary that is not running yet
    """
    with ExitStack() as stack:
        database = site.environment["DATABASE_URL"].rpartition("/")[2]
        pooler = stack.enter_context(servers.pooler(primary, database))
        buckets = stack.enter_context(servers.s3_server())
        buckets.create("results")
        site.environment |= {
            "BAZA_FILES": buckets.address("results"),
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "BAZA_METRICS_FROM": "127.0.0.0/8",
            "BAZA_HOSTS": "*",
        }
        replica.start()
        behind = {
            "DATABASE_URL": pooler.url("pages"),
            "DATABASE_POOLER": "transaction",
            "DATABASE_REPLICA_URL": replica.url(database),
        }
        webs = [Web(site, address, behind) for address in ("127.0.0.11", "127.0.0.12")]
        for web in webs:
            web.start()
        try:
            yield Hosts(site, replica, pooler, webs)
        finally:
            site.stop()


class Watcher(threading.Thread):
    """A reader who goes from host to host. `complaints` says what it must not see.

    A page must show at least what the primary had committed when the page was asked for, and so never less
    than the page before.
    """

    def __init__(self, hosts: Hosts, webs: Sequence[Web]) -> None:
        super().__init__(daemon=True)
        self.hosts, self.webs = hosts, webs
        self.complaints: list[str] = []
        self.pages, self.refused = 0, 0
        self.stopping = threading.Event()

    def run(self) -> None:
        turn = 0
        while not self.stopping.wait(0.02):
            web = self.webs[turn % len(self.webs)]
            turn += 1
            scored = self.hosts.scored()
            try:
                seen = web.tournaments()
            except (OSError, HTTPException):
                self.refused += 1
                continue
            except AssertionError as error:
                self.complaints.append(str(error))
                continue
            self.pages += 1
            if seen < scored:
                self.complaints.append(f"{web.address} shows {seen} of {scored} tournaments")

    def __enter__(self) -> "Watcher":
        self.start()
        return self

    def __exit__(self, *_error) -> None:
        self.stopping.set()
        with suppress(RuntimeError):
            self.join(60)
