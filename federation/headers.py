"""Headers of every response, also of files and error pages, that limit what a browser may do with it."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

# Features that no page uses, among those that Chromium knows: it warns of others on every page. Passkeys
# need the two of `OWN_FEATURES`.
UNUSED_FEATURES = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "compute-pressure",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "screen-wake-lock",
    "serial",
    "speaker-selection",
    "storage-access",
    "usb",
    "window-management",
    "xr-spatial-tracking",
)
OWN_FEATURES = ("publickey-credentials-create", "publickey-credentials-get")
PERMISSIONS_POLICY = ", ".join(
    [*(f"{feature}=()" for feature in UNUSED_FEATURES), *(f"{feature}=(self)" for feature in OWN_FEATURES)]
)


class HeadersMiddleware:
    """Middleware for headers that neither Django nor django-csp sets, or that Django sets wrong.

    It stands before the middleware that answers requests for static files, which would hide these from it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        # Other sites can show none of our images, files or pages, and read nothing from them.
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            # Django's 0 would be the length of the page that the client keeps (RFC 9110, section 8.6).
            del response.headers["Content-Length"]
        return response
