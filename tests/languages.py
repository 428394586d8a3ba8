"""Requests for the pages of a language."""

from django.conf import settings
from django.test import Client
from django.utils import translation

# Addresses that are not below the prefix of a language.
_OF_LOG = ("checkpoint", "keys", "tile/", "sellos/", "verify_log.py", "add-checkpoint")
BARE = (
    "/api/",
    "/idioma/",
    "/salud/",
    "/static/",
    *(f"/transparencia/{name}" for name in _OF_LOG),
)


def address_in(language: str, address: str) -> str:
    """Return the address of a page in a language: English pages are below `/en/`."""
    if not address.startswith("/") or address.startswith(BARE):
        return address
    bare = address.removeprefix("/en") if address.startswith("/en/") else address
    return bare if language == settings.LANGUAGE_CODE else f"/{language}{bare}"


def speak(client: Client, language: str) -> None:
    """Let a client request all pages in a language, as a reader does who follows the links of its pages.

    The language becomes the active one, so that `reverse` returns the addresses of these pages.
    """
    translation.activate(language)
    plain = type(client).generic

    def generic(method, path, *args, **options):
        return plain(client, method, address_in(language, str(path)), *args, **options)

    client.generic = generic
