"""The headers with which every response tells browsers what they may do with it."""

from collections.abc import Mapping
from typing import Protocol


class Response(Protocol):
    """A response of Django's test client, or of a server."""

    @property
    def headers(self) -> Mapping[str, str]: ...


EXPECTED = {
    "Content-Security-Policy": ("default-src", "object-src 'none'", "base-uri 'none'", "frame-ancestors"),
    "Permissions-Policy": ("camera=()", "geolocation=()", "publickey-credentials-get=(self)"),
    "Cross-Origin-Resource-Policy": ("same-origin",),
    "Cross-Origin-Opener-Policy": ("same-origin",),
    "Referrer-Policy": ("same-origin",),
    "X-Content-Type-Options": ("nosniff",),
}
# What would tell which program, of which version, made the page.
REVEALING = {"X-Powered-By", "X-AspNet-Version", "Via"}


def wrong_headers(response: Response) -> list[str]:
    """Return the names of the headers that are missing, incomplete or should not be there."""
    headers = response.headers
    missing = [
        name
        for name, parts in EXPECTED.items()
        if not all(part in headers.get(name, "") for part in parts) or "unsafe-" in headers.get(name, "")
    ]
    return [*missing, *(name for name in REVEALING if name in headers)]
