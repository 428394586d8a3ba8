"""Public pages that a shared cache may keep: everybody gets the same bytes.

A view decorated with `shared` never sees who asks: `federation.middleware.SharedPagesMiddleware` removes the
cookies from the request. What a page shows only to its reader stands in `{% reader "name" %}` blocks, which
the public page renders as for an anonymous reader. The browser of a signed-in reader requests the same
address with the parameter PERSONAL and replaces these blocks (`static/js/reader.js`); without JavaScript, a
link leads to that address.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

PERSONAL = "yo"  # the query parameter of the personal version of a shared page
# For how long a shared cache may serve a page, and for how much longer while it asks for the next version. A
# hidden name has to be gone within a minute (docs/privacy.md).
SHARED_SECONDS, STALE_SECONDS = 10, 30
# Keys of pages in shared caches: every page has the first, those that may depend on anything the second.
EVERY, ANYTHING = "every", "any"
PARTS_HEADER = "X-Parts"  # a request with this header gets the reader's blocks alone
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
_changed: ContextVar[frozenset[str]] = ContextVar("changed", default=frozenset({EVERY}))
_BLOCK = re.compile(r"<!--part-->(.*?)<!--/part-->", re.DOTALL)


def shared(view: View | None = None, *, keys: Callable[..., Iterable[str]] | None = None) -> Callable:
    """Decorate a view whose GET responses are the same for every reader.

    keys: function of the view's arguments that returns the keys of what the page depends on. By default the
        page may depend on anything, so that every change removes it from shared caches.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args, **kwargs) -> HttpResponseBase:
            return view(request, *args, **kwargs)

        wrapper.shared = True  # type: ignore[attr-defined]
        wrapper.keys = keys or _any_key  # type: ignore[attr-defined]
        return cast(View, wrapper)

    return decorate(view) if view else decorate


def _any_key(*_args: object, **_kwargs: object) -> list[str]:
    return [ANYTHING]


def tournament_key(pk: int) -> str:
    """Return the key of the pages that depend on one tournament alone."""
    return f"tournament-{pk}"


@contextmanager
def changes_only(*keys: str) -> Iterator[None]:
    """Declare that what is written inside a `with` block changes only the pages with one of these keys.

    Other writes make every page in shared caches stale: a forgotten declaration costs speed, never truth.
    """
    token = _changed.set(frozenset(keys))
    try:
        yield
    finally:
        _changed.reset(token)


def changed_keys() -> frozenset[str]:
    """Return the keys of the pages that a write changes now."""
    return _changed.get()


def is_shared(path: str) -> bool:
    """Return whether the view at a path is decorated with `shared`, in the active language."""
    try:
        return getattr(resolve(path).func, "shared", False)
    except Resolver404:
        return False


def only_parts(response: HttpResponse) -> None:
    """Reduce a personal page to its `{% reader %}` blocks."""
    response.content = "".join(_BLOCK.findall(response.content.decode()))
    response.headers["Content-Length"] = str(len(response.content))  # CommonMiddleware has counted the page


def public_address(request: HttpRequest) -> str:
    """Return the address of the shared version of a personal page."""
    query = request.GET.copy()
    query.pop(PERSONAL, None)
    return f"{request.path}?{query.urlencode()}" if query else request.path


def personal_address(request: HttpRequest) -> str:
    """Return the address of the personal version of a shared page."""
    query = request.GET.copy()
    query[PERSONAL] = "1"
    return f"{request.path}?{query.urlencode()}"
