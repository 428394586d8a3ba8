"""Read the annulment acts of a tournament, of bridge or of Go.

The functions accept any model with a reverse relation `annulments`.
"""

from typing import Any

from django.db.models import Model


def last_act(event: Model) -> Model | None:
    """Return the act in force, the latest one."""
    return event.annulments.select_related("created_by").order_by("-pk").first()


def acts_of(event: Model) -> list[dict[str, Any]]:
    """Return all acts, latest first, with `act`, `reason` and `created_at`. One query."""
    return list(event.annulments.values("act", "reason", "created_at"))
