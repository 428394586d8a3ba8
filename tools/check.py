"""`make test`: everything that is checked, with the servers it needs started here and stopped at the end.

Style, Django's own checks as for production, missing migrations, then the tests twice: all of them on SQLite
without Redis, and those that use a database again on PostgreSQL with Redis.
"""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import samples, servers  # noqa: E402  (the project's folder has to be found first)

# Who waits for a lock that nobody gives back shall fail and say so, not wait for ever. Between two tests the
# tables are empty: what PostgreSQL notes of their sizes then would mislead it in the next one.
OPTIONS = {"lock_timeout": "60s", "autovacuum": "off"}
# One process more than the two cores: tests of servers and browsers spend much of their time waiting. They
# come first (tests/conftest.py); xdist would put files with few tests last, and wait for them at the end.
PYTEST = [
    sys.executable, "-m", "pytest", "-q", "-n", "3", "--dist", "loadfile", "--no-loadscope-reorder",
    "-p", "no:cacheprovider",
]  # fmt: skip


def clean_environment(var: Path) -> dict[str, str]:
    """The environment of every check: of ours only what says which tests are wanted, not how they behave."""
    wanted = {name: os.environ[name] for name in ("BAZA_NO_SKIPS", samples.VARIABLE) if os.environ.get(name)}
    if (
        folder := samples.folder()
    ):  # the checks run in another folder than this process may have been started in
        wanted[samples.VARIABLE] = str(folder)
    return servers.clean_environment(BAZA_VAR=str(var), **wanted)


class Checks:
    """Runs commands, remembers which failed and how many tests passed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: list[str] = []
        self.tests = self.bad = 0
        self.properties: list[tuple[str, str]] = []
        # Parallel test processes must agree on the order of sets, which stands in some tests' names.
        self.hash_seed = str(secrets.randbelow(2**32))

    def run(self, title: str, command: list[str], **environment: str) -> None:
        print(f"\n=== {title}", flush=True)
        base = clean_environment(self.folder / "var")
        if subprocess.run(command, cwd=ROOT, env={**base, **environment}).returncode:
            self.failed.append(title)

    def pytest(self, title: str, *arguments: str, **environment: str) -> None:
        report = self.folder / f"report-{len(title)}.xml"
        seed = {"PYTHONHASHSEED": self.hash_seed}
        self.run(title, [*PYTEST, f"--junitxml={report}", *arguments], **environment, **seed)
        if not report.exists():
            return
        tree = ElementTree.parse(report).getroot()
        self.properties += [(each.get("name"), each.get("value")) for each in tree.iter("property")]
        for suite in tree.iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0)) + int(suite.get("skipped", 0))
            self.bad += bad
            self.tests += int(suite.get("tests", 0)) - bad


def everything(checks: Checks, postgres: servers.Postgres, redis: servers.Redis) -> None:
    manage = [sys.executable, "manage.py"]
    production = {
        "BAZA_PRODUCTION": "1",
        "BAZA_SECRET_KEY": secrets.token_urlsafe(60),
        "BAZA_HOSTS": "baza.example.org",
        "EMAIL_HOST": "mail.example.org",
        "DATABASE_URL": postgres.url(),
        "REDIS_URL": redis.url,
    }
    real = {"DATABASE_URL": postgres.url(), "REDIS_URL": redis.url}
    checks.run("style", [sys.executable, "-m", "ruff", "check", "--no-cache", "."])
    checks.run("format", [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", "."])
    checks.run(
        "Django's checks, as in production",
        [*manage, "check", "--deploy", "--fail-level", "WARNING", "--database", "default"],
        **production,
    )
    checks.run("no migration is missing", [*manage, "makemigrations", "--check", "--dry-run"], **real)
    checks.pytest("tests on SQLite")
    checks.pytest("tests on PostgreSQL with Redis", "--only-database", **real)


def main() -> int:
    # An end from outside must stop the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="baza-tests-") as folder,
            servers.postgres(options=OPTIONS) as postgres,
            servers.redis_server() as redis,
        ):
            checks = Checks(Path(folder))
            everything(checks, postgres, redis)
    except (servers.ServerMissing, NotADirectoryError) as missing:
        print(f"The tests cannot run. {missing}")
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
