"""Warm a web process up before its first request, and beside its first readers."""

import gc
import logging
from threading import Thread

from django.conf import settings
from django.db import connections
from django.test import Client
from django.urls import reverse

from federation import collected
from players.models import Category
from tournaments.formats.sandbox import SERVER
from ui.clock import today

logger = logging.getLogger(__name__)
PAGES = ["home", "standings"]


def warm_up() -> None:
    """Request some pages, which loads templates and URLs, and start the server that reads uploaded files.

    Then exempt all objects from garbage collection, and begin to open the lists of all categories.

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
    Thread(target=_open_lists_in_thread, name="warm-up", daemon=True).start()


def open_lists() -> None:
    """Request the list of each category, so that the process has the figures that it keeps (`ui.memo`).

    In a large federation this takes seconds. Readers who want the same figures meanwhile wait for them, and
    do not compute them too.
    """
    client = Client(SERVER_NAME=_host())
    for category in Category.objects.on(today()):
        client.get(reverse("standing", args=[category.code.lower()]), secure=True)


def _open_lists_in_thread() -> None:
    try:
        open_lists()
    except Exception:  # the pages are only slower at first
        logger.warning("the lists of the categories could not be warmed up", exc_info=True)
    finally:
        connections.close_all()


def _host() -> str:
    """Return a host name that ALLOWED_HOSTS accepts."""
    host = (settings.ALLOWED_HOSTS or ["localhost"])[0]
    return "localhost" if host == "*" else host.removeprefix(".")
