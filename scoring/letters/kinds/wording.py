"""Wording that the texts of several kinds share."""

from datetime import date

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from ui.formatting import format_date


def day_text(day: date) -> str:
    """Return a day in the active language, as in "14 Mar 2026"."""
    return format_date(day, get_language() or "")


def names_of(tournament: Tournament) -> dict[str, str]:
    """Return `name`, `club` and `day` of a tournament. Its club must be loaded."""
    return {"name": tournament.name, "club": tournament.club.name, "day": day_text(tournament.end_date)}


def reason_text(reason: str) -> str:
    """Return the paragraph about the reason of an act."""
    return _("Reason: %(reason)s") % {"reason": reason}
