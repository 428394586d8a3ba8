"""Read clubs, regions and roles for the office."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from players.models import AccountEvent, Club, OrganisationChange, Player, Region, Role
from scoring.office.queries.sheet import grant_key, last_grants
from ui.text import fold


def find_clubs(text: str = "", region: Region | None = None) -> list[Club]:
    """Return the clubs whose name, code or town has all words of `text`, sorted by name."""
    clubs = Club.objects.only("code", "name", "city").order_by("sort_key", "pk")
    if region:
        clubs = clubs.filter(region=region)
    words = fold(text).split()
    if not words:
        return list(clubs)
    return [
        club for club in clubs if all(word in fold(f"{club.code} {club.name} {club.city}") for word in words)
    ]


def club_records(clubs: Sequence[Club]) -> list[Any]:
    """Return the records of `OfficeClubTable`: the clubs with `members`, `administrators` and `directors`."""
    counted = Club.objects.select_related("region").annotate(
        members=_count(Player.objects.unmerged().filter(club=OuterRef("pk")), "club"),
        administrators=_count(Role.objects.filter(club=OuterRef("pk"), kind=Role.Kind.CLUB_ADMIN), "club"),
        directors=_count(Role.objects.filter(club=OuterRef("pk"), kind=Role.Kind.DIRECTOR), "club"),
    )
    by_id = counted.in_bulk([club.pk for club in clubs])
    return [by_id[club.pk] for club in clubs]


def _count(rows: QuerySet, column: str) -> Coalesce:
    """Return an expression with the number of rows of a subquery that refers to the outer row by `column`."""
    counted = rows.order_by().values(column).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


def find_regions() -> QuerySet[Region]:
    """Return the regions with the annotations `active_clubs`, `closed_clubs` and `administrators`."""
    return Region.objects.annotate(
        active_clubs=Count("clubs", filter=Q(clubs__active=True), distinct=True),
        closed_clubs=Count("clubs", filter=Q(clubs__active=False), distinct=True),
        administrators=Count("roles", distinct=True),
    ).order_by("sort_key", "pk")


def changes_of(**organisation: Club | Region) -> QuerySet[OrganisationChange]:
    """Return the journal of a club or a region, latest first."""
    changes = OrganisationChange.objects.filter(**organisation)
    return changes.select_related("by", "proposal__prepared_by").order_by("-at", "-pk")


def find_roles(kind: str = "", club: Club | None = None, region: Region | None = None) -> QuerySet[Role]:
    """Return the roles that accounts hold, by role, club or region, and account.

    region: the roles of the region itself and of its clubs
    """
    roles = Role.objects.select_related("user__player", "club", "region")
    if kind:
        roles = roles.filter(kind=kind)
    if club:
        roles = roles.filter(club=club)
    if region:
        roles = roles.filter(Q(region=region) | Q(club__region=region))
    return roles.order_by("kind", "club__sort_key", "region__sort_key", "user__username", "pk")


def role_records(roles: Sequence[Role]) -> list[dict[str, Any]]:
    """Return the records of `RoleTable` for these roles. One query."""
    grants = last_grants(AccountEvent.objects.filter(account__in={role.user_id for role in roles}))
    return [_role_record(role, grants.get(grant_key(role))) for role in roles]


def _role_record(role: Role, event: AccountEvent | None) -> dict[str, Any]:
    player = getattr(role.user, "player", None)
    return {
        "account": role.user.get_username(),
        "url": reverse("account", args=[role.user_id]),
        "name": player.desk_name if player else role.user.get_full_name(),
        "number": player.number if player else "",
        "words": role.words,
        "is_open": role.user.is_active,
        "since": event and event.at,
        "by": event,
    }
