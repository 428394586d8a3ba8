"""Run measurements one after the other, and print a table of all limits: `make bench`.

    python -m benchmarks [--tier ffb] [--scale 0.25] [--jobs 2] [name ...]

Without names all are run. `make bench BENCH="posting pages" TIER=acbl SCALE=1` passes these on.
Those that need a large federation share one database, which `generate.py` fills. Limits in seconds apply to a
whole tier.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from tests.servers import clean_environment, postgres

from .timing import RESULTS

# Settings of a modest server; PostgreSQL's defaults suit much smaller machines.
SERVER = {"shared_buffers": "512MB", "maintenance_work_mem": "256MB", "max_wal_size": "4GB"}
TIERS = ["aeb", "ffb", "acbl"]
FAMILIES = "aeb,sbf-bronze,sbf-silver,acbl,go"
# In the order of running. Those of a tier that only read come first; those that change most come last.
WITHOUT_DATABASE = [
    "engine", "egf_replay", "peers", "strength", "strength_session", "tables_render", "preview", "bridgemate",
    "sizes", "paint",
]  # fmt: skip
OWN_DATABASE = ["curve", "go_history", "verify", "changeover"]
ON_TIER = [
    "tier_pages", "pages", "watching", "caches", "posting", "log", "dataset", "campaign",
    "campaign_pages", "notices", "memory", "evening", "turns", "lists", "exports",
]  # fmt: skip


class Bench:
    """Runs measurements, each in a process of its own, and collects their results.

    results: file to which the measurements append a line for each result
    """

    def __init__(self, names: Iterable[str], results: Path, generate: list[str]) -> None:
        self.names, self.results, self.generate = set(names), results, generate
        self.failed: list[str] = []

    def run(self, name: str, environment: dict[str, str]) -> None:
        """Run one measurement, if it is wanted. A failure is reported, and the others still run."""
        if name not in self.names:
            return
        started = time.monotonic()
        environment = {**environment, RESULTS: str(self.results)}
        if subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}"], env=environment, check=False
        ).returncode:
            self.failed.append(name)
        print(f"  ({name}: {time.monotonic() - started:.0f} s, load {os.getloadavg()[0]:.1f})\n", flush=True)

    def wants(self, *names: str) -> bool:
        return not self.names.isdisjoint(names)

    def all(self) -> None:
        """Run the wanted measurements, with the servers that they need."""
        with tempfile.TemporaryDirectory(prefix="baza-bench-") as var:
            for name in WITHOUT_DATABASE:
                self.run(name, clean_environment(BAZA_VAR=var))
            self.run("curve", clean_environment(BAZA_VAR=var))
        if self.wants("go_history"):
            with Database(server=False) as environment:
                self.run("go_history", environment)
            with Database() as environment:
                self.run("go_history", environment)
        if self.wants("changeover"):
            with Database() as environment:
                self.run("changeover", environment)
        if self.wants("verify"):
            with Database() as environment:
                manage(environment, "demo")
                self.run("verify", environment)
        if self.wants(*ON_TIER):
            with Database() as environment:
                print(f"PostgreSQL: {' '.join(self.generate)}", flush=True)
                command = [sys.executable, "-m", "benchmarks.generate", *self.generate]
                subprocess.run(command, env=environment, check=True)
                for name in ON_TIER:
                    self.run(name, environment)


class Database(ExitStack):
    """A migrated database with a folder of its own, as a context manager. Its value is the environment.

    server: whether it is of PostgreSQL; otherwise of SQLite
    """

    def __init__(self, *, server: bool = True) -> None:
        super().__init__()
        self.server = server

    def __enter__(self) -> dict[str, str]:
        super().__enter__()
        var = self.enter_context(tempfile.TemporaryDirectory(prefix="baza-bench-"))
        values = {"BAZA_VAR": var, "BAZA_FAMILIES": FAMILIES}
        if self.server:
            values["DATABASE_URL"] = self.enter_context(postgres(options=SERVER)).url()
        environment = clean_environment(**values)
        manage(environment, "migrate", "--verbosity", "0")
        return environment


def manage(environment: dict[str, str], *arguments: str) -> None:
    """Run a management command. Raises CalledProcessError if it fails."""
    subprocess.run([sys.executable, "manage.py", *arguments], env=environment, check=True)


def print_table(results: Path, failed: list[str], write: Callable[[str], object] = print) -> None:
    """Print a line for each result that has a limit, with whether it was met."""
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    rows = [row for row in rows if row["met"] is not None]
    write(f"\n{'measurement':<16}{'result':<54}{'value':>16}   limit")
    for row in rows:
        verdict = "met" if row["met"] else "NOT MET"
        write(f"{row['name']:<16}{row['label']:<54}{row['value']:>16}   {row['bar']}   {verdict}")
    missed = sum(not row["met"] for row in rows)
    write(f"{len(rows) - missed} of {len(rows)} limits met; load {os.getloadavg()[0]:.1f}")
    for name in failed:
        write(f"{name} FAILED: see above")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    known = [*WITHOUT_DATABASE, *OWN_DATABASE, *ON_TIER]
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(known))
    parser.add_argument("--tier", choices=TIERS, default="ffb")
    parser.add_argument("--scale", default="0.25", help="share of the tier's clubs and players")
    parser.add_argument("--jobs", default="2", help="processes that generate")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(known):
        parser.error(f"no measurement is called {', '.join(sorted(unknown))}")
    generate = ["--tier", arguments.tier, "--scale", arguments.scale, "--jobs", arguments.jobs]
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}, Python {sys.version.split()[0]}\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="baza-bench-results-") as folder:
        results = Path(folder) / "results.jsonl"
        bench = Bench(arguments.names or known, results, generate)
        bench.all()
        print_table(results, bench.failed)
    if bench.failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
