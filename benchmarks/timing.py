"""What the measurements share: timing, medians, and lines of the same shape."""

import os
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def alternate(rounds: int, **actions: Callable[[], object]) -> dict[str, float]:
    """Median seconds of each action, the actions taking turns: a busy moment then hits all of them."""
    for action in actions.values():
        action()  # the first call of each fills caches and is not counted
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _round in range(rounds):
        for name, action in actions.items():
            times[name].append(seconds(action))
    return medians(times)


def medians(times: dict[str, list[float]]) -> dict[str, float]:
    """The median of each."""
    return {name: statistics.median(each) for name, each in times.items()}


def line(what: str, value: str, bar: str = "", met: bool | None = None) -> None:
    """Print one result; with a bar, whether it was met."""
    verdict = "" if met is None else ("   met" if met else "   NOT MET")
    print(f"  {what:<52}{value:>14}   {bar}{verdict}", flush=True)


def peak() -> float:
    """The most memory this process ever had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- Processor time ----------------------------------------------------------------------------------------
TICK = 1 / os.sysconf("SC_CLK_TCK")


class Clock:
    """Seconds by name, of the wall and of processors: of this process and of a server on the same machine.

    server: the process that is the parent of the server's others
    """

    def __init__(self, server: int) -> None:
        self.server = server
        self._taken: dict[str, list[tuple[float, float]]] = defaultdict(list)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Note what happens inside under this name."""
        processor, started = self._processor(), time.perf_counter()
        yield
        wall = time.perf_counter() - started
        self._taken[name].append((wall, self._processor() - processor))

    def _processor(self) -> float:
        return time.process_time() + server_seconds(self.server)

    def wall(self) -> dict[str, float]:
        """Median seconds by name."""
        return {name: statistics.median(wall for wall, _own in each) for name, each in self._taken.items()}

    def processor(self) -> dict[str, float]:
        """Median seconds of processors by name."""
        return {name: statistics.median(own for _wall, own in each) for name, each in self._taken.items()}


def server_seconds(parent: int) -> float:
    """The processor time of a process and of all that it started, those that ended too."""
    user, system, *of_ended = _stat(parent)[11:15]
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    living = sum(sum(map(int, _stat(int(child))[11:13])) for child in children)
    return TICK * (int(user) + int(system) + sum(map(int, of_ended)) + living)


def parent_of(process: int) -> int:
    """The process that started another one."""
    return int(_stat(process)[1])


def _stat(process: int) -> list[str]:
    """What Linux says of a process, from its state on (the name before it may hold anything)."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
