"""Permissions and breadcrumbs of the Go pages."""

from django.urls import reverse
from django.utils.translation import gettext as _

from players.access import Kind, roles_of
from scoring.ledger.systems import offers_go
from ui.addresses import crumbs


def may_upload(user) -> bool:
    """Return whether the user may register Go tournaments: the office and directors of any club may.

    Nobody may where Go is not rated.
    """
    roles = roles_of(user)
    return offers_go() and (roles.office or Kind.DIRECTOR in roles.clubs)


def go_crumbs(*steps: tuple[str, str | None]) -> list[dict]:
    """Return the breadcrumbs of a Go page: Home, the rating list, then `steps`.

    steps: (label, URL) of each breadcrumb; the URL of the page itself is None
    """
    return crumbs((_("Go ratings"), reverse("go_ratings")), *steps)
