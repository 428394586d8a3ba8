"""Template filters that format ratings."""

from django import template

from scoring.ratings.queries import change_text, rating_text
from scoring.regulations.egf.types import CLASSES

register = template.Library()


@register.filter
def rating(value: float | None, digits: int = 0) -> str:
    """Format a rating, or another number of its computation, with `digits` decimals."""
    return rating_text(value, digits)


@register.filter
def change(value: float | None) -> str:
    """Format a change of a rating with its sign and two decimals."""
    return change_text(value)


@register.filter
def class_weight(letter: str) -> float:
    """Return the weight of games in tournaments of a class (A, B, C or D)."""
    return CLASSES[letter]
