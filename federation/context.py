"""What every page needs: where one can go, and what this reader's account is for."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles, roles_of
from scoring.office.queries.proposals import to_decide

THEMES = {"light", "dark"}
# (label, URL name, URL names of the other pages that belong to it)
NAVIGATION = [
    (_("Standings"), "standings", ()),
    (_("Tournaments"), "tournaments", ()),
    (_("Players and clubs"), "players", ("clubs",)),
    (_("Regulations"), "regulations", ()),
]

# (label, URL name, who is offered it), in the order of the menu.
JOBS: list[tuple[str, str, Callable[[Roles], bool]]] = [
    (_("Upload results"), "upload_start", lambda roles: roles.office or Kind.DIRECTOR in roles.clubs),
    (
        _("Uploads"),
        "uploads",
        lambda roles: roles.office or roles.auditor or bool(roles.clubs or roles.regions),
    ),
    (_("My clubs"), "clubs_managed", lambda roles: Kind.CLUB_ADMIN in roles.clubs or bool(roles.regions)),
    (_("Office"), "office", lambda roles: roles.office or roles.auditor),
    (
        _("Waiting for a second person"),
        "proposals",
        lambda roles: roles.reads_everything or bool(roles.regions),
    ),
    (_("Category change"), "campaigns", lambda roles: roles.office or roles.committee or roles.auditor),
    (_("Candidates for promotion"), "promotions", lambda roles: roles.office or roles.committee),
]


def site(request: HttpRequest) -> dict:
    """`nav`, `jobs`, `waits` (acts that the account may decide), `theme`, `sends_mail`, `federation_name`.

    Asks the database nothing for an anonymous reader. The jobs, and what waits, are looked up when a
    template first shows them.
    """
    theme = request.COOKIES.get("theme")
    return {
        "nav": navigation(request.path),
        "jobs": SimpleLazyObject(lambda: jobs_of(request.user)),
        "waits": lambda: to_decide(request.user),
        "theme": theme if theme in THEMES else "auto",
        "sends_mail": settings.MAIL,
        "federation_name": settings.FEDERATION_NAME,
    }


def navigation(path: str) -> list[dict]:
    """The top bar: label, address and whether `path` lies under it."""
    return [
        {
            "label": label,
            "url": reverse(name),
            "active": any(path.startswith(reverse(each)) for each in (name, *others)),
        }
        for label, name, others in NAVIGATION
    ]


def jobs_of(user) -> list[dict]:
    """What the account can do here: label and address."""
    if not user.is_authenticated:
        return []
    roles = roles_of(user)
    jobs = [{"label": label, "url": reverse(name)} for label, name, offered in JOBS if offered(roles)]
    if player := getattr(user, "player", None):
        jobs.insert(0, {"label": _("My points"), "url": player.get_absolute_url()})
    if user.is_staff:
        jobs.append({"label": _("Administration"), "url": reverse("admin:index")})
    jobs.append({"label": _("Change password"), "url": reverse("account_change_password")})
    return jobs
