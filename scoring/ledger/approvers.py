"""Who approves points of event types that a club may not file alone."""

from django.utils.translation import gettext

from scoring import regulations


def is_regional(regulation: str, event_type: str) -> bool:
    """Return whether the region's administrator may approve this event type, like office and committee.

    regulation: code of the regulation that the tournament is scored under
    """
    return event_type in regulations.get(regulation).filing.regional


def approvers(regional: bool) -> str:
    """Return a phrase naming who approves the points, for the end of a sentence.

    regional: whether the administrator of the region is among them; see `is_regional`
    """
    if regional:
        return gettext("the federation's office, the committee or the administrator of the region")
    return gettext("the federation's office or the committee")
