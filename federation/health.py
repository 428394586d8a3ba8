"""Whether the installation works, for load balancers and alarms."""

from django.db import Error as DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache

from federation import sweeping
from scoring.models import StandingsState

SILENT = 60  # seconds without a sweep after which no worker is believed to live


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """`status` is ok, degraded (no worker: nothing new is scored) or down (no database: answered 503).

    `standings_as_of` is the day of the standings, null before the first one; `worker_seconds` says how long
    ago a worker last swept, null when none did or the cache cannot tell.
    """
    seconds = sweeping.age()
    body = {"status": "ok", "database": True, "standings_as_of": None, "worker_seconds": None}
    if seconds is None or seconds > SILENT:
        body["status"] = "degraded"
    if seconds is not None:
        body["worker_seconds"] = round(seconds, 1)
    try:
        state = StandingsState.objects.order_by("family").first()
    except DatabaseError:
        return JsonResponse(body | {"status": "down", "database": False}, status=503)
    if state:
        body["standings_as_of"] = state.as_of.isoformat()
    return JsonResponse(body)
