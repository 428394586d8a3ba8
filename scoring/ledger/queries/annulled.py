"""Read the annulment acts of a tournament, of bridge or of Go.

The functions accept any model with a reverse relation `annulments`, which a room above declares.
"""

from typing import Any, Protocol

from django.db.models import Manager, Model


class Annullable(Protocol):
    """What can be annulled."""

    @property
    def annulments(self) -> Manager[Any]: ...


def last_act(event: Annullable) -> Model | None:
    """Return the act in force, the latest one."""
    return event.annulments.select_related("created_by").order_by("-pk").first()


def acts_of(event: Annullable) -> list[dict[str, Any]]:
    """Return all acts, latest first, with `act`, `reason` and `created_at`. One query."""
    return list(event.annulments.values("act", "reason", "created_at"))
