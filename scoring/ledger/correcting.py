"""The days in which a tournament may be corrected or annulled without a second person."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, gettext

from tournaments.models import Tournament
from ui.clock import today
from ui.formatting import format_date

# Kinds of proposals: the points of a ranking (a correction, too), and annulling or restoring a tournament.
POINTS_ACT, ANNULMENT_ACT, ADJUSTMENT_ACT = "tournament", "annulment", "adjustment"


@dataclass(frozen=True, slots=True)
class Window:
    """When the director may correct a tournament without a second person.

    until: the last such day, in the federation's time zone; None if there is none, because a second person
        approves the points of this type of tournament, and therefore their corrections
    open: whether that day is not over
    """

    until: date | None
    open: bool

    @property
    def late(self) -> bool:
        """Whether the tournament could be corrected without a second person, but no longer can."""
        return self.until is not None and not self.open


def window_of(tournament: Tournament) -> Window:
    """Return when a tournament may be corrected without a second person.

    The days count from the first confirmation of its ranking, because nobody could see an error before.
    Neither corrections nor another last day extend them.
    """
    days = settings.CORRECTION_DAYS.get(tournament.event_type)
    if days is None:
        return Window(None, False)
    confirmed = tournament.revisions.filter(number=1).values_list("created_at", flat=True).first()
    until = (timezone.localdate(confirmed) if confirmed else today()) + timedelta(days=days)
    return Window(until, today() <= until)


def late_text(tournament: Tournament) -> str:
    """Return a sentence for the second person if the days for free corrections are over, otherwise ""."""
    window = window_of(tournament)
    if window.until is None or window.open:
        return ""
    text = gettext("Its club could correct or annul it alone until %(day)s.")
    return text % {"day": format_date(window.until, get_language() or "")}
