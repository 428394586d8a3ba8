"""Add clubs and regions, change and close them. Each change is written in the journal of the register."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.access import require, roles_of
from players.models import Club, Region
from players.services.changes import send_players_changed
from players.services.register_journal import note_organisation, values_of

FIELDS: dict[type, tuple[str, ...]] = {
    Club: ("code", "name", "region", "city", "active"),
    Region: ("code", "name"),
}
Row = TypeVar("Row", Club, Region)


@transaction.atomic
def add(row: Row, by, reason: str) -> Row:
    """Store a new club or region, and return it.

    Raises PermissionDenied if `by` does not have the office role, and ValidationError if a value is invalid
    or the reason is missing.
    """
    _require(by, reason)
    _save(row)
    note_organisation(row, {}, FIELDS[type(row)], by, reason.strip())
    send_players_changed(())
    return row


@transaction.atomic
def change(row: Row, values: Mapping[str, Any], by, reason: str) -> Row:
    """Change a club or region, and return it. Raises the same errors as `add`, and if nothing would change.

    A closed club (`active` is False) keeps its members and results. Its directors upload nothing more.

    values: the new values by field
    """
    _require(by, reason)
    model = type(row)
    list(model.objects.select_for_update().filter(pk=row.pk).values_list("pk"))
    row = model.objects.get(pk=row.pk)
    before = values_of(row, FIELDS[model])
    for name, value in values.items():
        setattr(row, name, value)
    if values_of(row, FIELDS[model]) == before:
        raise ValidationError(_("Nothing was changed."), code="same")
    _save(row)
    note_organisation(row, before, FIELDS[model], by, reason.strip())
    send_players_changed(())
    return row


def _require(by, reason: str) -> None:
    require(roles_of(by).office)
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: it stays in the history.")})


def _save(row: Club | Region) -> None:
    row.full_clean(exclude=["slug", "sort_key"])
    row.save()
