"""The audit of Go: every rating derived again from stored games, and compared with what is stored.

Tournament by tournament, in the order of rating: does each rating begin where the one before it ended, and
does the tournament make of it what is stored? So what is wrong is told where it is, and not again of all that
comes after it. All being equal, every rating follows from the games, the grades and the first ratings, to the
last digit. What a replay under way will rate anew waits. An annulled tournament has no ratings.

Where a tournament came from a file, its games and players are compared with what was read of that file. What
replays noted of each change is compared with the change before it, and the last with the rating.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Min, Q, QuerySet

from scoring.audit.verify import Difference
from scoring.engine.errors import EngineError
from scoring.ledger.isolation import consistent_read
from scoring.ratings.history import (
    Played,
    Standing,
    Values,
    begins,
    derive,
    history,
    move_on,
    standings_before,
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

CHUNK = 2000  # players
State = RatingReplay.State
Position = tuple[date, int]  # the last day and the id of a tournament: the order of rating


@dataclass(frozen=True, slots=True)
class Batch:
    """Some tournaments that were checked: the last of them, what was checked, what differs."""

    last: Position
    tournaments: int
    ratings: int
    games: int
    differences: list[Difference]


# What is compared with a file: its name, as it is stored, and as the file says it.
Pair = tuple[str, object, object]


def tournaments(since: date | None, after: Position | None):
    """Tournaments to audit, in the order of rating, from the one behind `after` on.

    Those that a replay under way rates anew are not among them.
    """
    rows = RatingTournament.objects.order_by("end_date", "pk")
    if since:
        rows = rows.filter(end_date__gte=since)
    if after:
        rows = rows.filter(Q(end_date__gt=after[0]) | Q(end_date=after[0], pk__gt=after[1]))
    begins = RatingReplay.objects.filter(state__in=[State.PENDING, State.RUNNING]).aggregate(day=Min("since"))
    return rows.filter(end_date__lt=begins["day"]) if begins["day"] else rows


def waiting(since: date | None) -> int:
    """How many tournaments a replay under way rates anew."""
    rows = RatingTournament.objects.filter(end_date__gte=since) if since else RatingTournament.objects.all()
    return rows.count() - tournaments(since, None).count()


def batches(since: date | None = None, after: Position | None = None, size: int = 200) -> Iterator[Batch]:
    """Check tournaments in the order of rating, `size` at a time."""
    version, standings = None, {}
    while True:
        with consistent_read():
            events = list(tournaments(since, after)[:size])
            if not events:
                return
            now = RatingState.objects.values_list("version", flat=True).first()
            if now != version or version is None:
                # The first batch, or ratings were posted since the last one was read.
                version, standings = now, standings_before(events[0].end_date, events[0].pk)
            found = list(history(events))
            files, posted = sources(events), notes(events)
        differences = [
            each
            for played in found
            for each in check(
                played, standings, files.get(played.event.pk, ()), posted.get(played.event.pk, {})
            )
        ]
        after = (events[-1].end_date, events[-1].pk)
        ratings = sum(len(played.entries) for played in found)
        games = sum(len(played.games) for played in found)
        yield Batch(after, len(events), ratings, games, _with_pins(differences))


def check(
    played: Played, standings: dict[int, Standing], file: Iterable[Pair], posted: dict[int, "Note"]
) -> Iterator[Difference]:
    """What differs in one tournament; moves the standings on. No query."""
    for name, one, other in file:
        if one != other:
            yield Difference("go_source", played.event.pk, *_apart(name, one, other))
    try:
        annulled = played.event.annulled_at is not None
        derived = [None] * len(played.entries) if annulled else _derived(played, standings)
    except EngineError as error:
        yield Difference("go_unreadable", played.event.pk, str(error), "games that can be rated")
        derived = [each.stored for each in played.entries]
    for entry, values in zip(played.entries, derived, strict=True):
        if entry.stored != values:
            one, other = _texts(entry.stored, values)
            yield Difference("go_rating", played.event.pk, one, other, None, str(entry.player))
            posted.pop(entry.player, None)
        else:
            yield from _check_note(played, entry.player, posted.pop(entry.player, Note()), values)
        if entry.stored or values:
            move_on(standings, entry, entry.stored or values)
    for player, note in posted.items():
        yield from _check_note(played, player, note, None)


def _derived(played: Played, standings: dict[int, Standing]) -> list[Values]:
    """What the tournament makes of the ratings that are stored before it, with the ones it should begin at.

    So a wrong rating is told of its player where it is and where it was used, and of no opponent.
    """
    own = {
        each.player: Standing(each.stored.before, each.stored.highest_before)
        for each in played.entries
        if each.stored and each.player in standings
    }
    return [
        values._replace(before=began.before, highest_before=began.highest)
        for values, began in zip(
            derive(played, ChainMap(own, standings)), begins(played, standings), strict=True
        )
    ]


def _texts(stored: Values | None, derived: Values | None) -> tuple[str, str]:
    """What differs of the two, by name; floats with every digit. None: no rating."""
    if stored is None or derived is None:
        return tuple("nothing" if each is None else f"after={each.after!r}" for each in (stored, derived))
    names = [name for name in Values._fields if getattr(stored, name) != getattr(derived, name)]
    one, other = (
        ", ".join(f"{name}={getattr(each, name)!r}" for name in names) for each in (stored, derived)
    )
    return one, other


# --- Files ----------------------------------------------------------------------------------------------
def sources(events: list[RatingTournament]) -> dict[int, list[Pair]]:
    """What tournaments that came from a file are compared with: the last one confirmed. Three queries."""
    uploads = GoUpload.objects.filter(tournament__in=events).order_by("confirmed_at", "pk").defer("content")
    last = {each.tournament_id: each for each in uploads}
    entrants = RatingEntrant.objects.filter(tournament__in=last).order_by("position")
    players = _grouped(entrants, "position", "declared", "seed")
    all_games = RatingGame.objects.filter(tournament__in=last).order_by("round", "first__position")
    games = _grouped(
        all_games, "round", "first__position", "second__position", "half_points", "handicap", "reason"
    )
    return {
        each.pk: list(_pairs(each, players.get(each.pk, []), games.get(each.pk, []), last[each.pk]))
        for each in events
        if each.pk in last
    }


def _grouped(rows: QuerySet, *columns: str) -> dict[int, list[tuple]]:
    found: dict[int, list[tuple]] = {}
    for tournament, *row in rows.values_list("tournament_id", *columns):
        found.setdefault(tournament, []).append(tuple(row))
    return found


def _pairs(event: RatingTournament, players: list, games: list, upload: GoUpload) -> Iterator[Pair]:
    said = register.event_of(upload)
    if said is None:
        yield "file", "cannot be read", "a tournament"
        return
    yield "digest", event.digest, said.digest
    yield "last day", event.end_date, said.end
    yield "class", event.tournament_class, said.tournament_class
    people = enumerate(said.result.players, start=1)
    yield (
        "players", players, [(n, each.grade, int(each.rating) if each.rating else None) for n, each in people]
    )  # fmt: skip
    listed = [
        (each.round, each.first, each.second, register.half_points(each), each.handicap, each.reason)
        for each in said.result.games
    ]
    yield "games", games, sorted(listed, key=lambda game: game[:2])


def _apart(name: str, one: object, other: object) -> tuple[str, str]:
    """Both in words, of lists only what the other has not."""
    if isinstance(one, list):
        one, other = [each for each in one if each not in other], [each for each in other if each not in one]
    return f"{name}: {one}", f"{name}: {other}"


# --- Notes of changes -----------------------------------------------------------------------------------
@dataclass(slots=True)
class Note:
    """What replays noted of one player's rating from one tournament.

    `new` is the last rating posted; `broken` has (id, old, what was posted before) of each change that does
    not go on from the one before it.
    """

    new: float | None = None
    broken: list[tuple[int, float | None, float | None]] = field(default_factory=list)


def notes(events: list[RatingTournament]) -> dict[int, dict[int, Note]]:
    """Tournament -> player -> what was noted; one query, streamed.

    A replay that the office asked for notes what it found, which somebody may have changed by hand: such a
    change need not go on from the one before, or what was mended would be told for ever.
    """
    found: dict[int, dict[int, Note]] = {}
    rows = RatingChange.objects.filter(tournament__in=events).order_by("pk")
    for pk, tournament, player, old, new, asked_by in rows.values_list(
        "pk", "tournament_id", "player_id", "old", "new", "replay__tournament_id"
    ).iterator(chunk_size=CHUNK):
        note = found.setdefault(tournament, {}).setdefault(player, Note())
        if old != note.new and asked_by is not None:
            note.broken.append((pk, old, note.new))
        note.new = new
    return found


def _check_note(played: Played, player: int, note: Note, values: Values | None) -> Iterator[Difference]:
    """What was noted of a rating that is as it should be; None where there is no rating any more."""
    tournament, rating = played.event.pk, values and values.after
    for pk, old, before in note.broken:
        stored, derived = f"change {pk}: from {old!r}", f"from {before!r}"
        yield Difference("go_change", tournament, stored, derived, None, str(player))
    if note.new != rating:
        stored, derived = f"the last change: to {note.new!r}", f"to {rating!r}"
        yield Difference("go_change", tournament, stored, derived, None, str(player))


# --- Players --------------------------------------------------------------------------------------------
def players() -> list[Difference]:
    """Every player whose row does not repeat the last of the stored ratings."""
    found, after = [], 0
    while True:
        with consistent_read():
            rows = RatedPlayer.objects.filter(pk__gt=after).order_by("pk")
            stored = {
                pk: replays.Last(*row)
                for pk, *row in rows.values_list("pk", "rating", "grade", "last_played", "events")[:CHUNK]
            }
            derived = replays.last_ratings(list(stored))
        if not stored:
            return _with_pins(found)
        found += [
            Difference("go_player", None, _last(last), _last(derived[pk]), None, str(pk))
            for pk, last in stored.items()
            if last != derived[pk]
        ]
        after = max(stored)


def _last(last: replays.Last) -> str:
    return ", ".join(f"{name}={value}" for name, value in last._asdict().items())


def _with_pins(differences: list[Difference]) -> list[Difference]:
    """The same with PINs for the ids of players who have one."""
    ids = {int(each.player) for each in differences if each.player}
    pins = (
        dict(RatedPlayer.objects.filter(pk__in=ids).exclude(pin="").values_list("pk", "pin")) if ids else {}
    )
    return [
        replace(each, player=pins.get(int(each.player), f"id {each.player}")) if each.player else each
        for each in differences
    ]
