"""The routers of all addresses that anybody may read, in the order of the description."""

from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern

from scoring.api.reading import clubs, players, promotions, ratings, regulations, standings, tournaments
from ui.shared import shared

MODULES = (players, standings, tournaments, regulations, promotions, ratings, clubs)
ROUTERS = tuple(module.router for module in MODULES)
NAMES = frozenset(
    operation.url_name
    for router in ROUTERS
    for view in router.path_operations.values()
    for operation in view.operations
)


def share(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Return the patterns, in which those of these routers are shared (`ui.shared`) and answer HEAD too."""
    result = list(patterns)
    for pattern in result:
        if pattern.name in NAMES:
            pattern.callback = _shared(pattern.callback)
    return result


def _shared(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        method = request.method
        if method == "HEAD":
            request.method = "GET"  # the library answers no other; the server leaves the body out
        try:
            return view(request, *args, **kwargs)
        finally:
            request.method = method

    wrapper.csrf_exempt = True  # type: ignore[attr-defined]
    return shared(wrapper)
