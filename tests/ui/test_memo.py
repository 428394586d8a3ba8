"""Figures cached by the version of the standings."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

from ui.memo import forget, per_version


def test_threads_that_want_the_same_result_wait_for_the_one_that_computes_it():
    begun, go_on, calls, lock = Event(), Event(), [], Lock()

    @per_version()
    def slow(version: int, code: str) -> str:
        with lock:
            calls.append(code)
        begun.set()
        assert go_on.wait(10)
        return f"{code} {version}"

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(slow, 1, "2C")
        assert begun.wait(10)
        others = [pool.submit(slow, 1, "2C") for _thread in range(3)]
        go_on.set()
        assert [answer.result(10) for answer in (first, *others)] == ["2C 1"] * 4
    assert calls == ["2C"]
    assert slow(2, "2C") == "2C 2" and slow(1, code="2C") == "2C 1"
    forget()
    assert slow(1, "2C") == "2C 1" and calls == ["2C", "2C", "2C", "2C"]


def test_a_function_may_ask_itself_for_other_results():
    @per_version()
    def sum_to(version: int, number: int) -> int:
        return number and number + sum_to(version, number - 1)

    assert sum_to(1, 200) == 20100
