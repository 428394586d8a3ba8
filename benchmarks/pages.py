"""Measure pages of the standings on PostgreSQL against a bare page and an empty page of the same server.

    DATABASE_URL=postgresql://... python -m benchmarks.pages [rounds]

The server is one gunicorn process with four threads. Each round requests every kind of page for two seconds:
* empty: no content, with the same middleware;
* bare: the same fifty rows from the ORM in a plain template without our layout, with the same middleware;
* afresh: the first page of a category's standings, requested by a browser that has no copy of it;
* seen again: the same page with the ETag of the last visit, answered by 304;
* document, document seen again: the same standings as JSON (`/api/v1/standings/`);
* player: the public page of the category's first player, requested by a browser that has no copy of it;
* my page: the private page of the same player, signed in.

Then "first after a posting" requests the page of standings one at a time, and raises the version of the
standings before each request, as a posting does. Whatever is cached for the previous version is of no use
then. It is compared with the bare page, also requested one at a time.
"""

import os
import statistics
import subprocess
import sys
import time

from tests.servers import clean_environment, free_port, stop, wait_until

from .client import Connection, rate
from .timing import line, medians

ROUNDS, SECONDS, CODE = 7, 2, "2c"
FRESH_BAR, AGAIN_BAR, DOCUMENT_BAR = 0.30, 0.40, 0.60
PLAYER_BAR = 2.0  # times as long as the page of standings
ONE_AT_A_TIME = 60  # requests


def start(
    database_url: str, port: int, settings: str = "benchmarks.settings", **environment: str
) -> subprocess.Popen:
    """Start gunicorn with one process and the benchmarks' URLs. Return its parent process.

    settings: the name of their module
    environment: further environment variables
    """
    variables = clean_environment(
        DATABASE_URL=database_url,
        DJANGO_SETTINGS_MODULE=settings,
        WEB_CONCURRENCY="1",
        PORT=str(port),
        BAZA_VAR=os.environ.get("BAZA_VAR", "var"),
        **environment,
    )
    command = [sys.executable, "-m", "gunicorn", "-c", "federation/gunicorn_conf.py", "--keep-alive", "60"]
    return subprocess.Popen([*command, "federation.wsgi"], env=variables, start_new_session=True)


def answers(port: int) -> bool:
    try:
        return Connection(port).get("/bench/empty/")[0] == 200
    except OSError:
        return False


def one_at_a_time(port: int, path: str, bump) -> float:
    """Return the median seconds of a request to `path`. The requests are made one after the other.

    bump: function to call before each request, for example to make cached figures old
    """
    connection, times = Connection(port), []
    for _request in range(ONE_AT_A_TIME):
        bump()
        started = time.perf_counter()
        status, _headers, _body = connection.get(path)
        times.append(time.perf_counter() - started)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}")
    return statistics.median(times)


def session_header(account) -> str:
    """Sign the account in and return the header with its session cookie."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(account)
    return f"Cookie: {settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}\r\n"


def first_player() -> tuple[str, str]:
    """Return the URL of the category's first player, and the header that signs in as that player.

    The account is made if the player has none.
    """
    import django

    django.setup()
    from django.contrib.auth import get_user_model

    from players.models import Category
    from scoring.ledger.models import Standing

    category = Category.objects.get(code=CODE.upper())
    player = Standing.objects.ranked(category.pk).select_related("player__user").first().player
    if player.user is None:
        player.user, _made = get_user_model().objects.get_or_create(username=player.number)
        player.save(update_fields=["user"])
    return player.get_absolute_url(), session_header(player.user)


def measure(port: int, rounds: int, bump, player: tuple[str, str]) -> None:
    """Measure all kinds of page in turn, and print the results.

    player: what `first_player` returns
    bump: function that increases the version of the standings, so that older cached figures are not used
    """
    page, bare = f"/clasificaciones/{CODE}/", f"/bench/bare/{CODE}/"
    status, headers, body = Connection(port).get(page)
    plain = Connection(port).get(bare)[2]
    if status != 200 or body.count(b"/jugadores/") < 50 or plain.count(b"/jugadores/") < 50:
        raise RuntimeError(f"{page} is not a full page: {status}, {len(body)} bytes")
    again = f"If-None-Match: {headers['etag']}\r\n"
    document = f"/api/v1/standings/{CODE}"
    document_again = f"If-None-Match: {Connection(port).get(document)[1]['etag']}\r\n"
    kinds = {
        "empty page": ("/bench/empty/", 200, ""),
        "bare page": (bare, 200, ""),
        "standings afresh": (page, 200, ""),
        "standings seen again": (page, 304, again),
        "document afresh": (document, 200, ""),
        "document seen again": (document, 304, document_again),
        "player afresh": (player[0], 200, ""),
        "my page": ("/mi/", 200, player[1]),
    }
    rates: dict[str, list[float]] = {name: [] for name in kinds}
    for _round in range(rounds):
        for name, (path, expect, extra) in kinds.items():
            rates[name].append(rate(port, path, SECONDS, expect, extra))
    median_rates = medians(rates)
    print(f"Standings, first page of {CODE}: {len(body):,} bytes; bare page {len(plain):,} bytes")
    for name, median_rate in median_rates.items():
        line(name, f"{median_rate:,.0f} /s")
    fresh_ratio = median_rates["standings afresh"] / median_rates["bare page"]
    again_ratio = median_rates["standings seen again"] / median_rates["empty page"]
    line("afresh : bare page", f"{fresh_ratio:.0%}", f"at least {FRESH_BAR:.0%}", fresh_ratio >= FRESH_BAR)
    line(
        "seen again : empty page",
        f"{again_ratio:.0%}",
        f"at least {AGAIN_BAR:.0%}",
        again_ratio >= AGAIN_BAR,
    )
    for name, of in (("document afresh", "bare page"), ("document seen again", "empty page")):
        ratio = median_rates[name] / median_rates[of]
        line(f"{name} : {of}", f"{ratio:.0%}", f"at least {DOCUMENT_BAR:.0%}", ratio >= DOCUMENT_BAR)
    for name in ("player afresh", "my page"):
        times = median_rates["standings afresh"] / median_rates[name]
        bar = f"at most {PLAYER_BAR}" if name == "player afresh" else ""
        line(f"{name} : standings afresh (time)", f"{times:.1f}", bar, not bar or times <= PLAYER_BAR)
    slow, quick = one_at_a_time(port, page, bump), one_at_a_time(port, bare, lambda: None)
    line("first after a posting, one at a time", f"{1000 * slow:.1f} ms")
    line("bare page, one at a time", f"{1000 * quick:.1f} ms")
    line("first after a posting : bare page (rate)", f"{quick / slow:.0%}")


def main() -> None:
    import psycopg

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    url, port = os.environ["DATABASE_URL"], free_port()
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
    player = first_player()
    server = start(url, port)
    try:
        wait_until(lambda: answers(port), "the web server to answer")
        with psycopg.connect(url, autocommit=True) as database:
            change = "UPDATE ledger_standingsstate SET version = version + 1"
            measure(port, rounds, lambda: database.execute(change), player)
    finally:
        stop(server)


if __name__ == "__main__":
    main()
