"""Work out what assigning or revoking one player's category would change, and whether it needs two persons.

The assignments passed to these functions are `CategoryAssignment`s that are not revoked. Their categories
are loaded; the assignments themselves may be unsaved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from django.conf import settings

from players.models import Category, CategoryAssignment

TITLES = ("MN", "ME", "MM")  # in ascending order; the suffix O, D or S (open, ladies, senior) is ignored


@dataclass(frozen=True, slots=True)
class Change:
    """One player's category without and with a change of assignments; None for no category.

    day: the first day on which the change may make a difference
    before, after: the category on `day`, without and with the change
    today_before, today_after: the category today, without and with the change
    settled: yesterday's category, without the change
    until: the first day after `day` on which the category is the same without and with the change; None if
        there is no such day
    """

    day: date
    before: Category | None
    after: Category | None
    today_before: Category | None
    today_after: Category | None
    settled: Category | None
    until: date | None

    def steps(self, ladder: Sequence[Category]) -> int:
        """Return the number of steps up, negative if down.

        Having no category counts as one step below the lowest category.
        """
        return rung(self.after, ladder) - rung(self.before, ladder)

    @property
    def moves(self) -> bool:
        """Whether the change makes a difference to the category on `day`."""
        return self.before != self.after


def rung(category: Category | None, ladder: Iterable[Category]) -> int:
    """Return a category's position on the ladder, from 0 for the lowest step; -1 for no category.

    Titles are above all steps. Titles that differ only in their suffix (open, ladies, senior) have the same
    position.
    """
    if category is None:
        return -1
    steps = [row for row in ladder if not row.is_title]
    if category.is_title:
        level = next((index for index, code in enumerate(TITLES) if category.code.startswith(code)), 0)
        return len(steps) + level
    return sum(step.order < category.order for step in steps)


def held_on(assignments: Iterable[CategoryAssignment], day: date) -> Category | None:
    """Return a player's category on a day, or None.

    It is chosen by the same rules as in the query `CategoryAssignmentQuerySet.in_force`.

    assignments: all assignments of the player, oldest first
    """
    held = [item for item in enumerate(assignments) if item[1].valid_from <= day]

    def preference(item: tuple[int, CategoryAssignment]) -> tuple[int, date, int]:
        index, assignment = item
        category = assignment.category
        return (category.order if category.is_title else 0, assignment.valid_from, index)

    return max(held, key=preference)[1].category if held else None


def change_of(
    before: Sequence[CategoryAssignment], after: Sequence[CategoryAssignment], day: date, today: date
) -> Change:
    """Compare one player's category from `day` on without and with a change of the player's assignments.

    before, after: all assignments of the player without and with the change, oldest first
    """
    later = sorted({row.valid_from for row in (*before, *after) if row.valid_from > day})
    until = next((start for start in later if held_on(before, start) == held_on(after, start)), None)
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
class ApprovalReasons:
    """The reasons why a change of one player's category needs a second person; falsy without a reason.

    backdated: the change affects the category on a day before today
    steps: the change is not exactly one step up
    """

    backdated: bool
    steps: bool

    def __bool__(self) -> bool:
        return self.backdated or self.steps


def approval_reasons(change: Change, ladder: Sequence[Category], today: date) -> ApprovalReasons:
    """Return why assigning a category needs a second person.

    One person is enough in these cases:

    - the assignment changes nothing;
    - it starts today or later, and raises the player by one step;
    - it starts today or later, and gives `settings.FIRST_CATEGORY` to a player without a category.

    In the second case, the new category must also be at most one step above yesterday's category. Otherwise
    one person could assign several categories today. Each would be one step higher than the one before, and
    start one day later.
    """
    first = change.before is None and change.after and change.after.code == settings.FIRST_CATEGORY
    rise = rung(change.after, ladder) - rung(change.settled, ladder)
    one_up = first or (change.steps(ladder) == 1 and rise <= 1)
    backdated = change.moves and change.day < today
    return ApprovalReasons(backdated=backdated, steps=change.moves and not one_up)


def revoking_reasons(change: Change, ladder: Sequence[Category], today: date) -> ApprovalReasons:
    """Return why revoking a category needs a second person.

    A revocation that takes effect today or later needs none.
    """
    reasons = approval_reasons(change, ladder, today)
    return replace(reasons, steps=reasons.steps and change.day < today)


def as_facts(change: Change, ladder: Sequence[Category]) -> dict[str, Any]:
    """Return the change as a dictionary of JSON values, from which callers compute a digest."""
    codes = {
        name: (category := getattr(change, name)) and category.code
        for name in ("before", "after", "today_before", "today_after")
    }
    until = change.until and change.until.isoformat()
    return {"day": change.day.isoformat(), "until": until, "steps": change.steps(ladder), **codes}
