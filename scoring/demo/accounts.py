"""The accounts of the demo: one a role, one password for all of them."""

import os

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from players.models import Club, Player, Role
from players.services.account_changes import Link
from players.services.role_changes import GiveRole
from scoring.ledger.models import Standing
from scoring.promotions.models import PromotionRule

from . import go, samples

DIRECTOR, CLUB, OFFICE, SECOND, COMMITTEE, AUDITOR, PLAYER = (
    "director", "club", "oficina", "oficina2", "comite", "auditor", "jugador",
)  # fmt: skip
JOBS = {
    DIRECTOR: "uploads results",
    CLUB: "looks after a club",
    OFFICE: "federation office",
    SECOND: "second person of the office",
    COMMITTEE: "category committee",
    AUDITOR: "reads everything",
    PLAYER: "a player with points",
}


def password() -> str:
    """The password of all demo accounts: BAZA_DEMO_PASSWORD, or a fixed one for a first look."""
    return os.environ.get("BAZA_DEMO_PASSWORD") or "bridge-demo-2026"


def make() -> dict[str, object]:
    """Create the accounts, without roles yet; by user name."""
    User = get_user_model()
    hashed = make_password(password())  # one hash for all: making one takes a quarter of a second by design
    users = User.objects.bulk_create(
        User(username=name, password=hashed, email=f"{name}@demo.example") for name in JOBS
    )
    return {user.username: user for user in users}


def give_roles(users: dict[str, object], club_id: int) -> None:
    """Trust the accounts with their roles: the director and the administrator with that club."""
    Kind, club = Role.Kind, Club.objects.get(pk=club_id)
    given = [
        GiveRole(users[DIRECTOR], Kind.DIRECTOR, club),
        GiveRole(users[CLUB], Kind.CLUB_ADMIN, club),
        GiveRole(users[OFFICE], Kind.OFFICE),
        GiveRole(users[SECOND], Kind.OFFICE),
        GiveRole(users[COMMITTEE], Kind.COMMITTEE),
        GiveRole(users[AUDITOR], Kind.AUDITOR),
    ]
    for each in given:
        each.apply(None)


def link_player(user, club_id: int) -> Player:
    """Give the player's account to the club's most successful player who is not hidden and can move up."""
    rising = PromotionRule.objects.filter(target__isnull=False).values("category")
    best = (
        Standing.objects.filter(player__club_id=club_id, player__hidden=False, category__in=rising)
        .order_by("-points", "player_id")
        .values_list("player_id", flat=True)[:1]
    )
    members = Player.objects.filter(pk__in=best) or Player.objects.filter(club_id=club_id)
    player = members.order_by("pk").first()
    Link(user, player).apply(None)
    return player


def summary() -> list[str]:
    """What a terminal shows: the accounts, their password, the sample files. Empty without a demo.

    A password that somebody has changed since is not shown, as the demo does not know it.
    """
    users = {user.username: user for user in get_user_model().objects.filter(username__in=JOBS)}
    if DIRECTOR not in users or not users[DIRECTOR].email.endswith("@demo.example"):
        return []
    same = users[DIRECTOR].check_password(password())
    lines = [f"Demo accounts, password {password()}:" if same else "Demo accounts, with their own passwords:"]
    lines += [f"  {name:<10}{_job(name)}" for name in JOBS if name in users]
    paths = {samples.folder() / name: about for name, about in (samples.FILES | go.FILES).items()}
    listed = [f"  {_short(path)}: {about}" for path, about in paths.items() if path.exists()]
    if listed:
        lines += ["Result files to upload as director:", *listed]
    return lines


def _job(name: str) -> str:
    if name in (DIRECTOR, CLUB):
        club = Club.objects.filter(roles__user__username=name).order_by("pk").first()
        return f"{JOBS[name]}: {club}" if club else JOBS[name]
    return JOBS[name]


def _short(path) -> str:
    base = settings.BASE_DIR
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
