"""Compute the ratings of Go players from stored games, for one tournament or for many in order of time.

`rate` returns every step, for previews and receipts. `derive` computes the same numbers, to the last digit,
fast enough for the whole history of tournaments. Nothing is stored here.
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
class PlayerState:
    """A player before a tournament: the rating, and the highest grade declared in earlier tournaments."""

    rating: float
    highest: str


class RatingValues(NamedTuple):
    """What the computation gives an entrant: all fields of a `Rating` except the entrant.

    A replay stores a rating again only if one of these values has changed.
    """

    regulation: str
    before: float
    after: float
    reset_to: int | None
    highest_before: str
    games: int


class Start(NamedTuple):
    """The values with which a player begins a tournament.

    before: the rating before the tournament
    reset_to: the rating to which the declared grade raises the player before the games; None without a reset
    highest: the highest grade declared in earlier tournaments, or ""
    """

    before: float
    reset_to: int | None
    highest: str


class EntrantRow(NamedTuple):
    """An entrant of a tournament, read from `RatingEntrant`, and the stored rating if there is one.

    entrant, player: primary keys of the `RatingEntrant` and of the `RatedPlayer`
    position, declared, seed: as in `RatingEntrant`
    """

    entrant: int
    player: int
    position: int
    declared: str
    seed: int | None
    stored: RatingValues | None


class StoredTournament(NamedTuple):
    """A stored tournament with its entrants and its rated games.

    games: (id of the first entrant, id of the second, half points of the first, handicap stones) of each game
    """

    event: RatingTournament
    entries: list[EntrantRow]
    games: list[tuple[int, int, int, int]]


@cache  # unbounded, because there are only a few dozen grades
def higher_grade(a: str, b: str) -> str:
    """Return the higher of two grades. "" means no grade."""
    if not a or not b:
        return a or b
    return max(a, b, key=lambda grade: steps_above_first_kyu(grade, "grade"))


# --- One tournament, with every step --------------------------------------------------------------------
def rate(
    event: RatingTournament,
    entrants: list[RatingEntrant],
    games: Iterable[RatingGame],
    states: Mapping[int, PlayerState],
) -> tuple[list[RatingValues], egf.RatedTournament]:
    """Rate a tournament. Return the ratings in the order of the entrants, and the engine's result.

    states: player id -> state before the tournament, without the players who were never rated

    The engine's result has every step of the computation. Raise EngineError if the tournament cannot be
    rated.
    """
    system = regulations.in_force(FAMILY, event.end_date)
    rated = system.rate(engine_tournament(system, event, entrants, games, states))
    values = []
    for entrant, change in zip(entrants, rated.changes, strict=True):
        state = states.get(entrant.player_id)
        highest = state.highest if state else ""
        values.append(
            RatingValues(
                system.code, change.before, change.after, change.reset_to, highest, len(change.games)
            )
        )
    return values, rated


def engine_tournament(system, event, entrants, games, states: Mapping[int, PlayerState]) -> egf.Tournament:
    """Convert a tournament with its entrants and games to the engine's type.

    states: player id -> state before the tournament, without the players who were never rated

    The engine identifies a player by the entrant's `position`, as text.
    """
    positions = {entrant.pk: str(entrant.position) for entrant in entrants}
    return egf.Tournament(
        players=tuple(
            _engine_player(
                system, entrant.position, entrant.declared, entrant.seed, states.get(entrant.player_id)
            )
            for entrant in entrants
        ),
        games=tuple(
            egf.Game(
                game.round,
                positions[game.first_id],
                positions[game.second_id],
                game.half_points / 2,
                game.handicap,
            )
            for game in games
            if game.rated
        ),
        tournament_class=event.tournament_class,
        date=event.end_date,
    )


def _engine_player(
    system, position: int, declared: str, seed: int | None, state: PlayerState | None
) -> egf.Player:
    """Convert an entrant to the engine's player, with the rating before the tournament.

    Without a `state` this is the player's first rated tournament. The rating is then the European rating in
    the file (`seed`); if `seed` is None, the engine derives a rating from the declared grade. With a `state`,
    the rating is the one in `state`. It is lowered to the system's highest allowed rating, because the
    classic system has no such limit and may have given more.
    """
    if state is None:
        return egf.Player(str(position), None if seed is None else Decimal(seed), declared)
    rating = Decimal(min(state.rating, system.ceiling))
    return egf.Player(str(position), rating, declared, state.highest or None)


# --- Histories ------------------------------------------------------------------------------------------
def derive(stored: StoredTournament, states: Mapping[int, PlayerState]) -> list[RatingValues]:
    """Rate one tournament of a history. Return the ratings in the order of the entrants.

    The ratings are equal to those of `rate`, but are computed faster and without the steps.

    states: player id -> state before the tournament, without the players who were never rated

    Raise EngineError if the tournament cannot be rated.
    """
    event, entries, games = stored
    system = regulations.in_force(FAMILY, event.end_date)
    starts = starts_of(stored, states)
    ratings = [start.before if start.reset_to is None else float(start.reset_to) for start in starts]
    seats = {entry.entrant: seat for seat, entry in enumerate(entries)}
    seated = [(seats[first], seats[second], half / 2, handicap) for first, second, half, handicap in games]
    count = Counter(seat for first, second, _score, _handicap in seated for seat in (first, second))
    afters = system.ratings_after(ratings, seated, event.tournament_class)
    return [
        RatingValues(system.code, start.before, after, start.reset_to, start.highest, count[seat])
        for seat, (start, after) in enumerate(zip(starts, afters, strict=True))
    ]


def starts_of(stored: StoredTournament, states: Mapping[int, PlayerState]) -> list[Start]:
    """Return the values with which each entrant begins a tournament, in the order of the entrants.

    states: player id -> state before the tournament, without the players who were never rated

    Raise EngineError if an entrant cannot be rated.
    """
    system = regulations.in_force(FAMILY, stored.event.end_date)
    starts = []
    for entry in stored.entries:
        state = states.get(entry.player)
        player = _engine_player(system, entry.position, entry.declared, entry.seed, state)
        starts.append(Start(*system.before(player), state.highest if state else ""))
    return starts


def advance(states: dict[int, PlayerState], entry: EntrantRow, values: RatingValues) -> None:
    """Replace one player's state in `states` with the state after a tournament.

    states: player id -> state
    entry: the player as an entrant of the tournament
    values: the rating that the tournament gave the player
    """
    states[entry.player] = PlayerState(values.after, higher_grade(values.highest_before, entry.declared))


def read_history(
    events: Iterable[RatingTournament], progress: Callable[[int], object] = lambda done: None
) -> Iterator[StoredTournament]:
    """Yield each tournament with its entrants and rated games, which are read in batches of tournaments.

    progress: called after each batch with the number of tournaments read so far
    """
    done = 0
    for batch in chunks(events, BATCH):
        entries, games = _entries(batch), _games(batch)
        for event in batch:
            yield StoredTournament(event, entries.get(event.pk, []), games.get(event.pk, []))
        done += len(batch)
        progress(done)


def _entries(batch: list[RatingTournament]) -> dict[int, list[EntrantRow]]:
    entries: dict[int, list[EntrantRow]] = {}
    rows = RatingEntrant.objects.filter(tournament__in=batch).order_by("position")
    columns = ["tournament_id", "pk", "player_id", "position", "declared", "seed"]
    columns += [f"result__{name}" for name in ("entrant_id", *RatingValues._fields)]
    for tournament, pk, player, position, declared, seed, rated, *values in rows.values_list(*columns):
        stored = None if rated is None else RatingValues(*values)
        row = EntrantRow(pk, player, position, declared, seed, stored)
        entries.setdefault(tournament, []).append(row)
    return entries


def _games(batch: list[RatingTournament]) -> dict[int, list[tuple[int, int, int, int]]]:
    games: dict[int, list[tuple[int, int, int, int]]] = {}
    rows = RatingGame.objects.filter(tournament__in=batch, rated=True).order_by()
    for tournament, *game in rows.values_list(
        "tournament_id", "first_id", "second_id", "half_points", "handicap"
    ):
        games.setdefault(tournament, []).append(tuple(game))
    return games


def states_before(
    since: date, before_pk: int | None = None, players: Iterable[int] | QuerySet | None = None
) -> dict[int, PlayerState]:
    """Return {player id: state} before the tournaments of a day, without players who were not yet rated.

    since: the day
    before_pk: include tournaments that end on that day and have a smaller id; None includes none of that day
    players: the players to look up; None means all players
    """
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
    # Later rows replace earlier ones in the dict, so each player's last row remains.
    return {
        player: PlayerState(after, higher_grade(highest, declared))
        for player, after, highest, declared in rows.iterator(chunk_size=2000)
    }
