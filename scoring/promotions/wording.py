"""Describe promotion rules and players' states."""

from django.utils.translation import get_language, gettext_lazy

from scoring.promotions.criteria import CRITERIA, PRIVATE, STATES
from scoring.promotions.pure.selection import PlaceState, Rule

KEPT_BACK = gettext_lazy("does not move up")


def public_state(state: PlaceState) -> str:
    """Describe a state of a `selection.public_view` to the public. All private reasons have the same text."""
    return str(KEPT_BACK if state in PRIVATE else STATES[state])


def hindrance(state: PlaceState, *, own: bool) -> str:
    """Describe what besides points prevents a player from moving up; "" if nothing does.

    own: whether the reader is the player
    """
    if state.up or state in (PlaceState.BELOW, PlaceState.LOW):
        return ""
    return str(STATES[state]) if own else public_state(state)


def rule_words(rule: Rule) -> list[str]:
    """Describe the rule, in sentences."""
    lang = get_language() or ""
    return [text for criterion in CRITERIA for text in criterion.sentences(rule, lang)]
