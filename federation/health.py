"""The health page, for load balancers, and the problems that alarms report to the operators."""

from datetime import date, time

from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext_noop  # `alarms.report` translates the texts
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from federation import heartbeat, purging
from federation.alarms import Problem
from scoring.ledger import freshness
from scoring.ledger.models import StandingsState
from scoring.ledger.services.sweeper import Backlog, backlog
from scoring.sanity.queries import new_errors
from ui.clock import today

SILENT = 60  # seconds without a sweep after which all workers are taken to be dead
ROLLED_BY = time(1)  # by when the standings have moved to the new day
LATE = 300  # seconds after which unfinished work is late


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Return the state of the installation as JSON, with status 503 if it is down.

    status: "ok", "degraded" (work is late or parked, or no worker) or "down" (no database, or read-only)
    standings_as_of: the day for which the standings were computed; null if they never were
    worker_seconds: seconds since a worker last swept; null if none did or the cache is unavailable
    oldest_seconds: seconds that the oldest unfinished work has waited; null if there is none
    parked: number of parked rows of work
    """
    seconds = heartbeat.seconds_since_sweep()
    body = {
        "status": "ok",
        "database": True,
        "writable": True,
        "standings_as_of": None,
        "worker_seconds": None if seconds is None else round(seconds, 1),
        "oldest_seconds": None,
        "parked": 0,
    }
    try:
        body["writable"] = writable()
        day = standings_day()
        work = backlog()
    except DatabaseError:
        return JsonResponse(body | {"status": "down", "database": False, "writable": False}, status=503)
    if day:
        body["standings_as_of"] = day.isoformat()
    body |= {"oldest_seconds": work.oldest and round(work.oldest, 1), "parked": work.parked}
    if not body["writable"]:
        return JsonResponse(body | {"status": "down"}, status=503)
    if seconds is None or seconds > SILENT or problems_of(work):
        body["status"] = "degraded"
    return JsonResponse(body)


def standings_day() -> date | None:
    """Return the day for which the standings were computed; None if they never were. One query."""
    return StandingsState.objects.order_by("family").values_list("as_of", flat=True).first()


def writable() -> bool:
    """Return whether the database accepts writes. A PostgreSQL standby does not."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only')")
        return cursor.fetchone() == ("off",)


def problems() -> list[Problem]:
    """Return what an operator should look at: a read-only database, and late or parked background work.

    Raises DatabaseError if the database fails.
    """
    if not writable():
        return [Problem("read-only", gettext_noop("The database takes no changes."), {})]
    return [*problems_of(backlog()), *overdue(), *unsound(), *purging.problems()]


def overdue() -> list[Problem]:
    """Return what should have happened by now: the standings' new day, a backup and the like."""
    result = []
    day = standings_day()
    if day and day < today() and timezone.localtime().time() > ROLLED_BY:
        text = gettext_noop("The standings have not moved to the new day. They are those of %(day)s.")
        result.append(Problem("standings", text, {"day": day.isoformat()}))
    for age in freshness.ages():
        if age.is_late:
            hours = "–" if age.hours is None else age.hours
            result.append(Problem(age.of.code, age.of.late, {"hours": hours}))
    return result


def unsound() -> list[Problem]:
    """Return the problem that sanity checks reported errors that are new."""
    if not (number := new_errors()):
        return []
    text = gettext_noop("Sanity checks reported new errors in the data: %(number)s. The office sees them.")
    return [Problem("sanity", text, {"number": number})]


def problems_of(work: Backlog) -> list[Problem]:
    """Return the problems of the background work: unfinished work is late, or some work is parked."""
    result = []
    if work.oldest and work.oldest > LATE:
        text = gettext_noop(
            "Background work is late. Minutes that the oldest has waited: %(minutes)s. It says: %(error)s"
        )
        values = {"minutes": int(work.oldest // 60), "error": work.error or "–"}
        result.append(Problem("late", text, values))
    if work.parked:
        text = gettext_noop("Background work given up: %(number)s. The office can have it tried again.")
        result.append(Problem("parked", text, {"number": work.parked}))
    return result


def database_away(error: Exception) -> Problem:
    """Return the problem to report if the database fails with `error`."""
    return Problem(
        "database",
        gettext_noop("The database fails: %(error)s"),
        {"error": f"{type(error).__name__}: {error}".strip()[:500]},
    )
