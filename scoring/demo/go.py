"""Two Go tournaments of invented people, one under each rating system, with a forfeit and handicaps."""

from datetime import date, timedelta
from pathlib import Path
from random import Random

from scoring.ratings.models import RatingTournament
from scoring.ratings.services import register, replays
from scoring.regulations.egf.grades import nominal
from tournaments.formats.go_checks import grade_steps
from tournaments.formats.go_types import FORFEIT, GoGame, GoPlayer, GoResult

from . import go_files, names

# For the director to upload, and what each is.
EGD, OPENGOTHA = "torneo-de-go.h9", "torneo-de-opengotha.xml"
FILES = {
    EGD: "Go, table of the European database (at /go/subir/)",
    OPENGOTHA: "Go, OpenGotha (at /go/subir/)",
}
PLAYERS, ROUNDS = 20, 5
CLASSIC_DAY = date(2020, 2, 16)
FIRST_PIN = 90_000_001
LOWEST_GRADE, HIGHEST_GRADE = -11, 5  # 12k to 5d, in grades above 1k
HANDICAP_FROM = 3  # grades apart; the stones are two fewer
GRADE_POINTS = 100
SPREAD = 150  # rating points of a day's form


def make(by, until: date, rng: Random) -> list[RatingTournament]:
    """Register and rate the tournaments; the second ends on a Sunday well before `until`."""
    people = _people(rng)
    recent = until - timedelta(days=until.isoweekday() + 21)
    later = _promoted(people)
    events = [
        _event("Torneo de Go de Invierno", CLASSIC_DAY, "A", people, rng),
        _event("Copa de Go del Jardín", recent, "B", later, rng),
    ]
    made = []
    for event in events:
        tournament, replay = register.register(event, by)
        replays.replay(replay.pk)
        made.append(tournament)
    return made


def write_samples(folder: Path, until: date, rng: Random) -> list[Path]:
    """Write a tournament of newcomers in each format, for the director to upload; returns the paths."""
    day = until - timedelta(days=until.isoweekday() + 7)
    people = _people(rng, FIRST_PIN + PLAYERS)
    table = _event("Torneo de Go de la Ribera", day, "C", people, rng)
    saved = _event("Torneo de Go del Molino", day - timedelta(days=7), "B", people, rng)
    contents = {EGD: go_files.table(table), OPENGOTHA: go_files.opengotha(saved)}
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in contents]


def _people(rng: Random, first_pin: int = FIRST_PIN) -> tuple[GoPlayer, ...]:
    found: dict[str, GoPlayer] = {}
    while len(found) < PLAYERS:
        first, last, _woman = names.person(rng)
        grade = _grade(rng.randint(LOWEST_GRADE, HIGHEST_GRADE))
        pin = str(first_pin + len(found))
        found.setdefault(f"{last} {first}", GoPlayer(len(found) + 1, f"{last} {first}", grade, pin, "ES"))
    return tuple(found.values())


def _grade(above_first_kyu: int) -> str:
    return f"{above_first_kyu}d" if above_first_kyu > 0 else f"{1 - above_first_kyu}k"


def _promoted(people: tuple[GoPlayer, ...]) -> tuple[GoPlayer, ...]:
    """A few declare a better grade by then; one of them so much better that the rating is reset."""
    later = []
    for number, each in enumerate(people):
        gained = {3: 3, 7: 1, 11: 1}.get(number, 0)
        grade = _grade(min(grade_steps(each.grade) + gained, 9))
        later.append(GoPlayer(each.line, each.name, grade, each.pin, each.country))
    return tuple(later)


def _event(name: str, end: date, letter: str, people, rng: Random) -> register.Event:
    """Everybody meets somebody near in strength each round, nobody twice if it can be helped."""
    games: list[GoGame] = []
    met: set[frozenset[int]] = set()
    for number in range(1, ROUNDS + 1):
        waiting = sorted(range(len(people)), key=lambda k: grade_steps(people[k].grade) + rng.uniform(-3, 3))
        while len(waiting) > 1:
            one = waiting.pop()
            other = next((k for k in reversed(waiting) if frozenset((one, k)) not in met), waiting[-1])
            waiting.remove(other)
            met.add(frozenset((one, other)))
            games.append(_game(number, one, other, people, len(games) + 1, rng))
    games[-1] = GoGame(ROUNDS, games[-1].first, games[-1].second, "1", 0, True, FORFEIT, len(games))
    result = GoResult("demo", "", players=people, games=tuple(games))
    return register.Event(name, end - timedelta(days=1), end, letter, result)


def _game(number: int, one: int, other: int, people, line: int, rng: Random) -> GoGame:
    """The stronger one is White and gives the stones; who is in better form that day wins."""
    first, second = sorted((one, other), key=lambda k: grade_steps(people[k].grade), reverse=True)
    apart = grade_steps(people[first].grade) - grade_steps(people[second].grade)
    stones = apart - HANDICAP_FROM + 1 if apart >= HANDICAP_FROM + 1 else 0
    stones = min(stones, 9)
    lead = _strength(people[first], rng) - _strength(people[second], rng) - GRADE_POINTS * stones
    return GoGame(number, first + 1, second + 1, "1" if lead > 0 else "0", stones, True, "", line)


def _strength(player: GoPlayer, rng: Random) -> float:
    return nominal(player.grade, 0, "grade") + rng.gauss(0, SPREAD)
