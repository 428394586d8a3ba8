"""Helpers of the measurements: timing, medians and the output of results."""

import json
import os
import resource
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def seconds(action: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def alternate(rounds: int, **actions: Callable[[], object]) -> dict[str, float]:
    """Return the median seconds of each action. Actions take turns, so that a busy moment affects all."""
    for action in actions.values():
        action()  # the first call fills caches and is not counted
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _round in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return medians(times)


def medians(times: dict[str, list[float]]) -> dict[str, float]:
    """Return the median of the times of each name."""
    return {name: statistics.median(values) for name, values in times.items()}


RESULTS = "BENCH_RESULTS"  # environment variable that names the file of all results of a run


def line(label: str, value: str, bar: str = "", met: bool | None = None) -> None:
    """Print one result, and add it to the file of results if there is one.

    bar: the limit that it must keep, if it has one
    met: whether it does; None without a limit
    """
    verdict = "" if met is None else ("   met" if met else "   NOT MET")
    print(f"  {label:<52}{value:>14}   {bar}{verdict}", flush=True)
    if file := os.environ.get(RESULTS):
        name = Path(sys.argv[0]).stem
        row = {"name": name, "label": label, "value": value, "bar": bar, "met": met}
        with open(file, "a") as results:
            results.write(json.dumps(row) + "\n")


def peak() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- Processor time ----------------------------------------------------------------------------------------
TICK = 1 / os.sysconf("SC_CLK_TCK")


class Clock:
    """Measure wall seconds by name, and the processor seconds of this process and a database server together.

    server: process id of the server's parent process, on the same machine
    """

    def __init__(self, server: int) -> None:
        self.server = server
        self._measured: dict[str, list[tuple[float, float]]] = defaultdict(list)  # (wall, processor)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Measure the body of the `with` statement under this name."""
        processor, started = self._processor(), time.perf_counter()
        yield
        wall = time.perf_counter() - started
        self._measured[name].append((wall, self._processor() - processor))

    def _processor(self) -> float:
        return time.process_time() + server_seconds(self.server)

    def wall(self) -> dict[str, float]:
        """Return {name: median wall seconds}."""
        return medians({name: [wall for wall, _processor in rows] for name, rows in self._measured.items()})

    def processor(self) -> dict[str, float]:
        """Return {name: median processor seconds}."""
        return medians({name: [own for _wall, own in rows] for name, rows in self._measured.items()})


def server_seconds(parent: int) -> float:
    """Return the processor seconds of a process and its children, including the children that have ended."""
    own_and_ended = sum(map(int, _stat(parent)[11:15]))  # utime, stime, cutime, cstime
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    running = sum(sum(map(int, _stat(int(child))[11:13])) for child in children)
    return TICK * (own_and_ended + running)


def parent_of(process: int) -> int:
    """Return the process id of a process's parent."""
    return int(_stat(process)[1])


def _stat(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat that follow the program's name, beginning with the state.

    The name is left out, because it may contain blanks.
    """
    return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
