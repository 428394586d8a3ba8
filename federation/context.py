"""The context processor of every page: navigation and the account's menu."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles, roles_of
from scoring.ledger.systems import offers_go
from scoring.office.queries.proposals import count_to_decide

THEMES = {"light", "dark"}
# (label, URL name, URL names of the other pages that belong to it)
NAVIGATION = [
    (_("Standings"), "standings", ()),
    (_("Tournaments"), "tournaments", ()),
    (_("Promotions"), "promotions", ()),
    (_("Players and clubs"), "players", ("clubs",)),
    (_("Regulations"), "regulations", ()),
    (_("Calculator"), "calculator", ()),
]

# (label, URL name, condition on the account's roles), in the order of the menu.
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

# The jobs that may stand in the navigation bar, the most important first: URL name -> URL name of the page
# whose address all pages of the job begin with.
MAIN_JOBS = {
    "office": "office",
    "upload_start": "uploads",
    "clubs_managed": "clubs_managed",
    "campaigns": "campaigns",
}


def site(request: HttpRequest) -> dict:
    """Return the variables that the templates of all pages use.

    nav: the entries of the navigation bar
    jobs: the entries of the account's menu
    main_job: the entry of the navigation bar for the account's most used page, or None
    header_waits: the number of proposals that the account may decide
    offers_go: whether the installation rates games of Go
    theme: "light", "dark" or "auto"
    sends_mail: whether the site sends e-mail
    federation_name: the federation's name

    If a view passes a variable of the same name, the view's value is used. `jobs`, `main_job` and
    `header_waits` are evaluated when a template first uses them, so that pages for anonymous readers need no
    query.
    """
    theme = request.COOKIES.get("theme")
    return {
        "nav": navigation(request.path),
        "jobs": SimpleLazyObject(lambda: jobs_of(request.user)),
        "main_job": SimpleLazyObject(lambda: main_job_of(request.user, request.path)),
        "header_waits": lambda: count_to_decide(request.user),
        "offers_go": offers_go(),
        "theme": theme if theme in THEMES else "auto",
        "sends_mail": settings.MAIL,
        "federation_name": settings.FEDERATION_NAME,
    }


def navigation(path: str) -> list[dict]:
    """Return the entries of the navigation bar as dictionaries of `label`, `url` and `active`.

    `active` is true for the entry to which the page at `path` belongs.
    """
    return [
        {
            "label": label,
            "url": reverse(name),
            "active": any(path.startswith(reverse(prefix)) for prefix in (name, *related)),
        }
        for label, name, related in NAVIGATION
    ]


def jobs_of(user) -> list[dict]:
    """Return the entries of the account's menu as dictionaries of `label` and `url`."""
    if not user.is_authenticated:
        return []
    jobs = list(_offered_to(user).values())
    if player := getattr(user, "player", None):
        jobs.insert(0, {"label": _("My points"), "url": player.get_absolute_url()})
    if user.is_staff:
        jobs.append({"label": _("Administration"), "url": reverse("admin:index")})
    jobs.append({"label": _("Change password"), "url": reverse("account_change_password")})
    return jobs


def main_job_of(user, path: str) -> dict | None:
    """Return the account's most used page as a dictionary of `label`, `url` and `active`; None without one.

    `active` is true if `path` belongs to that page.
    """
    offered = _offered_to(user)
    name = next((name for name in MAIN_JOBS if name in offered), None)
    if name is None:
        return None
    return {**offered[name], "active": path.startswith(reverse(MAIN_JOBS[name]))}


def _offered_to(user) -> dict[str, dict]:
    """Return {URL name: dictionary of `label` and `url`} of the jobs that the account's roles allow."""
    roles = roles_of(user)
    return {name: {"label": label, "url": reverse(name)} for label, name, offered in JOBS if offered(roles)}
