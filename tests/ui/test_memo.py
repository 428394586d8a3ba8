"""Figures cached by version: while one thread computes a new version, others get the previous one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from ui.memo import Latest

PATIENCE = 30


class Slow:
    """A computation that waits until the test releases it, and counts its calls."""

    def __init__(self) -> None:
        self.calls, self.begun, self.go_on, self.lock = 0, Event(), Event(), Lock()
        self.go_on.set()

    def __call__(self, name: str) -> str:
        with self.lock:
            self.calls += 1
            number = self.calls
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        return f"{name} {number}"

    def stop_here(self) -> None:
        self.begun.clear()
        self.go_on.clear()


def test_readers_wait_while_one_thread_computes_new_figures():
    slow = Slow()
    figures = Latest(slow, 8)
    first = figures(1, "2C")
    assert (first.value, first.version) == ("2C 1", 1)
    assert figures(1, "2C") is first
    slow.stop_here()
    with ThreadPoolExecutor() as threads:
        new = threads.submit(figures, 2, "2C")
        assert slow.begun.wait(PATIENCE)
        waiting = [threads.submit(figures, 2, "2C") for _reader in range(2)]
        slow.go_on.set()
        assert {item.result(PATIENCE).value for item in (new, *waiting)} == {"2C 2"}
    assert slow.calls == 2


def test_a_failed_computation_is_not_cached():
    answers = iter(["first", ZeroDivisionError(), "third"])

    def sometimes() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    figures = Latest(sometimes, 8)
    figures(1)
    with pytest.raises(ZeroDivisionError):
        figures(2)
    assert figures(2).value == "third"


def test_the_least_recently_used_figures_are_dropped():
    slow = Slow()
    figures = Latest(slow, 2)
    for name in ("a", "b", "a", "c", "a"):
        figures(1, name)
    assert slow.calls == 3
    figures(1, "b")
    assert slow.calls == 4
