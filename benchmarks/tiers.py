"""The sizes of federations that `generate.py` makes, and the shape of their play.

The demo simulates the tournaments; here are the differences that a large federation shows: most players play
seldom and some every day, clubs differ in size, evenings are not equally popular, some members never play.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from players.models import Player
from scoring import regulations
from scoring.demo.fixtures import Calendar
from scoring.demo.people import LADDER_START, SIZES, Couple, Federation, Host, Person, Size
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.aeb.shapes import Table
from tournaments.drafts import Header

# How popular the evenings are, from Monday to Sunday.
POPULAR = (10, 12, 11, 12, 8, 4, 3)
ACTIVITY_SPREAD = 0.9  # standard deviation of the logarithm of how often couples play
CLUB_SPREAD = 0.6  # of the logarithm of the sizes of clubs
NEVER_PLAY, DECEASED, MINORS = 0.08, 0.02, 0.01
EARLIER = "Temporada anterior al primer reglamento de la base de datos (generada)"


@dataclass(frozen=True, slots=True)
class Tier:
    """The size of a federation, and how much of its history is stored.

    years: years of play; the last one ends today
    complete: how many of these years, the last ones, have the engine's inputs, corrections and boards
    boards_every: of how many tournaments of pairs in a club one has the results of its boards
    slice_days: the days of play that are stored in one transaction
    """

    size: Size
    years: int
    complete: int
    boards_every: int
    slice_days: int

    def scaled(self, scale: float) -> "Tier":
        """Return the tier with this share of its clubs and players."""
        size = self.size
        clubs, players = max(1, round(size.clubs * scale)), max(60, round(size.players * scale))
        scaled_size = size.with_changes(
            clubs=clubs, players=players, regions=min(size.regions, max(1, clubs // 3))
        )
        return Tier(
            scaled_size, self.years, self.complete, self.boards_every, min(30, round(self.slice_days / scale))
        )

    def since(self, until: date) -> date:
        """Return the first day of play."""
        return _years_before(until, self.years)

    def complete_since(self, until: date) -> date:
        """Return the first day whose tournaments have inputs, corrections and boards."""
        return _years_before(until, self.complete)


def _years_before(day: date, years: int) -> date:
    return day.replace(year=day.year - years, day=min(day.day, 28)) + timedelta(days=1)


TIERS = {
    "aeb": Tier(SIZES["aeb"], years=10, complete=10, boards_every=10, slice_days=14),
    "ffb": Tier(SIZES["ffb"], years=2, complete=2, boards_every=20, slice_days=2),
    "acbl": Tier(SIZES["acbl"], years=3, complete=1, boards_every=50, slice_days=1),
}


def shape_hosts(hosts: list[Host], rng: Random) -> None:
    """Give the clubs different sizes: a few large ones, many small ones."""
    weights = [rng.lognormvariate(0, CLUB_SPREAD) for _host in hosts]
    mean = sum(weights) / len(weights)
    for host, weight in zip(hosts, weights, strict=True):
        host.weight = min(4.0, max(0.35, weight / mean))


def shape_person(person: Person, row: Player, size: Size, until: date, rng: Random) -> bool:
    """Make a drawn player one of this tier: minors, hidden and deceased players. Return whether they play."""
    if person.joined == LADDER_START:
        person.joined = min(size.since, LADDER_START)
    if rng.random() < MINORS:
        row.birth_year, row.hidden = until.year - rng.randint(9, 13), True
    plays = rng.random() >= NEVER_PLAY
    if not plays and rng.random() < DECEASED / NEVER_PLAY:
        row.deceased_on = until - timedelta(days=rng.randrange(1, 700))
    return plays


class Season(Calendar):
    """The calendar of a generated federation. Set `rng` before drawing each slice of it.

    activity: how often each player plays, relative to others, by player id
    """

    def __init__(self, federation: Federation, size: Size, rng: Random, last_id: int) -> None:
        super().__init__(federation, size, rng)
        self.activity = [rng.lognormvariate(0, ACTIVITY_SPREAD) for _player in range(last_id + 1)]
        self.first_regulation = regulations.of_family(FAMILY)[0]
        self.pool_days = [[] for _day in range(7)]
        for host in federation.hosts:
            # Large clubs play more often.
            mean = size.pools_a_week * min(2.4, host.weight**0.5)
            pools = max(1, min(7, int(mean) + (rng.random() < mean % 1)))
            for weekday in sorted(range(7), key=lambda day: rng.random() ** (1 / POPULAR[day]))[-pools:]:
                self.pool_days[weekday].append(host)

    def draw(self, couples: list[Couple], day: date, number: int) -> list[Couple]:
        """Draw couples as the demo does, but those who play often more often."""
        random, activity = self.rng.random, self.activity
        keys = [random() ** (1 / activity[couple[0].pk]) for couple in couples]
        keen = sorted(range(len(couples)), key=keys.__getitem__, reverse=True)[: 2 * number]
        return super().draw([couples[index] for index in keen], day, number)

    def event_types(self, day: date) -> Table:
        """Return the event types of a day; before the first regulation those of that regulation."""
        if day < self.first_regulation.valid_from:
            return self.first_regulation.event_types
        return super().event_types(day)

    def header(self, *args, **kwargs) -> Header:
        header = super().header(*args, **kwargs)
        if header.end_date >= self.first_regulation.valid_from:
            return header
        values = {name: getattr(header, name) for name in Header.__slots__}
        values |= {"regulation_override": self.first_regulation.code, "override_reason": EARLIER}
        return Header(**values)
