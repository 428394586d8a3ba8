"""Answer "not modified" (304) to requests for pages of standings before computing anything.

Such a page depends on the version of the standings and its time, its URL, the language, the settings and the
code itself, and not on the reader: it is `shared`. All of these go into the page's ETag, which costs one
small query.
"""

import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import lru_cache, wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connections, router
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language

from scoring.ledger.models import StandingsState
from ui.clock import today
from ui.shared import shared

CODE_FOLDERS = ("federation", "ui", "players", "tournaments", "scoring", "templates", "static", "locale")
CODE_SUFFIXES = {".py", ".html", ".css", ".js", ".po", ".mo"}
# The settings that pages may depend on: the federation's rules, and what the frame of every page shows. The
# digest depends on SECRET_KEY by itself, which signs the cursors of programs.
SETTINGS = (
    "APPROVAL_WAITING_DAYS",
    "BRONZE_DECIMALS",
    "CASE_CLUB_DAYS",
    "CASE_REOPEN_DAYS",
    "CORRECTION_DAYS",
    "EMAIL_BACKEND",
    "FAMILIES",
    "FEDERATION_NAME",
    "FEDERATION_SETUP",
    "FIRST_CATEGORY",
    "INDEX_NAMES",
    "KEEP_CONFIRMED_FILES",
    "KEEP_DATA_COPIES",
    "KEEP_DISCARDED_FILES",
    "MAIL",
    "MINIMUM_SHARE",
    "PLACE_RULE",
    "PRIVACY_CONTACT",
    "SIGN_UP_CODE_DAYS",
    "SIGN_UP_LETTERS_A_MINUTE",
    "SIGN_UP_LINK_DAYS",
    "SITE_ADDRESS",
    "STANDINGS_LICENSED_ONLY",
    "TIES",
    "UNLICENSED_EARN",
)


class StandingsVersion(NamedTuple):
    """The version and the day of a family's stored standings, from its row of `StandingsState`.

    version: number that grows whenever a page of standings or tournaments may have changed
    as_of: last day of the 12 months
    people_version: the version at the last change of more than the points of the last week
    changed_at: when the version last grew; None if there are no standings yet
    """

    version: int
    as_of: date
    people_version: int = 0
    changed_at: datetime | None = None


def standings_state() -> StandingsVersion:
    """Return the `StandingsVersion` of the family `aeb`, read with plain SQL.

    The ORM would take longer than the rest of a "not modified" response. The version comes from the same
    database as the page, or a replica's older figures could be kept under the primary's newer version.
    """
    with connections[router.db_for_read(StandingsState)].cursor() as cursor:
        cursor.execute(
            "SELECT version, as_of, people_version, changed_at"
            " FROM ledger_standingsstate WHERE family = 'aeb'"
        )
        row = cursor.fetchone()
    if row is None:
        return StandingsVersion(0, today())
    version, as_of, people_version, changed_at = row
    day = as_of if isinstance(as_of, date) else date.fromisoformat(as_of)
    if changed_at.tzinfo is None:
        changed_at = changed_at.replace(tzinfo=UTC)  # SQLite stores UTC without saying so
    return StandingsVersion(version, day, people_version, changed_at)


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return a digest of code, templates and translations, so that a new release changes every ETag."""
    digest = hashlib.sha256()
    for folder in CODE_FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in CODE_SUFFIXES:
                digest.update(str(path.relative_to(settings.BASE_DIR)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def etag_of(request: HttpRequest, state: StandingsVersion) -> str:
    """Return the page's ETag. Two responses with the same ETag have the same content."""
    parts = (
        code_version(),
        state.version,
        state.changed_at,  # a restored database counts to the same version again, with other contents
        state.as_of,
        today(),
        request.scheme,
        request.get_host(),
        request.get_full_path(),
        get_language(),  # programs choose it with a header
        *(getattr(settings, name) for name in SETTINGS),
    )
    digest = salted_hmac("scoring.ledger.conditional", repr(parts), algorithm="sha256")
    return f'"{digest.hexdigest()[:32]}"'


def _has_page(request: HttpRequest, etag: str) -> bool:
    """Return whether the browser has the page with this ETag.

    `*`, which means any page, is answered by `SharedPagesMiddleware` once there is a page at the address.
    """
    kept = parse_etags(request.headers.get("If-None-Match", ""))
    return etag in (item.removeprefix("W/") for item in kept)


class StandingsRequest(HttpRequest):
    """The request that the decorator `conditional` passes to a view.

    standings: the current version of the standings
    shared: whether this is the page for everybody, not a reader's personal version of it
    """

    shared: bool
    standings: StandingsVersion


def conditional(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a shared view of standings: answer 304 if the browser already has the current page.

    The decorator sets `request.standings` to the current `StandingsVersion`.
    """

    @wraps(view)
    def wrapper(request: StandingsRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.standings = standings_state()
        if not request.shared:
            return view(request, *args, **kwargs)
        etag = etag_of(request, request.standings)
        if _has_page(request, etag):
            response: HttpResponse = HttpResponseNotModified()
        else:
            response = view(request, *args, **kwargs)
        if response.status_code in (200, 304):
            response.headers["ETag"] = etag
        return response

    return shared(wrapper)
