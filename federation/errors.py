"""The views of the error pages.

400, 413, 500, 503, 507 and the CSRF page are rendered without request context, because they must work
without the database and without an account. 403 and 404 are ordinary pages with the reader's menu. Programs,
which use addresses below `/api/`, get problem documents instead of pages.
"""

import sys

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from federation.watching import request_ids
from players.database_errors import is_disk_full, is_transient
from scoring.api.problems import Problem, is_program, response_of
from tournaments.services.stored_files import FilesFull, FilesUnavailable

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 413 if more was sent than the site takes; otherwise 400, for what none of our pages sends."""
    if is_program(request):
        return response_of(request, Problem("request_malformed"))
    status = 413 if isinstance(exception, TOO_MUCH) else 400
    return _page(f"{status}.html", status)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 403: the reader has no access, signed in or not."""
    if is_program(request):
        return response_of(request, Problem("request_malformed"))
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 404: the page does not exist, or the reader may not know that it does."""
    if is_program(request):
        return response_of(request, Problem("nothing_here"))
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render 503 if the database is unavailable, busy or read-only, and 507 if its disk is full.

    Render 503 or 507 if the storage of uploaded files does not answer or is full; otherwise 500, a bug.
    The response has the exception as `error`.
    """
    response = _failure(request)
    response.error = sys.exc_info()[1]
    return response


def _failure(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    if error and is_transient(error):
        problem, template, status = _cause(error)
        response = response_of(request, Problem(problem)) if is_program(request) else _page(template, status)
        response.headers["Retry-After"] = "30"  # seconds
        return response
    if is_program(request):
        return response_of(request, Problem("fault"))
    return _page("500.html", 500)


def _cause(error: BaseException) -> tuple[str, str, int]:
    """Return the problem, the template and the status that tell what is not available."""
    if isinstance(error, FilesFull):
        return "files_full", "507.html", 507
    if isinstance(error, FilesUnavailable):
        return "files_unavailable", "503_files.html", 503
    if is_disk_full(error):
        return "database_full", "507_database.html", 507
    return "busy", "503.html", 503


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render 403 for a form without a valid CSRF token."""
    return _page("403_csrf.html", 403)


def _page(template: str, status: int) -> HttpResponse:
    """Render an error page, with the id by which operators find the request in the log."""
    return HttpResponse(render_to_string(template, {"request_id": request_ids.current()}), status=status)
