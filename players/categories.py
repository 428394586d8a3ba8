"""Which category a player has on a day, for one player or for a whole list."""

from collections.abc import Iterable
from datetime import date

from players.models import Category, CategoryAssignment


def in_force_on(category: Category, day: date, by_id: dict[int, Category]) -> Category:
    """The category that `category` is read as on `day`: itself, or what a later ladder calls it."""
    while category.valid_to and category.valid_to < day and category.successor_id:
        category = by_id[category.successor_id]
    return category


def categories_on(day: date, player_ids: Iterable[int] | None = None) -> dict[int, Category]:
    """Player id -> category on `day`; players without one are missing. None asks for everybody."""
    by_id = {category.pk: category for category in Category.objects.all()}
    assignments = CategoryAssignment.objects
    if player_ids is not None:
        assignments = assignments.filter(player_id__in=list(player_ids))
    rows = assignments.in_force(day).values_list("player_id", "category_id")
    resolved = {pk: in_force_on(category, day, by_id) for pk, category in by_id.items()}
    return {player: resolved[category] for player, category in rows}


def overtaken_by(
    given: CategoryAssignment, others: Iterable[CategoryAssignment]
) -> CategoryAssignment | None:
    """Which of a player's other assignments first takes the place of a given one on a later day.

    others: all that are not revoked, with their categories. A step gives way to whatever comes later, a title
    to a higher one alone; the same category once more takes nobody's place.
    """
    before = [_title_value(each) for each in others if each.valid_from <= given.valid_from]
    most = max([_title_value(given), *before])
    later = [
        each
        for each in others
        if each.valid_from > given.valid_from
        and each.category_id != given.category_id
        and _title_value(each) >= most
    ]
    return min(later, key=lambda each: (each.valid_from, -_title_value(each)), default=None)


def _title_value(assignment: CategoryAssignment) -> int:
    return assignment.category.order if assignment.category.is_title else 0


def codes_read_as(category: Category, day: date) -> list[int]:
    """Ids of the categories that are read as `category` on `day`, itself among them."""
    by_id = {each.pk: each for each in Category.objects.all()}
    return [pk for pk, each in by_id.items() if in_force_on(each, day, by_id).pk == category.pk]
