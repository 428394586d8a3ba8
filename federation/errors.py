"""The designed pages for what goes wrong.

400, 500 and a refused form are drawn without context: they must come up when the database or the account
cannot be relied on. 403 and 404 are ordinary pages with the reader's menu.
"""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from players.database_errors import is_transient


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: a request that no page of ours makes."""
    return HttpResponse(render_to_string("400.html"), status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in or not, this is not open to the reader."""
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: nothing here, or nothing that the reader may know of."""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault; the log has the traceback. 503 when the database is away, busy, full or read-only."""
    error = sys.exc_info()[1]
    if error and is_transient(error):
        response = HttpResponse(render_to_string("503.html"), status=503)
        response.headers["Retry-After"] = "30"  # seconds
        return response
    return HttpResponse(render_to_string("500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without a valid token."""
    return HttpResponse(render_to_string("403_csrf.html"), status=403)
