"""Deriving the ratings of Go players from stored games: one tournament, or a history of them in order.

`rate` is what previews and receipts are made of, with every step; `derive` gives the same numbers, digit by
digit, for whole histories. Nothing is written here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from django.db.models import Q, QuerySet

from scoring import regulations
from scoring.ratings.models import Rating, RatingEntrant, RatingGame, RatingTournament
from scoring.regulations.egf import types as egf
from scoring.regulations.egf.grades import steps_above_first_kyu
from ui.chunks import chunks

FAMILY = "egf"
BATCH = 50  # tournaments read at a time


@dataclass(slots=True)
class Standing:
    """Where a player is before a tournament: the rating and the highest grade declared so far."""

    rating: float
    highest: str


class Values(NamedTuple):
    """What `Rating` stores; two ratings are the same when all of it is equal."""

    regulation: str
    before: float
    after: float
    reset_to: int | None
    highest_before: str
    games: int


class Begin(NamedTuple):
    """The rating before a tournament, what it is reset to, and the highest grade declared before."""

    before: float
    reset_to: int | None
    highest: str


class Entry(NamedTuple):
    """A player in a tournament, with the stored rating."""

    entrant: int
    player: int
    position: int
    declared: str
    seed: int | None
    stored: Values | None


class Played(NamedTuple):
    """A tournament as a history reads it; a game is (first, second, half points of first, handicap)."""

    event: RatingTournament
    entries: list[Entry]
    games: list[tuple[int, int, int, int]]


@cache  # of a few dozen grades
def higher(one: str, other: str) -> str:
    """The higher of two grades, "" being none."""
    if not one or not other:
        return one or other
    return max(one, other, key=lambda grade: steps_above_first_kyu(grade, "grade"))


# --- One tournament, with every step --------------------------------------------------------------------
def rate(
    event: RatingTournament,
    entrants: list[RatingEntrant],
    games: Iterable[RatingGame],
    standings: Mapping[int, Standing],
) -> tuple[list[Values], egf.RatedTournament]:
    """Everybody's rating in a tournament from where they stood before it. Raises EngineError."""
    system = regulations.in_force(FAMILY, event.end_date)
    rated = system.rate(engine_tournament(system, event, entrants, games, standings))
    values = []
    for entrant, change in zip(entrants, rated.changes, strict=True):
        known = standings.get(entrant.player_id)
        highest = known.highest if known else ""
        values.append(
            Values(system.code, change.before, change.after, change.reset_to, highest, len(change.games))
        )
    return values, rated


def engine_tournament(system, event, entrants, games, standings: Mapping[int, Standing]) -> egf.Tournament:
    """The engine's tournament; its players are called by their positions."""
    positions = {entrant.pk: str(entrant.position) for entrant in entrants}
    return egf.Tournament(
        players=tuple(
            _engine_player(system, each.position, each.declared, each.seed, standings.get(each.player_id))
            for each in entrants
        ),
        games=tuple(
            egf.Game(
                game.round, positions[game.first_id], positions[game.second_id], game.half_points / 2,
                game.handicap,
            )
            for game in games
            if game.rated
        ),
        tournament_class=event.tournament_class,
        date=event.end_date,
    )  # fmt: skip


def _engine_player(
    system, position: int, declared: str, seed: int | None, known: Standing | None
) -> egf.Player:
    """A first appearance starts from the European rating of the file, if it has one, else from the grade.

    A rating of the classic system may be beyond what the revision has a value for: it enters at the ceiling.
    """
    if known is None:
        return egf.Player(str(position), None if seed is None else Decimal(seed), declared)
    rating = Decimal(min(known.rating, system.ceiling))
    return egf.Player(str(position), rating, declared, known.highest or None)


# --- Histories ------------------------------------------------------------------------------------------
def derive(played: Played, standings: Mapping[int, Standing]) -> list[Values]:
    """The same as `rate` for one tournament of a history. Raises EngineError."""
    event, entries, games = played
    system = regulations.in_force(FAMILY, event.end_date)
    began = begins(played, standings)
    starts = [each.before if each.reset_to is None else float(each.reset_to) for each in began]
    seats = {entry.entrant: seat for seat, entry in enumerate(entries)}
    seated = [(seats[first], seats[second], half / 2, handicap) for first, second, half, handicap in games]
    count = Counter(seat for first, second, _score, _handicap in seated for seat in (first, second))
    afters = system.ratings_after(starts, seated, event.tournament_class)
    return [
        Values(system.code, each.before, after, each.reset_to, each.highest, count[seat])
        for seat, (each, after) in enumerate(zip(began, afters, strict=True))
    ]


def begins(played: Played, standings: Mapping[int, Standing]) -> list[Begin]:
    """Where everybody begins a tournament. Raises EngineError."""
    system = regulations.in_force(FAMILY, played.event.end_date)
    found = []
    for entry in played.entries:
        known = standings.get(entry.player)
        player = _engine_player(system, entry.position, entry.declared, entry.seed, known)
        found.append(Begin(*system.before(player), known.highest if known else ""))
    return found


def move_on(standings: dict[int, Standing], entry: Entry, values: Values) -> None:
    """Where the player stands after a tournament."""
    standings[entry.player] = Standing(values.after, higher(values.highest_before, entry.declared))


def history(
    events: Iterable[RatingTournament], tell: Callable[[int], object] = lambda taken: None
) -> Iterator[Played]:
    """Tournaments with what is stored of them, some at a time; `tell` hears how many have been taken."""
    taken = 0
    for batch in chunks(events, BATCH):
        entries, games = _entries(batch), _games(batch)
        for event in batch:
            yield Played(event, entries.get(event.pk, []), games.get(event.pk, []))
        taken += len(batch)
        tell(taken)


def _entries(batch: list[RatingTournament]) -> dict[int, list[Entry]]:
    found: dict[int, list[Entry]] = {}
    rows = RatingEntrant.objects.filter(tournament__in=batch).order_by("position")
    result = [f"result__{name}" for name in ("entrant_id", *Values._fields)]
    for tournament, *said, rated, regulation, before, after, reset_to, highest, games in rows.values_list(
        "tournament_id", "pk", "player_id", "position", "declared", "seed", *result
    ):
        values = None if rated is None else Values(regulation, before, after, reset_to, highest, games)
        found.setdefault(tournament, []).append(Entry(*said, values))
    return found


def _games(batch: list[RatingTournament]) -> dict[int, list[tuple[int, int, int, int]]]:
    found: dict[int, list[tuple[int, int, int, int]]] = {}
    rows = RatingGame.objects.filter(tournament__in=batch, rated=True).order_by()
    for tournament, *game in rows.values_list(
        "tournament_id", "first_id", "second_id", "half_points", "handicap"
    ):
        found.setdefault(tournament, []).append(tuple(game))
    return found


def standings_before(
    since: date, before_pk: int | None = None, players: Iterable[int] | QuerySet | None = None
) -> dict[int, Standing]:
    """Where these players, or all, stood before the tournaments of a day, or before one of them."""
    earlier = Q(entrant__tournament__end_date__lt=since)
    if before_pk is not None:
        earlier |= Q(entrant__tournament__end_date=since, entrant__tournament_id__lt=before_pk)
    if players is not None:
        earlier &= Q(entrant__player__in=players)
    rows = (
        Rating.objects.filter(earlier)
        .order_by("entrant__tournament__end_date", "entrant__tournament_id")
        .values_list("entrant__player_id", "after", "highest_before", "entrant__declared")
    )
    # The last row of a player stays.
    return {
        player: Standing(after, higher(highest, declared))
        for player, after, highest, declared in rows.iterator(chunk_size=2000)
    }
