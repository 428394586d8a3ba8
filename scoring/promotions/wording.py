"""Describe promotion rules and players' states in words."""

from django.utils.translation import get_language, gettext_lazy

from scoring.promotions.criteria import CRITERIA, PRIVATE, STATES
from scoring.promotions.pure.selection import PlaceState, Rule

KEPT_BACK = gettext_lazy("does not move up")


def public_state(state: PlaceState) -> str:
    """Describe a player's state to the public. All private states have the same text.

    state: of a place that `selection.public_view` returned
    """
    return str(KEPT_BACK if state in PRIVATE else STATES[state])


def hindrance(state: PlaceState, *, own: bool) -> str:
    """Describe the reason, other than points, that keeps a player from moving up; "" if there is none.

    own: whether the text is for the player, who may read private reasons
    """
    if state.up or state in (PlaceState.BELOW, PlaceState.LOW):
        return ""
    return str(STATES[state]) if own else public_state(state)


def rule_words(rule: Rule) -> list[str]:
    """Describe the rule, in sentences."""
    lang = get_language() or ""
    return [text for criterion in CRITERIA for text in criterion.sentences(rule, lang)]
