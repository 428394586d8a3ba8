"""Measure what request ids, metrics and the timing of statements cost a page.

    DATABASE_URL=postgresql://... python -m benchmarks.watching [rounds]

Two servers of one process answer in turn, with and without them: an empty page, and the first page of a
category's standings, requested by a browser that has no copy of it.
"""

import os
import sys
from contextlib import ExitStack

from tests.servers import free_port, stop, wait_until

from .client import rate
from .pages import CODE, ROUNDS, SECONDS, answers, start
from .timing import line, medians

PATHS = {"empty page": "/bench/empty/", "standings": f"/clasificaciones/{CODE}/"}
SETTINGS = {"watched": "benchmarks.settings", "unwatched": "benchmarks.unwatched"}
BAR = 0.90  # share of the rate that a page of standings keeps


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    ports = {name: free_port() for name in SETTINGS}
    with ExitStack() as servers:
        for name, settings in SETTINGS.items():
            servers.callback(stop, start(os.environ["DATABASE_URL"], ports[name], settings))
        for port in ports.values():
            wait_until(lambda port=port: answers(port), "the web server to answer")
        rates: dict[str, list[float]] = {f"{page}, {name}": [] for page in PATHS for name in SETTINGS}
        for _round in range(rounds):
            for page, path in PATHS.items():
                for name, port in ports.items():
                    rates[f"{page}, {name}"].append(rate(port, path, SECONDS, 200))
    median = medians(rates)
    for label, value in median.items():
        line(label, f"{value:,.0f} /s")
    for page in PATHS:
        share = median[f"{page}, watched"] / median[f"{page}, unwatched"]
        bar = f"at least {BAR:.0%}" if page == "standings" else ""
        line(f"{page}, watched : unwatched", f"{share:.0%}", bar, share >= BAR if bar else None)


if __name__ == "__main__":
    main()
