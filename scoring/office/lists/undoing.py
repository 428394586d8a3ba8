"""What the kinds of lists share when one is undone: rows go as they came, unless somebody changed them."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from players.models import Player
from scoring.office.lists.plan import Undoing
from ui.chunks import chunks


def stays(number: str) -> str:
    """What is said of a row that somebody changed since."""
    return _("Number %(number)s was changed since: it stays as it is.") % {"number": number}


def restorable(
    rows: Iterable[Model], changed: list[dict[str, Any]], number: Callable[[Any], str], undoing: Undoing
) -> None:
    """Put back the rows that still are as the list left them; the others are conflicts."""
    known = {row.pk: row for row in rows}
    for each in changed:
        row = known.get(each["id"])
        if row is not None and all(
            plain(getattr(row, name)) == each["after"][name] for name in each["after"]
        ):
            undoing.restore.append(each)
        else:
            undoing.conflicts.append(stays(number(row) if row else each["number"]))


def plain(value: Any) -> Any:
    """A value as JSON keeps it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


def differences(number: str, pk: int, old: Model, names: Iterable[str], new: Any) -> dict[str, Any]:
    """The record of a changed row: id, number, and the named values before and after."""
    return {
        "id": pk,
        "number": number,
        "before": {name: plain(getattr(old, name)) for name in names},
        "after": {name: plain(getattr(new, name)) for name in names},
    }


def in_use(player_ids: Iterable[int]) -> set[int]:
    """Players that some other row names; as many queries as tables that name players."""
    ids = list(player_ids)
    found: set[int] = set()
    for relation in Player._meta.related_objects:
        column = relation.field.name
        for chunk in chunks(ids):
            rows = relation.related_model._base_manager.filter(**{f"{column}__in": chunk})
            found |= set(rows.values_list(f"{column}_id", flat=True))
    accounts = Player.objects.filter(pk__in=ids).exclude(user=None).exclude(merged_into=None)
    return found | set(accounts.values_list("pk", flat=True))
