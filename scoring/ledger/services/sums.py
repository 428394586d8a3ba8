"""Build, compare and repair the stored sums of ledger entries: standings and year totals."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from players.categories import categories_on
from players.models import Category, Licence
from scoring.ledger.models import Standing, YearTotal
from scoring.ledger.models.standings import LedgerSum
from ui.chunks import chunks

Row = TypeVar("Row", Standing, YearTotal)
COLUMNS = [field.attname for field in LedgerSum._meta.local_fields]


@dataclass(frozen=True, slots=True)
class Mismatch(Generic[Row]):
    """A player whose stored row differs from the row computed from the ledger.

    stored: None if the row is missing
    computed: None if there should be no row
    """

    player_id: int
    stored: Row | None
    computed: Row | None


class People:
    """A group of players whose categories and licences on a day are read only once.

    ids: player ids; None for all players
    categories: function that returns {player id: category} on a day
    licensed: function that returns the ids of the players with a licence on a day
    """

    def __init__(self, ids: list[int] | None = None) -> None:
        self.ids = ids
        self.categories = cache(lambda day: categories_on(day, ids))
        self.licensed = cache(lambda day: Licence.objects.holders(day, ids))


def build_rows(
    model: type[Row],
    sums: Iterable[tuple[int, dict[str, Any]]],
    categories: Mapping[int, Category],
    licensed: Container[int],
    **common: Any,
) -> Iterator[Row]:
    """Yield unsaved rows of `model` built from `sums`, in the same order.

    sums: from `LedgerEntryQuerySet.sums`
    categories: {player id: category} on the last day of the period
    licensed: ids of the players with a licence on that day
    common: values of the other fields, equal in all rows
    """
    for player, figures in sums:
        if not any(figures[name] for name in ("points_in_person", "points_online", "tournaments")):
            continue  # every entry was taken back
        category = categories.get(player)
        yield model(
            player_id=player,
            category_id=category.pk if category else None,
            licensed=player in licensed,
            **figures,
            **common,
        )


def mismatches(stored: Iterable[Row], computed: Iterable[Row]) -> list[Mismatch[Row]]:
    """Compare stored with computed rows. Return a Mismatch for each player and day whose rows differ.

    They are in order of player id and day.
    """
    old, new = ({(row.player_id, row.day): row for row in rows} for rows in (stored, computed))
    return [
        Mismatch(key[0], old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if _differ(old.get(key), new.get(key))
    ]


def _differ(stored: LedgerSum | None, computed: LedgerSum | None) -> bool:
    if stored is None or computed is None:
        return stored is not computed
    if any(getattr(stored, column) != getattr(computed, column) for column in COLUMNS):
        return True
    pairs = [(getattr(stored, column), getattr(computed, column)) for column in stored.IF_KNOWN]
    return any(old != new for old, new in pairs if None not in (old, new))


def upsert(rows: QuerySet[Row], new: Iterable[Row], key: str) -> None:
    """Insert the rows `new`, or update those that already exist.

    key: the field that, together with the player and the day, identifies a row
    """
    model: type[LedgerSum] = rows.model
    columns: list[str] = [column.removesuffix("_id") for column in COLUMNS if column != "day"]
    model._base_manager.bulk_create(
        new,
        update_conflicts=True,
        unique_fields=["player", key, "day"],
        update_fields=[*columns, *model.IF_KNOWN],
        batch_size=1000,
    )


def repair(rows: QuerySet[Row], wrong: Sequence[Mismatch[Row]], key: str) -> None:
    """Make the stored rows equal to the computed rows of the mismatches `wrong`.

    rows: the stored rows
    key: the field that, together with the player and the day, identifies a row
    """
    upsert(rows, (mismatch.computed for mismatch in wrong if mismatch.computed), key)
    for superfluous in chunks([row.stored.pk for row in wrong if row.stored and row.computed is None]):
        rows.filter(pk__in=superfluous).delete()
