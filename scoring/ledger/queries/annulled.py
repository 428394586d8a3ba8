"""Read the annulments of a bridge or Go tournament.

The functions accept any model with a reverse relation `annulments`. Apps that this one does not import
define these relations.
"""

from typing import Any, Protocol

from django.db.models import Manager, Model


class Annullable(Protocol):
    """A model with a reverse relation `annulments`."""

    @property
    def annulments(self) -> Manager[Any]: ...


def last_act(event: Annullable) -> Model | None:
    """Return the latest annulment act, which is in force. None if there is none."""
    return event.annulments.select_related("created_by").order_by("-pk").first()


def acts_of(event: Annullable) -> list[dict[str, Any]]:
    """Return all annulment acts, latest first, with `act`, `reason` and `created_at`. One query."""
    return list(event.annulments.values("act", "reason", "created_at"))
