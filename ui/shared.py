"""Public pages that a shared cache may keep: everybody gets the same bytes.

A view decorated with `shared` never sees who asks: `federation.middleware.SharedPagesMiddleware` removes the
cookies from the request. What a page shows only to its reader stands in `{% reader "name" %}` blocks, which
the public page renders as for an anonymous reader. The browser of a signed-in reader requests the same
address with the parameter PERSONAL and replaces these blocks (`static/js/reader.js`); without JavaScript, a
link leads to that address.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

PERSONAL = "yo"  # the query parameter of the personal version of a shared page
# For how long a shared cache may serve a page, and for how much longer while it asks for the next version. A
# hidden name has to be gone within a minute (docs/privacy.md).
SHARED_SECONDS, STALE_SECONDS = 10, 30
PARTS_HEADER = "X-Parts"  # a request with this header gets the reader's blocks alone
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
_BLOCK = re.compile(r"<!--part-->(.*?)<!--/part-->", re.DOTALL)


def shared(view: View) -> View:
    """Decorate a view whose GET responses are the same for every reader."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args, **kwargs) -> HttpResponseBase:
        return view(request, *args, **kwargs)

    wrapper.shared = True  # type: ignore[attr-defined]
    return cast(View, wrapper)


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
