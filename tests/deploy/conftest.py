"""An installation as docs/production.md describes it, from the files in `deploy/`."""

import os
import secrets
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler

import psycopg
import pytest

from tests import servers
from tests.deploy import image
from tests.deploy.nginx import Proxy, configuration, nginx
from tests.deploy.units import Host
from tests.folders import ROOT
from tests.system.conftest import TEMPLATE, Installation, cluster, migrated
from tests.system.web import Reader, Stay

__all__ = ["cluster", "migrated"]

# The migrated tables are given to the owner's role, which is no superuser.
OWNED = """
DO $$ DECLARE statement text; BEGIN
    FOR statement IN
        SELECT format('ALTER TABLE %I OWNER TO baza_owner', tablename) FROM pg_tables
        WHERE schemaname = 'public'
        UNION ALL
        SELECT format('ALTER FUNCTION %I OWNER TO baza_owner', proname) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    LOOP EXECUTE statement; END LOOP;
END $$
"""


@dataclass
class Installed:
    """An installation that runs.

    host: its services
    inside: acts and queries with the application's role
    owner: the address of its database for the owner
    pages: the port of gunicorn
    proxy: nginx before it
    """

    host: Host
    inside: Installation
    owner: str
    pages: int
    proxy: Proxy

    def reader(self, *handlers) -> Reader:
        """Return a reader that comes through the proxy and follows no redirect unless `handlers` say so."""
        unchecked = HTTPSHandler(context=ssl._create_unverified_context())  # noqa: S323 (a certificate of the test)
        return Reader(f"https://127.0.0.1:{self.proxy.https}", unchecked, *(handlers or [Stay()]))


def create_database(cluster: servers.Postgres, secrets: Path) -> str:
    """Create roles and database as in Docker, but with migrated tables. Return the owner's address."""
    for name in ("owner", "application", "reader"):
        (secrets / f"{name}_password").write_text("it's secret\n")
    environment = {
        **os.environ,
        "PATH": f"{servers.postgres_programs()}{os.pathsep}{os.environ['PATH']}",
        "PGHOST": "127.0.0.1",
        "PGPORT": str(cluster.port),
        "POSTGRES_USER": "baza",
        "SECRETS": str(secrets),
    }
    cluster.execute("DROP DATABASE IF EXISTS baza")
    subprocess.run([ROOT / "deploy/compose/roles.sh"], env=environment, check=True, capture_output=True)
    cluster.execute("DROP DATABASE baza")
    cluster.execute(f'CREATE DATABASE baza TEMPLATE "{TEMPLATE}" OWNER baza_owner')
    with psycopg.connect(cluster.url()) as connection:
        connection.execute(OWNED)
    return as_role(cluster.url(), "baza_owner")


def as_role(url: str, role: str) -> str:
    """Return the address of a database for another role."""
    return urlsplit(url)._replace(netloc=f"{role}@{urlsplit(url).netloc.rpartition('@')[2]}").geturl()


@contextmanager
def installation(cluster: servers.Postgres, folder: Path, limits: dict[str, str]) -> Iterator[Installed]:
    """Start pages and proxy in the order of docs/production.md. Workers are left to the test.

    limits: texts to replace in the configuration of the proxy
    """
    host = Host(folder)
    owner = create_database(cluster, folder / "etc")
    with servers.redis_server() as redis:
        pages = host.listen("baza-web.socket")
        proxy = configuration(folder / "nginx", pages, limits)
        inside = Installation(configure(host, owner, redis, proxy), folder, redis)
        try:
            collect_static(inside)
            host.start("baza-migrate.service")
            host.start("baza-web.service")
            with nginx(proxy):
                yield Installed(host, inside, owner, pages, proxy)
        finally:
            inside.stop()
            host.stop()


@pytest.fixture(scope="module")
def installed(migrated: servers.Postgres, tmp_path_factory) -> Iterator[Installed]:
    """An installation with low limits of requests in the proxy."""
    lower = {
        "rate=20r/s": "rate=1r/m",
        "burst=200": "burst=40",
        "baza_connections 100": "baza_connections 20",
    }
    with installation(migrated, tmp_path_factory.mktemp("installed"), lower) as started:
        yield started


def collect_static(inside: Installation) -> None:
    """Run the line of the Dockerfile that collects the static files."""
    (line,) = [line for line in image.instructions("RUN") if "collectstatic" in line]
    line = image.PROGRAMS.sub(f"{Path(sys.executable).parent}/", line)
    environment = servers.clean_environment(BAZA_STATIC=inside.environment["BAZA_STATIC"])
    subprocess.run(["sh", "-ec", line], cwd=ROOT, env=environment, check=True, capture_output=True)


def configure(host: Host, owner: str, redis: servers.Redis, proxy: Proxy) -> dict[str, str]:
    """Write the files of /etc/baza/. Return the environment of programs that are started by hand."""
    values = {
        "database_url": as_role(owner, "baza_app"),
        "owner_database_url": owner,
        "secret_key": secrets.token_urlsafe(60),
        "email_password": "secret",
    }
    host.configure(
        values,
        BAZA_HOSTS="127.0.0.1",
        BAZA_ORIGINS=f"https://127.0.0.1:{proxy.https}",
        REDIS_URL=redis.url,
        WEB_CONCURRENCY="1",
        WEB_THREADS="4",
    )
    by_hand = servers.clean_environment(**host.variables())
    return {**by_hand, "DATABASE_URL": values["database_url"], "DATABASE_URL_FILE": ""}
