"""Run all measurements in turn: `make bench`, or `python -m benchmarks [players [awards]]`.

The arguments make the PostgreSQL database smaller, for a quick run. The limits apply to the full size only.
"""

import os
import subprocess
import sys
import tempfile
import time

from tests.servers import clean_environment, postgres

# Settings of a modest server; PostgreSQL's defaults suit much smaller machines.
SERVER = {"shared_buffers": "512MB", "maintenance_work_mem": "256MB", "max_wal_size": "4GB"}


def run(arguments: list[str], environment: dict[str, str]) -> None:
    """Run one measurement in a process of its own. Raises CalledProcessError if it fails."""
    started = time.monotonic()
    subprocess.run([sys.executable, *arguments], env=environment, check=True)
    print(f"  ({time.monotonic() - started:.0f} s)\n", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="baza-bench-") as var:
        embedded = clean_environment(BAZA_VAR=var)
        print(
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}\n",
            flush=True,
        )
        run(["-m", "benchmarks.engine"], embedded)
        run(["-m", "benchmarks.egf_replay"], embedded)
        run(["-m", "benchmarks.strength"], embedded)
        run(["-m", "benchmarks.strength_session"], embedded)
        run(["-m", "benchmarks.tables_render"], embedded)
        run(["-m", "benchmarks.preview"], embedded)
        run(["-m", "benchmarks.bridgemate"], embedded)
        run(["-m", "benchmarks.sizes"], embedded)
        run(["-m", "benchmarks.paint"], embedded)
        with tempfile.TemporaryDirectory(prefix="baza-bench-go-") as own:
            environment = clean_environment(BAZA_VAR=own)
            run(["manage.py", "migrate", "--verbosity", "0"], environment)
            run(["-m", "benchmarks.go_history"], environment)
        with postgres(options=SERVER) as server:
            environment = clean_environment(BAZA_VAR=var, DATABASE_URL=server.url())
            run(["manage.py", "migrate", "--verbosity", "0"], environment)
            run(["-m", "benchmarks.go_history"], environment)
        with postgres(options=SERVER) as server:
            environment = clean_environment(BAZA_VAR=var, DATABASE_URL=server.url())
            run(["manage.py", "migrate", "--verbosity", "0"], environment)
            run(["manage.py", "demo"], environment)
            run(["-m", "benchmarks.verify"], environment)
        with postgres(options=SERVER) as server:
            environment = clean_environment(BAZA_VAR=var, DATABASE_URL=server.url())
            print("PostgreSQL: filling the players, the ledger and the standings ...", flush=True)
            run(["manage.py", "migrate", "--verbosity", "0"], environment)
            run(["-m", "benchmarks.fill", *sys.argv[1:]], environment)
            run(["-m", "benchmarks.posting"], environment)
            run(["-m", "benchmarks.pages"], environment)
            run(["-m", "benchmarks.campaign"], environment)
            run(["-m", "benchmarks.campaign_pages"], environment)
            run(["-m", "benchmarks.notices"], environment)


if __name__ == "__main__":
    main()
