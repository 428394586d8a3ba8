"""The routers of all addresses that anybody may read, in the order of the description."""

from collections.abc import Iterable

from django.urls import URLPattern

from scoring.api.reading import clubs, players, promotions, ratings, regulations, standings, tournaments
from ui.shared import shared

MODULES = (players, standings, tournaments, regulations, promotions, ratings, clubs)
ROUTERS = tuple(module.router for module in MODULES)
NAMES = frozenset(
    operation.url_name
    for router in ROUTERS
    for view in router.path_operations.values()
    for operation in view.operations
)


def share(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """Return the patterns, of which those of these routers are shared (`ui.shared`)."""
    result = list(patterns)
    for pattern in result:
        if pattern.name in NAMES:
            pattern.callback = shared(pattern.callback)
    return result
