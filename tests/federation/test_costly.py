"""Costly public requests: budgets of networks, slots of a process, and whom they concern."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from federation import costly
from federation.costly import Budgets, CostlyMiddleware, cost_of
from scoring.api.problems import CONTENT_TYPE
from tests import servers
from tests.access.matrix import ACCOUNT, API, IN, PUBLIC, READING
from tests.headers import wrong_headers
from tests.pages import Page

AWAY = "203.0.113.7"
pytestmark = pytest.mark.django_db


@pytest.fixture
def away(settings) -> Client:
    """A reader at another machine, with a small budget."""
    settings.COSTLY_BURST, settings.COSTLY_A_SECOND = 3, 0.001
    return Client(REMOTE_ADDR=AWAY)


def test_a_network_that_asks_too_much_gets_a_page_that_says_how_long_to_wait(away):
    assert [away.get("/buscar/?q=ana").status_code for _turn in range(4)] == [200, 200, 200, 429]
    refused = away.get("/buscar/?q=ana")
    assert refused.headers["Cache-Control"] == "no-store"
    assert wrong_headers(refused) == []
    seconds = refused.headers["Retry-After"]
    assert 500 < int(seconds) <= 1000 and f"Espera {seconds} segundos" in refused.content.decode()
    assert re.search(r"Wait \d+ seconds", Page(away.get("/en/buscar/?q=ana")).text)
    assert len(Page(refused).headings(1)) == 1
    assert away.get("/").status_code == away.get("/privacidad/").status_code == 200
    assert Client(REMOTE_ADDR="203.0.113.8").get("/buscar/?q=ana").status_code == 200


def test_a_program_that_asks_too_much_gets_a_problem_that_says_how_long_to_wait(away):
    answers = [away.get("/api/v1/clubs", headers={"Accept-Language": "en"}) for _turn in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    refused, seconds = answers[-1], answers[-1].headers["Retry-After"]
    assert (refused.headers["Content-Type"], refused.json()["code"]) == (CONTENT_TYPE, "too_many_requests")
    assert 500 < int(seconds) <= 1000 and seconds in refused.json()["detail"]
    assert refused.headers["Cache-Control"] == "no-store" and wrong_headers(refused) == []
    assert away.get("/").status_code == 200
    assert (refused.headers["X-RateLimit-Limit"], refused.headers["X-RateLimit-Remaining"]) == ("3", "0")
    assert "X-RateLimit-Limit" not in away.get("/buscar/?q=ana").headers


def test_what_a_shared_cache_may_keep_does_not_name_the_budget_of_one_network(away, settings):
    settings.COSTLY_BURST = 100
    for path in ("clubs", "clubs?cursor=forged", "players/1"):
        answer = away.get(f"/api/v1/{path}")
        assert "public" in answer.headers["Cache-Control"]
        assert [name for name in answer.headers if name.startswith("X-RateLimit")] == [], path
    scored = away.post("/api/v1/score", b"{}", content_type="application/json")
    assert int(scored.headers["X-RateLimit-Remaining"]) < int(scored.headers["X-RateLimit-Limit"]) == 100


def test_an_event_to_score_costs_more_than_the_rest_of_a_small_budget(away):
    def score() -> int:
        return away.post("/api/v1/score", b"{}", content_type="application/json").status_code

    assert [score(), score()] == [200, 429]
    assert away.get("/api/v1/openapi.json").status_code == 200


def test_the_machine_itself_is_not_limited(away):
    assert {Client().get("/buscar/?q=ana").status_code for _turn in range(5)} == {200}


def test_people_behind_a_proxy_are_counted_by_the_address_that_the_proxy_saw(away, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def search(forwarded: str) -> int:
        return away.get("/buscar/?q=ana", headers={"X-Forwarded-For": forwarded}).status_code

    assert [search(f"198.51.100.{turn}, 192.0.2.1") for turn in range(4)] == [200, 200, 200, 429]
    assert search("192.0.2.1, 192.0.2.2") == 200


def test_an_ipv6_subscriber_is_one_network(settings):
    settings.COSTLY_BURST, settings.COSTLY_A_SECOND = 1, 0.001
    client = Client()
    addresses = ["2001:db8:1:1::1", "2001:db8:1:1:ffff::2", "2001:db8:1:2::1"]
    statuses = [client.get("/buscar/?q=ana", REMOTE_ADDR=address).status_code for address in addresses]
    assert statuses == [200, 429, 200]


@pytest.mark.parametrize(
    ("method", "path", "cost"),
    [
        ("get", "/", 0),
        ("get", "/clasificacion/", 0),
        ("get", "/jugadores/?formato=csv", costly.FILE),
        ("get", "/jugadores/?formato=xlsx", costly.FILE),
        ("get", "/jugadores/?entera=1", costly.WHOLE_LIST),
        ("get", "/calculadora/?formato=mp", 2),
        ("get", "/buscar/?q=ana", 1),
        ("get", "/jugadores/?q=ana", costly.SEARCH),
        ("get", "/jugadores/?q=", 0),
        ("get", "/clasificaciones/2p/?a=2026-01-01", costly.PAST_DAY),
        ("get", "/ascensos/2026/2p/?q=ana", 2),
        ("get", "/nothing-here/?formato=csv", 0),
        ("get", "/api/v1/clubs", 1),
        ("get", "/api/v1/standings/2P", 2),
        ("get", "/api/v1/openapi.json", 0),
        ("post", "/api/v1/score", 20),
        ("post", "/cuenta/entrar/", costly.POST),
        ("post", "/resultados/subir/", 0),
        ("get", "/cuenta/entrar/", 0),
    ],
)
def test_each_kind_of_request_has_its_cost(method, path, cost):
    assert cost_of(getattr(RequestFactory(), method)(path)) == cost


def test_the_names_of_limited_pages_are_those_of_public_pages():
    assert set(costly.PAGES) <= set(PUBLIC) | set(READING)
    assert set(costly.PAGES) >= set(READING)
    assert set(costly.POSTS) <= set(PUBLIC) | set(ACCOUNT) | set(API)


def test_what_anybody_may_send_is_limited():
    """Pages of second factors and letters have limits by account; signing out needs a session.

    The interface for programs takes events to score from anybody, but no form as the matrix sends it.
    """
    open_to_all = {
        name for name, page in (PUBLIC | ACCOUNT).items() if page.post and page.post["nobody"] == IN
    }
    others = {"account_logout", "mfa_authenticate", "mfa_login_webauthn", "account_reset_password_from_key"}
    assert open_to_all - others | {"api:score"} == set(costly.POSTS)


# --- Budgets --------------------------------------------------------------------------------------------
def test_a_budget_refills_with_time_up_to_the_burst():
    budgets = Budgets(burst=10, a_second=2)
    assert [budgets.wait("a", 4, now=0) for _turn in range(3)] == [0, 0, 1.0]
    assert budgets.wait("a", 4, now=1) == 0
    assert budgets.wait("a", 10, now=1000) == 0
    assert budgets.wait("a", 1, now=1000) == 0.5
    assert budgets.wait("a", 1, now=999) == 0.5  # a clock that was set back gives nothing


def test_a_request_that_costs_more_than_the_burst_is_possible():
    assert Budgets(burst=5, a_second=1).wait("a", 50, now=0) == 0


def test_few_networks_are_remembered():
    budgets = Budgets(burst=1, a_second=1, most=100)
    for number in range(1000):
        budgets.wait(str(number), 1, now=0)
    assert len(budgets._left) == 100
    assert (budgets.wait("999", 1, now=0), budgets.wait("1", 1, now=0)) == (1, 0)


def test_a_club_evening_never_meets_the_limit(settings):
    """Forty people at one address: each searches twice a minute for an hour and downloads two files."""
    budgets = Budgets(settings.COSTLY_BURST, settings.COSTLY_A_SECOND)
    waits = [budgets.wait("club", 1, now=turn * 0.75) for turn in range(4800)]
    budgets = Budgets(settings.COSTLY_BURST, settings.COSTLY_A_SECOND)
    waits += [budgets.wait("club", costly.FILE, now=turn * 45) for turn in range(80)]
    assert set(waits) == {0}


def test_a_robot_gets_its_burst_and_then_what_is_refilled(settings):
    budgets = Budgets(settings.COSTLY_BURST, settings.COSTLY_A_SECOND)
    let_in = sum(not budgets.wait("robot", costly.FILE, now=turn / 100) for turn in range(60_000))
    assert let_in <= (settings.COSTLY_BURST + settings.COSTLY_A_SECOND * 600) / costly.FILE


# --- Slots ----------------------------------------------------------------------------------------------
def costly_request():
    return RequestFactory().get("/jugadores/", {"formato": "csv"}, REMOTE_ADDR=AWAY)


def test_a_process_answers_only_some_costly_requests_at_a_time(settings):
    settings.COSTLY_AT_ONCE = 2
    middleware = CostlyMiddleware(lambda request: StreamingHttpResponse(iter([b"a", b"b"])))
    first, second = middleware(costly_request()), middleware(costly_request())
    third = middleware(costly_request())
    assert (third.status_code, third.headers["Retry-After"]) == (503, "5")
    assert b"".join(first.streaming_content) == b"ab"
    first.close()
    first.close()  # a second time changes nothing
    fourth = middleware(costly_request())
    assert fourth.status_code == 200
    assert middleware(costly_request()).status_code == 503
    second.close()
    fourth.close()  # a reader who went away before the first row
    assert middleware(costly_request()).status_code == 200
    assert middleware(RequestFactory().get("/", REMOTE_ADDR=AWAY)).status_code == 200


def test_a_program_without_a_slot_gets_a_problem(settings):
    settings.COSTLY_AT_ONCE = 1
    middleware = CostlyMiddleware(lambda request: StreamingHttpResponse(iter([b"a"])))
    middleware(costly_request())
    answer = middleware(RequestFactory().get("/api/v1/clubs", REMOTE_ADDR=AWAY))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert json.loads(answer.content)["code"] == "occupied"


def test_a_page_gives_its_slot_back_also_after_an_error(settings):
    settings.COSTLY_AT_ONCE = 1

    def view(request):
        if "bug" in request.GET:
            raise ValueError("bug")
        return HttpResponse("page")

    middleware = CostlyMiddleware(view)
    for _turn in range(3):
        assert middleware(costly_request()).status_code == 200
        with pytest.raises(ValueError, match="bug"):
            middleware(RequestFactory().get("/buscar/?q=a&bug=1", REMOTE_ADDR=AWAY))


def test_standings_are_answered_while_robots_occupy_all_slots_with_files(settings):
    """A process has four threads. Fifty robots in fifty networks ask for files that never end."""
    threads, settings.COSTLY_AT_ONCE = 4, 2
    enough = Event()

    def view(request):
        return StreamingHttpResponse(rows()) if "formato" in request.GET else HttpResponse("standings")

    def rows():
        yield b"first row"
        enough.wait(servers.PATIENCE)

    def status_of(request) -> int:
        response = middleware(request)
        b"".join(response)
        response.close()
        return response.status_code

    middleware = CostlyMiddleware(view)
    factory = RequestFactory()
    with ThreadPoolExecutor(threads) as pool:
        robots = [
            pool.submit(status_of, factory.get("/jugadores/?formato=csv", REMOTE_ADDR=f"203.0.113.{number}"))
            for number in range(50)
        ]
        # Threads take the requests in this order: the robots came first.
        pages = [pool.submit(status_of, factory.get("/", REMOTE_ADDR=AWAY)) for _turn in range(20)]
        try:
            assert {page.result(servers.PATIENCE) for page in pages} == {200}
            servers.wait_until(
                lambda: sum(robot.done() for robot in robots) == 48, "the other robots' answers"
            )
        finally:
            enough.set()
    assert Counter(robot.result() for robot in robots) == {200: 2, 503: 48}
