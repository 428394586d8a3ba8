"""What the measurements share: timing, medians, and lines of the same shape."""

import statistics
import time
from collections.abc import Callable


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
    return {name: statistics.median(each) for name, each in times.items()}


def line(what: str, value: str, bar: str = "", met: bool | None = None) -> None:
    """Print one result; with a bar, whether it was met."""
    verdict = "" if met is None else ("   met" if met else "   NOT MET")
    print(f"  {what:<52}{value:>14}   {bar}{verdict}", flush=True)
