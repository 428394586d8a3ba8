"""Permissions. Every view and service that changes something checks them here; see docs/access.md.

An account's roles are read once per request: `roles_of` caches them on the user object.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet

from players.models import Club, Player, Role

Kind = Role.Kind
# The roles that approve proposals. Granting or revoking one needs a second person, and a new holder cannot
# approve anything for `settings.APPROVAL_WAITING_DAYS`. `Roles.approves` says who approves which proposals.
APPROVERS = frozenset({Kind.OFFICE, Kind.COMMITTEE, Kind.REGION_ADMIN})


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of one account.

    everywhere: kinds of role held for the whole federation
    clubs: kind of role -> ids of the clubs it is held for
    regions: ids of the regions the account administers
    """

    everywhere: frozenset[str]
    clubs: dict[str, frozenset[int]]
    regions: frozenset[int]

    @property
    def office(self) -> bool:
        return Kind.OFFICE in self.everywhere

    @property
    def auditor(self) -> bool:
        return Kind.AUDITOR in self.everywhere

    @property
    def committee(self) -> bool:
        return Kind.COMMITTEE in self.everywhere

    def approves(self, region: int | None = None) -> bool:
        """Whether the account has a role that approves proposals of other accounts.

        region: the id of a region, for a proposal that administrators of that region may approve too;
            otherwise None
        """
        return bool(APPROVERS & self.everywhere) or region in self.regions

    @property
    def reads_everything(self) -> bool:
        """Whether the account sees hidden names and everybody's uploads: office, committee and auditors."""
        return bool(self.everywhere)


NOBODY = Roles(frozenset(), {}, frozenset())


def roles_of(user) -> Roles:
    """Return the roles of an account.

    Being a superuser gives no role. Every role has to be granted, which the journal of accounts records.
    """
    if not user.is_authenticated:
        return NOBODY
    cached = getattr(user, "_baza_roles", None)
    if cached is None:
        everywhere, clubs, regions = set(), {}, set()
        for kind, club, region in user.roles.values_list("kind", "club_id", "region_id"):
            if club:
                clubs.setdefault(kind, set()).add(club)
            elif region:
                regions.add(region)
            else:
                everywhere.add(kind)
        cached = Roles(frozenset(everywhere), {k: frozenset(v) for k, v in clubs.items()}, frozenset(regions))
        user._baza_roles = cached
    return cached


def uploadable_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose results the account may upload and correct."""
    roles = roles_of(user)
    if roles.office:
        return Club.objects.filter(active=True)
    return Club.objects.filter(pk__in=roles.clubs.get(Kind.DIRECTOR, ()), active=True)


def visible_upload_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose uploads the account may view: its own clubs, those of its regions, or all."""
    roles = roles_of(user)
    if roles.office or roles.auditor:
        return Club.objects.all()
    own = roles.clubs.get(Kind.DIRECTOR, frozenset()) | roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    return Club.objects.filter(Q(pk__in=own) | Q(region_id__in=roles.regions))


def clubs_with_memory(user) -> QuerySet[Club]:
    """Return the clubs for which the account may see and change what is remembered about their files.

    The remembered names are those that directors read in files. So only the club's directors and
    administrators see them, and the office.
    """
    roles = roles_of(user)
    if roles.office:
        return Club.objects.all()
    own = roles.clubs.get(Kind.DIRECTOR, frozenset()) | roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    return Club.objects.filter(pk__in=own)


def manageable_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose members and directors the account manages."""
    roles = roles_of(user)
    if roles.office:
        return Club.objects.all()
    own = roles.clubs.get(Kind.CLUB_ADMIN, frozenset())
    return Club.objects.filter(Q(pk__in=own) | Q(region_id__in=roles.regions))


def may_see_name(user, player: Player) -> bool:
    """Whether the account may see the player's name.

    A hidden name is visible only to the player and to the office, the committee and auditors.
    """
    return not player.hidden or roles_of(user).reads_everything or is_player(user, player)


def name_for(user, player: Player) -> str:
    """Return the player's name as this account may see it.

    If the player is hidden, this is the name marked as hidden for accounts that may see it, and otherwise
    only the number.
    """
    if not may_see_name(user, player):
        return player.public_name
    return player.full_name if is_player(user, player) else player.desk_name


def names_for(user, player_ids: Iterable[int]) -> dict[int, str]:
    """Return {player id: name} for these players, with the names that `name_for` returns. One query."""
    players = Player.objects.in_bulk(set(player_ids))
    return {pk: name_for(user, player) for pk, player in players.items()}


def is_player(user, player: Player) -> bool:
    """Whether the account belongs to this player."""
    return user.is_authenticated and player.user_id == user.pk


def require(allowed: bool) -> None:
    """Raise PermissionDenied, which shows the 403 page, unless `allowed` is true."""
    if not allowed:
        raise PermissionDenied
