"""The accounts of the demo: one per role, all with the same password."""

import os
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext, gettext_noop

from players.models import Club, Player, Role
from players.services.account_changes import Link
from players.services.role_changes import GiveRole
from scoring.ledger.models import Standing
from scoring.promotions.models import PromotionRule

from . import go, mailbox, samples

DIRECTOR = "director"
CLUB = "club"
REGION = "territorial"
OFFICE = "oficina"
SECOND = "oficina2"
COMMITTEE = "comite"
AUDITOR = "auditor"
PLAYER = "jugador"
JOBS = {
    DIRECTOR: gettext_noop("uploads results"),
    CLUB: gettext_noop("looks after a club"),
    REGION: gettext_noop("looks after the clubs of a region"),
    OFFICE: gettext_noop("federation office"),
    SECOND: gettext_noop("second person of the office"),
    COMMITTEE: gettext_noop("category committee"),
    AUDITOR: gettext_noop("reads everything"),
    PLAYER: gettext_noop("a player with points"),
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
    """Give the demo accounts their roles: director and club administrator of this club, one of its region.

    users: what `make` returned
    """
    Kind, club = Role.Kind, Club.objects.get(pk=club_id)
    changes = [
        GiveRole(users[DIRECTOR], Kind.DIRECTOR, club),
        GiveRole(users[CLUB], Kind.CLUB_ADMIN, club),
        GiveRole(users[REGION], Kind.REGION_ADMIN, region=club.region),
        GiveRole(users[OFFICE], Kind.OFFICE),
        GiveRole(users[SECOND], Kind.OFFICE),
        GiveRole(users[COMMITTEE], Kind.COMMITTEE),
        GiveRole(users[AUDITOR], Kind.AUDITOR),
    ]
    for change in changes:
        change.apply(None)


def link_player(user, club_id: int) -> Player:
    """Link the account to a player of the club, and return the player.

    It is the licensed player with most points of those who are not hidden and can still move up a category.
    """
    rising = PromotionRule.objects.filter(target__isnull=False).values("category")
    best = (
        Standing.objects.filter(
            player__club_id=club_id, player__hidden=False, category__in=rising, licensed=True
        )
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
    users = _users()
    if not users:
        return []
    unchanged = users[DIRECTOR].check_password(password())
    heading = f"password {password()}" if unchanged else "with their own passwords"
    lines = [f"Demo accounts, {heading}:"]
    lines += [f"  {name:<12}{_with_place(JOBS[name], name)}" for name in JOBS if name in users]
    paths = {samples.folder() / name: about for name, about in (samples.FILES | go.FILES).items()}
    files = [f"  {_relative(path)}: {about}" for path, about in paths.items() if path.exists()]
    if files:
        lines += ["Result files to upload as director:", *files]
    return lines


def listed() -> list[tuple[str, str]]:
    """Return (username, job) of each demo account, for the sign-in page.

    Empty if there are none, or if this is no installation to try Baza out: only such a one keeps its letters.
    """
    users = _users() if mailbox.is_in_use() else {}
    return [(name, _with_place(gettext(job), name)) for name, job in JOBS.items() if name in users]


def _users() -> dict[str, object]:
    """Return {username: account} of the demo's accounts; empty if these names belong to somebody else."""
    users = {user.username: user for user in get_user_model().objects.filter(username__in=JOBS)}
    return users if DIRECTOR in users and users[DIRECTOR].email.endswith("@demo.example") else {}


def _with_place(job: str, name: str) -> str:
    """Add the club or region of the account's role to its job."""
    role = Role.objects.filter(user__username=name).select_related("club", "region").order_by("pk").first()
    place = role and (role.club or role.region)
    return f"{job}: {place}" if place else job


def _relative(path: Path) -> str:
    base = settings.BASE_DIR
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
