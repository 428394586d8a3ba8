"""Year totals, and the promotion candidates computed from them, equal the ledger after random changes."""

import random
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import transaction

from players.models import Category, CategoryAssignment, Licence, Player
from players.services import categories, changes
from scoring.annulments import services as annul
from scoring.ledger.models import LedgerEntry, StandingsState, YearTotal
from scoring.ledger.services import posting, runs, standings, year_totals
from scoring.ledger.windows import reference_day
from scoring.office.services import merges
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.queries import candidates
from tests import factories as f
from tournaments.drafts import header_of, store

pytestmark = pytest.mark.django_db
START = date(2024, 11, 20)


@pytest.fixture(params=range(2))
def random_history(request):
    """Random changes of the points and data of 24 players, days or weeks apart, across two ends of a year."""
    StandingsState.objects.create(family="aeb", as_of=START)
    people = f.players(24, category="2C")
    return RandomHistory(people, random.Random(request.param))


class RandomHistory:
    def __init__(self, people: list[Player], chance: random.Random) -> None:
        self.people, self.chance, self.day, self.club = people, chance, START, f.club()
        self.tournaments, self.merged, self.count = [], [], 0
        self.annulled, self.office = set(), f.office()

    def some(self, number: int) -> list[Player]:
        free = [person for person in self.people if person.pk not in {m.duplicate_id for m in self.merged}]
        return self.chance.sample(free, number)

    def past(self, most: int = 500) -> date:
        return self.day - timedelta(days=self.chance.randrange(most))

    def play(self) -> None:
        day = self.day - timedelta(days=self.chance.randrange(60))
        pairs = f.pairs(self.some(8))
        self.tournaments.append(f.scored(*pairs, of=self.club, end_date=day, venue=self.venue()))

    def venue(self) -> str:
        return self.chance.choice(["online", "in_person"])

    def correct(self) -> None:
        standing = [tournament for tournament in self.tournaments if tournament.pk not in self.annulled]
        if standing:
            again = self.chance.choice(standing)
            rows = f.rows(*f.pairs(self.some(8)))
            with transaction.atomic():
                revision = store(header_of(again), rows, None, corrects=again, reason="Slip")
            runs.score(runs.create_run(revision, None).pk)

    def annul(self) -> None:
        standing = [tournament for tournament in self.tournaments if tournament.pk not in self.annulled]
        if standing:
            gone = self.chance.choice(standing)
            self.annulled.add(gone.pk)
            runs.score(annul.annul(gone.pk, "Filed twice", self.office).pk)

    def open(self) -> None:
        self.count += 1
        row = posting.OpeningRow(self.some(1)[0].pk, self.past(), f"T{self.count}", self.count % 3 == 0, 700)
        posting.post_opening([row], None)

    def adjust(self) -> None:
        player, day = self.some(1)[0], self.past()
        LedgerEntry.objects.create(
            kind="adjustment", player=player, points=-150, played_on=day, online=False, title="Slip"
        )
        standings.refresh([player.pk], ["aeb"], day)

    def merge(self) -> None:
        duplicate, kept = self.some(2)
        if not merges.obstacles(duplicate, kept):
            self.merged.append(merges.merge(duplicate, kept, "Twice", None))

    def part(self) -> None:
        if self.merged:
            merges.undo(self.merged.pop().pk, "Not the same", None)

    def licence(self) -> None:
        player = self.some(1)[0]
        Licence.objects.filter(player=player).update(valid_to=self.past())
        changes.send_players_changed({player.pk})

    def category(self) -> None:
        player, day = self.some(1)[0], self.past(900)
        if not CategoryAssignment.objects.filter(player=player, valid_from=day).exists():
            code = self.chance.choice(["2P", "2D", "1D"])
            category = Category.objects.on(day).get(code=code)
            categories.assign(player, category, day, reason="Acta", evidence="Acta", by=None)

    def wait(self) -> None:
        self.day += timedelta(days=self.chance.choice([1, 5, 20]))
        standings.roll(self.day)


NAMES = [
    "play",
    "play",
    "correct",
    "annul",
    "open",
    "adjust",
    "merge",
    "part",
    "licence",
    "category",
    "wait",
    "wait",
]


def test_year_totals_equal_the_ledger_after_every_change(random_history):
    for name in random_history.chance.choices(NAMES, k=30):
        getattr(random_history, name)()
        assert list(year_totals.compare_all(random_history.day)) == [], name
    random_history.day = date(2025, 3, 1)
    standings.roll(random_history.day)
    random_history.play()
    random_history.open()
    assert standings.rebuild() == []
    for year in (2024, 2025):
        same_candidates(year, random_history.day)


def same_candidates(year: int, as_of: date) -> None:
    """Assert that the year totals and the ledger give the same candidates in every category."""
    day = reference_day(year, as_of)
    slow = candidates._figures(day, PromotionRuleSet.Average.NONE, Decimal(0), with_sessions=False).members
    assert any(slow.values())
    for category in Category.objects.filter(is_title=False):
        wanted = [item._replace(boards=0) for item in slow.get(category.pk, [])]
        assert list(candidates.public_entrants(day, category.pk)) == wanted


def test_a_player_whose_awards_are_reversed_has_no_year_total():
    tournament = f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    assert YearTotal.objects.count() == 8
    posting.reverse_awards(tournament, tournament.runs.get())
    standings.refresh(Player.objects.values_list("pk", flat=True), ["aeb"])
    assert YearTotal.objects.count() == 0


def test_rebuilding_corrects_wrong_year_totals_and_reports_them():
    f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    wrong, gone = YearTotal.objects.all()[:2]
    YearTotal.objects.filter(pk=wrong.pk).update(points=1, points_in_person=1, points_online=0)
    gone.delete()
    YearTotal.objects.create(
        player=wrong.player,
        year=1999,
        licensed=True,
        points=0,
        points_in_person=0,
        points_online=0,
        tournaments=1,
    )
    result = [(entry.player_id, entry.computed is None) for entry in standings.rebuild()]
    assert sorted(result) == sorted(
        [(wrong.player_id, True), (wrong.player_id, False), (gone.player_id, False)]
    )
    assert list(year_totals.compare_all(standings.today())) == []


def test_migrating_creates_year_totals_for_an_existing_ledger():
    from scoring.ledger.services.standings import make_year_totals

    f.scored(*f.pairs(f.players(8, category="2C")), end_date=f.today())
    YearTotal.objects.all().delete()
    make_year_totals(None)
    assert YearTotal.objects.count() == 8
