"""Back up the PostgreSQL database, and prove that a backup can be restored.

    python -m tools.backup make FOLDER [--keep 14]
    python -m tools.backup try BACKUP SCRATCH

`make` writes a dump and beside it, as JSON, the number of rows and a digest of each table at the same moment.
`try` restores a backup into the database SCRATCH of the same server, compares all tables, runs `manage.py
verify` on it, and empties it. BACKUP is a dump, or a folder, of which the newest dump is taken.

DATABASE_URL or DATABASE_URL_FILE names the database and its owner. This is no management command because it
works on a database that is not that of the settings and that may have no tables.
"""

import argparse
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import pq, sql

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from federation.environment import secret  # noqa: E402  (needs the project's folder on the path)

# The name of a database that may be emptied ends like this.
SCRATCH = "_scratch"
# What the text of a value depends on.
SETTINGS = "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET extra_float_digits = 3; SET bytea_output = 'hex'"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
DIGEST = "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text FROM {} t"
UNFINISHED = "SELECT count(*) FROM ledger_scoringrun WHERE state IN ('pending', 'running')"


class Refused(Exception):
    """The backup cannot be made or tried, or it is not what was backed up."""


def make(database: str, folder: Path, keep: int) -> Path:
    """Back up the database. Return the path of the dump, and delete all but the newest `keep` backups."""
    os.umask(0o077)  # a backup contains all personal data
    folder.mkdir(parents=True, exist_ok=True)
    dump = folder / f"baza-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.dump"
    part = dump.with_suffix(".part")
    with psycopg.connect(database) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        (snapshot,) = connection.execute("SELECT pg_export_snapshot()").fetchone()
        run(database, "pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={part}")
        tables = digests(connection)
    dump.with_suffix(".json").write_text(json.dumps(tables, indent=1))
    part.rename(dump)
    for old in backups(folder)[:-keep]:
        old.unlink()
        old.with_suffix(".json").unlink(missing_ok=True)
    return dump


def attempt(database: str, backup: Path, scratch: str) -> str:
    """Restore a backup into the database `scratch` and compare it. Return a line about what is equal."""
    target = urlsplit(database)._replace(path=f"/{scratch}").geturl()
    if not scratch.endswith(SCRATCH) or target == database:
        raise Refused(f"{scratch} would be emptied: its name has to end with {SCRATCH}")
    if backup.is_dir():
        made = backups(backup)
        if not made:
            raise Refused(f"{backup} has no backup")
        backup = made[-1]
    wanted = json.loads(backup.with_suffix(".json").read_text())
    empty(target)
    try:
        run(
            target,
            "pg_restore",
            "--exit-on-error",
            "--no-owner",
            "--no-privileges",
            "--dbname",
            scratch,
            backup,
        )
        with psycopg.connect(target) as connection:
            stored = digests(connection)
            (unfinished,) = connection.execute(UNFINISHED).fetchone()
        if wrong := sorted(
            table for table in wanted.keys() | stored if wanted.get(table) != stored.get(table)
        ):
            raise Refused(f"{backup} differs from what was backed up in: {', '.join(wrong)}")
        verified = verify(target)
    finally:
        empty(target)
    rows = sum(count for count, _digest in stored.values())
    return (
        f"{backup.name}: equal: {len(stored)} tables, {rows} rows, {unfinished} runs to be scored; {verified}"
    )


def backups(folder: Path) -> list[Path]:
    """Return the dumps in a folder, the oldest first."""
    return sorted(folder.glob("baza-*.dump"))


def digests(connection: psycopg.Connection) -> dict[str, list]:
    """Return table -> [number of rows, digest that does not depend on their order]."""
    connection.execute(SETTINGS)
    tables = [table for (table,) in connection.execute(TABLES).fetchall()]
    return {
        table: list(connection.execute(sql.SQL(DIGEST).format(sql.Identifier(table))).fetchone())
        for table in tables
    }


def empty(database: str) -> None:
    """Drop everything in a scratch database."""
    with psycopg.connect(database) as connection:
        connection.execute("DROP SCHEMA IF EXISTS public CASCADE")
        connection.execute("CREATE SCHEMA public")


def verify(database: str) -> str:
    """Bring a restored database to the version of this code. Return the last line of `manage.py verify`."""
    without = {name: value for name, value in os.environ.items() if name != "DATABASE_URL_FILE"}
    environment = {**without, "DATABASE_URL": database}
    run_with(environment, sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    return run_with(environment, sys.executable, "manage.py", "verify").splitlines()[-1]


def run(database: str, *command: str | Path) -> str:
    """Run a program of PostgreSQL. It gets the database by variables: everybody can read its arguments."""
    options = pq.Conninfo.parse(database.encode())
    variables = {
        option.envvar.decode(): option.val.decode() for option in options if option.val and option.envvar
    }
    return run_with({**os.environ, **variables}, *command)


def run_with(environment: dict[str, str], *command: str | Path) -> str:
    """Run a program in the project's folder, and return its output. Raise Refused if it fails."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"{' '.join(map(str, command))}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="back up the database")
    making.add_argument("folder", type=Path)
    making.add_argument(
        "--keep", type=int, default=14, help="how many backups stay in the folder (default 14)"
    )
    trying = commands.add_parser("try", help="restore a backup into a scratch database and compare it")
    trying.add_argument("backup", type=Path)
    trying.add_argument("scratch", help=f"name of an existing database, which ends with {SCRATCH}")
    chosen = parser.parse_args()
    database = secret("DATABASE_URL")
    if not database.startswith(("postgres://", "postgresql://")):
        sys.exit("Set DATABASE_URL or DATABASE_URL_FILE to the PostgreSQL database and its owner.")
    try:
        if chosen.command == "make":
            print(make(database, chosen.folder.resolve(), max(1, chosen.keep)))
        else:
            print(attempt(database, chosen.backup.resolve(), chosen.scratch))
    except (Refused, psycopg.Error, OSError, ValueError) as error:
        sys.exit(f"failed: {error}")


if __name__ == "__main__":
    main()
