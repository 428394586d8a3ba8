"""Compute every Go rating again from the stored games, and compare it with the stored rating.

Tournaments are checked in the order in which they are rated. Two things are checked for each player. The
rating before a tournament must equal the rating after the player's previous tournament. The rating after it
must be the one that its games give. Each computation starts from stored ratings, so an error is reported
only in its own tournament and not in later ones.

Tournaments that a pending or running replay will rate again are left out. Annulled tournaments must have no
ratings.

Games and players are also compared with the tournament's file, if there is one. Replays log every rating
that they change: each logged change must start where the previous one ended, and the last one must end at
the stored rating.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Min, Q, QuerySet

from scoring.audit.verify import Batch, Difference
from scoring.engine.errors import EngineError
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models.work import UNDER_WAY
from scoring.ratings.history import (
    PlayerState,
    RatingValues,
    StoredTournament,
    advance,
    derive,
    read_history,
    starts_of,
    states_before,
)
from scoring.ratings.models import (
    GoUpload,
    RatedPlayer,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingState,
    RatingTournament,
)
from scoring.ratings.services import register, replays

CHUNK = 2000  # players per query
State = RatingReplay.State
Position = tuple[date, int]  # (last day, id) of a tournament, by which tournaments are ordered for rating


# (name of what is compared, stored value, value in the file)
Comparison = tuple[str, object, object]


def tournaments(since: date | None, after: Position | None) -> QuerySet[RatingTournament]:
    """Return the tournaments to audit, in the order in which they are rated.

    Tournaments that a pending or running replay will rate again are left out.

    since: if not None, only tournaments that ended on that day or later
    after: position of the last tournament already checked; None to begin with the first
    """
    rows = RatingTournament.objects.order_by("end_date", "pk")
    if since:
        rows = rows.filter(end_date__gte=since)
    if after:
        rows = rows.filter(Q(end_date__gt=after[0]) | Q(end_date=after[0], pk__gt=after[1]))
    replays_under_way = RatingReplay.objects.filter(state__in=UNDER_WAY)
    first_day = replays_under_way.aggregate(day=Min("since"))["day"]
    return rows.filter(end_date__lt=first_day) if first_day else rows


def waiting(since: date | None) -> int:
    """Count the tournaments left out because a pending or running replay will rate them again.

    since: if not None, only tournaments that ended on that day or later
    """
    rows = RatingTournament.objects.filter(end_date__gte=since) if since else RatingTournament.objects.all()
    return rows.count() - tournaments(since, None).count()


def batches(since: date | None = None, after: Position | None = None, size: int = 200) -> Iterator[Batch]:
    """Check tournaments in the order in which they are rated. Yield a result for every `size` tournaments.

    since: leave out tournaments that ended before this day; None for all
    after: position of the last tournament already checked; None to begin with the first
    """
    version, standings = None, {}
    while True:
        with consistent_read():
            events = list(tournaments(since, after)[:size])
            if not events:
                return
            current = RatingState.objects.values_list("version", flat=True).first()
            if current != version or version is None:
                # This is the first batch, or ratings were posted since the previous batch was read.
                version, standings = current, states_before(events[0].end_date, events[0].pk)
            rated = list(read_history(events))
            files, logs = compare_files(events), change_logs(events)
        differences = [
            difference
            for played in rated
            for difference in check(
                played, standings, files.get(played.event.pk, ()), logs.get(played.event.pk, {})
            )
        ]
        after = (events[-1].end_date, events[-1].pk)
        counts = {
            "go_tournaments": len(events),
            "ratings": sum(len(played.entries) for played in rated),
            "games": sum(len(played.games) for played in rated),
        }
        yield Batch(after, counts, _with_pins(differences))


def check(
    played: StoredTournament,
    standings: dict[int, PlayerState],
    comparisons: Iterable[Comparison],
    logs: dict[int, "ChangeLog"],
) -> Iterator[Difference]:
    """Yield the differences found in a tournament, without a query.

    Afterwards `standings` contains the stored ratings after this tournament, for checking the next one.

    played: the stored tournament with its players, games and ratings
    standings: {player id: rating and other state after the player's previous tournament}
    comparisons: stored values to compare with the tournament's file, from `compare_files`
    logs: {player id: the changes of the player's rating from this tournament that replays logged}
    """
    for name, stored, read in comparisons:
        if stored != read:
            yield Difference("go_source", played.event.pk, *_file_texts(name, stored, read))
    try:
        annulled = played.event.annulled_at is not None
        derived = [None] * len(played.entries) if annulled else _derived(played, standings)
    except EngineError as error:
        yield Difference("go_unreadable", played.event.pk, str(error), "games that can be rated")
        derived = [entry.stored for entry in played.entries]
    for entry, values in zip(played.entries, derived, strict=True):
        if entry.stored != values:
            texts = _rating_texts(entry.stored, values)
            yield Difference("go_rating", played.event.pk, *texts, None, str(entry.player))
            logs.pop(entry.player, None)
        else:
            yield from _check_log(played, entry.player, logs.pop(entry.player, ChangeLog()), values)
        if entry.stored or values:
            advance(standings, entry, entry.stored or values)
    for player, log in logs.items():
        yield from _check_log(played, player, log, None)


def _derived(played: StoredTournament, standings: dict[int, PlayerState]) -> list[RatingValues]:
    """Compute the ratings of all players of a tournament again, and return them.

    Each result has a rating before the tournament and one after it. The rating before is the one after the
    player's previous tournament. The rating after is computed from the games with the stored ratings before
    the tournament, even if some of these are wrong. So a wrong rating before the tournament is reported only
    for its own player, not for the opponents.

    standings: {player id: rating and other state after the player's previous tournament}
    """
    stored = {
        entry.player: PlayerState(entry.stored.before, entry.stored.highest_before)
        for entry in played.entries
        if entry.stored and entry.player in standings
    }
    derived = derive(played, ChainMap(stored, standings))
    return [
        values._replace(before=initial.before, highest_before=initial.highest)
        for values, initial in zip(derived, starts_of(played, standings), strict=True)
    ]


def _rating_texts(stored: RatingValues | None, derived: RatingValues | None) -> tuple[str, str]:
    """Return two texts that show, with all digits, how a stored and a derived rating differ.

    stored, derived: None if the player has no rating from the tournament
    """
    if stored is None or derived is None:
        return tuple(
            "nothing" if values is None else f"after={values.after!r}" for values in (stored, derived)
        )
    names = [name for name in RatingValues._fields if getattr(stored, name) != getattr(derived, name)]
    return tuple(
        ", ".join(f"{name}={getattr(values, name)!r}" for name in names) for values in (stored, derived)
    )


# --- Files ----------------------------------------------------------------------------------------------
def compare_files(events: list[RatingTournament]) -> dict[int, list[Comparison]]:
    """Compare stored Go tournaments with their last confirmed files. Three queries.

    Return {tournament id: comparisons}. A comparison has a name, the stored value and the value in the file.
    """
    uploads = GoUpload.objects.filter(tournament__in=events).order_by("confirmed_at", "pk")
    last = {upload.tournament_id: upload for upload in uploads}
    entrants = RatingEntrant.objects.filter(tournament__in=last).order_by("position")
    players = _grouped(entrants, "position", "declared", "seed")
    all_games = RatingGame.objects.filter(tournament__in=last).order_by("round", "first__position")
    games = _grouped(
        all_games, "round", "first__position", "second__position", "half_points", "handicap", "reason"
    )
    return {
        event.pk: list(
            _comparisons(event, players.get(event.pk, []), games.get(event.pk, []), last[event.pk])
        )
        for event in events
        if event.pk in last
    }


def _grouped(rows: QuerySet, *columns: str) -> dict[int, list[tuple]]:
    groups: dict[int, list[tuple]] = {}
    for tournament, *row in rows.values_list("tournament_id", *columns):
        groups.setdefault(tournament, []).append(tuple(row))
    return groups


def _comparisons(
    event: RatingTournament, players: list, games: list, upload: GoUpload
) -> Iterator[Comparison]:
    read = register.event_of(upload)
    if read is None:
        yield "file", "cannot be read", "a tournament"
        return
    yield "digest", event.digest, read.digest
    yield "last day", event.end_date, read.end
    yield "class", event.tournament_class, read.tournament_class
    read_players = [
        (position, player.grade, int(player.rating) if player.rating else None)
        for position, player in enumerate(read.result.players, start=1)
    ]
    yield "players", players, read_players
    read_games = [
        (game.round, game.first, game.second, register.half_points(game), game.handicap, game.reason)
        for game in read.result.games
    ]
    yield "games", games, sorted(read_games, key=lambda game: game[:2])


def _file_texts(name: str, stored: object, read: object) -> tuple[str, str]:
    """Return two texts, one with the stored value and one with the file's value, each prefixed with `name`.

    If the values are lists, each text has only the items that are missing from the other list.
    """
    if isinstance(stored, list):
        stored, read = (
            [item for item in stored if item not in read],
            [item for item in read if item not in stored],
        )
    return f"{name}: {stored}", f"{name}: {read}"


# --- Logged changes -------------------------------------------------------------------------------------
@dataclass(slots=True)
class ChangeLog:
    """The changes that replays logged for a player's rating from one tournament.

    new: the rating after the last change
    broken: the changes that do not continue the previous one, as tuples of the change's id, the rating from
        which it starts, and the rating at which the previous change ended
    """

    new: float | None = None
    broken: list[tuple[int, float | None, float | None]] = field(default_factory=list)


def change_logs(events: list[RatingTournament]) -> dict[int, dict[int, ChangeLog]]:
    """Return {tournament id: {player id: change log}}. One query, streamed.

    A change must start from the rating where the previous change ended. Changes made by
    `manage.py replay_ratings` are exempt: they may repair a rating that was changed by hand, which would
    otherwise be reported forever.
    """
    logs: dict[int, dict[int, ChangeLog]] = {}
    rows = RatingChange.objects.filter(tournament__in=events).order_by("pk")
    for pk, tournament, player, old, new, cause in rows.values_list(
        "pk", "tournament_id", "player_id", "old", "new", "replay__tournament_id"
    ).iterator(chunk_size=CHUNK):
        log = logs.setdefault(tournament, {}).setdefault(player, ChangeLog())
        if old != log.new and cause is not None:
            log.broken.append((pk, old, log.new))
        log.new = new
    return logs


def _check_log(
    played: StoredTournament, player: int, log: ChangeLog, values: RatingValues | None
) -> Iterator[Difference]:
    """Yield the differences between a player's rating from a tournament and its logged changes.

    values: the stored rating, already found correct; None if the player has no rating from the tournament
    """
    tournament, rating = played.event.pk, values and values.after
    for pk, old, before in log.broken:
        stored, derived = f"change {pk}: from {old!r}", f"from {before!r}"
        yield Difference("go_change", tournament, stored, derived, None, str(player))
    if log.new != rating:
        stored, derived = f"the last change: to {log.new!r}", f"to {rating!r}"
        yield Difference("go_change", tournament, stored, derived, None, str(player))


# --- Players --------------------------------------------------------------------------------------------
def player_differences() -> list[Difference]:
    """Return a difference for each Go player whose current rating is not the one after their last tournament.

    Grade, day and number of tournaments in the player's row are compared too.
    """
    differences, after = [], 0
    while True:
        with consistent_read():
            rows = RatedPlayer.objects.filter(pk__gt=after).order_by("pk")
            stored = {
                pk: replays.LatestRating(*row)
                for pk, *row in rows.values_list("pk", "rating", "grade", "last_played", "events")[:CHUNK]
            }
            derived = replays.latest_ratings(list(stored))
        if not stored:
            return _with_pins(differences)
        differences += [
            Difference("go_player", None, _player_text(last), _player_text(derived[pk]), None, str(pk))
            for pk, last in stored.items()
            if last != derived[pk]
        ]
        after = max(stored)


def _player_text(last: replays.LatestRating) -> str:
    return ", ".join(f"{name}={value}" for name, value in last._asdict().items())


def _with_pins(differences: list[Difference]) -> list[Difference]:
    """Replace the player ids in the differences by PINs (European Go numbers), or by "id …" without a PIN."""
    ids = {int(difference.player) for difference in differences if difference.player}
    pins = (
        dict(RatedPlayer.objects.filter(pk__in=ids).exclude(pin="").values_list("pk", "pin")) if ids else {}
    )
    return [
        replace(difference, player=pins.get(int(difference.player), f"id {difference.player}"))
        if difference.player
        else difference
        for difference in differences
    ]
