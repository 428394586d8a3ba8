"""Who may read and change the desk of a club."""

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from players.access import Kind, manageable_clubs, require, roles_of
from players.models import Club, Region


def visible_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose desk the account may open. An auditor may open all."""
    return Club.objects.all() if roles_of(user).auditor else manageable_clubs(user)


def visible_regions(user) -> QuerySet[Region]:
    """Return the regions whose page the account may open: its own, or all for the office and auditors."""
    roles = roles_of(user)
    if roles.office or roles.auditor:
        return Region.objects.all()
    return Region.objects.filter(pk__in=roles.regions)


def may_change(user, club: Club) -> bool:
    """Return whether the account manages the club. Make no query but the one for its roles."""
    roles = roles_of(user)
    own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    return roles.office or club.pk in own or club.region_id in roles.regions


def sees_hidden_members(user, club: Club) -> bool:
    """Return whether the account sees the names of the club's hidden members.

    The club's own administrators know their members. Administrators of the region do not.
    """
    roles = roles_of(user)
    return roles.reads_everything or club.pk in roles.clubs.get(Kind.CLUB_ADMIN, frozenset())


def club_to_read(request: HttpRequest, slug: str) -> Club:
    """Return the club. Raises Http404 if the account may not open its desk."""
    return get_object_or_404(visible_clubs(request.user).select_related("region"), slug=slug)


def club_to_change(request: HttpRequest, slug: str) -> Club:
    """Return the club. Raises Http404 like `club_to_read`, PermissionDenied if the account may only read."""
    club = club_to_read(request, slug)
    require(may_change(request.user, club))
    return club
