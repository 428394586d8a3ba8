"""Random changes of points and people, for tests that compare stored sums with the ledger after each."""

import random
from datetime import date, timedelta

from django.db import transaction

from players.models import Category, CategoryAssignment, Licence, Player
from players.services import categories, changes
from scoring.annulments import services as annul
from scoring.ledger.models import LedgerEntry, StandingsState
from scoring.ledger.services import posting, runs, standings
from scoring.office.services import merges
from tests import factories as f
from tournaments.drafts import header_of, store

START = date(2024, 11, 20)
CHANGES = ["play", "play", "correct", "annul", "open", "adjust", "merge", "part", "licence", "category"]


class RandomHistory:
    """Random changes of the points and data of 24 players, days or weeks apart, across two ends of a year.

    chance: a seed
    """

    def __init__(self, chance: int) -> None:
        StandingsState.objects.create(family="aeb", as_of=START)
        self.people, self.chance = f.players(24, category="2C"), random.Random(chance)
        self.day, self.club = START, f.club()
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
        if not CategoryAssignment.objects.filter(player=player, valid_from__gte=day).exists():
            code = self.chance.choice(["2P", "2D", "1D"])
            category = Category.objects.on(day).get(code=code)
            categories.assign(player, category, day, reason="Acta", evidence="Acta", by=None)

    def wait(self) -> None:
        standings.roll(self.next_day())

    def next_day(self) -> date:
        self.day += timedelta(days=self.chance.choice([1, 5, 20]))
        return self.day
