"""What the page of a session's adjusted results shows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scoring.ledger.queries.people import seats_of
from scoring.regulations.strength.scheme import SAME
from scoring.strength.figures import Strength, strength_of
from tournaments.boards import MATCHPOINTS
from tournaments.models import Contestant, Tournament
from ui.memo import per_version

SORTABLE = ("place", "boards", "official", "step0", "step1", "step2", "adjusted", "new_place", "moved")

HALF_SHOWN = 0.005  # results are shown with two decimals


@dataclass(frozen=True, slots=True)
class Compared:
    """One contestant's results side by side; figures None where there is no evidence of strength.

    `moved` counts places gained; `new_place` is among those of the same group and line.
    """

    contestant_id: int
    field: str
    place: int
    label: str
    team: str
    boards: int
    official: Decimal
    steps: tuple[tuple[float | None, int | None], ...]
    adjusted: float | None
    new_place: int | None
    component: int | None

    @property
    def moved(self) -> int | None:
        return None if self.new_place is None else self.place - self.new_place

    def key(self, column: str) -> Any:
        """What a column of SORTABLE is sorted by."""
        if column.startswith("step"):
            return self.steps[int(column[4:])][0]
        return getattr(self, column)


@per_version(32)
def compared(revision_id: int) -> tuple[Compared, ...]:
    """Everybody who played boards, in the order of the official ranking. Remembered with the revision."""
    strength = strength_of(revision_id)
    if strength is None:
        return ()
    ranking = Contestant.objects.filter(revision=revision_id, pk__in=list(strength.figures))
    rows = list(
        ranking.order_by("-field", "place", "position").values_list(
            "pk", "field", "place", "label", "team_name", "percentage"
        )
    )
    groups = [(field, strength.figures[pk].component) for pk, field, *_rest in rows]
    columns = [
        _places(groups, [values(strength, row[0]) for row in rows])
        for values in (*(_step(k) for k in range(_steps(strength))), _fixed)
    ]
    return tuple(
        Compared(
            contestant_id=pk, field=field, place=place, label=label, team=team,
            boards=strength.figures[pk].boards, official=_official(strength, pk, percentage),
            steps=tuple(column[k] for column in columns[:-1]),
            adjusted=columns[-1][k][0], new_place=columns[-1][k][1],
            component=strength.figures[pk].component,
        )
        for k, (pk, field, place, label, team, percentage) in enumerate(rows)
    )  # fmt: skip


def level(rows: Sequence[Compared]) -> bool:
    """Whether all opponents weighed alike on everybody: no step, nor the adjusted result, shows a difference.

    Of a Mitchell in which a line meets the whole other one nothing else can be known.
    """
    known = [row for row in rows if row.adjusted is not None]
    return bool(known) and all(
        abs(value - row.steps[0][0]) < HALF_SHOWN
        for row in known
        for value in (*(step for step, _place in row.steps), row.adjusted)
    )


def _steps(strength: Strength) -> int:
    return max(len(figure.steps) for figure in strength.figures.values())


def _step(k: int):
    return lambda strength, pk: strength.figures[pk].steps[k].value


def _fixed(strength: Strength, pk: int) -> float | None:
    return strength.figures[pk].adjusted.value


def _official(strength: Strength, pk: int, percentage: Decimal | None) -> Decimal:
    """The stated percentage; of IMPs the mean per board, because files state totals as well."""
    stated = percentage if strength.scored == MATCHPOINTS else None
    return strength.figures[pk].official if stated is None else stated


def _places(
    groups: Sequence[tuple[str, int | None]], values: Sequence[float | None]
) -> list[tuple[float | None, int | None]]:
    """Each figure with its place within its group: two lines and two components are ranked apart."""
    members: dict[tuple[str, int | None], list[int]] = defaultdict(list)
    for k, (group, value) in enumerate(zip(groups, values, strict=True)):
        if value is not None:
            members[group].append(k)
    places: list[int | None] = [None] * len(values)
    for group in members.values():
        group.sort(key=lambda k: -values[k])
        for order, k in enumerate(group):
            tied = order and values[group[order - 1]] - values[k] <= SAME
            places[k] = places[group[order - 1]] if tied else order + 1
    return list(zip(values, places, strict=True))


class Comparison:
    """The rows of a revision in any order, with names for those that are shown."""

    def __init__(self, revision_id: int) -> None:
        self.revision_id = revision_id
        self.rows_in_order = list(compared(revision_id))

    def sort(self, column: str, descending: bool) -> None:
        """Order by a column of SORTABLE, equal ones as before; who has no figure comes last."""
        known = [row for row in self.rows_in_order if row.key(column) is not None]
        unknown = [row for row in self.rows_in_order if row.key(column) is None]
        self.rows_in_order = sorted(known, key=lambda row: row.key(column), reverse=descending) + unknown

    def count(self) -> int:
        return len(self.rows_in_order)

    def rows(self, start: int, stop: int) -> list[dict[str, Any]]:
        """Records of the table, with the names as this page may show them. One query."""
        shown = self.rows_in_order[start:stop]
        whole = len(shown) == len(self.rows_in_order)
        people = seats_of(self.revision_id, None if whole else [row.contestant_id for row in shown])
        return [_record(row, people.get(row.contestant_id, [])) for row in shown]


def _record(row: Compared, people: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "place": row.place,
        "field": row.field,
        "label": row.label,
        "team": row.team,
        "people": people,
        "player_ids": {person["player_id"] for person in people},
        "boards": row.boards,
        "official": row.official,
        **{f"step{k}": step for k, step in enumerate(row.steps) if step[0] is not None},
        "adjusted": row.adjusted,
        "new_place": row.new_place,
        "moved": row.moved,
        "component": row.component,
    }


def address(tournament: Tournament) -> str:
    """The page's address, below that of the tournament."""
    return f"{tournament.get_absolute_url()}fuerza/"
