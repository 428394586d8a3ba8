"""The accounts of the demo: one per role, all with the same password."""

import os
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from players.models import Club, Player, Role
from players.services.account_changes import Link
from players.services.role_changes import GiveRole
from scoring.ledger.models import Standing
from scoring.promotions.models import PromotionRule

from . import go, samples

DIRECTOR = "director"
CLUB = "club"
OFFICE = "oficina"
SECOND = "oficina2"
COMMITTEE = "comite"
AUDITOR = "auditor"
PLAYER = "jugador"
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
    """Return the password of all demo accounts: BAZA_DEMO_PASSWORD, or a fixed default."""
    return os.environ.get("BAZA_DEMO_PASSWORD") or "bridge-demo-2026"


def make() -> dict[str, object]:
    """Create the demo accounts, still without roles. Return {username: account}."""
    User = get_user_model()
    hashed = make_password(password())  # one hash for all: hashing is slow by design
    users = User.objects.bulk_create(
        User(username=name, password=hashed, email=f"{name}@demo.example") for name in JOBS
    )
    return {user.username: user for user in users}


def give_roles(users: dict[str, object], club_id: int) -> None:
    """Give the demo accounts their roles. Two roles, director and club administrator, are for this club only.

    users: what `make` returned
    """
    Kind, club = Role.Kind, Club.objects.get(pk=club_id)
    changes = [
        GiveRole(users[DIRECTOR], Kind.DIRECTOR, club),
        GiveRole(users[CLUB], Kind.CLUB_ADMIN, club),
        GiveRole(users[OFFICE], Kind.OFFICE),
        GiveRole(users[SECOND], Kind.OFFICE),
        GiveRole(users[COMMITTEE], Kind.COMMITTEE),
        GiveRole(users[AUDITOR], Kind.AUDITOR),
    ]
    for change in changes:
        change.apply(None)


def link_player(user, club_id: int) -> Player:
    """Link the account to a player of the club, and return the player.

    It is the player with most points among those who are not hidden and can still move up a category.
    """
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
    """Return lines of text for the terminal about the demo's accounts, password and sample files.

    The password is left out if it was changed. Without demo accounts there are no lines.
    """
    users = {user.username: user for user in get_user_model().objects.filter(username__in=JOBS)}
    if DIRECTOR not in users or not users[DIRECTOR].email.endswith("@demo.example"):
        return []
    unchanged = users[DIRECTOR].check_password(password())
    heading = f"password {password()}" if unchanged else "with their own passwords"
    lines = [f"Demo accounts, {heading}:"]
    lines += [f"  {name:<10}{_job(name)}" for name in JOBS if name in users]
    paths = {samples.folder() / name: about for name, about in (samples.FILES | go.FILES).items()}
    files = [f"  {_relative(path)}: {about}" for path, about in paths.items() if path.exists()]
    if files:
        lines += ["Result files to upload as director:", *files]
    return lines


def _job(name: str) -> str:
    if name in (DIRECTOR, CLUB):
        club = Club.objects.filter(roles__user__username=name).order_by("pk").first()
        return f"{JOBS[name]}: {club}" if club else JOBS[name]
    return JOBS[name]


def _relative(path: Path) -> str:
    base = settings.BASE_DIR
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
