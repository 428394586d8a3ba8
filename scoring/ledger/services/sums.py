"""Rows of sums of the ledger, of 12 months or of a year: made, compared with what is stored, and mended."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from django.db.models import QuerySet

from players.categories import categories_on
from players.models import Category
from scoring.ledger.evaluation import licensed_on
from scoring.ledger.models import Standing, YearTotal
from scoring.ledger.models.standings import LedgerSum
from scoring.ledger.querysets import LedgerEntryQuerySet
from ui.chunks import chunks

Row = Standing | YearTotal
COLUMNS = [field.attname for field in LedgerSum._meta.local_fields]


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that was not what the ledger says; None: it was missing, or should not have been there."""

    player_id: int
    stored: Row | None
    computed: Row | None


class People:
    """Some players (None: all) with their categories and licences, each day asked for once."""

    def __init__(self, ids: list[int] | None = None) -> None:
        self.ids = ids
        self.categories = cache(lambda day: categories_on(day, ids))
        self.licensed = cache(lambda day: licensed_on(day, ids))


def summed(
    model: type[Row],
    sums: LedgerEntryQuerySet,
    categories: Mapping[int, Category],
    licensed: Container[int],
    **common,
) -> Iterator[Row]:
    """The unsaved rows of `LedgerEntryQuerySet.sums`, in their order; one query."""
    for player, in_person, remote, played in sums:
        if not (in_person or remote or played):
            continue  # everything was taken back: nothing to list
        category = categories.get(player)
        yield model(
            player_id=player,
            category_id=category and category.pk,
            licensed=player in licensed,
            points=in_person + remote,
            points_in_person=in_person,
            points_online=remote,
            tournaments=played,
            **common,
        )


def differing(stored: Iterable[Row], wanted: Iterable[Row]) -> list[Difference]:
    """Every player whose stored row is not the one wanted, by player."""
    there, due = ({row.player_id: row for row in rows} for rows in (stored, wanted))
    return [
        Difference(player, there.get(player), due.get(player))
        for player in sorted(there.keys() | due.keys())
        if values(there.get(player)) != values(due.get(player))
    ]


def values(row: Row | None) -> tuple | None:
    """What has to be equal for two rows of a player to be the same."""
    return row and tuple(getattr(row, column) for column in COLUMNS)


def write(rows: QuerySet, new: Iterable[Row], key: str) -> None:
    """Insert or overwrite rows that are one for each player and `key`."""
    rows.model.objects.bulk_create(
        new, update_conflicts=True, unique_fields=["player", key],
        update_fields=[column.removesuffix("_id") for column in COLUMNS], batch_size=1000,
    )  # fmt: skip


def mend(rows: QuerySet, differences: Iterable[Difference], key: str) -> None:
    """Make the stored `rows` what was computed."""
    write(rows, (each.computed for each in differences if each.computed), key)
    for gone in chunks([each.player_id for each in differences if each.computed is None]):
        rows.filter(player_id__in=gone).delete()
