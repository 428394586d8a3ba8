"""What giving or revoking a category changes of one player: from which day, by how many steps, until when.

Assignments are `CategoryAssignment`s that are not revoked, with their categories; they need no key.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings

from players.models import Category, CategoryAssignment

TITLES = ("MN", "ME", "MM")  # each a step above the one before, whoever it is for (open, ladies, senior)


@dataclass(frozen=True, slots=True)
class Change:
    """Before and after are the categories on the first day that changes; None: without one.

    settled: that of yesterday, which one person alone cannot have given since
    """

    day: date
    before: Category | None
    after: Category | None
    today_before: Category | None
    today_after: Category | None
    settled: Category | None
    until: date | None  # the day on which another assignment makes it the same again

    def steps(self, ladder: Sequence[Category]) -> int:
        """Number of steps up, negative if down. No category counts as one step below the lowest."""
        return rung(self.after, ladder) - rung(self.before, ladder)

    @property
    def moves(self) -> bool:
        """Whether anything is different on that day."""
        return self.before != self.after


def rung(category: Category | None, ladder: Iterable[Category]) -> int:
    """The height of a category: -1 for none, steps of the ladder from 0, titles above them by their level."""
    if category is None:
        return -1
    steps = [each for each in ladder if not each.is_title]
    if category.is_title:
        level = next((at for at, code in enumerate(TITLES) if category.code.startswith(code)), 0)
        return len(steps) + level
    return sum(each.order < category.order for each in steps)


def held_on(assignments: Iterable[CategoryAssignment], day: date) -> Category | None:
    """The category on a day, as `CategoryAssignmentQuerySet.in_force` chooses it; oldest first."""
    held = [(at, each) for at, each in enumerate(assignments) if each.valid_from <= day]

    def preference(item: tuple[int, CategoryAssignment]) -> tuple[int, date, int]:
        at, each = item
        return (each.category.order if each.category.is_title else 0, each.valid_from, at)

    return max(held, key=preference)[1].category if held else None


def change_of(
    before: Sequence[CategoryAssignment], after: Sequence[CategoryAssignment], day: date, today: date
) -> Change:
    """What is different from a day on between two states of a player's assignments, each oldest first."""
    later = sorted({each.valid_from for each in (*before, *after) if each.valid_from > day})
    until = next((at for at in later if held_on(before, at) == held_on(after, at)), None)
    return Change(
        day,
        before=held_on(before, day),
        after=held_on(after, day),
        today_before=held_on(before, today),
        today_after=held_on(after, today),
        settled=held_on(before, today - timedelta(days=1)),
        until=until,
    )


@dataclass(frozen=True, slots=True)
class Weight:
    """Why a second person is needed, as far as one player's change goes."""

    backdated: bool
    steps: bool

    def __bool__(self) -> bool:
        return self.backdated or self.steps


def weight_of(change: Change, ladder: Sequence[Category], today: date) -> Weight:
    """One step up, or a first category, needs no second person if it starts today or later.

    What a player has already changes no list, of whatever day.
    It is one step from yesterday's category too, so that nobody climbs alone by a step for each day to come.
    """
    first = change.before is None and change.after and change.after.code == settings.FIRST_CATEGORY
    rise = rung(change.after, ladder) - rung(change.settled, ladder)
    one_up = first or (change.steps(ladder) == 1 and rise <= 1)
    return Weight(backdated=change.moves and change.day < today, steps=change.moves and not one_up)


def as_facts(change: Change, ladder: Sequence[Category]) -> dict[str, Any]:
    """The change as plain values, for a digest."""
    codes = {
        name: (found := getattr(change, name)) and found.code
        for name in ("before", "after", "today_before", "today_after")
    }
    until = change.until and change.until.isoformat()
    return {"day": change.day.isoformat(), "until": until, "steps": change.steps(ladder), **codes}
