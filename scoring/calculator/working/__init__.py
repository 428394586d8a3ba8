"""What a tournament that was never played would give, by any regulation: arithmetic that is all the engine's.

`aeb` for points by category and curve, `placed` for points by place (Swedish, American), `go` for ratings.
None of them stores anything; a question is an event of the engine, and an answer what it says.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

MOST_CONTESTANTS = 5_000
LISTED = 500  # places that one page lists


def page_address(parameters: Mapping[str, Any]) -> str:
    """The calculator's page with these parameters, in their order: what people send each other."""
    return f"{reverse('calculator')}?{urlencode(parameters)}"
