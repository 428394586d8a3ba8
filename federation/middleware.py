"""Middleware of our own."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils import translation

_LANGUAGES = {code for code, _name in settings.LANGUAGES}


class ExplicitLanguageMiddleware:
    """Speak Spanish unless the reader chose another language.

    Django's LocaleMiddleware would serve English to every browser set to English, and most browsers in
    Spain that were never configured are: so only the cookie that the reader's own choice sets counts.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        language = chosen if chosen in _LANGUAGES else settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


class CompressMiddleware(GZipMiddleware):
    """Compress pages and lists, except where the length could tell a stranger what a page says (BREACH).

    That takes a page with a secret in it and with a text that the stranger chose, asked for again and again:
    readers who are signed in get a page compressed only if its address carries no text. Django adds a random
    length to all. Workbooks and images are compressed already.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response, compressed where that is safe and worth it."""
        signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES
        chosen = request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING")
        text = response.headers.get("Content-Type", "").startswith("text/")
        if not text or (signed_in and chosen):
            return response
        return super().process_response(request, response)
