"""The health page, for load balancers, and the problems that alarms report to the operators."""

import logging
from datetime import date, time

from celery import current_app
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext_noop  # `alarms.report` translates the texts
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from federation import fitness, heartbeat, purging
from federation.alarms import Problem
from scoring.ledger import freshness
from scoring.ledger.models import StandingsState
from scoring.ledger.services.sweeper import Backlog, backlog
from scoring.sanity.queries import new_errors
from tournaments.formats.limits import MIB
from tournaments.services import stored_files
from ui.clock import today

logger = logging.getLogger(__name__)

SILENT = 60  # seconds without a sweep after which all workers are taken to be dead
ROLLED_BY = time(1)  # by when the standings have moved to the new day
LATE = 300  # seconds after which unfinished work is late
ROOM = 50 * settings.UPLOAD_LIMIT  # bytes that the disk of uploaded files should have left


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Return the state of the installation as JSON, with status 503 if it is down.

    status: "ok", "degraded" (work is late or parked, no worker, migrations or rights are missing, or uploaded
        files cannot be kept) or "down" (no database, or read-only)
    migrations_missing, rights_missing: whether the tables or the role are not those of this version
    standings_as_of: the day for which the standings were computed; null if they never were
    files: "ok", or what is wrong where uploaded files are kept: "files-lost", "files-missing" or "files-full"
    worker_seconds: seconds since a worker last swept; null if none did or the cache is unavailable
    oldest_seconds: seconds that the oldest unfinished work has waited; null if there is none
    parked: number of parked rows of work
    """
    seconds = heartbeat.seconds_since_sweep()
    body = {
        "status": "ok",
        "database": True,
        "writable": True,
        "migrations_missing": False,
        "rights_missing": False,
        "files": "ok",
        "standings_as_of": None,
        "worker_seconds": None if seconds is None else round(seconds, 1),
        "oldest_seconds": None,
        "parked": 0,
    }
    try:
        body["writable"] = writable()
        body["migrations_missing"] = fitness.lacks_migrations()
        body["rights_missing"] = fitness.refused_table() is not None
        amiss = files()
        day = standings_day()
        work = backlog()
    except DatabaseError:
        logger.warning("the database fails", exc_info=True)
        return JsonResponse(body | {"status": "down", "database": False, "writable": False}, status=503)
    if day:
        body["standings_as_of"] = day.isoformat()
    body |= {"oldest_seconds": work.oldest and round(work.oldest, 1), "parked": work.parked}
    if not body["writable"]:
        return JsonResponse(body | {"status": "down"}, status=503)
    if amiss:
        body["files"] = amiss[0].key
    is_unfit = body["migrations_missing"] or body["rights_missing"] or amiss
    if is_unfit or seconds is None or seconds > SILENT or problems_of(work):
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


def broker_answers() -> bool:
    """Return whether the broker takes messages. Without Redis the queue is in this process."""
    if not settings.REDIS_URL:
        return True
    try:
        with current_app.connection_for_write(connect_timeout=1) as link:
            link.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=2)
            link.default_channel.client.ping()
    except Exception:  # kombu and redis raise errors of their own
        return False
    return True


def problems() -> list[Problem]:
    """Return what an operator should look at.

    A database that is read-only, or not the one that this version needs, is the only problem reported: it
    makes the others. Raises DatabaseError if the database fails.
    """
    if not writable():
        return [Problem("read-only", gettext_noop("The database takes no changes."), {})]
    if unfit := _unfit():
        return unfit
    return [
        *_broker(),
        *files(),
        *problems_of(backlog()),
        *overdue(),
        *unsound(),
        *purging.problems(),
    ]


def _unfit() -> list[Problem]:
    """Return the problem that migrations or rights are missing."""
    if fitness.lacks_migrations():
        text = gettext_noop(
            "The database lacks migrations of this version, so some pages fail. The operator runs "
            "“systemctl start baza-migrate”."
        )
        return [Problem("migrations", text, {})]
    if table := fitness.refused_table():
        text = gettext_noop(
            "The database's role lacks rights, on %(table)s for example, so some pages fail. The operator "
            "runs “systemctl start baza-migrate”."
        )
        return [Problem("rights", text, {"table": table})]
    return []


def _broker() -> list[Problem]:
    if broker_answers():
        return []
    text = gettext_noop("Redis does not answer, so points and letters wait. The operator starts it again.")
    return [Problem("broker", text, {})]


def files() -> list[Problem]:
    """Return the problem that uploaded files cannot be read or kept, or soon not. Raises DatabaseError."""
    if stored_files.is_storage_lost():
        text = gettext_noop(
            "Uploaded files are in a storage that BAZA_FILES no longer names, so they cannot be read. The "
            "operator sets it again."
        )
        return [Problem("files-lost", text, {})]
    try:
        free = stored_files.free_bytes()
    except stored_files.FilesUnavailable:
        text = gettext_noop(
            "The folder of the uploaded files is missing, so nothing can be uploaded. The operator looks "
            "whether its disk is mounted."
        )
        return [Problem("files-missing", text, {})]
    if free is None or free >= ROOM:
        return []
    text = gettext_noop(
        "The disk of the uploaded files is nearly full. Megabytes left: %(megabytes)s. The operator makes "
        "room."
    )
    return [Problem("files-full", text, {"megabytes": free // MIB})]


def silent_workers() -> list[Problem]:
    """Return the problem that no worker has been seen. No worker can report it, so pages do."""
    seconds = heartbeat.seconds_since_sweep()
    if seconds is not None and seconds <= SILENT:
        return []
    text = gettext_noop(
        "No worker has been seen for a minute, so points and letters wait. The operator looks whether the "
        "workers and Redis run."
    )
    return [Problem("workers", text, {})]


def overdue() -> list[Problem]:
    """Return what should have happened by now: the standings' new day, a backup and the like."""
    result = []
    day = standings_day()
    if day and day < today() and timezone.localtime().time() > ROLLED_BY:
        text = gettext_noop("The standings have not moved to the new day. They are those of %(day)s.")
        result.append(Problem("standings", text, {"day": day}))
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
