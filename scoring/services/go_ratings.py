"""Ratings of Go players: computing them in order, and posting what differs.

The engine's `rate` is called tournament by tournament, with the ratings that the previous ones left: what is
stored is exactly what a receipt computes again. Computing goes on outside any transaction; a short one posts,
if nothing has changed meanwhile.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from scoring import regulations
from scoring.models import (
    RatedPlayer,
    Rating,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingState,
    RatingTournament,
)
from scoring.regulations.egf import types as egf
from scoring.regulations.egf.grades import steps_above_first_kyu
from scoring.services import queue

logger = logging.getLogger(__name__)

FAMILY = "egf"
CHUNK = 500
REPORT_EVERY = 50  # tournaments
# Renewed each time so many tournaments are done, which takes far less; while posting, the row is locked.
LEASE = timedelta(seconds=15)


class Overtaken(Exception):
    """Games or ratings changed while these were computed: they have to be computed anew."""


@dataclass(slots=True)
class Standing:
    """Where a player is before a tournament: the rating and the highest grade declared so far."""

    rating: float
    highest: str


@dataclass(frozen=True, slots=True)
class Computed:
    """What `Rating` stores of an entrant; `player` and `declared` are the entrant's."""

    entrant: int
    player: int
    declared: str
    regulation: str
    before: float
    after: float
    reset_to: int | None
    highest_before: str
    games: int

    @property
    def values(self) -> tuple:
        """What has to be equal for two ratings to be the same."""
        return (self.regulation, self.before, self.after, self.reset_to, self.highest_before, self.games)


@dataclass(frozen=True, slots=True)
class Difference:
    """A rating that would change: the stored one and the computed one, either None."""

    tournament: int
    player: int
    entrant: int
    old: float | None
    new: float | None
    computed: Computed | None


def higher(one: str, other: str) -> str:
    """The higher of two grades, "" being none."""
    if not one or not other:
        return one or other
    return max(one, other, key=lambda grade: steps_above_first_kyu(grade, "grade"))


def engine_game(game: RatingGame, positions: dict[int, str]) -> egf.Game:
    """A rated game as the engine takes it."""
    return egf.Game(
        game.round, positions[game.first_id], positions[game.second_id], game.half_points / 2, game.handicap
    )


def rate(
    event: RatingTournament,
    entrants: list[RatingEntrant],
    games: Iterable[RatingGame],
    standings: dict[int, Standing],
) -> tuple[list[Computed], egf.Rated]:
    """Everybody's change in a tournament, from where they stood before it; the standings are moved on."""
    system = regulations.in_force(FAMILY, event.end_date)
    tournament = engine_tournament(event, entrants, games, standings)
    rated = system.rate(tournament)
    computed = []
    for entrant, change in zip(entrants, rated.changes, strict=True):
        known = standings.get(entrant.player_id)
        highest = known.highest if known else ""
        computed.append(
            Computed(
                entrant.pk, entrant.player_id, entrant.declared, system.code, change.before, change.after,
                change.reset_to, highest, len(change.games),
            )
        )  # fmt: skip
        standings[entrant.player_id] = Standing(change.after, higher(highest, entrant.declared))
    return computed, rated


def engine_tournament(event, entrants, games, standings: dict[int, Standing]) -> egf.Tournament:
    """The engine's tournament; its players are called by their positions."""
    positions = {entrant.pk: str(entrant.position) for entrant in entrants}
    return egf.Tournament(
        players=tuple(_engine_player(entrant, standings.get(entrant.player_id)) for entrant in entrants),
        games=tuple(engine_game(game, positions) for game in games if game.rated),
        tournament_class=event.tournament_class,
        date=event.end_date,
    )


def _engine_player(entrant: RatingEntrant, known: Standing | None) -> egf.Player:
    """A first appearance starts from the European rating of the file, if it has one, else from the grade."""
    name, declared = str(entrant.position), entrant.declared
    if known is None:
        seed = None if entrant.seed is None else Decimal(entrant.seed)
        return egf.Player(name, seed, declared)
    return egf.Player(name, Decimal(known.rating), declared, known.highest or None)


def standings_before(
    since: date, before_pk: int | None = None, players: Iterable[RatedPlayer | None] | None = None
) -> dict[int, Standing]:
    """Where everybody, or these players, stood before the tournaments of a day, or before one of them."""
    earlier = Q(entrant__tournament__end_date__lt=since)
    if before_pk is not None:
        earlier |= Q(entrant__tournament__end_date=since, entrant__tournament_id__lt=before_pk)
    if players is not None:
        earlier &= Q(entrant__player__in=[each.pk for each in players if each])
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


def compute(since: date, tell: Callable[[int], None] = lambda done: None) -> Iterator[Computed]:
    """Every rating from a day on, in order. `tell` hears how many tournaments are done."""
    standings = standings_before(since)
    events = list(RatingTournament.objects.filter(end_date__gte=since))
    for number, start in enumerate(range(0, len(events), REPORT_EVERY)):
        batch = events[start : start + REPORT_EVERY]
        entrants = _grouped(RatingEntrant.objects.filter(tournament__in=batch).order_by("position"))
        games = _grouped(RatingGame.objects.filter(tournament__in=batch, rated=True).order_by("pk"))
        for event in batch:
            yield from rate(event, entrants.get(event.pk, []), games.get(event.pk, []), standings)[0]
        tell(min((number + 1) * REPORT_EVERY, len(events)))


def _grouped(rows) -> dict[int, list]:
    found: dict[int, list] = {}
    for row in rows:
        found.setdefault(row.tournament_id, []).append(row)
    return found


def differences(since: date, tell: Callable[[int], None] = lambda done: None) -> list[Difference]:
    """What a replay from a day on would change."""
    stored = {
        rating.entrant_id: rating
        for rating in Rating.objects.filter(entrant__tournament__end_date__gte=since).select_related(
            "entrant"
        )
    }
    tournament_of = dict(
        RatingEntrant.objects.filter(tournament__end_date__gte=since).values_list("pk", "tournament_id")
    )
    found = []
    for new in compute(since, tell):
        old = stored.pop(new.entrant, None)
        if old is None or values(old) != new.values:
            before = old and old.after
            found.append(
                Difference(tournament_of[new.entrant], new.player, new.entrant, before, new.after, new)
            )
    for old in stored.values():
        entrant = old.entrant
        found.append(Difference(entrant.tournament_id, entrant.player_id, entrant.pk, old.after, None, None))
    return found


def values(rating: Rating) -> tuple:
    """What has to be equal for two ratings to be the same."""
    return (
        rating.regulation, rating.before, rating.after, rating.reset_to, rating.highest_before, rating.games
    )  # fmt: skip


def _state() -> RatingState:
    """The one row."""
    return RatingState.objects.get_or_create(pk=1)[0]


def bump() -> None:
    """Games or ratings have changed; to be called inside the transaction that changes them."""
    _state()
    RatingState.objects.filter(pk=1).update(version=F("version") + 1)


@transaction.atomic
def post(found: list[Difference], at_version: int, replay: RatingReplay | None = None) -> None:
    """Store differences, and each with its old and new value. Raises Overtaken."""
    _state()
    if RatingState.objects.select_for_update().get(pk=1).version != at_version:
        raise Overtaken
    if not found:
        return
    new = [each.computed for each in found if each.computed]
    Rating.objects.filter(pk__in=[each.entrant for each in found if each.computed is None]).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                entrant_id=each.entrant, regulation=each.regulation, before=each.before, after=each.after,
                reset_to=each.reset_to, highest_before=each.highest_before, games=each.games,
            )
            for each in new
        ],
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["entrant"],
        update_fields=["regulation", "before", "after", "reset_to", "highest_before", "games"],
    )  # fmt: skip
    if replay:
        RatingChange.objects.bulk_create(
            [
                RatingChange(
                    replay=replay, player_id=each.player, tournament_id=each.tournament, old=each.old,
                    new=each.new,
                )
                for each in found
                if each.old != each.new
            ],
            batch_size=CHUNK,
        )  # fmt: skip
    refresh_players({each.player for each in found})
    bump()


def refresh_players(player_ids: Iterable[int]) -> None:
    """Repeat on the players what their last ratings say."""
    ids = sorted(player_ids)
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        rows = (
            Rating.objects.filter(entrant__player_id__in=chunk)
            .order_by("entrant__tournament__end_date", "entrant__tournament_id")
            .values_list("entrant__player_id", "after", "entrant__declared", "entrant__tournament__end_date")
        )
        last = {player: rest for player, *rest in rows}
        counts = dict(
            RatingEntrant.objects.filter(player_id__in=chunk, result__isnull=False)
            .values_list("player_id")
            .annotate(Count("pk"))
            .order_by()
        )
        players = RatedPlayer.objects.in_bulk(chunk)
        for pk, player in players.items():
            player.rating, player.grade, player.last_played = last.get(pk, (None, "", None))
            player.events = counts.get(pk, 0)
        RatedPlayer.objects.bulk_update(players.values(), ["rating", "grade", "last_played", "events"])


# --- Runs -----------------------------------------------------------------------------------------------
def ask(since: date, by, tournament: RatingTournament | None = None, reason: str = "") -> RatingReplay:
    """Ask for a replay; the workers are told once the surrounding transaction is really there."""
    replay = RatingReplay.objects.create(
        tournament=tournament, since=since, created_by=by, reason=reason,
        total=RatingTournament.objects.filter(end_date__gte=since).count(),
    )  # fmt: skip
    transaction.on_commit(lambda: enqueue(replay.pk), robust=True)
    return replay


def enqueue(replay_id: int) -> None:
    """Tell the workers of a replay."""
    from scoring.tasks import replay_ratings  # tasks import this module

    queue.tell(replay_ratings, RatingReplay, replay_id)


def replay(replay_id: int) -> None:
    """Compute and post a replay. Safe to repeat; raises what went wrong so that the task can retry."""
    run = queue.claim(RatingReplay, replay_id, LEASE, done=0)
    if run is None:
        return
    try:
        at_version = _state().version
        found = differences(run.since, lambda done: queue.renew(run, LEASE, done=done))
        with transaction.atomic():
            queue.still_held(run)
            post(found, at_version, run)
            queue.held(run).update(
                state=RatingReplay.State.DONE, finished_at=timezone.now(), lease_until=None,
                changed=len(found), error="",
            )  # fmt: skip
    except queue.LeaseLost:
        logger.warning("replay %s was taken over by another worker", replay_id)
    except Exception as error:
        queue.hand_back(run, error)
        raise
