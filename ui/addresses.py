"""What the public pages share: crumbs, and reading addresses and dates."""

from datetime import date
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# Said once an act is prepared.
WAITS = gettext_lazy("It waits for a second person. Nothing is changed until somebody else approves it.")
EARLIEST = date(1900, 1, 1)  # the first day that can be asked for


def crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Breadcrumbs from (label, address) pairs, home in front; None for the page itself."""
    trail: list[tuple[str, str | None]] = [(_("Home"), reverse("home")), *steps]
    return [{"label": label, "url": url} for label, url in trail]


def office_crumbs(*steps: tuple[str, str | None]) -> list[dict[str, str | None]]:
    """Breadcrumbs of a page of the office."""
    return crumbs((_("Office"), reverse("office")), *steps)


def own_player_id(request: HttpRequest) -> int | None:
    """The id of the signed-in reader's own player, if any."""
    if not request.user.is_authenticated:
        return None
    player = getattr(request.user, "player", None)
    return player and player.pk


def day_of(text: str) -> date | None:
    """A day written YYYY-MM-DD, or None when it is no such thing or before anybody can have played."""
    try:
        day = date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
    # The twelve months up to a day of the year 1 would begin before the calendar does.
    return day if day and day >= EARLIEST else None


def one_of(value: str, allowed: Any, default: str = "") -> str:
    """A parameter that is one of the known ones; anything else counts as not given."""
    return value if value in allowed else default
