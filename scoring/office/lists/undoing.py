"""Find out which of the rows that an imported list wrote can be undone.

A changed row can be restored if nobody has changed it since. An added player can be deleted if no other row
refers to the player.
"""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Manager, Model, QuerySet
from django.utils.translation import gettext as _

from players.models import NamePair, Player, PlayerChange
from scoring.office.lists.plan import UndoPlan
from ui.chunks import rows_in


def plan_restoring(
    rows: QuerySet | Manager, changes: list[dict[str, Any]], number: Callable[[Any], str], plan: UndoPlan
) -> None:
    """Add to the plan the changed rows that undoing can restore, and a conflict for each other changed row.

    A row can be restored if it still has the values that the list set.

    rows: query set or manager of the model
    changes: the list's changes, as returned by `change_record`
    number: function that returns the federation number of a row's player
    """
    current = {row.pk: row for row in rows_in(rows, "pk", [change["id"] for change in changes])}
    for change in changes:
        row = current.get(change["id"])
        if row is not None and all(
            _json_value(getattr(row, name)) == value for name, value in change["after"].items()
        ):
            plan.restore.append(change)
        else:
            text = _("Number %(number)s was changed since: it stays as it is.")
            plan.conflicts.append(text % {"number": number(row) if row else change["number"]})


def _json_value(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def change_record(number: str, pk: int, old: Model, names: Iterable[str], new: Any) -> dict[str, Any]:
    """Return {"id", "number", "before", "after"} of a row that a list changes, to store as JSON.

    number: the player's federation number
    old, new: objects with the row's values before and after the change
    names: the fields whose values to store
    """
    return {
        "id": pk,
        "number": number,
        "before": {name: _json_value(getattr(old, name)) for name in names},
        "after": {name: _json_value(getattr(new, name)) for name in names},
    }


def players_in_use(player_ids: Iterable[int]) -> set[int]:
    """Return the ids of those players, among these, that other rows refer to. One query for each table."""
    ids = list(player_ids)
    in_use: set[int] = set()
    for relation in Player._meta.related_objects:
        if relation.related_model in (NamePair, PlayerChange):
            continue  # an index of the player's own name, and a journal that outlives the player
        column = relation.field.name
        rows = relation.related_model._base_manager.values_list(f"{column}_id", flat=True)
        in_use |= set(rows_in(rows, column, ids))
    by_hand = PlayerChange.objects.filter(source=PlayerChange.Source.OFFICE).values_list(
        "player_id", flat=True
    )
    in_use |= set(rows_in(by_hand, "player_id", ids))
    accounts = Player.objects.filter(pk__in=ids).exclude(user=None).exclude(merged_into=None)
    return in_use | set(accounts.values_list("pk", flat=True))
