"""Read whether and why a bridge or Go tournament was annulled or restored.

The functions accept any model with a reverse relation `annulments`. The app `scoring.annulments` defines that
relation, and this app must not import it.
"""

from typing import Any, Protocol

from django.db.models import Manager, Model


class Annullable(Protocol):
    """A tournament with a reverse relation `annulments`: the rows that annul or restore it."""

    @property
    def annulments(self) -> Manager[Any]: ...


def last_act(event: Annullable) -> Model | None:
    """Return the latest row that annulled or restored the tournament. None if there is none."""
    return event.annulments.select_related("created_by").order_by("-pk").first()


def acts_of(event: Annullable) -> list[dict[str, Any]]:
    """Return all annulments and restorations of a tournament, latest first. One query.

    Records have `act` ("annulled" or "restored"), `reason` and `created_at`.
    """
    return list(event.annulments.values("act", "reason", "created_at"))
