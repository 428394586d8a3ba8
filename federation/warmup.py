"""Warm a web process up before its first request."""

import gc
import logging

from django.conf import settings
from django.test import Client
from django.urls import reverse

from federation import collected
from tournaments.formats.sandbox import SERVER

logger = logging.getLogger(__name__)
PAGES = ["home", "standings"]


def warm_up() -> None:
    """Request some pages, which loads templates and URLs, and start the server that reads uploaded files.

    Then exempt all objects from garbage collection.

    A full garbage collection with Django loaded stops a request for 40 ms or more. The objects that exist
    after these requests live as long as the process, so the garbage collector need not examine them.
    """
    collected.warn()
    client = Client(SERVER_NAME=_host())
    for name in PAGES:
        try:
            client.get(reverse(name), secure=True)
        except Exception:  # start anyway: the database may become available later
            logger.warning("the page %r could not be warmed up", name, exc_info=True)
    SERVER.start()
    gc.collect()
    gc.freeze()


def _host() -> str:
    """Return a host name that ALLOWED_HOSTS accepts."""
    host = (settings.ALLOWED_HOSTS or ["localhost"])[0]
    return "localhost" if host == "*" else host.removeprefix(".")
