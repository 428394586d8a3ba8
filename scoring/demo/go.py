"""The demo's Go tournaments, one for each of the two rating systems, and sample files to upload.

They contain games with handicap, and one that was not played.
"""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from xml.sax.saxutils import quoteattr

from players.models import Player
from scoring.demo import names
from scoring.ratings.models import RatedPlayer, RatingTournament
from scoring.ratings.services import register, replays
from scoring.regulations.egf.grades import nominal
from tournaments.formats.go_checks import grade_steps
from tournaments.formats.go_types import FORFEIT, GoGame, GoPlayer, GoResult

# Files for the director to upload.
EGD, OPENGOTHA = "torneo-de-go.h9", "torneo-de-opengotha.xml"
FILES = {
    EGD: "Go, table of the European database",
    OPENGOTHA: "Go, OpenGotha",
}
PLAYERS, ROUNDS = 20, 5
CLASSIC_DAY = date(2020, 2, 16)
FIRST_PIN = 90_000_001
LOWEST_GRADE, HIGHEST_GRADE = -11, 5  # 12k and 5d, as numbers of grades above 1k
# Handicaps start at this difference in grades: the number of stones is the difference minus two.
HANDICAP_FROM = 3
GRADE_POINTS = 100
SPREAD = 150  # standard deviation of a player's form, in rating points


def make(by, until: date, rng: Random) -> list[RatingTournament]:
    """Register and rate two tournaments, and return them.

    The first is of 2020, under the classic system; the second ends on a Sunday well before `until`.

    by: the account that registers them
    """
    people = _people(rng)
    recent = until - timedelta(days=until.isoweekday() + 21)
    later = _promoted(people)
    events = [
        _event("Torneo de Go de Invierno", CLASSIC_DAY, "A", people, rng),
        _event("Copa de Go del Jardín", recent, "B", later, rng),
    ]
    tournaments = []
    for event in events:
        tournament, replay = register.register(event, by)
        replays.replay(replay.pk)
        tournaments.append(tournament)
    return tournaments


def link(player: Player) -> None:
    """Link the first Go player to a player of the register, whose account then has a page of Go."""
    RatedPlayer.objects.filter(pin=str(FIRST_PIN)).update(player=player)


def write_samples(folder: Path, until: date, rng: Random) -> list[Path]:
    """Write a tournament of new players as a file in each format, to be uploaded. Return the files' paths."""
    day = until - timedelta(days=until.isoweekday() + 7)
    people = _people(rng, FIRST_PIN + PLAYERS)
    table = _event("Torneo de Go de la Ribera", day, "C", people, rng)
    saved = _event("Torneo de Go del Molino", day - timedelta(days=7), "B", people, rng)
    contents = {EGD: egd_table(table), OPENGOTHA: opengotha(saved)}
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in contents]


def _people(rng: Random, first_pin: int = FIRST_PIN) -> tuple[GoPlayer, ...]:
    people: dict[str, GoPlayer] = {}
    while len(people) < PLAYERS:
        first, last, _woman = names.person(rng)
        grade = _grade(rng.randint(LOWEST_GRADE, HIGHEST_GRADE))
        pin = str(first_pin + len(people))
        name = f"{last} {first}"
        person = GoPlayer(len(people) + 1, name, grade, pin, "ES", given_name=first)
        people.setdefault(name, person)
    return tuple(people.values())


def _grade(above_first_kyu: int) -> str:
    return f"{above_first_kyu}d" if above_first_kyu > 0 else f"{1 - above_first_kyu}k"


def _promoted(people: tuple[GoPlayer, ...]) -> tuple[GoPlayer, ...]:
    """Return a copy of the players in which three of them declare a higher grade.

    One grade is so much higher that the rating is reset.
    """
    rises = {3: 3, 7: 1, 11: 1}
    return tuple(
        replace(player, grade=_grade(min(grade_steps(player.grade) + rises.get(number, 0), 9)))
        for number, player in enumerate(people)
    )


def _event(name: str, end: date, letter: str, people, rng: Random) -> register.Event:
    """Simulate a Go tournament and return it, ready to register.

    Opponents are of similar strength, and two players rarely meet more than once.

    letter: the class of the tournament
    """
    games: list[GoGame] = []
    met: set[frozenset[int]] = set()
    for number in range(1, ROUNDS + 1):
        waiting = sorted(range(len(people)), key=lambda k: grade_steps(people[k].grade) + rng.uniform(-3, 3))
        while len(waiting) > 1:
            player = waiting.pop()
            new = (k for k in reversed(waiting) if frozenset((player, k)) not in met)
            opponent = next(new, waiting[-1])
            waiting.remove(opponent)
            met.add(frozenset((player, opponent)))
            games.append(_game(number, (player, opponent), people, len(games) + 1, rng))
    games[-1] = GoGame(ROUNDS, games[-1].first, games[-1].second, "1", 0, True, FORFEIT, len(games))
    result = GoResult("demo", "", players=people, games=tuple(games))
    return register.Event(name, end - timedelta(days=1), end, letter, result)


def _game(number: int, pairing: tuple[int, int], people, line: int, rng: Random) -> GoGame:
    """Simulate a game and return it.

    The player with the higher grade is White and gives the handicap. The player in better form wins.

    number: the round
    pairing: indexes of the two players in `people`
    line: the game's line in the file
    """
    first, second = sorted(pairing, key=lambda k: grade_steps(people[k].grade), reverse=True)
    difference = grade_steps(people[first].grade) - grade_steps(people[second].grade)
    stones = difference - HANDICAP_FROM + 1 if difference > HANDICAP_FROM else 0
    stones = min(stones, 9)
    lead = _strength(people[first], rng) - _strength(people[second], rng) - GRADE_POINTS * stones
    return GoGame(number, first + 1, second + 1, "1" if lead > 0 else "0", stones, True, "", line)


def _strength(player: GoPlayer, rng: Random) -> float:
    return nominal(player.grade, 0, "grade") + rng.gauss(0, SPREAD)


def egd_table(event: register.Event) -> str:
    """Format a tournament as a result table of the European Go Database."""
    rounds = max(game.round for game in event.result.games)
    heads = [
        f"; CL[{event.tournament_class}]",
        f"; EV[{event.name}]",
        f"; DT[{event.start.isoformat()},{event.end.isoformat()}]",
        "; HA[h9]",
        ";",
    ]
    cells: dict[tuple[int, int], str] = {}
    for game in event.result.games:
        mark = "!" if game.reason == FORFEIT else ""
        stones = game.handicap or ""
        won, lost = ("+", "-") if game.score == "1" else ("-", "+")
        cells[game.first, game.round] = f"{game.second}{won}{mark}/w{stones}"
        cells[game.second, game.round] = f"{game.first}{lost}{mark}/b{stones}"
    rows = [
        f"{k} {player.name} {player.grade} {player.country} xxxx "
        + " ".join(cells.get((k, number), "0=") for number in range(1, rounds + 1))
        + f" |{player.pin}"
        for k, player in enumerate(event.result.players, start=1)
    ]
    return "\n".join([*heads, *rows, ""])


def opengotha(event: register.Event) -> str:
    """Format a tournament as an XML file of the program OpenGotha.

    The file's games refer to a player by surname and first name, joined into one word.
    """
    players = event.result.players
    player_elements = "\n".join(_player_element(player) for player in players)
    game_elements = "\n".join(
        _game_element(game, number, players) for number, game in enumerate(event.result.games)
    )
    general = {
        "name": event.name,
        "shortName": "demo",
        "beginDate": event.start.isoformat(),
        "endDate": event.end.isoformat(),
        "size": "19",
        "numberOfRounds": max(game.round for game in event.result.games),
    }
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Tournament dataVersion="201">
<Players>
{player_elements}
</Players>
<Games>
{game_elements}
</Games>
<TournamentParameterSet>
{_element("GeneralParameterSet", general)}
</TournamentParameterSet>
</Tournament>
"""


def _element(tag: str, values: dict[str, object]) -> str:
    return f"<{tag} {' '.join(f'{name}={quoteattr(str(value))}' for name, value in values.items())}/>"


def _names(player: GoPlayer) -> tuple[str, str]:
    """Split a name into surnames and first name, which is its last word."""
    surname, _space, first = player.name.rpartition(" ")
    return surname, first


def _player_element(player: GoPlayer) -> str:
    surname, first = _names(player)
    grade = player.grade.upper()
    return _element(
        "Player",
        {
            "name": surname,
            "firstName": first,
            "country": player.country,
            "egfPin": player.pin,
            "grade": grade,
            "rank": grade,
            "ratingOrigin": "INI",
            "registeringStatus": "FIN",
        },
    )


def _key(player: GoPlayer) -> str:
    return "".join(_names(player)).replace(" ", "").upper()


def _game_element(game: GoGame, number: int, players: tuple[GoPlayer, ...]) -> str:
    result = "RESULT_WHITEWINS" if game.score == "1" else "RESULT_BLACKWINS"
    return _element(
        "Game",
        {
            "roundNumber": game.round,
            "tableNumber": number % (len(players) // 2) + 1,
            "whitePlayer": _key(players[game.first - 1]),
            "blackPlayer": _key(players[game.second - 1]),
            "knownColor": "true",
            "handicap": game.handicap,
            "result": f"{result}_BYDEF" if game.reason == FORFEIT else result,
        },
    )
