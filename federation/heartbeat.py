"""Record in the cache when a worker last swept, for the health page."""

import logging
import time

from django.core.cache import cache

logger = logging.getLogger(__name__)

KEY = "worker-heartbeat"  # when a worker last swept, in seconds since 1970
KEPT = 24 * 3600  # seconds


def record() -> None:
    """Record that a worker has just swept. Does nothing if the cache is unavailable."""
    try:
        cache.set(KEY, time.time(), KEPT)
    except Exception:  # each cache backend raises errors of its own library
        logger.warning("the cache is unavailable: no heartbeat was recorded", exc_info=True)


def seconds_since_sweep() -> float | None:
    """Return the seconds since any worker last swept; None if none did or the cache is unavailable."""
    try:
        last = cache.get(KEY)
    except Exception:  # as above
        logger.warning("the cache is unavailable: no heartbeat was read", exc_info=True)
        return None
    return None if last is None else max(0.0, time.time() - last)
