"""Run functions at the same time in threads, each with its own database connection."""

import threading

from django.db import connection


def at_once(acts) -> list[BaseException]:
    """Call all functions in threads that start together. Return the exceptions that they raised."""
    start = threading.Barrier(len(acts))
    failed = []

    def run(act) -> None:
        start.wait()
        try:
            act()
        except Exception as error:  # noqa: BLE001 (whatever it is, the test names it)
            failed.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed
