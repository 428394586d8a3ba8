"""The regions, clubs and players of the demo, with their licences and their categories over the years."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from django.utils.text import slugify

from players.models import Category, CategoryAssignment, Club, Licence, Player, Region
from scoring.demo import names
from ui.text import sort_key


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a demo federation.

    pools_a_week: mean number of weekly pools per club
    pool_pairs: mean number of pairs per pool
    since: the first day of play
    """

    regions: int
    clubs: int
    players: int
    pools_a_week: float
    pool_pairs: int
    since: date = date(2025, 1, 1)

    def with_changes(self, **changes) -> "Size":
        """Return the size with these changes; None keeps a value."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


SIZES = {
    "demo": Size(regions=6, clubs=25, players=800, pools_a_week=1, pool_pairs=9),
    "aeb": Size(regions=17, clubs=130, players=6_000, pools_a_week=2.1, pool_pairs=15),
    "ffb": Size(regions=28, clubs=1_050, players=80_000, pools_a_week=2.1, pool_pairs=15),
    "acbl": Size(regions=25, clubs=3_000, players=165_000, pools_a_week=2.1, pool_pairs=15),
}


BATCH = 2_000  # players held in memory as model objects at a time
FIRST_NUMBER = 20_000
MAIL_HOST = "demo.example"  # six of seven players have the address number@demo.example
LADDER_START = date(2022, 1, 2)
FOREIGN = "Federación Vecina"
CAMPAIGN_DAY = (1, 20)
TITLE_REASON = "Título concedido por la federación (demo)"
TITLE_EVIDENCE = "Acta de la junta directiva, punto 3 (demo)"

STEPS = ["3D", "3C", "3P", "2D", "2C", "2P", "1D", "1C", "1P"]
# How many of a thousand players have each category today: none; the nine steps; the titles MN, ME and MM.
PYRAMID = [40, 150, 140, 130, 115, 105, 95, 80, 65, 45, 20, 9, 6]

Origin = CategoryAssignment.Origin


@dataclass(slots=True)
class Person:
    """A player, reduced to what the simulation needs, because the largest demo has 165,000 players in memory.

    skill: about 0 for a beginner and 5 for a master
    licensed: the years in which the player has a licence that counts
    steps, titles: (first day, category code) of the categories assigned, oldest first
    """

    pk: int
    number: str
    given_name: str
    surname: str
    skill: float
    joined: date
    licensed: frozenset[int]
    steps: tuple[tuple[date, str], ...]
    titles: tuple[tuple[date, str], ...]

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.surname}"


Couple = tuple[Person, Person]


@dataclass(slots=True)
class Host:
    """A club of the demo, which hosts tournaments.

    region: index in `Federation.regions`
    weight: size relative to the mean club
    couples: the club's members, in couples who regularly play together
    """

    pk: int
    name: str
    code: str
    region: int
    weight: float
    couples: list[Couple] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Federation:
    """The regions and clubs of the demo, and all categories.

    ladder: the categories by code
    """

    regions: list[Region]
    hosts: list[Host]
    ladder: dict[str, Category]

    def category_on(self, person: Person, day: date) -> str | None:
        """Return the code of a player's category on a day, without a query; None if the player has none.

        The rules are the same as in `players.categories.categories_on`.
        """
        titles = [code for since, code in person.titles if since <= day]
        if titles:
            category = self.ladder[max(titles, key=lambda code: self.ladder[code].order)]
        else:
            steps = [code for since, code in person.steps if since <= day]
            if not steps:
                return None
            category = self.ladder[steps[-1]]
        if category.valid_to and category.valid_to < day:
            category = category.successor
        return category.code


def build(size: Size, rng: Random, until: date, by, report: Callable[[str], None]) -> Federation:
    """Create and store regions, clubs and players, with licences and categories up to the day `until`.

    by: the account that assigns the categories
    report: called with lines about the progress
    """
    ladder = {category.code: category for category in Category.objects.select_related("successor")}
    regions = make_regions(size)
    hosts = make_hosts(size, regions, rng)
    report(f"{len(regions)} regions, {len(hosts)} clubs")
    members: list[list[Person]] = [[] for _host in hosts]
    weights = [host.weight for host in hosts]
    for start in range(0, size.players, BATCH):
        numbers = range(start, min(start + BATCH, size.players))
        homes = rng.choices(range(len(hosts)), weights, k=len(numbers))
        batch = [
            draw_person(number, hosts[home].pk, size, rng, until)
            for number, home in zip(numbers, homes, strict=True)
        ]
        _store(batch, homes, ladder, size, rng, until, by)
        for home, (person, _row) in zip(homes, batch, strict=True):
            members[home].append(person)
        report(f"{numbers.stop} of {size.players} players")
    for host, people in zip(hosts, members, strict=True):
        host.couples = pair_up(people, rng)
    return Federation(regions, hosts, ladder)


def pair_up(members: list[Person], rng: Random) -> list[Couple]:
    """Return the members of a club in couples who regularly play together. An odd one is left out."""
    # Neighbours in this order become partners, so partners are of similar strength.
    members.sort(key=lambda person: person.skill + rng.gauss(0, 0.8))
    couples = list(zip(members[::2], members[1::2], strict=False))
    rng.shuffle(couples)
    return couples


def make_regions(size: Size) -> list[Region]:
    """Store the regions, and return them."""
    return Region.objects.bulk_create(
        Region(code=f"R{number:02}", name=name, slug=slugify(name), sort_key=sort_key(name))
        for number, name in enumerate(names.regions(size.regions), start=1)
    )


def make_hosts(size: Size, regions: list[Region], rng: Random) -> list[Host]:
    """Store the clubs, and return them, still without players."""
    clubs = []
    for number, (name, town) in enumerate(names.clubs(size.clubs, rng), start=1):
        code = f"C{number:04}"
        region = regions[(number - 1) % len(regions)]
        slug = slugify(f"{code} {name}")
        clubs.append(Club(code=code, name=name, slug=slug, sort_key=sort_key(name), region=region, city=town))
    Club.objects.bulk_create(clubs, batch_size=BATCH)
    return [
        # The first club is that of the demo director. It is large, because the sample files need many
        # players.
        Host(club.pk, club.name, club.code, number % len(regions), rng.uniform(0.5, 1.4) if number else 2)
        for number, club in enumerate(clubs)
    ]


def _store(batch, homes: list[int], ladder, size: Size, rng: Random, until: date, by) -> None:
    """Store a batch of players with licences and categories, and set the `pk` of each `Person`.

    batch: (Person, Player) for each player
    homes: the index of each player's club
    """
    Player.objects.bulk_create(row for _person, row in batch)
    licences, assignments = [], []
    for home, (person, row) in zip(homes, batch, strict=True):
        person.pk = row.pk
        licences += draw_licences(person, home, size, rng, until)
        assignments += assignments_of(person, ladder, by)
    Licence.objects.bulk_create(licences)
    CategoryAssignment.objects.bulk_create(assignments)


def draw_person(number: int, club_id: int, size: Size, rng: Random, until: date) -> tuple[Person, Player]:
    """Draw a player, and return them with their unsaved row.

    number: a number from 0 that no other player has
    """
    given_name, surname, woman = names.person(rng)
    level = rng.choices(range(-1, len(PYRAMID) - 1), PYRAMID)[0]
    joined = LADDER_START
    if level <= 0 and rng.random() < 0.3:  # a recent beginner
        joined = size.since + timedelta(days=rng.randrange(max(1, (until - size.since).days)))
    steps, titles = _history(level, woman, joined, rng, until)
    person = Person(
        pk=0,
        number=str(FIRST_NUMBER + 3 * number + rng.randrange(3)),
        given_name=given_name,
        surname=surname,
        skill=max(level, 0) * 0.4 + rng.gauss(0, 0.7),
        joined=joined,
        licensed=frozenset(),
        steps=steps,
        titles=titles,
    )
    row = Player(
        number=person.number,
        given_name=given_name,
        surname=surname,
        club_id=club_id,
        hidden=rng.random() < 0.02,
        email="" if number % 7 == 0 else f"{person.number}@{MAIL_HOST}",
        birth_year=None if number % 5 == 0 else 1935 + number % 70,
    )
    row.derive_from_name()
    return person, row


def _history(level: int, woman: bool, joined: date, rng: Random, until: date):
    """Return the categories that a player was assigned up to the day `until`, as (steps, titles).

    Both are tuples of (first day, category code), oldest first.

    level: -1 for no category, 0 to 8 for a step, 9 to 11 for the titles MN, ME and MM
    """
    if level < 0:
        return (), ()
    last = min(level, len(STEPS) - 1)
    began = joined + timedelta(days=rng.randrange(30) if joined > LADDER_START else rng.randrange(700))
    campaigns = [date(year, *CAMPAIGN_DAY) for year in range(began.year + 1, until.year + 1)]
    moves = sorted(rng.sample(campaigns, min(len(campaigns), rng.choice((0, 0, 1, 1, 2)), last)))
    days = [began, *moves]
    steps = [(day, STEPS[last - len(moves) + position]) for position, day in enumerate(days)]
    titles = []
    if level >= len(STEPS):
        granted = steps[-1][0] + timedelta(days=90)
        titles = _titles(level - len(STEPS), woman, granted, rng)
    elif moves and moves[-1].year == until.year:
        steps.pop()  # leave out the last step, so that visitors of the demo can perform the year-end change
    return (
        tuple((day, code) for day, code in steps if day <= until),
        tuple((day, code) for day, code in titles if day <= until),
    )


def _titles(rank: int, woman: bool, granted: date, rng: Random) -> list[tuple[date, str]]:
    """Return a player's titles as (first day, code), oldest first.

    Titles of 2022 (MN, MM) are the same for all; those of 2026 add open, women or senior, such as MN-O. The
    title ME exists only since 2026, so a player with ME got MN first.

    rank: 0 for MN, 1 for ME, 2 for MM
    """
    section = rng.choice("OOD" if woman else "OOS")
    if rank != 1 and section == "O" and granted.year < 2026 and rng.random() < 0.7:
        return [(granted, ("MN", "", "MM")[rank])]
    since = max(granted, date(2026, 1, 2) + timedelta(days=rng.randrange(120)))
    titles = [(since, f"{('MN', 'ME', 'MM')[rank]}-{section}")]
    if rank == 1:  # the title ME exists only since 2026; before, these players had the title MN
        titles.insert(0, (min(granted, date(2025, 6, 1)), "MN"))
    return titles


def draw_licences(person: Person, home: int, size: Size, rng: Random, until: date) -> list[Licence]:
    """Return a player's licences, one for each year, and set `person.licensed`.

    A few players have a foreign federation's licences. Some lack this year's licence, or have none at all.

    home: the index of the player's club
    """
    years = range(max(size.since, person.joined).year, until.year + 1)
    chance = rng.random()
    lapsed = 0.2 if home % 8 == 3 else 0.01  # in every eighth club so many lapse that its pools do not count
    foreign = chance > 0.99
    if chance < lapsed:
        years = years[:-1]
    elif chance > 0.985 and not foreign:
        years = years[:0]
    equivalent = foreign and rng.random() < 0.7
    if not foreign or equivalent:
        person.licensed = frozenset(years)
    return [
        Licence(
            player_id=person.pk,
            valid_from=date(year, 1, 1),
            valid_to=date(year, 12, 31),
            issuer=FOREIGN if foreign else "",
            equivalent=equivalent,
        )
        for year in years
    ]


def assignments_of(person: Person, ladder: dict[str, Category], by) -> Iterator[CategoryAssignment]:
    """Yield the unsaved rows of the categories that a player was assigned. `by` is the account."""
    rows = [
        (day, code, Origin.INITIAL if position == 0 else Origin.CAMPAIGN, "", "")
        for position, (day, code) in enumerate(person.steps)
    ]
    rows += [(day, code, Origin.MANUAL, TITLE_REASON, TITLE_EVIDENCE) for day, code in person.titles]
    for day, code, origin, reason, evidence in rows:
        yield CategoryAssignment(
            player_id=person.pk,
            category=ladder[code],
            valid_from=day,
            origin=origin,
            reason=reason,
            evidence=evidence,
            created_by=by,
            # Otherwise the titles would count as changes that the office made alone today.
            by_two=origin == Origin.MANUAL,
        )
