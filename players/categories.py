"""The categories of players on a given day."""

from collections.abc import Callable, Iterable
from datetime import date

from players.models import Category, CategoryAssignment, Player


def in_force_on(category: Category, day: date, by_id: dict[int, Category] | None = None) -> Category:
    """Return the category that replaces `category` in the ladder of `day`, or `category` itself.

    A category of an old ladder is replaced by its successor, for example MN by MN-O.

    by_id: all categories, by id; None if the categories come with their successors (`category__successor`)
    """
    while category.valid_to and category.valid_to < day and category.successor_id:
        category = category.successor if by_id is None else by_id[category.successor_id]
    return category


def history_of(player: Player) -> list[CategoryAssignment]:
    """Return all assignments of a player's categories, latest first, for `category_of`. One query."""
    return list(player.assignments.select_related("category__successor").order_by("-valid_from", "-pk"))


def category_of(history: Iterable[CategoryAssignment], day: date) -> Category | None:
    """Return a player's category on `day`, None without one. It is the one that `categories_on` returns.

    history: from `history_of`
    """
    held = [row for row in history if row.valid_from <= day and row.revoked_at is None]
    if not held:
        return None
    decisive = max(held, key=lambda row: (_title_value(row), row.valid_from, row.pk))
    return in_force_on(decisive.category, day)


def categories_on(day: date, player_ids: Iterable[int] | None = None) -> dict[int, Category]:
    """Return {player id: category on `day`}, without the players who have no category.

    player_ids: the players to look up; None means all players
    """
    if player_ids is not None and not (player_ids := list(player_ids)):
        return {}
    by_id = {category.pk: category for category in Category.objects.all()}
    assignments = CategoryAssignment.objects
    if player_ids is not None:
        assignments = assignments.filter(player_id__in=player_ids)
    rows = assignments.in_force(day).values_list("player_id", "category_id")
    resolved = {pk: in_force_on(category, day, by_id) for pk, category in by_id.items()}
    return {player: resolved[category] for player, category in rows}


def categories_by_day(player_ids: Iterable[int]) -> Callable[[int, date], Category | None]:
    """Return a function of a player's id and a day that gives the category which `categories_on` returns.

    Two queries, for any number of days.

    player_ids: the players to look up
    """
    by_id = {category.pk: category for category in Category.objects.all()}
    histories: dict[int, list[CategoryAssignment]] = {}
    for row in CategoryAssignment.objects.filter(player_id__in=player_ids, revoked_at=None).order_by():
        row.category = by_id[row.category_id]
        histories.setdefault(row.player_id, []).append(row)
    for category in by_id.values():
        if category.successor_id:
            category.successor = by_id[category.successor_id]
    return lambda player, day: category_of(histories.get(player, ()), day)


def superseded_by(
    assignment: CategoryAssignment, others: Iterable[CategoryAssignment]
) -> CategoryAssignment | None:
    """Return the first later assignment that ends the effect of `assignment`, or None.

    Only an assignment of another category can end it. If the player has a title when `assignment` starts, or
    gets one by it, only a title at least as high ends its effect.

    others: all assignments of the player that are not revoked, with their categories
    """
    earlier = [_title_value(held) for held in others if held.valid_from <= assignment.valid_from]
    highest = max([_title_value(assignment), *earlier])
    later = [
        held
        for held in others
        if held.valid_from > assignment.valid_from
        and held.category_id != assignment.category_id
        and _title_value(held) >= highest
    ]
    return min(later, key=lambda held: (held.valid_from, -_title_value(held)), default=None)


def _title_value(assignment: CategoryAssignment) -> int:
    return assignment.category.order if assignment.category.is_title else 0


def ids_read_as(category: Category, day: date) -> list[int]:
    """Return the ids of `category` and of all older categories that it replaces on `day`."""
    by_id = {row.pk: row for row in Category.objects.all()}
    return [pk for pk, row in by_id.items() if in_force_on(row, day, by_id).pk == category.pk]
