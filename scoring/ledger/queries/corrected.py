"""Read the corrections that changed a player's points."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.utils import timezone
from django.utils.translation import get_language, gettext

from players.models import Player
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, SeenCorrections
from tournaments.models import Tournament
from ui.formatting import format_date, format_points

NEWS = timedelta(days=60)  # how long a correction is shown as news unless the player has seen it


@dataclass(frozen=True, slots=True)
class OwnCorrection:
    """A correction, annulment or other decision that changed a player's points of a tournament.

    day: when the points changed
    at: the same, to the instant
    old, new: the points before and after, in hundredths; 0 if the player had or has none
    """

    day: date
    at: datetime
    title: str
    url: str
    played_on: date
    old: int
    new: int
    decimals: int
    reason: str

    @property
    def text(self) -> str:
        """A sentence with the points before and after, in the active language."""
        lang = get_language() or ""
        text = gettext("Your points of %(name)s (%(day)s) changed: %(old)s before, %(new)s now.")
        return text % {
            "name": self.title,
            "day": format_date(self.played_on, lang),
            "old": format_points(self.old, lang, self.decimals),
            "new": format_points(self.new, lang, self.decimals),
        }


def news_of(player: Player) -> list[OwnCorrection]:
    """Return the corrections of a player's points of the last 60 days that the player has not seen yet."""
    seen = SeenCorrections.objects.filter(player=player).first()
    since = timezone.now() - NEWS
    return corrections_of(player, since=max(since, seen.until) if seen else since)


def corrections_of(
    player: Player, since: datetime | None = None, run_id: int | None = None
) -> list[OwnCorrection]:
    """Return the corrections that changed a player's points, latest first. Two queries.

    since: only those after this time
    run_id: only the one of this run
    """
    kinds = (LedgerEntry.Kind.AWARD, LedgerEntry.Kind.REVERSAL)
    entries = LedgerEntry.objects.filter(
        player__in=Player.objects.numbers_of(player), kind__in=kinds, run__isnull=False
    ).exclude(run__reason="")
    if since:
        entries = entries.filter(run__finished_at__gt=since)
    if run_id:
        entries = entries.filter(run=run_id)
    columns = ("run__finished_at", "run", "run__reason", "tournament", "kind", "points")
    rows = list(entries.order_by("-run__finished_at", "-run").values_list(*columns))
    tournaments = Tournament.objects.in_bulk({row[3] for row in rows})
    result = []
    for (at, _run, reason, event), group in groupby(rows, itemgetter(0, 1, 2, 3)):
        old, new = 0, 0
        for *_same, kind, points in group:
            if kind == LedgerEntry.Kind.AWARD:
                new += points
            else:
                old -= points
        if old != new:
            result.append(_correction(tournaments[event], at, reason, old, new))
    return result


def _correction(event: Tournament, at: datetime, reason: str, old: int, new: int) -> OwnCorrection:
    return OwnCorrection(
        day=timezone.localdate(at),
        at=at,
        title=event.name,
        url=event.get_absolute_url(),
        played_on=event.end_date,
        old=old,
        new=new,
        decimals=systems.points_decimals(event),
        reason=reason,
    )
