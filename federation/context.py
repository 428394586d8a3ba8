"""The context processor of every page: navigation and the account's menu."""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.text import capfirst
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from players.access import Kind, Roles, roles_of
from scoring.demo import accounts, mailbox
from scoring.ledger.systems import offers_go
from scoring.letters.queries import unseen_count
from scoring.office.queries.proposals import count_to_decide
from scoring.transparency.queries import printed_checkpoint
from ui.shared import personal_address

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
    (_("Oversight"), "oversight", lambda roles: roles.committee or roles.auditor),
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

# (label, URL name) of the tabs that the pages of the signed-in reader share, below /mi/ and /cuenta/.
MY_PAGES: list[tuple[str, str]] = [
    (_("My page"), "my_page"),
    (_("Results"), "my_results"),
    (_("Partners and clubs"), "my_partners"),
    (_("Where are my points?"), "where_points"),
    (_("My cases"), "cases"),
    (_("Go"), "my_go"),
    (_("Notices"), "notices"),
    (_("Privacy"), "privacy_choices"),
    (_("Account"), "account_security"),
]


def site(request: HttpRequest) -> dict:
    """Return the variables that the templates of all pages use.

    nav: the entries of the navigation bar
    jobs: the entries of the account's menu
    main_job: the entry of the navigation bar for the account's most used page, or None
    my_tabs: the tabs of the account's own pages
    header_waits: the number of proposals that the account may decide
    offers_go: whether the installation rates games of Go
    keeps_letters: whether letters are kept for the demo's page, because there is no mail server
    demo_accounts: (username, job) of the demo's accounts, for the sign-in page
    unseen_notices: the number of notices that the account has not seen
    languages: the versions of the page in each language, as `versions_of` returns them
    personal_address: the address of the personal version of a shared page
    sends_mail: whether the site sends e-mail
    federation_name: the federation's name
    printed_checkpoint: the latest checkpoint of the log in one line, for lists that are printed whole

    If a view passes a variable of the same name, the view's value is used. `jobs`, `main_job` and
    `header_waits` are evaluated when a template first uses them, so that pages for anonymous readers need no
    query.
    """
    return {
        "nav": navigation(request.path),
        "jobs": SimpleLazyObject(lambda: jobs_of(request.user)),
        "main_job": SimpleLazyObject(lambda: main_job_of(request.user, request.path)),
        "my_tabs": lambda: my_tabs(request.path),
        "header_waits": lambda: count_to_decide(request.user),
        "offers_go": offers_go(),
        "keeps_letters": mailbox.is_in_use(),
        "demo_accounts": cache(accounts.listed),
        "unseen_notices": cache(lambda: unseen_count(request.user)),
        "languages": versions_of(request),
        "personal_address": personal_address(request),
        "sends_mail": settings.MAIL,
        "federation_name": settings.FEDERATION_NAME,
        "printed_checkpoint": printed_checkpoint,
    }


def versions_of(request: HttpRequest) -> list[dict[str, str]]:
    """Return the versions of a page in each language, with `code`, `name`, `path` and `url` (with the query).

    English pages have the same paths as the Spanish ones, below `/en/`.
    """
    path = request.path
    for code, _name in settings.LANGUAGES[1:]:
        path = path[len(code) + 1 :] if path.startswith(f"/{code}/") else path
    query = request.GET.urlencode()
    versions = []
    for code, _name in settings.LANGUAGES:
        own = path if code == settings.LANGUAGE_CODE else f"/{code}{path}"
        name = capfirst(get_language_info(code)["name_local"])
        versions.append({"code": code, "name": name, "path": own, "url": f"{own}?{query}" if query else own})
    return versions


def navigation(path: str) -> list[dict]:
    """Return the entries of the navigation bar as dictionaries of `label`, `url` and `active`.

    `active` is the value of `aria-current`, as `_current` returns it.
    """
    return [
        {
            "label": label,
            "url": reverse(name),
            "active": _current(path, reverse(name), *map(reverse, related)),
        }
        for label, name, related in NAVIGATION
    ]


def _current(path: str, url: str, *related: str) -> str:
    """Return "page" if a link leads to the open page, "true" if it leads to its section, else "".

    path: the path of the open page
    url: the path that the link leads to
    related: paths with which further pages of the section begin
    """
    if path == url:
        return "page"
    return "true" if path.startswith((url, *related)) else ""


def my_tabs(path: str) -> list[dict]:
    """Return the tabs of the account's own pages as dictionaries of `label`, `url` and `current`.

    The tab whose address is the longest beginning of `path` is current.
    """
    pages = [(label, name) for label, name in MY_PAGES if name != "my_go" or offers_go()]
    urls = {name: reverse(name) for _label, name in pages}
    current = max((url for url in urls.values() if path.startswith(url)), key=len, default=None)
    return [{"label": label, "url": urls[name], "current": urls[name] == current} for label, name in pages]


def jobs_of(user) -> list[dict]:
    """Return the entries of the account's menu as dictionaries of `label` and `url`."""
    if not user.is_authenticated:
        return []
    jobs = list(_offered_to(user).values())
    if getattr(user, "player", None):
        jobs.insert(0, {"label": _("My points"), "url": reverse("my_page")})
    jobs.append({"label": _("Notices"), "url": reverse("notices")})
    jobs.append({"label": _("My account"), "url": reverse("account_security")})
    return jobs


def main_job_of(user, path: str) -> dict | None:
    """Return the account's most used page as a dictionary of `label`, `url` and `active`; None without one.

    `active` is the value of `aria-current`, as `_current` returns it.
    """
    offered = _offered_to(user)
    name = next((name for name in MAIN_JOBS if name in offered), None)
    if name is None:
        return None
    return {**offered[name], "active": _current(path, offered[name]["url"], reverse(MAIN_JOBS[name]))}


def _offered_to(user) -> dict[str, dict]:
    """Return {URL name: dictionary of `label` and `url`} of the jobs that the account's roles allow."""
    roles = roles_of(user)
    return {name: {"label": label, "url": reverse(name)} for label, name, offered in JOBS if offered(roles)}
