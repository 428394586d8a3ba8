"""Middleware of our own."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
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
