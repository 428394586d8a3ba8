"""The calendar of the demo federation: which tournaments take place when and where, and who plays in them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from scoring import regulations
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.aeb.shapes import Table
from tournaments.drafts import Header
from tournaments.models import Tournament

from .people import Couple, Federation, Host, Person, Size

Format, Venue = Tournament.Format, Tournament.Venue
POOL_BOARDS = [24, 24, 24, 24, 27, 28, 26, 22, 21, 20]
TOO_FEW_BOARDS = 18
MOVEMENTS = {Format.PAIRS: "", Format.TEAMS: " por equipos", Format.INDIVIDUAL: " individual"}
WEEKDAYS = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábados", "domingos"]
DIVISIONS = {"diamond": "Diamante", "heart": "Corazón", "open": "Open"}


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tournament that is still to be simulated, with its players.

    `entrants` has the players of each contestant, in the order of the contestants' numbers.
    """

    header: Header
    entrants: list[tuple[Person, ...]]


@dataclass(frozen=True, slots=True)
class Yearly:
    """A yearly tournament of the federation, which ends on the Sunday of an ISO week."""

    week: int
    code: str
    name: str
    format: str
    boards: int
    contestants: int
    days: int


# The numbers of contestants are those of a small federation; larger ones have up to three times as many.
CALENDAR = [
    Yearly(4, "selection_mixed_women_senior", "Selección Mixta", Format.TEAMS, 64, 8, 2),
    Yearly(7, "national", "Torneo Nacional de Invierno", Format.PAIRS, 52, 36, 2),
    Yearly(11, "zonal", "Zonal de Equipos", Format.TEAMS, 80, 12, 3),
    Yearly(16, "national", "Torneo Nacional de Primavera", Format.PAIRS, 52, 40, 2),
    Yearly(20, "pairs_championship", "Campeonato de España de Parejas", Format.PAIRS, 78, 30, 3),
    Yearly(24, "league", "Liga AEB", Format.TEAMS, 96, 10, 3),
    Yearly(28, "selection_open", "Selección Open", Format.TEAMS, 96, 8, 3),
    Yearly(32, "national", "Nacional Individual de Verano", Format.INDIVIDUAL, 32, 48, 1),
    Yearly(38, "mixed_women_teams", "Campeonato de España Mixto por Equipos", Format.TEAMS, 72, 12, 3),
    Yearly(42, "national", "Torneo Nacional de Otoño", Format.PAIRS, 52, 34, 2),
    Yearly(46, "teams_championship", "Campeonato de España de Equipos", Format.TEAMS, 100, 14, 4),
]
HOLIDAYS = {(12, 24), (12, 25), (1, 1)}
REGIONAL_EVERY = 6  # weeks


class Calendar:
    """The calendar of a demo federation: the tournaments that will be simulated, called fixtures.

    They are drawn at random, in the order of their last day.
    """

    def __init__(self, federation: Federation, size: Size, rng: Random) -> None:
        self.federation, self.size, self.rng = federation, size, rng
        self.couples = [couple for host in federation.hosts for couple in host.couples]
        self.by_region: list[list[Couple]] = [[] for _region in federation.regions]
        self.pool_days: list[list[Host]] = [[] for _day in range(7)]
        for host in federation.hosts:
            self.by_region[host.region] += host.couples
            whole = int(size.pools_a_week)
            pools = whole + (rng.random() < size.pools_a_week - whole)
            for weekday in rng.sample(range(7), pools):
                self.pool_days[weekday].append(host)

    def fixtures(self, first: date, last: date) -> Iterator[Fixture]:
        """Yield a fixture for every tournament that ends between the days `first` and `last`."""
        day = first
        while day <= last:
            for host in self.pool_days[day.weekday()]:
                # Half of the clubs close in August, all of them at Christmas.
                closed = (day.month, day.day) in HOLIDAYS or (day.month == 8 and host.pk % 2)
                if not closed and (pool := self.pool(host, day)):
                    yield pool
            if day.weekday() == 6:
                yield from self.sunday(day)
            day += timedelta(days=1)

    def sunday(self, day: date) -> Iterator[Fixture]:
        """Yield the fixtures of the regions and of the federation that end on this Sunday."""
        week = day.isocalendar().week
        for index, region in enumerate(self.federation.regions):
            if week % REGIONAL_EVERY == index % REGIONAL_EVERY:
                venue = Venue.ONLINE_SUPERVISED if self.rng.random() < 0.15 else Venue.IN_PERSON
                entrants = self.draw(self.by_region[index], day, self.rng.randint(14, 30))
                name = f"Regional {region.name}"
                hosts = [host for host in self.federation.hosts if host.region == index]
                yield from self.fixture(hosts, name, "regional", Format.PAIRS, venue, day, 2, 44, entrants)
        for yearly in CALENDAR:
            if yearly.week == week:
                yield from self.national(yearly, day)

    def pool(self, host: Host, day: date) -> Fixture | None:
        """Draw a pool of a club on this day. Return None if fewer than four pairs of players take part."""
        rng = self.rng
        boards = TOO_FEW_BOARDS if rng.random() < 0.06 else rng.choice(POOL_BOARDS)
        format = rng.choices(list(MOVEMENTS), (92, 4, 4))[0]
        venue = rng.choices(list(Venue), (90, 5, 5))[0]
        number = round(self.size.pool_pairs * host.weight * rng.uniform(0.8, 1.2))
        couples = self.draw(host.couples, day, number)
        if len(couples) < 4:
            return None
        two_winners = format == Format.PAIRS and len(couples) >= 8 and rng.random() < 0.08
        name = f"Pool{MOVEMENTS[format]} de los {WEEKDAYS[day.weekday()]}"
        entrants = self.seated(format, couples)
        ranking = Tournament.Ranking.TWO if two_winners else Tournament.Ranking.ONE
        header = self.header(name, host, "pool", format, venue, day, 1, boards, ranking)
        return Fixture(header, entrants)

    def national(self, yearly: Yearly, day: date) -> Iterator[Fixture]:
        """Yield the tournaments to simulate for one yearly competition of the federation.

        All of them end on `day`. There are three if the regulation in force has divisions for the
        competition's event type, else one. There is none if that regulation does not have the event type.
        """
        types = self.event_types(day)
        scale = min(3, max(1, self.size.players // 2_000))
        contestants = yearly.contestants * scale
        number = contestants * 2 if yearly.format == Format.TEAMS else contestants
        parts: list[tuple[str, str, list[Couple]]] = []  # (name, event type, couples who play)
        if types.find(yearly.code):
            parts = [(yearly.name, yearly.code, self.draw(self.couples, day, number))]
        elif types.find(f"{yearly.code}_open"):
            couples = self.draw(self.couples, day, 2 * number)
            third = len(couples) // 3
            parts = [
                (
                    f"{yearly.name} ({division})",
                    f"{yearly.code}_{suffix}",
                    couples[k * third : (k + 1) * third],
                )
                for k, (suffix, division) in enumerate(DIVISIONS.items())
            ]
        format, days, boards = yearly.format, yearly.days, yearly.boards
        for name, code, couples in parts:
            yield from self.fixture(
                self.federation.hosts, name, code, format, Venue.IN_PERSON, day, days, boards, couples
            )

    def event_types(self, day: date) -> Table:
        """Return the table of event types of the regulation that scores the tournaments of a day."""
        return regulations.in_force(FAMILY, day).event_types

    def fixture(self, hosts, name, code, format, venue, day, days, boards, couples) -> Iterator[Fixture]:
        """Yield a regional or national tournament with its contestants; nothing if they are fewer than four.

        hosts: the clubs, one of which is drawn as the host
        couples: the couples of players who take part
        """
        entrants = self.seated(format, couples)
        if len(entrants) >= 4:
            host = self.rng.choice(hosts)
            header = self.header(f"{name} {day.year}", host, code, format, venue, day, days, boards)
            yield Fixture(header, entrants)

    def header(
        self, name, host: Host, code, format, venue, day, days, boards, ranking=Tournament.Ranking.ONE
    ) -> Header:
        return Header(
            name=name,
            club_id=host.pk,
            event_type=code,
            format=format.value,
            venue=venue.value,
            start_date=max(day - timedelta(days=days - 1), self.size.since),
            end_date=day,
            boards=boards,
            boards_scheduled=boards,
            ranking=ranking.value,
        )

    def draw(self, couples: list[Couple], day: date, number: int) -> list[Couple]:
        """Draw at most `number` couples who have joined by `day`. Some of them swap partners.

        Return the couples, the weakest first.
        """
        rng = self.rng
        candidates = rng.sample(couples, min(len(couples), 3 * number))
        drawn = [(a, b) for a, b in candidates if a.joined <= day and b.joined <= day][:number]
        for first in range(0, len(drawn) - 1, 10):  # some couples swap partners
            (a, b), (c, d) = drawn[first], drawn[first + 1]
            drawn[first], drawn[first + 1] = (a, c), (b, d)
        return sorted(drawn, key=lambda couple: couple[0].skill + couple[1].skill)

    def seated(self, format, couples: list[Couple]) -> list[tuple[Person, ...]]:
        """Turn couples into contestants: pairs, teams or single players, as the format requires.

        Return the players of each contestant, in the order of the contestants' numbers.
        """
        couples = couples[:]
        self.rng.shuffle(couples)
        if format == Format.PAIRS:
            return list(couples)
        if format == Format.INDIVIDUAL:
            return [(person,) for couple in couples for person in couple]
        teams = [first + second for first, second in zip(couples[::2], couples[1::2], strict=False)]
        if len(teams) > 4 and self.rng.random() < 0.5:  # half of one team joins another: a team of six
            teams[0] += teams.pop()[:2]
        return teams
