"""Measure an evening: many clubs upload their results within minutes while readers browse.

    DATABASE_URL=postgresql://... python -m benchmarks.evening [clubs [readers [seconds]]]

`generate.py` fills the database. gunicorn with two processes of four threads and two Celery workers run on
two cores, with Redis, as docs/production.md describes. 120 clubs upload a pool of fourteen pairs, at random
moments within ten minutes: a CSV file, review, confirmation. Fifty readers request pages of players,
tournaments, clubs, categories and receipts, and pause for some seconds after each, as people do.

Measured, on this side of the connection: from sending the file, and from confirming, until the player's page
shows the tournament; and every page of the readers. At the end every upload has to be a tournament with its
points, none twice, and the audit of these tournaments and of the standings finds no difference.
"""

import http.cookiejar
import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from tests.servers import free_port, redis_server, stop, wait_until

from .browser import Browser
from .client import Connection
from .memory import PATIENCE, answers, child_of, paths, start
from .timing import line

CLUBS, READERS, SECONDS, PAIRS, BOARDS = 120, 50, 600, 14, 24
WARM = 80  # pages opened before the evening begins
PAUSE = 8.0  # seconds of a reader between two pages, on average
VISIBLE, PAGE, WORST = 5.0, 0.3, 1.0


@dataclass
class Measurements:
    """What all threads measured, in seconds, and what went wrong.

    pages: (seconds, seconds since the beginning, path)
    """

    began: float = field(default_factory=time.perf_counter)

    sent: list[float] = field(default_factory=list)
    confirmed: list[float] = field(default_factory=list)
    pages: list[tuple[float, float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Evening:
    """The result of one club: who sends it, the file, and a player whose page will show it."""

    title: str
    cookie: str
    data: bytes
    player: str


# --- Preparation -------------------------------------------------------------------------------------------
def prepare(count: int) -> list[Evening]:
    """Give each of `count` clubs a director, and make the file that they will send."""
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.db.models import Count
    from django.test import Client

    from players.models import Club, Licence, Role
    from scoring.demo.files import csv_bytes
    from scoring.demo.session import Entrant, play_session
    from scoring.ledger.services.standings import today

    evenings, licensed = [], Licence.objects.valid_on(today()).values("player")
    clubs = Club.objects.annotate(members=Count("players")).filter(members__gte=2 * PAIRS).order_by("pk")
    for club in clubs[:count]:
        account, _made = get_user_model().objects.get_or_create(username=f"evening-{club.pk}")
        Role.objects.get_or_create(user=account, kind=Role.Kind.DIRECTOR, club=club)
        client = Client()
        client.force_login(account)
        players = club.players.filter(hidden=False, pk__in=licensed).order_by("pk")[: 2 * PAIRS]
        people = [Entrant(player.number, player.full_name) for player in players]
        pairs = list(zip(people[::2], people[1::2], strict=False))
        pairs = pairs[: len(pairs) // 2 * 2]
        session = play_session(pairs, [0.0] * len(pairs), BOARDS, Random(club.pk))
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        title = f"Pool de la noche {club.pk}"
        winner, _partner = session.ranking[0].players  # who gets points, by which the upload is seen
        evenings.append(Evening(title, cookie, csv_bytes(session), winner.number))
    return evenings


def signed_in(base: str, session: str) -> Browser:
    """Return a browser with the cookie of a session."""
    from django.conf import settings

    browser, jar = Browser(base), http.cookiejar.CookieJar()
    values = {"version": 0, "port": None, "port_specified": False, "domain": "127.0.0.1", "path": "/"}
    flags = {"domain_specified": False, "domain_initial_dot": False, "path_specified": True, "rfc2109": False}
    rest = {
        "secure": False,
        "expires": None,
        "discard": True,
        "comment": None,
        "comment_url": None,
        "rest": {},
    }
    jar.set_cookie(
        http.cookiejar.Cookie(name=settings.SESSION_COOKIE_NAME, value=session, **values, **flags, **rest)
    )
    for handler in browser.opener.handlers:
        if hasattr(handler, "cookiejar"):
            handler.cookiejar = jar
    return browser


# --- Directors and readers ---------------------------------------------------------------------------------
def direct(base: str, evening: Evening, wait: float, measured: Measurements) -> None:
    """Wait, then upload, review and confirm as a director."""
    from scoring.ledger.services.standings import today

    time.sleep(wait)
    day, boards = today().isoformat(), str(BOARDS)
    try:
        browser = signed_in(base, evening.cookie)
        browser.get("/resultados/subir/")
        started = time.perf_counter()
        browser.submit(
            browser.form("file"),
            ("file", f"{evening.title}.csv", evening.data),
            **{"name": evening.title, "event_type": "pool", "format": "pairs", "venue": "in_person"},
            **{"ranking": "one", "start_date": day, "end_date": day},
            **{"boards": boards, "boards_scheduled": boards},
        )
        tick_warnings(browser)
        browser.get(browser.url.replace("/revisar/", "/confirmar/"))
        form, confirming = browser.form("csrfmiddlewaretoken"), time.perf_counter()
        browser.submit(form)
        page = f"/jugadores/{evening.player}/"
        wait_until(lambda: evening.title in browser.get(page), "the points on the player's page")
        measured.sent.append(time.perf_counter() - started)
        measured.confirmed.append(time.perf_counter() - confirming)
    except Exception as error:  # counted as wrong at the end
        measured.wrong.append(f"{evening.title}: {type(error).__name__}: {error}")


def tick_warnings(browser: Browser) -> None:
    """Tick the warnings of a review, if it has any: some of the players play twice on the evening."""
    try:
        form = browser.form("accept")
    except LookupError:
        return
    browser.submit(form, action="accept", accept=form.boxes["accept"])


def read(port: int, pages: list[str], rng: Random, ended: threading.Event, measured: Measurements) -> None:
    """Request pages with pauses until the evening has ended.

    The connection is opened with the first request, as a proxy does: an idle one would keep a thread waiting.
    """
    connection = None
    while not ended.wait(rng.expovariate(1 / PAUSE)):
        path = rng.choice(pages)
        started = time.perf_counter()
        connection = connection or Connection(port)
        try:
            status = connection.get(path)[0]
        except (OSError, ValueError, IndexError):  # the server closed the connection
            connection.open()
            status = connection.get(path)[0]
        measured.pages.append((time.perf_counter() - started, started - measured.began, path))
        if status != 200:
            measured.wrong.append(f"{path} answered {status}")


@contextmanager
def installation() -> Iterator[int]:
    """Run web server, workers and Redis as in production. Yield the port of the web server."""
    port = free_port()
    with redis_server() as redis:
        gunicorn = ["gunicorn", "-c", "federation/gunicorn_conf.py", "federation.wsgi"]
        web = start(gunicorn, REDIS_URL=redis.url, WEB_CONCURRENCY="2", PORT=str(port))
        celery = ["celery", "-A", "federation", "worker", "--concurrency", "1"]
        workers = [start([*celery, "-n", f"w{number}@%h"], REDIS_URL=redis.url) for number in (1, 2)]
        try:
            wait_until(lambda: answers(port), "the web server", PATIENCE)
            wait_until(lambda: all(child_of(worker.pid) for worker in workers), "the workers", PATIENCE)
            yield port
        finally:
            for process in (web, *workers):
                stop(process)


def warm(port: int, pages: list[str]) -> None:
    """Open some pages, so that the evening does not begin with a restart of the web server."""
    connection = Connection(port)
    for path in pages[:WARM]:
        connection.get(path)
        connection.open()  # perhaps to the other process


def play(port: int, evenings: list[Evening], readers: int, length: float) -> Measurements:
    """Let all clubs upload within `length` seconds while readers browse. Return what was measured."""
    base, pages, rng = f"http://127.0.0.1:{port}/", paths(), Random(8)
    warm(port, pages)
    measured, ended = Measurements(), threading.Event()
    reading = [
        threading.Thread(target=read, args=[port, pages, Random(number), ended, measured])
        for number in range(readers)
    ]
    directing = [
        threading.Thread(target=direct, args=[base, evening, rng.uniform(0, length), measured])
        for evening in evenings
    ]
    for thread in (*reading, *directing):
        thread.start()
    for thread in directing:
        thread.join()
    ended.set()
    for thread in reading:
        thread.join()
    return measured


# --- The end -----------------------------------------------------------------------------------------------
def differences(titles: list[str]) -> int:
    """Audit the tournaments of the evening and the standings. Return the number of differences."""
    from scoring.audit import verify
    from scoring.ledger.services import standings
    from tournaments.models import Tournament

    first = Tournament.objects.filter(name__in=titles).order_by("pk").first()
    if first is None:
        return len(titles)
    batches = verify.batches(after=first.pk - 1)
    return sum(len(batch.differences) for batch in batches) + len(standings.compare(standings.today()))


def report(measured: Measurements, evenings: list[Evening]) -> None:
    """Print the results."""
    from scoring.ledger.models import ScoringRun
    from tournaments.models import Tournament

    titles = [evening.title for evening in evenings]
    stored = list(Tournament.objects.filter(name__in=titles).values_list("name", flat=True))
    done = ScoringRun.objects.filter(tournament__name__in=titles, state=ScoringRun.State.DONE).count()
    for text in measured.wrong[:10]:
        print(f"    {text}")
    lost = len(titles) - len(set(stored)) + len(stored) - done
    line("uploads lost", str(lost), "none", lost == 0)
    twice = len(stored) - len(set(stored))
    line("uploads stored twice", str(twice), "none", twice == 0)
    line("requests that failed", str(len(measured.wrong)), "none", not measured.wrong)
    wrong = differences(titles)
    line("differences that the audit finds", str(wrong), "none", wrong == 0)
    for label, times, bar in (
        ("from sending the file to the points", measured.sent, None),
        ("from confirming to the points", measured.confirmed, VISIBLE),
    ):
        if len(times) > 1:
            p95 = statistics.quantiles(times, n=20)[-1]
            value = f"{statistics.median(times):.2f} / {p95:.2f} s"
            line(f"{label}, median and p95", value, f"p95 under {bar} s" if bar else "", bar and p95 < bar)
    slowest = sorted(measured.pages)
    for took, since, path in slowest[-5:]:
        print(f"    {took:.2f} s, {since:.0f} s after the beginning: {path}")
    pages = [page[0] for page in slowest]
    p95, worst = pages[int(len(pages) * 0.95)], pages[min(len(pages) - 1, int(len(pages) * 0.999))]
    line(f"{len(pages):,} pages, p95", f"{p95:.3f} s", f"under {PAGE} s", p95 < PAGE)
    line("the same, p99.9", f"{worst:.2f} s", f"under {WORST:.0f} s", worst < WORST)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "federation.settings")
    import django

    django.setup()
    values = [*map(float, sys.argv[1:]), *(CLUBS, READERS, SECONDS)[len(sys.argv) - 1 :]]
    evenings = prepare(int(values[0]))
    with installation() as port:
        measured = play(port, evenings, int(values[1]), values[2])
    load = os.getloadavg()[0]
    print(f"{len(evenings)} clubs within {values[2]:.0f} s, {values[1]:.0f} readers, load {load:.1f}")
    report(measured, evenings)


if __name__ == "__main__":
    main()
