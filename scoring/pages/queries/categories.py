"""The categories with the figures of their standings."""

from collections.abc import Sequence
from datetime import date

from django.urls import reverse

from players.categories import in_force_on
from players.models import Category
from scoring.ledger.models import Standing
from ui.memo import per_version


def category_records(day: date, version: int) -> list[dict]:
    """Return the categories in force on a day, highest first, as records of `CategoryTable`.

    Each has its code, the URL of its standings, the number of licensed players with points, and the first
    player's points in hundredths, None if nobody has points.
    """
    counts = figures(version)
    return [
        {
            "code": category.code,
            "url": reverse("standing", args=[category.code.lower()]),
            "players": counts.get(category.pk, (0, None))[0],
            "most": counts.get(category.pk, (0, None))[1],
        }
        for category in Category.objects.on(day).order_by("-order")
    ]


@per_version(2)
def figures(version: int) -> dict[int, tuple[int, int]]:
    """Return {category id: (number of licensed players with points, hundredths of the first player)}.

    version: the version of the standings, up to which the result is cached
    """
    return Standing.objects.by_category()


def ladder_of(categories: Sequence[Category], version: int | None) -> list[dict]:
    """Return a dict for each category, to draw the ladder with a bar for each category's number of players.

    The dicts have `code`, `players` and `share`. `players` counts the licensed players with points. `share`
    is the length of the bar, in percent of the longest bar.

    version: the version of today's standings; None for a list of another day, whose players are not counted
    """
    counts = {} if version is None else figures(version)
    players = [None if version is None else counts.get(category.pk, (0, 0))[0] for category in categories]
    most = max((number or 0 for number in players), default=0) or 1
    return [
        {"code": category.code, "players": number, "share": 100 * (number or 0) // most}
        for category, number in zip(categories, players, strict=True)
    ]


def category_then(category: Category, day: date, ladder: Sequence[Category]) -> Category | None:
    """Return what a category was on a day: itself, its successor or its predecessor; None if nothing.

    ladder: all categories
    """
    category = in_force_on(category, day, {item.pk: item for item in ladder})
    if category.valid_from <= day:
        return category
    earlier = (item for item in ladder if item.successor_id == category.pk and is_in_force(item, day))
    return next(earlier, None)


def is_in_force(category: Category, day: date) -> bool:
    """Return whether the ladder of a day has the category."""
    return category.valid_from <= day and (category.valid_to is None or category.valid_to >= day)
