"""Middleware for addresses, languages, plain HTTP, shared pages, compression, texts, offered systems."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import (
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
    set_response_etag,
)
from django.utils.http import escape_leading_slashes, parse_http_date
from django.utils.translation.trans_real import parse_accept_lang_header

from federation import purging
from scoring.api.problems import Problem, is_program, response_of
from scoring.ledger.systems import offers_go
from ui.fields import submitted
from ui.parameters import renamed
from ui.shared import (
    PARTS_HEADER,
    PERSONAL,
    SHARED_SECONDS,
    STALE_SECONDS,
    is_shared,
    only_parts,
    public_address,
)

_LANGUAGES = {code for code, _name in settings.LANGUAGES}


class AddressLanguageMiddleware:
    """Middleware that takes the language of a page from its address: English below `/en/`, else Spanish.

    Django's LocaleMiddleware would also follow cookies and the browser's language, so that one address would
    have two contents. Programs, below `/api/`, choose with the header Accept-Language.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        chosen = _accepted(request) if path.startswith("/api/") else path.split("/", 2)[1]
        language = chosen if chosen in _LANGUAGES else settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


def _accepted(request: HttpRequest) -> str | None:
    """Return the first of our languages that the request accepts; None without one."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    languages = (language.partition("-")[0] for language, quality in accepted if quality)
    return next((language for language in languages if language in _LANGUAGES), None)


class PlainProgramsMiddleware:
    """Middleware that refuses requests of programs over HTTP where pages are redirected to HTTPS.

    A program that follows redirects would send its token over HTTP each time, and nobody would notice.
    `SECURE_REDIRECT_EXEMPT` takes these addresses out of the redirect.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_program(request) and settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return response_of(request, Problem("plain_http"))
        return self.get_response(request)


class FormerParametersMiddleware:
    """Middleware that redirects addresses with former names of parameters for good, so that bookmarks work.

    Programs, below `/api/`, and the administration site have parameters of their own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        own = request.path_info.startswith(("/api/", reverse("admin:index")))
        query = None if own or request.method not in ("GET", "HEAD") else renamed(request.GET)
        if query is None:
            return self.get_response(request)
        # A path that begins with two slashes would lead to another site.
        address = escape_leading_slashes(f"{request.path}?{query.urlencode()}")
        return redirect(address, permanent=True)


class SharedPagesMiddleware:
    """Middleware that makes the pages decorated with `ui.shared.shared` the same for every reader.

    Such a view gets no cookies, so it knows no session, account, message or token. Browsers ask each time
    whether the page changed. Shared caches may keep it for SHARED_SECONDS, and STALE_SECONDS more while they
    ask. All other responses are private and not stored, unless the view says otherwise.

    A cookie without a secret tells the scripts of shared pages that somebody is signed in in this browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reads = request.method in ("GET", "HEAD")
        request.shared = reads and not _asks_for_own(request) and is_shared(request.path_info)
        if request.shared:
            request.COOKIES = {}
            request.META.pop("HTTP_COOKIE", None)
            request.written_at = purging.version() if settings.PURGE_URLS else ""
        response = self.get_response(request)
        if request.shared and response.status_code < 500:
            return _for_everybody(request, response)
        if "Cache-Control" not in response.headers:
            patch_cache_control(response, private=True, no_store=True)
        _tell_script(request, response)
        return response

    def process_view(self, request: HttpRequest, view: Callable, *_arguments: object) -> HttpResponse | None:
        """Send anonymous readers of a personal page to the page that is the same for everybody."""
        own = _asks_for_own(request) and getattr(view, "shared", False)
        if own and not request.user.is_authenticated:
            return redirect(public_address(request))
        return None


def _asks_for_own(request: HttpRequest) -> bool:
    """Return whether the request is for the personal version of a page. Programs have none."""
    return PERSONAL in request.GET and not is_program(request)


def _for_everybody(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the headers by which shared caches keep a response, and answer 304 if the reader has it already.

    Caches keep complete pages alone: no redirects, no errors, no files that are written while they are sent.
    """
    patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
    varies = [name for name in response.headers.get("Vary", "").split(", ") if name not in ("", "Cookie")]
    del response.headers["Vary"]
    patch_vary_headers(response, [*varies, "Accept-Encoding"])
    if response.status_code not in (200, 304) or response.streaming:
        return response
    if not settings.PURGE_URLS or purging.mark(request, response, request.written_at):
        patch_cache_control(response, s_maxage=SHARED_SECONDS, stale_while_revalidate=STALE_SECONDS)
    if "ETag" not in response.headers:
        set_response_etag(response)
    # Weak, because a compressed page has the same content and other bytes.
    response.headers["ETag"] = etag = f"W/{response.headers['ETag'].removeprefix('W/')}"
    changed = response.headers.get("Last-Modified")
    changed_at = parse_http_date(changed) if changed else None
    return get_conditional_response(request, etag=etag, last_modified=changed_at, response=response)


def _tell_script(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie that tells scripts of a signed-in reader, or delete it after signing out."""
    session = getattr(request, "session", None)
    signed_in = session is not None and SESSION_KEY in session
    if signed_in and settings.SIGNED_IN_COOKIE not in request.COOKIES:
        response.set_cookie(
            settings.SIGNED_IN_COOKIE,
            "1",
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            samesite="Lax",
        )
    elif not signed_in and settings.SIGNED_IN_COOKIE in request.COOKIES:
        response.delete_cookie(settings.SIGNED_IN_COOKIE, samesite="Lax")


class PartsMiddleware:
    """Middleware that reduces a personal page to its `{% reader %}` blocks if the script asks for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if PARTS_HEADER in request.headers and _asks_for_own(request) and response.status_code == 200:
            only_parts(response)
        return response


class CompressMiddleware(GZipMiddleware):
    """Middleware that compresses texts, except where the compressed length could reveal a secret (BREACH).

    The attack needs a page that contains both a secret and a text chosen by the attacker. Therefore a page
    for a signed-in reader, or a program with a token, is compressed only if the request has no query string
    or body. In addition, Django appends a random number of bytes. Workbooks and images are compressed
    formats already.
    """

    texts = ("text/", "application/json", "application/problem+json", "application/atom+xml")

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Compress the response if that is safe and useful."""
        signed_in = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        has_input = request.method not in ("GET", "HEAD") or request.META.get("QUERY_STRING")
        is_text = response.headers.get("Content-Type", "").startswith(self.texts)
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
        if request.method == "POST" and not is_program(request):
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
        route = request.resolver_match.route.removeprefix(f"{translation.get_language()}/")
        if route.startswith(self.routes) and not offers_go():
            raise Http404
