"""Keep the rows of imported lists in the database, in parts, with what applying each row would change."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from django.db.models import Q

from players.models import Player
from scoring.office.lists.plan import Detail, Plan, PlanLine, players_by_number
from scoring.office.models import ListPart, ListRow, OfficeImport
from tournaments.formats.licence import normalise
from tournaments.formats.types import TableRow

PART = 200  # rows that are compared, and written, together: some tenths of a second
BATCH = 500  # rows in one query
Change = ListRow.Change


def store(batch: OfficeImport, rows: Sequence[TableRow]) -> None:
    """Store the rows of a list that has none yet."""
    for position, numbered in enumerate(parts_of(rows, PART)):
        part = ListPart.objects.create(batch=batch, position=position)
        ListRow.objects.bulk_create(
            (
                ListRow(batch=batch, part=part, line=row.line, values=dict(row.values), number=number)
                for number, row in numbered
            ),
            batch_size=BATCH,
        )


def parts_of(rows: Sequence[TableRow], size: int) -> Iterator[list[tuple[str, TableRow]]]:
    """Yield the rows, each with its normalised number, in parts of `size` rows or a few more.

    All rows of a number are in one part, because kinds of lists compare them with each other. So a long list
    is sorted by number; rows that have none come first.
    """
    numbered = [(normalise(row.get("number")) or "", row) for row in rows]
    if len(numbered) > size:
        numbered.sort(key=lambda item: item[0])
    part: list[tuple[str, TableRow]] = []
    for number, row in numbered:
        if len(part) >= size and (number != part[-1][0] or not number):
            yield part
            part = []
        part.append((number, row))
    if part:
        yield part


def read(part: ListPart) -> list[ListRow]:
    """Return the rows of a part, in the order of the file."""
    return list(part.rows.order_by("line"))


def as_read(rows: Iterable[ListRow]) -> list[TableRow]:
    """Return stored rows as they were read from the file."""
    return [TableRow(row.line, row.values) for row in rows]


def store_changes(rows: Iterable[ListRow], plan: Plan) -> None:
    """Store what the plan of a part changes with its rows; write only those for which that is new."""
    lines = {line.line: line for line in plan.lines}
    changed = []
    for row in rows:
        new = ("", "", [])
        if line := lines.get(row.line):
            change = Change.CHANGE if line.changes else Change.ADD
            new = (change.value, line.name[:300], [detail.to_json() for detail in line.details])
        if new != (row.change, row.name, row.details):
            row.change, row.name, row.details = new
            changed.append(row)
    _update(changed, ["change", "name", "details"])


def changed_numbers(rows: Iterable[ListRow], plan: Plan) -> set[str]:
    """Return the numbers of which a row would do something else by now than what is stored with it.

    As in `Plan.digest`, details that depend on the present day are left out.
    """
    lines = {line.line: line for line in plan.lines}
    return {row.number for row in rows if _effect_of_row(row) != _effect_of_line(lines.get(row.line))}


def _effect_of_row(row: ListRow) -> list | None:
    if not row.change:
        return None
    return _effect(row.change == Change.CHANGE, map(Detail.from_json, row.details))


def _effect_of_line(line: PlanLine | None) -> list | None:
    return line and _effect(line.changes, line.details)


def _effect(changes: bool, details: Iterable[Detail]) -> list:
    return [changes, *((detail.old, detail.new) for detail in details if not detail.daily)]


def forget_private(rows: Iterable[ListRow]) -> None:
    """Empty the values that only the office sees."""
    changed = []
    for row in rows:
        details = [Detail.from_json(values) for values in row.details]
        if any(detail.private for detail in details):
            row.details = [without_value(detail).to_json() for detail in details]
            changed.append(row)
    _update(changed, ["details"])


def _update(rows: list[ListRow], columns: list[str]) -> None:
    # Upsert: bulk_update, with a CASE for each row, takes many times longer.
    ListRow.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["batch", "line"],
        update_fields=columns,
        batch_size=BATCH,
    )


def without_value(detail: Detail) -> Detail:
    """Return the detail without its values if only the office sees them."""
    return replace(detail, new="", old=None) if detail.private else detail


def forget(part: ListPart, left: Collection[str]) -> None:
    """Delete what the rows of an applied part need no more: cells, names, and rows that changed nothing.

    left: numbers whose rows changed nothing, because they were left alone
    """
    part.rows.filter(Q(change="") | Q(number__in=left)).delete()
    part.rows.update(values={}, name="")


def lines(rows: Iterable[ListRow], with_private: bool = False) -> list[PlanLine]:
    """Return rows that change something as lines of a plan, to show them. At most one query.

    Those of an applied list have the players' present names. A player who is not there, as after undoing the
    list, is named by the number.
    """
    rows = list(rows)
    nameless = [row.number for row in rows if not row.name]
    players = players_by_number(nameless) if nameless else {}
    return [
        PlanLine(
            row.line,
            row.change == Change.CHANGE,
            row.number,
            row.name or (players[row.number].desk_name if row.number in players else row.number),
            tuple(
                detail if with_private else without_value(detail)
                for detail in map(Detail.from_json, row.details)
            ),
        )
        for row in rows
    ]


def player_ids(part: ListPart) -> list[int]:
    """Return the ids of the players whose numbers are in the part."""
    numbers = part.rows.values("number")
    return list(Player.objects.filter(number__in=numbers).values_list("pk", flat=True))
