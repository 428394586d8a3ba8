"""Middleware for the language of pages, for compression, for submitted texts, and for systems not offered."""

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

from scoring.ledger.systems import offers_go
from ui.fields import submitted

_LANGUAGES = {code for code, _name in settings.LANGUAGES}


class ExplicitLanguageMiddleware:
    """Middleware that serves Spanish unless the reader chose another language, which sets a cookie.

    Django's LocaleMiddleware would also follow the browser's language, which is English in many browsers in
    Spain that were never configured. Programs, below `/api/`, have no cookies: they choose with the header
    Accept-Language.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = _accepted(request) if request.path.startswith("/api/") else _of_cookie(request)
        language = chosen if chosen in _LANGUAGES else settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


def _of_cookie(request: HttpRequest) -> str | None:
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)


def _accepted(request: HttpRequest) -> str | None:
    """Return the first of our languages that the request accepts; None without one."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    languages = (language.partition("-")[0] for language, quality in accepted if quality)
    return next((language for language in languages if language in _LANGUAGES), None)


class CompressMiddleware(GZipMiddleware):
    """Middleware that compresses texts, except where the compressed length could reveal a secret (BREACH).

    The attack needs a page that contains both a secret and a text chosen by the attacker. Therefore a page
    for a signed-in reader is compressed only if the request has no query string or body. In addition, Django
    appends a random number of bytes. Workbooks and images are not compressed, because they are compressed
    formats.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Compress the response if that is safe and useful."""
        signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES
        has_input = request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING")
        is_text = response.headers.get("Content-Type", "").startswith("text/")
        if not is_text or (signed_in and has_input):
            return response
        return super().process_response(request, response)


class DirectionMiddleware:
    """Middleware that removes characters that change the direction of texts from submitted forms.

    The addresses for programs below `/api/` read their forms themselves (`scoring.api.body`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Replace the form, which the check for CSRF has already read."""
        if request.method == "POST" and not request.path.startswith("/api/"):
            request.POST = submitted(request.POST)


class GoMiddleware:
    """Middleware that answers 404 for all pages of Go unless the installation rates games of Go."""

    routes = ("go/", "resultados/go/")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Refuse the page before its view is called."""
        if request.resolver_match.route.startswith(self.routes) and not offers_go():
            raise Http404
