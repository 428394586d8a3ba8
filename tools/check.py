"""`make test`: run all checks, on servers that are started here and stopped at the end.

The checks are style, types, the format of the templates, Django's deployment checks, missing migrations, and
the tests twice: all on SQLite without Redis, and those that use a database again on PostgreSQL with Redis.
Both runs of the tests go on at the same time, because much of a run is waiting: for browsers, for servers,
and at its end for the last test file.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import samples, servers  # noqa: E402  (needs the project's folder on the path)

# A lock that is never released must fail a test, not block it for ever. Tables are empty between tests:
# statistics that autovacuum collected then would mislead the planner in the next test.
OPTIONS = {"lock_timeout": "60s", "autovacuum": "off"}
MANAGE = [sys.executable, "manage.py"]
# Two processes for each of the two runs. Tests of servers and browsers run first (tests/conftest.py); xdist
# would put files with few tests last and wait for them at the end.
PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-n",
    "2",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
    "-p",
    "no:cacheprovider",
]


def clean_environment(var: Path) -> dict[str, str]:
    """Return the environment variables for the checks.

    var: the folder for the installation's files (BAZA_VAR)

    Of the project's own variables, only the two that decide which tests run are kept.
    """
    kept = {name: os.environ[name] for name in ("BAZA_NO_SKIPS", samples.VARIABLE) if os.environ.get(name)}
    if folder := samples.folder():  # as an absolute path: the checks run in another folder
        kept[samples.VARIABLE] = str(folder)
    return servers.clean_environment(BAZA_VAR=str(var), **kept)


class Checks:
    """A runner of checks. It collects the titles of those that failed, and counts the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: list[str] = []
        self.tests = self.bad = 0
        self.properties: list[tuple[str, str]] = []
        # Parallel test processes must agree on the order of sets, which some tests' names depend on.
        self.hash_seed = str(secrets.randbelow(2**32))

    def run(self, title: str, command: list[str], output: IO[str] | None = None, **environment: str) -> None:
        """Run a check. Its output goes to the file `output`, by default to the screen."""
        print(f"\n=== {title}", file=output, flush=True)
        base = clean_environment(self.folder / "var")
        process = subprocess.run(
            command, cwd=ROOT, env={**base, **environment}, stdout=output, stderr=output and subprocess.STDOUT
        )
        if process.returncode:
            self.failed.append(title)

    def pytest(self, title: str, *arguments: str, output: IO[str] | None = None, **environment: str) -> None:
        report = self.folder / f"report-{len(title)}.xml"
        seed = {"PYTHONHASHSEED": self.hash_seed}
        self.run(title, [*PYTEST, f"--junitxml={report}", *arguments], output, **environment, **seed)

    def read_reports(self) -> None:
        """Count the tests of all runs that have ended."""
        for report in sorted(self.folder.glob("report-*.xml")):
            tree = ElementTree.parse(report).getroot()
            self.properties += [(node.get("name"), node.get("value")) for node in tree.iter("property")]
            for suite in tree.iter("testsuite"):
                counts = [int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")]
                self.bad += sum(counts[1:])
                self.tests += counts[0] - sum(counts[1:])


def run_all(checks: Checks, postgres: servers.Postgres, redis: servers.Redis) -> None:
    sqlite, cluster = checks.folder / "migrated.sqlite3", checks.folder / "cluster"
    real = {"DATABASE_URL": postgres.url(), "REDIS_URL": redis.url}
    with ThreadPoolExecutor() as pool:
        urls = {"SQLite": f"sqlite:///{sqlite}", "PostgreSQL": postgres.create(servers.MIGRATED)}
        migrations = [pool.submit(migrate, checks, name, url) for name, url in urls.items()]
        check_code(checks, real)
        for migration in migrations:
            print(migration.result())
    postgres.copy_data(cluster)
    on_sqlite = {"BAZA_TESTS_MIGRATED": str(sqlite), "BAZA_TESTS_CLUSTER": str(cluster)}
    on_postgres = {"BAZA_TESTS_MIGRATED": servers.MIGRATED, **real}
    title = "tests on PostgreSQL with Redis"
    with open(checks.folder / "postgresql.txt", "w+") as output, ThreadPoolExecutor() as pool:
        second = pool.submit(checks.pytest, title, "--only-database", output=output, **on_postgres)
        checks.pytest("tests on SQLite", **on_sqlite)
        second.result()
        output.seek(0)
        print(output.read())
    checks.read_reports()


def migrate(checks: Checks, name: str, url: str) -> str:
    """Migrate an empty database, which the test processes copy. Return the command's output."""
    with open(checks.folder / f"{name}.txt", "w+") as output:
        command = [*MANAGE, "migrate", "--verbosity", "0"]
        checks.run(f"migrating an empty database: {name}", command, output, DATABASE_URL=url)
        output.seek(0)
        return output.read()


def check_code(checks: Checks, real: dict[str, str]) -> None:
    """Run the checks other than tests.

    real: the variables for PostgreSQL and Redis
    """
    production = {
        "BAZA_PRODUCTION": "1",
        "BAZA_SECRET_KEY": secrets.token_urlsafe(60),
        "BAZA_HOSTS": "baza.example.org",
        "BAZA_PROXIES": "1",
        "EMAIL_HOST": "mail.example.org",
        **real,
    }
    checks.run("style", [sys.executable, "-m", "ruff", "check", "--no-cache", "."])
    checks.run("format", [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", "."])
    checks.run("types", [sys.executable, "-m", "mypy"])
    # djade is a program, not a module that Python could run.
    templates = [str(path) for path in sorted((ROOT / "templates").rglob("*.html"))]
    djade = str(Path(sys.executable).with_name("djade"))
    checks.run("templates", [djade, "--check", "--target-version", "5.2", *templates])
    checks.run(
        "Django's checks, as in production",
        [*MANAGE, "check", "--deploy", "--fail-level", "WARNING", "--database", "default"],
        **production,
    )
    checks.run("no migration is missing", [*MANAGE, "makemigrations", "--check", "--dry-run"], **real)


def main() -> int:
    # SIGTERM must stop the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="baza-tests-") as folder,
            servers.postgres(options=OPTIONS) as postgres,
            servers.redis_server() as redis,
        ):
            checks = Checks(Path(folder))
            run_all(checks, postgres, redis)
    except (servers.ServerMissing, NotADirectoryError) as error:
        print(f"The tests cannot run. {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    print()
    if servers.chromium() is None:
        print("not run: the browser tests: no Chromium on this machine")
    print(samples.summary(checks.properties))
    for title in checks.failed:
        print(f"failed: {title}")
    print(f"Total: {checks.tests} passed, {checks.bad} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
