"""Mark views whose requests may be answered twice."""

from collections.abc import Callable

from django.http import HttpResponse


def repeatable(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view whose requests do no harm if they are repeated.

    If its database connection breaks, the request is answered again, also if nobody knows whether the first
    attempt was committed (`federation/reconnecting.py`).
    """
    view.repeatable = True
    return view
