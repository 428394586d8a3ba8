"""What search engines may index: pages without names, or all public ones if the federation agrees.

A page that must not be indexed says so in a header. robots.txt does not forbid these pages: an engine that
may not open a page never reads the header, and may list its address, in which the name stands.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ui.shared import shared

# URL names of public pages that name no players.
WITHOUT_NAMES = {
    "calculator",
    "calendar",
    "clubs",
    "datasets",
    "help",
    "privacy",
    "programs",
    "regulation",
    "regulations",
    "robots",
}
# Paths that crawlers need not open: they require signing in, or repeat other pages.
CLOSED = ("/admin/", "/api/", "/buscar/", "/cuenta/", "/gestion/", "/mi/", "/oficina/", "/resultados/")
NO_INDEX = "noindex, noarchive"


class RobotsMiddleware:
    """Middleware that keeps search engines from indexing pages with names, unless `INDEX_NAMES` is set."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if not (settings.INDEX_NAMES or (match and match.url_name in WITHOUT_NAMES)):
            response.headers.setdefault("X-Robots-Tag", NO_INDEX)
        return response


@require_safe
@shared
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which tells crawlers what they need not open."""
    paths = (f"{prefix}{path}" for prefix in ("", "/en") for path in CLOSED)
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in paths)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
