"""Measure what Varnish in front of the pages answers itself, in a mix of over a thousand different pages.

    DATABASE_URL=postgresql://... python -m benchmarks.caches [requests]

Pages of players, tournaments, clubs and categories, in both languages, are requested by Zipf's law: the tenth
page a tenth as often as the first. After every 30,000 requests a tournament is posted, and Varnish has to
ask for all pages of players, clubs and categories again. The share depends on that number, not on seconds: a
page that is read between two postings costs one request to the server.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from itertools import accumulate
from random import Random

from tests.proxies import Proxy, varnish
from tests.servers import free_port, stop, wait_until

from .client import Connection
from .pages import answers, start
from .timing import line
from .turns import Poster

REQUESTS, READERS, EVERY, BAR = 120_000, 4, 30_000, 0.95
PLAYERS, TOURNAMENTS, CLUBS = 250, 250, 40  # pages of each kind, in two languages


def addresses() -> list[str]:
    """Return the addresses of the mix, in a fixed random order."""
    from players.models import Category, Club, Player
    from scoring.ledger.models import Standing
    from tournaments.models import Tournament

    lists = ["/", "/clasificaciones/", "/torneos/", "/jugadores/", "/clubes/", "/calendario/", "/ascensos/"]
    with_points = Standing.objects.filter(family="aeb").values("player")
    people = Player.objects.filter(pk__in=with_points, hidden=False).order_by("pk")[:PLAYERS]
    latest = Tournament.objects.filter(published__isnull=False).order_by("-end_date", "-pk")[:TOURNAMENTS]
    rows = [*people, *latest, *Club.objects.order_by("pk")[:CLUBS]]
    categories = Category.objects.filter(valid_to=None).values_list("code", flat=True)
    paths = [
        *lists,
        *(f"/clasificaciones/{code.lower()}/" for code in categories),
        *(row.get_absolute_url() for row in rows),
    ]
    result = [*paths, *(f"/en{path}" for path in paths)]
    Random(1).shuffle(result)
    return result


def read(port: int, paths: list[str], requests: int, seen: set[str], seed: int) -> None:
    """Request pages of the mix over one connection. Raises RuntimeError if one cannot be opened."""
    connection = Connection(port)
    weights = list(accumulate(1 / rank for rank in range(1, len(paths) + 1)))
    for path in Random(seed).choices(paths, cum_weights=weights, k=requests):
        status, _headers, _body = connection.get(path, "Accept-Encoding: gzip\r\n")
        if status != 200:
            raise RuntimeError(f"{path} answered {status}")
        seen.add(path)


def measure(proxy: Proxy, requests: int, post: Callable[[], object]) -> None:
    """Let readers request pages while tournaments are posted, and print what Varnish answered.

    post: function that posts the points of one more tournament
    """
    paths, seen, postings = addresses(), set(), 0
    names = ("cache_hit", "cache_miss", "s_bgfetch")
    before, started = proxy.counters(*names), time.perf_counter()
    readers = [
        threading.Thread(target=read, args=[proxy.port, paths, requests // READERS, seen, number])
        for number in range(READERS)
    ]
    for reader in readers:
        reader.start()
    while any(reader.is_alive() for reader in readers):
        time.sleep(0.1)
        if sum(proxy.counters(*names[:2])) - sum(before[:2]) > EVERY * (postings + 1):
            post()
            postings += 1
    seconds = time.perf_counter() - started
    hits, misses, refreshed = (b - a for a, b in zip(before, proxy.counters(*names), strict=True))
    share, count = hits / (hits + misses), hits + misses
    print(f"Varnish: {count:,} requests for {len(seen):,} different pages of {len(paths):,}")
    line("requests a second", f"{count / seconds:,.0f} /s")
    line("requests between two postings", f"{count / (postings + 1):,.0f}, postings: {postings}")
    line("answered by Varnish", f"{share:.1%}", f"over {BAR:.0%}", share > BAR and len(seen) >= 1_000)
    line("of these fetched again in the background", f"{refreshed / count:.1%}")


def main() -> None:
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else REQUESTS
    url, port = os.environ["DATABASE_URL"], free_port()
    with varnish(port) as proxy:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "benchmarks.settings", "BAZA_PURGE_URLS": proxy.purge_url}
        import django

        django.setup()
        from ui.shared import ANYTHING, changes_only

        poster = Poster("Torneo de las cachés")

        def post() -> None:
            with changes_only(ANYTHING):  # as confirming an upload declares it
                poster.post()

        server = start(url, port, BAZA_PURGE_URLS=proxy.purge_url)
        try:
            wait_until(lambda: answers(port), "the web server to answer")
            measure(proxy, requests, post)
        finally:
            stop(server)


if __name__ == "__main__":
    main()
