"""Whose webhooks a page shows: those of a club, or of the office."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.models import Club
from scoring.clubs.access import club_to_change, club_to_read
from scoring.clubs.frame import desk_context
from scoring.webhooks.events import OF_CLUBS, Event
from scoring.webhooks.models import Webhook
from scoring.webhooks.services import most_of
from ui.addresses import office_crumbs


@dataclass(frozen=True, slots=True)
class Owner:
    """A club, or the office (None)."""

    club: Club | None

    @property
    def events(self) -> list[Event]:
        """The events that its webhooks can get."""
        return list(OF_CLUBS if self.club else Event)

    @property
    def most(self) -> int:
        """How many webhooks it can have."""
        return most_of(self.club)

    def webhooks(self) -> QuerySet[Webhook]:
        """Return its webhooks."""
        return Webhook.objects.filter(club=self.club)

    def webhook(self, pk: int) -> Webhook:
        """Return one of its webhooks. Raises Http404."""
        return get_object_or_404(self.webhooks().select_related("made_by"), pk=pk)

    def url(self, name: str, *args: object) -> str:
        """Return the address of a page, by the name that it has in `urls.pages`."""
        if self.club:
            return reverse(f"club_{name}", args=[self.club.slug, *args])
        return reverse(f"office_{name}", args=args)

    def context(self, request: HttpRequest, *steps: tuple[str, str | None]) -> dict[str, Any]:
        """Return what the templates of all these pages need.

        steps: breadcrumbs after that of the list; the URL of the page itself is None
        """
        frame = {"owner": self, "list_url": self.url("webhooks")}
        if self.club:
            return {**desk_context(request, self.club, "club_webhooks", *steps), **frame}
        trail = [(_("Webhooks"), self.url("webhooks") if steps else None), *steps]
        may_write = roles_of(request.user).office
        return {"may_write": may_write, "breadcrumbs": office_crumbs(*trail), **frame}


def owner_to_read(request: HttpRequest, slug: str | None) -> Owner:
    """Return whose webhooks an account may see. Raises PermissionDenied, or Http404 for a club.

    slug: that of a club; None for the office
    """
    if slug is None:
        roles = roles_of(request.user)
        require(roles.office or roles.auditor)
        return Owner(None)
    return Owner(club_to_read(request, slug))


def owner_to_change(request: HttpRequest, slug: str | None) -> Owner:
    """Return whose webhooks an account may change, as `owner_to_read`."""
    if slug is None:
        require(roles_of(request.user).office)
        return Owner(None)
    return Owner(club_to_change(request, slug))
