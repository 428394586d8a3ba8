"""Filters that write ratings."""

from django import template

from scoring.ratings.queries import change_text, rating_text
from scoring.regulations.egf.types import CLASSES

register = template.Library()


@register.filter
def rating(value: float | None, digits: int = 0) -> str:
    """A rating, or another number of its computation, with so many decimals."""
    return rating_text(value, digits)


@register.filter
def change(value: float | None) -> str:
    """A change with its sign and two decimals."""
    return change_text(value)


@register.filter
def class_weight(letter: str) -> float:
    """What the games of a class weigh."""
    return CLASSES[letter]
