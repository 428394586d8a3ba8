"""The readiness page, `/listo/`: each part that the site needs, whether it works, and what is late.

A load balancer sends readers to a process that answers 200. Only the database decides that: without the
broker or workers, pages work and nothing that is uploaded gets lost. The other parts are in the answer for
people and monitors. The page names nobody and needs no sign-in, so it says little about the inside.
"""

import logging
from typing import Any

from django.db import Error as DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from federation import fitness, heartbeat, replica
from federation.health import SILENT, broker_answers, files, problems_of, standings_day, writable
from scoring.ledger import freshness
from scoring.ledger.services.sweeper import backlog
from ui.clock import today

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Return the state of each part as JSON, with status 503 if pages cannot be served.

    ready: whether this process can serve pages
    parts: {name: {"ok": whether it is as it should be, and figures about it}}
    """
    parts: dict[str, dict[str, Any]] = {"database": {"ok": False}}
    try:
        parts["database"] = _database()
        parts["rights"] = {"ok": fitness.refused_table() is None}
        parts |= _from_database()
    except DatabaseError:
        logger.warning("the database fails", exc_info=True)
        parts["database"]["ok"] = False  # what is missing is in the answer if it is known
    parts |= {"broker": {"ok": broker_answers()}, "workers": _workers()}
    is_ready = parts["database"]["ok"]
    return JsonResponse({"ready": is_ready, "parts": parts}, status=200 if is_ready else 503)


def _database() -> dict[str, Any]:
    missing = fitness.lacks_migrations()
    return {"ok": writable() and not missing, "migrations_missing": missing}


def _from_database() -> dict[str, Any]:
    work, day = backlog(), standings_day()
    oldest = work.oldest and round(work.oldest)
    parts: dict[str, Any] = {
        "work": {
            "ok": not problems_of(work),
            "oldest_seconds": oldest,
            "parked": work.parked,
        },
        "files": {"ok": not files()},
        "standings": {"ok": day in (None, today()), "as_of": day and day.isoformat()},
    }
    if (lag := replica.lag()) is not None:
        parts["replica"] = {"ok": not lag.is_far, "bytes_behind": lag.bytes}
    for age in freshness.ages():
        seconds = None if age.seconds is None else round(age.seconds)
        parts[age.of.code] = {"ok": not age.is_late, "age_seconds": seconds}
    return parts


def _workers() -> dict[str, Any]:
    seconds = heartbeat.seconds_since_sweep()
    return {
        "ok": seconds is not None and seconds <= SILENT,
        "seconds_since_sweep": None if seconds is None else round(seconds, 1),
    }
