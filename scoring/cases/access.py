"""Who may read and answer a case."""

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from players.access import Kind, Roles, is_player, roles_of
from players.ages import is_minor
from players.models import Club, Player
from scoring.cases.models import Case
from scoring.cases.states import Party
from ui.clock import today


def answered_clubs(roles: Roles) -> frozenset[int]:
    """Return the ids of the clubs of which these roles make the holder a director or an administrator."""
    return roles.clubs.get(Kind.DIRECTOR, frozenset()) | roles.clubs.get(Kind.CLUB_ADMIN, frozenset())


def readable_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose list of cases the account may open."""
    roles = roles_of(user)
    if roles.office or roles.auditor:
        return Club.objects.all()
    return Club.objects.filter(Q(pk__in=answered_clubs(roles)) | Q(region__in=roles.regions))


def readable_cases(user) -> QuerySet[Case]:
    """Return the cases that the account may read: its own, those of its clubs and regions, or all."""
    roles = roles_of(user)
    if roles.office or roles.auditor:
        return Case.objects.all()
    allowed = Q(club__in=answered_clubs(roles)) | Q(club__region__in=roles.regions)
    if player := getattr(user, "player", None):
        allowed |= Q(player__in=Player.objects.numbers_of(player.current))
    return Case.objects.filter(allowed)


def case_to_read(request: HttpRequest, pk: int) -> Case:
    """Return the case. Raises Http404 if the account may not read it."""
    rows = Case.objects.select_related("player__merged_into", "player__club", "club", "tournament__club")
    return get_object_or_404(rows.filter(pk__in=readable_cases(request.user).values("pk")), pk=pk)


def is_own(user, case: Case) -> bool:
    """Return whether the case is about the account's own player."""
    return is_player(user, case.player.current) or is_player(user, case.player)


def party_of(user, case: Case) -> Party | None:
    """Return as whom the account may act on the case; None if it may only read.

    Nobody answers a case about themselves, whatever their roles.
    """
    if is_own(user, case):
        return Party.PLAYER
    roles = roles_of(user)
    if roles.office:
        return Party.OFFICE
    return Party.CLUB if case.club_id in answered_clubs(roles) else None


def name_of(user, player: Player) -> str:
    """Return the name of a case's player as the account may see it.

    Directors and administrators read hidden players, and minors, by number only.
    """
    if is_player(user, player):
        return player.full_name
    if roles_of(user).reads_everything:
        return player.desk_name
    if player.hidden or is_minor(player.birth_year, today()):
        return Player(number=player.number, hidden=True).public_name
    return player.public_name
