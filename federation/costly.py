"""The limits on public requests that cost much: files, searches, the calculator, feeds, programs, long lists.

Each network has a budget of tokens in the memory of each web process, which costly requests use up and time
refills. A page that anybody may read must not depend on Redis or write to the database; that every process
counts alone only makes the limit wider. In addition, a process answers only some costly requests at a time,
so that threads are left for all others. docs/security.md says what costs how much.

Requests from the machine itself are neither counted nor kept waiting.
"""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from threading import BoundedSemaphore, Lock

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve

from federation import security_log
from players.services.limits import network_of
from scoring.api.problems import Problem, is_program, response_of
from scoring.api.reading.routers import NAMES
from ui.tables import BaseTable

MOST_NETWORKS = 20_000  # remembered by a process; the one that asked longest ago is forgotten first
BUSY_SECONDS = 5  # after which a request that got no slot may try again
# Tokens for a page, by URL name.
PAGES = {
    "search": 1,
    "calculator": 2,
    "strength": 3,
    "promotion": 2,
    "calendar_feed": 3,
    "calendar_region_feed": 3,
    "calendar_club_feed": 3,
    **{f"api:{name}": 1 for name in NAMES},
    "api:promotion": 2,
    "api:standing": 2,
    "results_feed": 3,
    "region_results_feed": 3,
    "club_results_feed": 3,
    "lists_feed": 3,
}
FILE, WHOLE_LIST, PAST_DAY, SEARCH = 10, 4, 2, 1
# Tokens for parameters of any page: `ui.parameters` has their names.
PARAMETERS = {"a": PAST_DAY, "dia": PAST_DAY, "q": SEARCH}
# Tokens for what anybody may send, by URL name. Passwords and codes have limits of their own in the database.
POST = 2
POSTS = {
    **dict.fromkeys(
        [
            "account_code",
            "account_login",
            "account_reset_password",
            "invitation",
            "invitation_code",
            "set_language",
            "sign_up",
            "sign_up_code",
            "sign_up_finish",
            "unsubscribe",
        ],
        POST,
    ),
    "api:score": 20,
}
TEMPLATES = {429: "429_costly.html", 503: "503.html"}
PROBLEMS = {429: "too_many_requests", 503: "occupied"}  # for programs
OWN_FORMAT = "calculator"  # its parameter `formato` is that of the tournament


def cost_of(request: HttpRequest) -> int:
    """Return how many tokens a request costs; 0 for those that are not limited."""
    try:
        name = resolve(request.path_info).view_name
    except Resolver404:
        return 0
    if request.method == "POST":
        return POSTS.get(name, 0)
    cost = max([PAGES.get(name, 0), *(PARAMETERS[key] for key in PARAMETERS if request.GET.get(key))])
    if BaseTable.export_param in request.GET and name != OWN_FORMAT:
        cost = FILE
    elif BaseTable.whole_param in request.GET:
        cost = max(cost, WHOLE_LIST)
    return cost


class Budgets:
    """The tokens that each network has left. Threads may share it.

    burst: the tokens of a network that has not asked for long
    a_second: the tokens that it gets back each second
    """

    def __init__(self, burst: float, a_second: float, most: int = MOST_NETWORKS) -> None:
        self.burst, self.a_second, self.most = burst, a_second, most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # network -> (tokens, time)
        self._lock = Lock()

    def wait(self, network: str, cost: float, now: float) -> float:
        """Take the tokens of a request and return 0, or return after how many seconds it may be repeated.

        A request that costs more than the burst takes all of it.
        """
        cost = min(cost, self.burst)
        with self._lock:
            tokens, at = self._left.pop(network, (self.burst, now))
            tokens = min(self.burst, tokens + max(0, now - at) * self.a_second)
            missing = cost - tokens
            self._left[network] = (tokens if missing > 0 else tokens - cost, now)
            if len(self._left) > self.most:
                self._left.popitem(last=False)
        return missing / self.a_second if missing > 0 else 0

    def left(self, network: str) -> int:
        """Return the whole tokens that a network had left after its last request."""
        with self._lock:
            tokens, _at = self._left.get(network, (self.burst, 0.0))
        return int(tokens)


class HeldSlot:
    """The content of a response that occupies a slot until the response is closed."""

    def __init__(self, content: Iterable[bytes], release: Callable[[], None]) -> None:
        self._content, self._release = content, release

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._content)

    def close(self) -> None:
        """Give the slot back. Servers call it also if the reader went away."""
        release, self._release = self._release, lambda: None
        release()


class CostlyMiddleware:
    """Middleware that answers 429 to networks that ask too much, and 503 while all slots are occupied.

    It stands outside the middleware for shared pages, so that no cache keeps these answers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.budgets = Budgets(settings.COSTLY_BURST, settings.COSTLY_A_SECOND)
        self.slots = BoundedSemaphore(settings.COSTLY_AT_ONCE)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        cost = cost_of(request)
        network = _network(request) if cost else None
        if network is None:
            return self.get_response(request)
        if seconds := math.ceil(self.budgets.wait(network, cost, time.monotonic())):
            security_log.note_limit("costly pages", request, seconds)
            return self._for_program(request, network, _refusal(request, 429, seconds))
        if not self.slots.acquire(blocking=False):
            return _refusal(request, 503, BUSY_SECONDS)
        response = None
        try:
            response = self.get_response(request)
        finally:
            if not _streams(response):
                self.slots.release()
        if _streams(response):
            # The rows of a file are read while it is sent.
            response.streaming_content = HeldSlot(response.streaming_content, self.slots.release)
        return self._for_program(request, network, response)

    def _for_program(self, request: HttpRequest, network: str, response: HttpResponse) -> HttpResponse:
        """Tell a program in headers how many tokens its network has, at most and left.

        Answers that a shared cache may keep have none: it would show them to other networks.
        """
        if is_program(request) and "public" not in response.headers.get("Cache-Control", ""):
            response.headers["X-RateLimit-Limit"] = str(int(self.budgets.burst))
            response.headers["X-RateLimit-Remaining"] = str(self.budgets.left(network))
        return response


def _streams(response: HttpResponse | None) -> bool:
    """Return whether the response computes its content while it is sent; a stored file does not."""
    return isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse)


def _network(request: HttpRequest) -> str | None:
    """Return the network that sent the request; None for this machine, and if the proxies do not tell."""
    try:
        address = get_adapter(request).get_client_ip(request)
    except (ImproperlyConfigured, PermissionDenied):
        return None
    return None if ipaddress.ip_address(address).is_loopback else network_of(address)


def _refusal(request: HttpRequest, status: int, seconds: int) -> HttpResponse:
    """Return a page, or for programs a problem, that says after how many seconds to try again."""
    headers = {"Retry-After": str(seconds)}
    if is_program(request):
        return response_of(request, Problem(PROBLEMS[status], headers=headers, seconds=seconds))
    page = render_to_string(TEMPLATES[status], {"seconds": seconds})
    return HttpResponse(page, status=status, headers={**headers, "Cache-Control": "no-store"})
