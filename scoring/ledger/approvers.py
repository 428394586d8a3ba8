"""Who approves points of a type that a club does not file alone."""

from django.utils.translation import gettext

from scoring import regulations


def is_regional(regulation: str, event_type: str) -> bool:
    """Whether the region's administrator may approve this type."""
    return event_type in regulations.get(regulation).filing.regional


def approvers(regional: bool) -> str:
    """Who decides, in words that end a sentence."""
    if regional:
        return gettext("the federation's office, the committee or the administrator of the region")
    return gettext("the federation's office or the committee")
