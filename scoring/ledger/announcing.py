"""Who may announce which tournaments.

The office may announce tournaments of all event types. Directors and administrators of a club may announce
those of types that need no approval (pools). Administrators of a region may announce those of types that they
may approve.
"""

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from players.access import Kind, Roles, roles_of
from players.models import Club
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import event_types
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.filing import Filing
from tournaments.models import Announcement

OWN = (Kind.DIRECTOR, Kind.CLUB_ADMIN)


def clubs_to_announce(user: Any) -> QuerySet[Club]:
    """Return the active clubs for which the account may announce tournaments of some type."""
    roles = roles_of(user)
    clubs = Club.objects.filter(active=True)
    return clubs if roles.office else clubs.filter(Q(pk__in=_own(roles)) | Q(region__in=roles.regions))


def may_announce(user: Any, club: Club, event_type: str, day: date) -> bool:
    """Return whether the account may announce, change and cancel tournaments of this type in this club.

    day: the last day of the tournament; the regulation of that day decides which types need approval
    """
    roles = roles_of(user)
    if roles.office:
        return True
    try:
        filing = regulations.in_force(FAMILY, day).filing
    except EngineError:
        return False
    return _allows(filing, event_type, club.pk in _own(roles), club.region_id in roles.regions)


def types_to_announce(user: Any, first: date, last: date) -> event_types.Groups:
    """Return the event types in force on some day of a span that the account may announce in some club."""
    roles = roles_of(user)
    is_own, is_regional = bool(_own(roles)), bool(roles.regions)
    codes = {
        row.code
        for regulation in event_types.in_force_between(first, last)
        for row in regulation.event_types.rows
        if roles.office or _allows(regulation.filing, row.code, is_own, is_regional)
    }
    return event_types.only(event_types.own_groups(first, last), codes)


def _allows(filing: Filing, event_type: str, is_own: bool, is_regional: bool) -> bool:
    """Return whether an account may announce an event type, by its roles in the club and in its region."""
    if filing.needs_approval(event_type):
        return is_regional and event_type in filing.regional
    return is_own


def may_change(user: Any, announcement: Announcement) -> bool:
    """Return whether the account may change or cancel the announced tournament."""
    return user.is_authenticated and may_announce(
        user, announcement.club, announcement.event_type, announcement.end_date
    )


def may_announce_any(user: Any) -> bool:
    """Return whether the account may announce tournaments. Make no query but the one for its roles."""
    roles = roles_of(user)
    return roles.office or bool(roles.regions or _own(roles))


def _own(roles: Roles) -> frozenset[int]:
    """Return the ids of the clubs that the account directs or administers."""
    return frozenset().union(*(roles.clubs.get(kind, frozenset()) for kind in OWN))
