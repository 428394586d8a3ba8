"""Change the data of Go players, with a record of every change."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.services.changes import send_players_changed
from scoring.ratings.models import RatedPlayer, RatedPlayerChange
from scoring.ratings.services.changes import rated_changed

FIELDS = ("name", "given_name", "country", "pin", "hidden", "player")


@transaction.atomic
def change_data(rated: RatedPlayer, values: Mapping[str, Any], reason: str, by) -> None:
    """Set fields of a Go player, and record who changed what and why. Without a difference, do nothing.

    values: {one of FIELDS: new value}

    Raises ValidationError if the values contradict each other or those of another Go player.
    """
    stored = RatedPlayer.objects.select_for_update().get(pk=rated.pk)
    changed = [name for name, value in values.items() if getattr(stored, name) != value]
    if not changed:
        return
    before = _record(stored, changed)
    for name in changed:
        setattr(stored, name, values[name])
    if stored.given_name and not stored.name.endswith(stored.given_name):
        text = _("The name has to end with the first name: Go files write the surname first.")
        raise ValidationError({"given_name": text})
    stored.full_clean()
    stored.save()
    after = _record(stored, changed)
    RatedPlayerChange.objects.create(rated=stored, before=before, after=after, reason=reason, changed_by=by)
    send_players_changed([])  # cached pages may show the name
    rated_changed.send(sender=None, rated_ids={stored.pk})


def _record(rated: RatedPlayer, names: list[str]) -> dict[str, Any]:
    """Return {field name: value} as JSON; of a linked player the federation number."""
    values = {name: getattr(rated, name) for name in names}
    if player := values.get("player"):
        values["player"] = player.number
    return values
