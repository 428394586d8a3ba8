"""What all addresses of the interface do alike: HEAD, methods that they do not take, headers, no cookies."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern

from scoring.api.problems import Problem, finish, response_of


def completed(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Return the patterns, whose views answer as all addresses of the interface do."""
    result = list(patterns)
    for pattern in result:
        pattern.callback = _completed(pattern.callback)
    return result


def _completed(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        method = request.method
        if method == "HEAD":
            request.method = "GET"  # the library answers no other; the server leaves the body out
        try:
            response = view(request, *args, **kwargs)
        finally:
            request.method = method
        if response.status_code == 405:
            return response_of(request, _not_allowed(response))
        return finish(request, response)

    wrapper.csrf_exempt = True  # type: ignore[attr-defined]  # there are no cookies here
    return wrapper


def _not_allowed(response: HttpResponseBase) -> Problem:
    """Return the problem of a method that an address does not take, from the view's response."""
    methods = set(response.headers["Allow"].split(", "))
    if "GET" in methods:
        methods.add("HEAD")
    return Problem("method_not_allowed", headers={"Allow": ", ".join(sorted(methods))})
