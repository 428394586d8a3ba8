"""The categories with the figures of their standings."""

from datetime import date

from django.urls import reverse

from players.models import Category
from scoring.ledger.models import Standing


def category_records(day: date) -> list[dict]:
    """Return the categories in force on a day, highest first, as records of `CategoryTable`.

    Each has its code, the URL of its standings, the number of licensed players with points, and the first
    player's points in hundredths, None if nobody has points.
    """
    figures = Standing.objects.by_category()
    return [
        {
            "code": category.code,
            "url": reverse("standing", args=[category.code.lower()]),
            "players": figures.get(category.pk, (0, None))[0],
            "most": figures.get(category.pk, (0, None))[1],
        }
        for category in Category.objects.on(day).order_by("-order")
    ]
