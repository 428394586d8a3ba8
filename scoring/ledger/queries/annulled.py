"""What was decided of an annulled tournament, of bridge or of Go: any event with `annulments`."""

from typing import Any

from django.db.models import Model


def last_act(event: Model) -> Model | None:
    """The act that holds now."""
    return event.annulments.select_related("created_by").order_by("-pk").first()


def acts_of(event: Model) -> list[dict[str, Any]]:
    """Every act, latest first: `act`, `reason`, `created_at`; one query."""
    return list(event.annulments.values("act", "reason", "created_at"))
