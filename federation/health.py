"""Whether the installation works, for load balancers and alarms."""

from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from federation import sweeping
from federation.alarms import Problem
from scoring.ledger.models import StandingsState
from scoring.ledger.services.sweeper import Backlog, backlog

SILENT = 60  # seconds without a sweep after which no worker is believed to live
LATE = 300  # seconds after which work that is not done is late


def gettext_noop(text: str) -> str:
    """Mark a text that is translated where it is sent."""
    return text


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """`status` is ok, degraded (something waits too long) or down, answered 503: no database, or read-only.

    `standings_as_of` is the day of the standings, null before the first one; `worker_seconds` says how long
    ago a worker last swept, null when none did or the cache cannot tell; `oldest_seconds` for how long the
    oldest work has waited to be done, null when none waits; `parked` how much of it was given up.
    """
    seconds = sweeping.age()
    body = {
        "status": "ok", "database": True, "writable": True, "standings_as_of": None,
        "worker_seconds": None if seconds is None else round(seconds, 1),
        "oldest_seconds": None, "parked": 0,
    }  # fmt: skip
    try:
        body["writable"] = writable()
        state = StandingsState.objects.order_by("family").first()
        work = backlog()
    except DatabaseError:
        down = {"status": "down", "database": False, "writable": False}
        return JsonResponse(body | down, status=503)
    if state:
        body["standings_as_of"] = state.as_of.isoformat()
    body |= {"oldest_seconds": work.oldest and round(work.oldest, 1), "parked": work.parked}
    if not body["writable"]:
        return JsonResponse(body | {"status": "down"}, status=503)
    if seconds is None or seconds > SILENT or problems_of(work):
        body["status"] = "degraded"
    return JsonResponse(body)


def writable() -> bool:
    """Whether the database accepts writes; a PostgreSQL standby does not."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only')")
        return cursor.fetchone() == ("off",)


def problems() -> list[Problem]:
    """What is wrong that the database can tell. Raises DatabaseError where it cannot."""
    if not writable():
        return [Problem("read-only", gettext_noop("The database takes no changes."), {})]
    return problems_of(backlog())


def problems_of(work: Backlog) -> list[Problem]:
    """What is wrong with the work for the workers."""
    found = []
    if work.oldest and work.oldest > LATE:
        text = gettext_noop(
            "Calculations are late. The oldest has waited for %(minutes)s minutes. It says: %(error)s"
        )
        values = {"minutes": int(work.oldest // 60), "error": work.error or "–"}
        found.append(Problem("late", text, values))
    if work.parked:
        text = gettext_noop("Calculations given up: %(number)s. The office can have them tried again.")
        found.append(Problem("parked", text, {"number": work.parked}))
    return found


def database_away(error: Exception) -> Problem:
    """The problem of a database that fails the sweep."""
    text = gettext_noop("The database fails: %(error)s")
    return Problem("database", text, {"error": f"{type(error).__name__}: {error}".strip()[:500]})
