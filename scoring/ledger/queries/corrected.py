"""Read the corrections that changed points and places of players."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import get_language, gettext

from players.models import Player
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, ScoringRun, SeenCorrections
from tournaments.models import Seat, Tournament
from ui.formatting import format_date, format_points

Place = tuple[int, str]  # with the field, as `Contestant` has them

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


def places_changed(runs: Sequence[ScoringRun]) -> dict[int, dict[int, tuple[Place | None, Place | None]]]:
    """Return {run id: {player id: (place before, place now)}} of the players with another place. One query.

    Only runs that score a corrected ranking change places. None stands for a player who is not in that
    ranking. Merged players are the surviving player.
    """
    changed: dict[int, dict[int, tuple[Place | None, Place | None]]] = {run.pk: {} for run in runs}
    corrected = [run for run in runs if _scores_correction(run)]
    if not corrected:
        return changed
    compared = Q()
    for run in corrected:
        numbers = (run.revision.number - 1, run.revision.number)
        compared |= Q(revision__tournament=run.tournament_id, revision__number__in=numbers)
    seats = Seat.objects.filter(compared, player__isnull=False).order_by()
    person = Coalesce("player__merged_into", "player_id")
    columns = ("revision__tournament", "revision__number", "contestant__place", "contestant__field", person)
    rankings: dict[tuple[int, int], dict[int, Place]] = defaultdict(dict)
    for event, number, place, field, player in seats.values_list(*columns):
        rankings[event, number][player] = (place, field)
    for run in corrected:
        event, number = run.tournament_id, run.revision.number
        old, new = rankings[event, number - 1], rankings[event, number]
        changed[run.pk] = {
            player: (old.get(player), new.get(player))
            for player in old.keys() | new.keys()
            if old.get(player) != new.get(player)
        }
    return changed


def _scores_correction(run: ScoringRun) -> bool:
    """Return whether a run was the first to score a corrected ranking."""
    return run.purpose == ScoringRun.Purpose.SCORE and run.number == 1 and run.revision.number > 1
