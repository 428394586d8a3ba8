"""Shared caches in front of the site: Varnish, which is told of changes, and nginx, which is not."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests import proxies, servers
from tests.factories import PASSWORD
from tests.faults.conftest import serve, sign_in
from tests.pages import Page
from tests.proxies import Proxy
from tests.system.conftest import Installation
from tests.system.web import Reader

POSTINGS = 12
LIMIT = 40  # seconds that a cache may show an old page: s-maxage and stale-while-revalidate
WHOLE = 1  # nginx counts whole seconds
POINTS = re.compile(r"[\d.]+,\d\d")
STANDING = "SELECT points FROM ledger_standing WHERE family = 'aeb' AND player_id = {}"


class Fetched:
    """A response as it came over the wire."""

    def __init__(self, url: str, path: str, method: str = "GET", **headers: str) -> None:
        connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request(method, path, headers=sent)
        response = connection.getresponse()
        self.status, self.headers, self.body = response.status, dict(response.headers), response.read()
        connection.close()

    @property
    def text(self) -> str:
        return self.body.decode()


class Behind:
    """An installation behind a cache, with a player who has points.

    requests: the number of requests that reached the application
    """

    def __init__(self, site: Installation, proxy: Proxy, application: Reader) -> None:
        self.site, self.proxy, self.application = site, proxy, application
        self.post()
        first = site.query("SELECT id, number, surname FROM players_player ORDER BY id LIMIT 1")
        ((self.player, number, self.name),) = first
        self.page = urlsplit(application.get(f"/jugadores/{number}/").url).path

    def post(self) -> None:
        """Post the points of one more tournament, as a worker does. Afterwards the cache knows of it."""
        self.site.act("post")

    def points(self) -> int:
        """Return the player's points in the database, in hundredths."""
        return self.site.query(STANDING.format(self.player))[0][0]

    def shown(self) -> int:
        """Return the player's points on the page that the cache shows, in hundredths."""
        page = Fetched(self.proxy.url, self.page)
        assert page.status == 200, page.text
        figures = (figure.text for figure in Page(page.text).all("dd", class_="figure"))
        points = next(filter(POINTS.fullmatch, figures))
        return int(points.replace(".", "").replace(",", ""))

    def get(self, path: str, method: str = "GET", **headers: str) -> Fetched:
        return Fetched(self.proxy.url, path, method, **headers)

    @property
    def requests(self) -> int:
        return self.site.log_text("web").count('"GET ')


@contextmanager
def behind(site: Installation, kind: Callable) -> Iterator[Behind]:
    """Run an installation behind a cache."""
    port = servers.free_port()
    with kind(port) as proxy:
        site.environment |= {"BAZA_PURGE_URLS": proxy.purge_url, "GUNICORN_CMD_ARGS": "--access-logfile -"}
        yield Behind(site, proxy, serve(site, port=port))


def test_varnish_shows_no_point_older_than_the_last_posting(site: Installation):
    with behind(site, proxies.varnish) as cached:
        posted, old, read, stop = cached.points(), [], [], threading.Event()
        before = cached.requests

        def keep_reading() -> None:
            while not stop.is_set():
                least = posted
                points = cached.shown()
                read.append(points)
                if points < least:
                    old.append((least, points))

        readers = [threading.Thread(target=keep_reading) for _number in range(4)]
        for reader in readers:
            reader.start()
        try:
            for _number in range(POSTINGS):
                cached.post()
                posted = cached.points()
                time.sleep(0.3)
        finally:
            stop.set()
            for reader in readers:
                reader.join()
        assert old == []
        assert len(set(read)) > POSTINGS / 2  # the readers saw the points grow
        assert cached.requests - before < len(read)  # and the cache answered some of them itself


def test_nginx_shows_no_point_that_is_more_than_40_seconds_old(site: Installation):
    """The page is read all the time, so nginx shows it while it fetches the next one."""
    with behind(site, proxies.nginx) as cached:
        first = cached.shown()
        cached.post()
        posted, at = cached.points(), time.monotonic()
        while cached.shown() == first:
            assert time.monotonic() - at < LIMIT
            time.sleep(0.5)
        assert cached.shown() == posted > first
        # A page that nobody read for long is not shown at all, not even once.
        cached.post()
        time.sleep(LIMIT + WHOLE)
        assert cached.shown() == cached.points() > posted


@pytest.mark.parametrize(("kind", "seconds"), [(proxies.varnish, 0), (proxies.nginx, LIMIT + WHOLE)])
def test_a_hidden_name_is_gone_from_the_cache(site: Installation, kind: Callable, seconds: int):
    with behind(site, kind) as cached:
        lists = ["/clasificaciones/2c/", "/jugadores/", cached.page, "/torneos/"]
        tournament = re.search(r"/torneos/\d{4}/[\w-]+/", cached.get("/torneos/").text)[0]
        lists.append(tournament)
        named = [path for path in lists if cached.name in cached.get(path).text]
        assert {"/clasificaciones/2c/", cached.page, tournament} <= set(named)
        site.act("hide", cached.player)
        time.sleep(seconds)
        # The first readers may have waited for that moment: nobody asked in between.
        assert [path for path in named if cached.name in cached.get(path).text] == []


def test_many_readers_of_an_expired_page_make_one_request(site: Installation):
    with behind(site, proxies.varnish) as cached:
        cached.shown()
        # After a change the cache has no page; after the time to live it has an old one.
        for wait in (0, 11):
            if not wait:
                cached.post()
            time.sleep(wait)
            before = cached.requests
            readers = [threading.Thread(target=cached.shown) for _number in range(30)]
            for reader in readers:
                reader.start()
            for reader in readers:
                reader.join()
            assert cached.requests - before == 1


def test_a_cache_that_was_away_is_told_afterwards(site: Installation):
    with behind(site, proxies.varnish) as cached:
        first = cached.shown()
        os.killpg(cached.proxy.process.pid, signal.SIGSTOP)
        cached.post()  # the points are there, whatever the cache does
        assert cached.points() > first
        assert site.query("SELECT count(*) FROM ledger_purge WHERE sent_at IS NULL") != [(0,)]
        os.killpg(cached.proxy.process.pid, signal.SIGCONT)
        assert site.act("sweep")
        assert site.query("SELECT count(*) FROM ledger_purge WHERE sent_at IS NULL") == [(0,)]
        assert cached.shown() == cached.points()


# --- Never another reader's part --------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [proxies.varnish, proxies.nginx])
def test_no_reader_gets_what_belongs_to_another(site: Installation, kind: Callable):
    site.act("account")
    with behind(site, kind) as cached:
        lola = Reader(cached.proxy.url)
        signed_in = sign_in(lola, PASSWORD)
        assert signed_in.status == 200
        secrets = re.compile(r"csrfmiddlewaretoken|lola")
        public = ["/", "/clasificaciones/", cached.page, "/torneos/", "/en/torneos/"]
        own = ["/cuenta/", "/inicio/", "/mi/", "/bandeja/"]
        for path in [*public, *own, *(f"{path}?yo=1" for path in public)]:
            for headers in ({}, {"X-Parts": "1"}):
                lola.get(path, **headers)  # as the first reader, so that the cache would keep hers
        for path in public:
            page = cached.get(path)
            assert page.status == 200 and not secrets.search(page.text), path
            assert "Set-Cookie" not in page.headers and "Surrogate-Key" not in page.headers
            assert cached.get(f"{path}?yo=1", X_Parts="1").status == 302
        for path in own:
            assert cached.get(path).status in (302, 404)
        assert "lola" in lola.get("/?yo=1").text


POISON = {
    "X-Forwarded-Host": "evil.example",
    "X-Host": "evil.example",
    "Forwarded": "host=evil.example;proto=https",
    "X-Forwarded-Scheme": "nothttps",
    "X-Original-URL": "/cuenta/",
    "X-Rewrite-URL": "/cuenta/",
    "X-HTTP-Method-Override": "POST",
    "Accept-Language": "en",
    "X-Parts": "1",
    "HX-Request": "true",
    "Range": "bytes=0-9",
    "Cookie": "sessionid=x; theme=evil; messages=evil",
    "If-None-Match": "*",
    "If-Modified-Since": "Sat, 01 Jan 2050 00:00:00 GMT",
    "User-Agent": "evil",
    "Accept": "application/evil",
    "Origin": "https://evil.example",
}


@pytest.mark.parametrize("kind", [proxies.varnish, proxies.nginx])
def test_nobody_can_change_what_the_cache_shows_to_others(site: Installation, kind: Callable):
    """Each header is tried on a page that is not in the cache yet, so that its answer might stay."""
    with behind(site, kind) as cached:
        for number, (name, value) in enumerate(POISON.items()):
            path = f"/clasificaciones/2c/?pagina={number}"
            clean = Fetched(cached.application.base, path, Host=urlsplit(cached.proxy.url).netloc)
            cached.get(path, "HEAD" if number % 2 else "GET", **{name: value})
            after = cached.get(path)
            assert (after.status, after.body) == (200, clean.body), name
            assert "evil" not in after.text and "Set-Cookie" not in after.headers
        plain = cached.get("/torneos/")
        for query in ("?evil=1", "?utm_source=evil", "?pagina=1&pagina=2", "?yo"):
            cached.get(f"/torneos/{query}")
        assert cached.get("/torneos/").body == plain.body
        packed = cached.get("/torneos/", Accept_Encoding="gzip")
        assert packed.headers["Content-Encoding"] == "gzip" and packed.headers["Vary"] == "Accept-Encoding"
        assert cached.get("/torneos/").body == plain.body
        assert cached.get("/torneos/", If_None_Match=packed.headers["ETag"]).status == 304
        head = cached.get("/torneos/", "HEAD")
        assert (head.status, head.body) == (200, b"")
        for path in ("/torneos/2026/none-0/", "/clasificaciones/zz/", "/cuenta/"):
            assert "s-maxage" not in cached.get(path).headers["Cache-Control"]


def test_errors_of_the_application_are_not_kept(site: Installation, cluster: servers.Postgres):
    with behind(site, proxies.varnish) as cached:
        cluster.stop_at_once()
        try:
            assert cached.get("/torneos/").status == 503
        finally:
            cluster.start()
        servers.wait_until(lambda: cached.get("/torneos/").status == 200, "the page to be back", 20)
