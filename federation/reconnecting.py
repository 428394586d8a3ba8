"""Repeat a request whose database connection broke, if that does no harm.

Django checks a connection once at the beginning of a request. If the server closes it later, as when the
database is restarted or an operator terminates sessions, the request fails, although a new connection would
work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, HttpResponse

from players.database_errors import is_connection_lost
from scoring.api.problems import is_program

SAFE = ("GET", "HEAD")


class ReconnectMiddleware:
    """Middleware that answers a request once more on a new connection if the first one broke.

    It repeats whatever is harmless to repeat: reading, and views marked as `ui.repeating.repeatable`.
    It repeats other requests only if the connection broke while a statement was executed, and nothing was
    committed before: then the database has rolled everything back. If it broke during COMMIT, it is unknown
    what was stored, so the reader gets an error page. Programs, below `/api/`, repeat what they send
    themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        watch = _Watch()
        with _watching(watch):
            response = self.get_response(request)
        if response.status_code < 500 or connection.in_atomic_block:
            return response
        if not (watch.may_repeat or (_is_lost(watch, response) and _is_harmless(request))):
            return response
        if not _is_kept(request):
            return response
        connection.close()
        return self.get_response(request)


@contextmanager
def _watching(watch: "_Watch") -> Iterator[None]:
    """Let `watch` see the statements of the body.

    Django's own context manager removes the wrapper that was installed last. That may be one that a new
    connection got meanwhile and has to keep.
    """
    connection.execute_wrappers.append(watch)
    try:
        yield
    finally:
        connection.execute_wrappers.remove(watch)


def _is_lost(watch: "_Watch", response: HttpResponse) -> bool:
    """Return whether the connection broke, be it during a statement, COMMIT, or while rows were read."""
    error = getattr(response, "error", None)
    return watch.lost or (isinstance(error, DatabaseError) and is_connection_lost(error))


def _is_harmless(request: HttpRequest) -> bool:
    """Return whether a request can be repeated whatever of it was committed."""
    view = request.resolver_match and request.resolver_match.func
    return request.method in SAFE or getattr(view, "repeatable", False)


class _Watch:
    """Observes the statements of a request: did the connection break, and was anything committed?"""

    def __init__(self) -> None:
        self.lost = self.committed = False

    def __call__(self, execute: Callable, sql: str, params: Any, many: bool, context: dict) -> Any:
        connection = context["connection"]
        if not sql.lstrip().upper().startswith("SELECT"):
            if connection.in_atomic_block:
                connection.on_commit(self._note_commit)
            else:
                self._note_commit()  # the statement commits by itself
        try:
            return execute(sql, params, many, context)
        except DatabaseError as error:
            self.lost = self.lost or is_connection_lost(error)
            raise

    def _note_commit(self) -> None:
        self.committed = True

    @property
    def may_repeat(self) -> bool:
        return self.lost and not self.committed


def _is_kept(request: HttpRequest) -> bool:
    """Return whether all that the request sent can be read again. Go back to the beginning of its files."""
    if request.method in SAFE:
        return True
    if is_program(request):
        return False  # its body was read from the connection
    for _name, files in request.FILES.lists():
        for file in files:
            file.seek(0)
    return True
