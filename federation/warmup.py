"""What a web process does before its first reader comes."""

import gc
import logging

from django.conf import settings
from django.test import Client
from django.urls import reverse

logger = logging.getLogger(__name__)
PAGES = ["home", "standings"]


def warm_up() -> None:
    """Load templates, addresses and connections by asking for pages, then leave them out of collections.

    A full garbage collection with Django loaded stops a request for 40 ms or more; what is there after these
    requests stays for the life of the process, so it need not be looked at again.
    """
    client = Client(SERVER_NAME=_host())
    for name in PAGES:
        try:
            client.get(reverse(name), secure=True)
        except Exception:  # a cold start is no reason not to start: the database may come later
            logger.warning("the page %r could not be warmed up", name, exc_info=True)
    gc.collect()
    gc.freeze()


def _host() -> str:
    """A name that ALLOWED_HOSTS accepts."""
    host = (settings.ALLOWED_HOSTS or ["localhost"])[0]
    return "localhost" if host == "*" else host.removeprefix(".")
