"""Hide and show players' names, and record what people decide about their personal data."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.access import is_player, roles_of
from players.ages import is_minor
from players.models import Consent, Player
from players.services.changes import send_players_changed
from players.services.register_journal import PLAYER_FIELDS, note_player, values_of
from ui.clock import today

Kind = Consent.Kind


@transaction.atomic
def set_hidden(player_id: int, hidden: bool, by) -> Player:
    """Hide a player's name or show it, at once on every page and in every file. Return the player.

    The numbers that were merged into the player's are hidden or shown with it.

    Raises PermissionDenied unless `by` is the player's account or the office, and ValidationError if a minor
    wants to be shown, which the office alone decides.
    """
    numbers = Player.objects.numbers_of(Player(pk=player_id)).select_for_update().order_by("pk")
    rows = {row.pk: row for row in numbers}
    player = rows[player_id]
    office = roles_of(by).office
    if not (office or is_player(by, player)):
        raise PermissionDenied
    if not hidden and not office and is_minor(player.birth_year, today()):
        raise ValidationError(_("The names of minors are shown only if the office agrees: write to it."))
    changed = [row for row in rows.values() if row.hidden != hidden]
    for row in changed:
        before = values_of(row, PLAYER_FIELDS)
        row.hidden = hidden
        row.save(update_fields=["hidden"])
        note_player(row, before, by)
    if changed:
        Consent.objects.create(player=player, kind=Kind.HIDDEN if hidden else Kind.SHOWN, by=by)
        send_players_changed({row.pk for row in changed})
    return player


def with_minors_hidden(values: Mapping[str, Any], stored: Player | None, day: date) -> dict[str, Any]:
    """Return the values of a new or changed player, who is hidden if they turn out to be a minor.

    The name stays as it is if the values say whether it is hidden, or if the player was known as a minor.

    values: {field name: new value}
    stored: the player before the change; None for a new one
    """
    was_minor = stored is not None and is_minor(stored.birth_year, day)
    if "hidden" in values or was_minor or not is_minor(values.get("birth_year"), day):
        return dict(values)
    return {**values, "hidden": True}
