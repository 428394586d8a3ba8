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


def codes_read_as(category: Category, day: date) -> list[int]:
    """Ids of the categories that are read as `category` on `day`, itself among them."""
    by_id = {each.pk: each for each in Category.objects.all()}
    return [pk for pk, each in by_id.items() if in_force_on(each, day, by_id).pk == category.pk]
