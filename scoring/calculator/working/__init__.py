"""Computation of the points of a hypothetical tournament by the engine. Nothing is stored.

`aeb` is for the AEB's points, `placed` for points by place (Swedish, ACBL), `go` for ratings. Each module has
a `Question`, which converts a hypothetical tournament to the engine's input, and an `Answer`, the points or
ratings that a regulation gives for it.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

MOST_CONTESTANTS = 5_000
LISTED = 500  # the most places that a page lists


def page_address(parameters: Mapping[str, Any]) -> str:
    """Return the URL of the calculator with these query parameters, in this order."""
    return f"{reverse('calculator')}?{urlencode(parameters)}"
