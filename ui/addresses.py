"""Breadcrumbs, and the validation of query parameters."""

import re
from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# The message to the user who has just prepared a proposal.
WAITING_MESSAGE = gettext_lazy(
    "It waits for a second person. Nothing is changed until somebody else approves it."
)
DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")  # `fromisoformat` also reads weeks, and days without hyphens
EARLIEST = date(1900, 1, 1)  # `parse_day` accepts no day before this one


def site_host() -> str:
    """Return the host name of the site, for ids that have to be the same whatever host name was asked for."""
    return settings.SITE_ADDRESS.partition("//")[2].partition(":")[0]


def crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Return breadcrumbs, with Home first. Each step is (label, URL); the URL of the page itself is None."""
    trail: list[tuple[str, str | None]] = [(_("Home"), reverse("home")), *steps]
    return [{"label": label, "url": url} for label, url in trail]


def office_crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Return breadcrumbs that begin with Home and the office's start page.

    steps: the further (label, URL), as in `crumbs`
    """
    return crumbs((_("Office"), reverse("office")), *steps)


def own_player_id(request: HttpRequest) -> int | None:
    """Return the id of the player linked to the signed-in account; None if there is none."""
    player = getattr(request.user, "player", None)  # an anonymous user has no such attribute
    return player and player.pk


def parse_day(text: str) -> date | None:
    """Return a day written YYYY-MM-DD, or None if the text is invalid or the day is before EARLIEST."""
    try:
        day = date.fromisoformat(text) if DAY.fullmatch(text) else None
    except ValueError:
        return None
    # `date` has no year 0, so the twelve months before a day of the year 1 cannot be computed.
    return day if day and day >= EARLIEST else None


def one_of(value: str, allowed: Any, default: str = "") -> str:
    """Return `value` if it is one of the allowed values, otherwise `default`."""
    return value if value in allowed else default
