"""Queries for the table that shows official and adjusted results side by side."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scoring.ledger.queries.people import Written, seats_of
from scoring.regulations.strength.scheme import SAME
from scoring.strength.figures import Strength, strength_of
from tournaments.boards import MATCHPOINTS
from tournaments.models import Contestant, Tournament
from ui.memo import per_version

SORTABLE = ("place", "boards", "official", "step0", "step1", "step2", "adjusted", "new_place", "moved")

HALF_UNIT = 0.005  # half a unit of the last decimal shown, as results are shown with two decimals


@dataclass(frozen=True, slots=True)
class ComparedContestant:
    """A contestant's official and adjusted results.

    steps: the result and the place after each iteration of the adjustment
    adjusted: the adjusted result
    new_place: the place by adjusted result, among the contestants of the same field and component
    component: identifies the contestant's component, a group of contestants who met, directly or indirectly

    If no board of the contestant counts for the adjustment, `adjusted`, `new_place` and all steps are None.
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
        """The number of places gained by the adjustment, negative if places were lost."""
        return None if self.new_place is None else self.place - self.new_place

    def key(self, column: str) -> Any:
        """Return the value by which rows are sorted for a column of SORTABLE."""
        if column.startswith("step"):
            return self.steps[int(column[4:])][0]
        return getattr(self, column)


@per_version(32)
def compared_contestants(revision_id: int) -> tuple[ComparedContestant, ...]:
    """Return a revision's contestants with board results, in the order of the official ranking. Cached."""
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
    figures = [strength.figures[pk] for pk, *_rest in rows]
    step_count = max(len(figure.steps) for figure in strength.figures.values())
    steps = [
        _with_places(groups, [figure.steps[number].value for figure in figures])
        for number in range(step_count)
    ]
    adjusted = _with_places(groups, [figure.adjusted.value for figure in figures])
    return tuple(
        ComparedContestant(
            contestant_id=pk,
            field=field,
            place=place,
            label=label,
            team=team,
            boards=figures[k].boards,
            official=_official(strength, pk, percentage),
            steps=tuple(step[k] for step in steps),
            adjusted=adjusted[k][0],
            new_place=adjusted[k][1],
            component=figures[k].component,
        )
        for k, (pk, field, place, label, team, percentage) in enumerate(rows)
    )


def nothing_to_adjust(rows: Sequence[ComparedContestant]) -> bool:
    """Return whether the adjustment changes no result by enough to be visible in the decimals shown.

    This happens, for example, when every North-South pair has met every East-West pair.
    """
    known = [row for row in rows if row.adjusted is not None]
    return bool(known) and all(
        abs(value - row.steps[0][0]) < HALF_UNIT
        for row in known
        for value in (*(step for step, _place in row.steps), row.adjusted)
    )


def _official(strength: Strength, pk: int, percentage: Decimal | None) -> Decimal:
    """Return a contestant's official result per board.

    It is the percentage in the file or, without one, the mean over the boards. In sessions scored in IMPs it
    is always the mean over the boards, because some files give totals.
    """
    stated = percentage if strength.scored == MATCHPOINTS else None
    return strength.figures[pk].official if stated is None else stated


def _with_places(
    groups: Sequence[tuple[str, int | None]], values: Sequence[float | None]
) -> list[tuple[float | None, int | None]]:
    """Return (value, place within its group) for each value. A value of None has no place.

    groups: each value's group, as (field, component)
    """
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
    """The rows of the table of official and adjusted results for one revision, which can be sorted.

    Names are read only for the rows that are shown.
    """

    def __init__(self, revision_id: int) -> None:
        self.revision_id = revision_id
        self.rows_in_order = list(compared_contestants(revision_id))

    def sort(self, column: str, descending: bool) -> None:
        """Sort the rows stably by a column of SORTABLE. Rows without a value come last."""
        known = [row for row in self.rows_in_order if row.key(column) is not None]
        unknown = [row for row in self.rows_in_order if row.key(column) is None]
        self.rows_in_order = sorted(known, key=lambda row: row.key(column), reverse=descending) + unknown

    def count(self) -> int:
        return len(self.rows_in_order)

    def rows(self, start: int, stop: int) -> list[dict[str, Any]]:
        """Return the table's records from `start` to `stop`, with the names that may be shown. One query."""
        shown = self.rows_in_order[start:stop]
        all_shown = len(shown) == len(self.rows_in_order)
        people = seats_of(self.revision_id, None if all_shown else [row.contestant_id for row in shown])
        written = Written(text for row in shown for text in (row.label, row.team))
        return [_record(row, people.get(row.contestant_id, []), written) for row in shown]


def _record(row: ComparedContestant, people: list[dict[str, Any]], written: Written) -> dict[str, Any]:
    return {
        "place": row.place,
        "field": row.field,
        "label": written.label(row.label, people),
        "team": written.team(row.team, people),
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
    """Return the URL of the tournament's page of adjusted results."""
    return f"{tournament.get_absolute_url()}fuerza/"
