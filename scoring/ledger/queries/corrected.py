"""Read the corrections that changed points and places of players."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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
# {(player id, or None for a guest; name of a guest): places}. Several guests may have one name.
Ranking = dict[tuple[int | None, str], list[Place]]

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
        return points_changed_text(self.title, self.played_on, self.old, self.new, self.decimals)


def points_changed_text(title: str, played_on: date, old: int, new: int, decimals: int) -> str:
    """Return a sentence with a player's points of a tournament before and after, in the active language."""
    lang = get_language() or ""
    text = gettext("Your points of %(name)s (%(day)s) changed: %(old)s before, %(new)s now.")
    return text % {
        "name": title,
        "day": format_date(played_on, lang),
        "old": format_points(old, lang, decimals),
        "new": format_points(new, lang, decimals),
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
    for pk, *rankings in _rankings(runs):
        old, new = ({who: places[-1] for (who, _name), places in own.items() if who} for own in rankings)
        changed[pk] = {
            player: (old.get(player), new.get(player))
            for player in old.keys() | new.keys()
            if old.get(player) != new.get(player)
        }
    return changed


def count_moved(runs: Sequence[ScoringRun]) -> dict[int, int]:
    """Return {run id: number of players and guests with another place}. One query.

    Guests are recognised by their names. One who is in one of the two rankings alone may have got another
    name, and is not counted.
    """
    moved: Counter[int] = Counter({run.pk: 0 for run in runs})
    for pk, old, new in _rankings(runs):
        for person in old.keys() | new.keys():
            before, now = (Counter(own.get(person, ())) for own in (old, new))
            if person[0] or (before and now):
                moved[pk] += max((before - now).total(), (now - before).total())
    return moved


def _rankings(runs: Sequence[ScoringRun]) -> Iterator[tuple[int, Ranking, Ranking]]:
    """Yield (run id, ranking before, ranking now) of the runs that score a corrected ranking. One query."""
    corrected = [run for run in runs if _scores_correction(run)]
    if not corrected:
        return
    compared = Q()
    for run in corrected:
        numbers = (run.revision.number - 1, run.revision.number)
        compared |= Q(revision__tournament=run.tournament_id, revision__number__in=numbers)
    person = Coalesce("player__merged_into", "player_id")
    columns = ("revision__tournament", "revision__number", "contestant__place", "contestant__field")
    seats = Seat.objects.filter(compared).order_by().values_list(*columns, person, "guest_name")
    rankings: dict[tuple[int, int], Ranking] = defaultdict(lambda: defaultdict(list))
    for event, number, place, field, player, name in seats:
        rankings[event, number][player, "" if player else name].append((place, field))
    for run in corrected:
        event, number = run.tournament_id, run.revision.number
        yield run.pk, rankings[event, number - 1], rankings[event, number]


def _scores_correction(run: ScoringRun) -> bool:
    """Return whether a run was the first to score a corrected ranking."""
    return run.purpose == ScoringRun.Purpose.SCORE and run.number == 1 and run.revision.number > 1
