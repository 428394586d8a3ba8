"""Fictitious Go tournaments, as files and as registered events."""

from datetime import date

from scoring.ratings.models import GoUpload, RatedPlayer, RatingEntrant, RatingTournament
from scoring.ratings.services import register, replays
from tournaments.formats.go_types import GoGame, GoPlayer, GoResult

FILE = """; CL[A]
; EV[Torneo del Faro]
; DT[2026-03-14,2026-03-15]
; HA[h9]
1 Arroyo Ana 2d ES Faro 2+/w 3+/b
2 Benitez Blas 1k ES Faro 1-/b 4+/w
3 Canas Carla 3k ES Faro 4+/w 1-/w
4 Duarte Diego 5k ES Faro 3-/b 2-/b
"""


def people(count: int = 4, start: int = 1, grade: str = "5k", pins: bool = True) -> tuple[GoPlayer, ...]:
    """Return players named Uno 1, Uno 2, … with different PINs."""
    return tuple(
        GoPlayer(number, f"Uno {number}", grade, f"{10_000_000 + number}" if pins else "", "ES")
        for number in range(start, start + count)
    )


def event(
    name: str = "Copa", end: date = date(2026, 3, 1), players=None, games=None, tournament_class: str = "A"
) -> register.Event:
    """Return an event. By default it has one round, in which player 1 beats 2 and player 3 beats 4."""
    players = people() if players is None else players
    games = [(1, 1, 2, "1"), (1, 3, 4, "1")] if games is None else games
    made = tuple(GoGame(number, *rest, line=k) for k, (number, *rest) in enumerate(games, start=1))
    result = GoResult("egd", "copa.h9", players=tuple(players), games=made)
    return register.Event(name, end, end, tournament_class, result)


def registered(what: register.Event, by=None, corrects=None) -> RatingTournament:
    """Register the event as a tournament, and rate it as a worker would. Return the tournament."""
    tournament, replay = register.register(what, by, corrects)
    if replay:
        replays.replay(replay.pk)
    return tournament


def upload(user, text: str = FILE, **details) -> GoUpload:
    """Receive a file from an account. Return the upload."""
    message = {"name": "", "start_date": "", "end_date": "", "tournament_class": "", **details}
    return register.receive(user, "torneo.h9", text.encode(), message)


def confirmed(upload: GoUpload, user, ticks=("go_no_pin",)) -> GoUpload:
    """Tick warnings of an upload, and confirm it. Return the upload."""
    if GoUpload.objects.get(pk=upload.pk).state == "review":
        register.save(upload, user, upload.details, ticks)
    return register.confirm(upload, user)


def after(tournament: RatingTournament) -> dict[str, float]:
    """Return the ratings after a tournament, by name."""
    entrants = RatingEntrant.objects.filter(tournament=tournament).select_related("player", "result")
    return {entrant.player.name: entrant.result.after for entrant in entrants}


def player(name: str) -> RatedPlayer:
    """Return the rated player with this name."""
    return RatedPlayer.objects.get(name=name)
