"""`make test`: run all checks, on servers that are started here and stopped at the end.

The checks are style, types, the format of the templates, Django's deployment checks, missing migrations, and
the tests twice: all on SQLite without Redis, and those that use a database again on PostgreSQL with Redis.
All of them run at the same time, because much of a run is waiting: for browsers, for servers, and at its end
for the last test file.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import samples, servers  # noqa: E402  (needs the project's folder on the path)

# A lock that is never released must fail a test, not block it for ever. Tables are empty between tests:
# statistics that autovacuum collected then would mislead the planner in the next test.
OPTIONS = {"lock_timeout": "60s", "autovacuum": "off"}
MANAGE = [sys.executable, "manage.py"]
# Tests of servers and browsers run first (tests/conftest.py); xdist would put files with few tests last and
# wait for them at the end.
PYTEST = [
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
    "-p",
    "no:cacheprovider",
]
# Numbers of processes. More than there are cores, because the tests often wait for a server or a browser.
ON_SQLITE, ON_POSTGRESQL = "3", "2"


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

    def run(
        self, title: str, command: list[str], environment: dict[str, str], output: IO[str] | None = None
    ) -> None:
        """Run a check. Its output goes to the file `output`, by default to the screen."""
        print(f"\n=== {title}", file=output, flush=True)
        base = clean_environment(self.folder / "var")
        process = subprocess.run(
            command, cwd=ROOT, env={**base, **environment}, stdout=output, stderr=output and subprocess.STDOUT
        )
        if process.returncode:
            self.failed.append(title)

    def pytest(
        self, title: str, arguments: list[str], environment: dict[str, str], output: IO[str] | None = None
    ) -> None:
        report = self.folder / f"report-{len(title)}.xml"
        command = [*PYTEST, f"--junitxml={report}", *arguments]
        self.run(title, command, {**environment, "PYTHONHASHSEED": self.hash_seed}, output)

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
    urls = [f"sqlite:///{sqlite}", postgres.create(servers.MIGRATED)]
    on_sqlite = {"BAZA_TESTS_MIGRATED": str(sqlite), "BAZA_TESTS_CLUSTER": str(cluster)}
    on_postgres = {"BAZA_TESTS_MIGRATED": servers.MIGRATED, **real}
    arguments = ["-n", ON_POSTGRESQL, "--only-database"]
    first = [partial(migrate, checks, url) for url in urls]
    if not (ROOT / "tests" / "access" / "__pycache__").exists():
        first.append(partial(compile_tests, checks))
    with ThreadPoolExecutor() as pool:
        show(pool.map(in_file, first))
        postgres.copy_data(cluster)
        code = pool.submit(in_file, partial(check_code, checks, real))
        second = partial(checks.pytest, "tests on PostgreSQL with Redis", arguments, on_postgres)
        tests = pool.submit(in_file, second)
        checks.pytest("tests on SQLite", ["-n", ON_SQLITE], on_sqlite)
        show([code.result(), tests.result()])
    checks.read_reports()


def show(outputs: Iterable[str]) -> None:
    for output in outputs:
        print(output)


def in_file(check: Callable[[IO[str]], None]) -> str:
    """Run a check, which gets a file for its output, while others run. Return the output."""
    with tempfile.TemporaryFile("w+") as output:
        check(output)
        output.seek(0)
        return output.read()


def migrate(checks: Checks, url: str, output: IO[str]) -> None:
    """Migrate an empty database, which the test processes copy."""
    command = [*MANAGE, "migrate", "--verbosity", "0"]
    checks.run("migrating an empty database", command, {"DATABASE_URL": url}, output)


def compile_tests(checks: Checks, _output: IO[str]) -> None:
    """Compile the tests of a fresh clone once, which takes longer than all else until the first test.

    Otherwise each of the test processes does, because all of them begin at the same time. They also report
    a test that cannot be compiled.
    """
    with open(os.devnull, "w") as list_of_tests:
        checks.run("compiling the tests", [*PYTEST, "--collect-only"], {}, list_of_tests)


def check_code(checks: Checks, real: dict[str, str], output: IO[str]) -> None:
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
    # djade is a program, not a module that Python could run.
    djade = str(Path(sys.executable).with_name("djade"))
    templates = [str(path) for path in sorted((ROOT / "templates").rglob("*.html"))]
    deploy = ["check", "--deploy", "--fail-level", "WARNING", "--database", "default"]
    for title, command, environment in [
        ("style", [sys.executable, "-m", "ruff", "check", "--no-cache", "."], {}),
        ("format", [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", "."], {}),
        ("types", [sys.executable, "-m", "mypy"], {}),
        ("templates", [djade, "--check", "--target-version", "5.2", *templates], {}),
        ("Django's checks, as in production", [*MANAGE, *deploy], production),
        ("no migration is missing", [*MANAGE, "makemigrations", "--check", "--dry-run"], real),
    ]:
        checks.run(title, command, environment, output)


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
    for line in servers.not_run():
        print(line)
    print(samples.summary(checks.properties))
    for title in checks.failed:
        print(f"failed: {title}")
    print(f"Total: {checks.tests} passed, {checks.bad} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
