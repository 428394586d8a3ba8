"""Read the corrections that changed points and places of players."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter

from django.db.models import Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest
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
    since = timezone.now() - NEWS
    seen = SeenCorrections.objects.filter(player=player).values("until")
    return _corrections(
        _changed_entries(player).filter(
            run__finished_at__gt=Greatest(Value(since), Coalesce(Subquery(seen), Value(since)))
        )
    )


def corrections_of(
    player: Player, since: datetime | None = None, run_id: int | None = None
) -> list[OwnCorrection]:
    """Return the corrections that changed a player's points, latest first. One query.

    since: only those after this time
    run_id: only the one of this run
    """
    entries = _changed_entries(player)
    if since:
        entries = entries.filter(run__finished_at__gt=since)
    if run_id:
        entries = entries.filter(run=run_id)
    return _corrections(entries)


def _changed_entries(player: Player) -> QuerySet[LedgerEntry]:
    """Return the entries of a player that runs with a reason posted."""
    kinds = (LedgerEntry.Kind.AWARD, LedgerEntry.Kind.REVERSAL)
    return LedgerEntry.objects.filter(
        player__in=Player.objects.numbers_of(player), kind__in=kinds, run__isnull=False
    ).exclude(run__reason="")


def _corrections(entries: QuerySet[LedgerEntry]) -> list[OwnCorrection]:
    """Return the corrections that posted the entries and changed the sum of them, latest first. One query."""
    rows = entries.select_related("run", "tournament").defer("run__inputs", "run__outcome")
    result = []
    for run, group in groupby(rows.order_by("-run__finished_at", "-run"), attrgetter("run")):
        old, new = 0, 0
        for entry in group:
            if entry.kind == LedgerEntry.Kind.AWARD:
                new += entry.points
            else:
                old -= entry.points
        if old != new and entry.tournament:
            result.append(_correction(entry.tournament, run.finished_at, run.reason, old, new))
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
