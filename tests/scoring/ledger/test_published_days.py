"""Lists as published on a past day follow from today's, and equal a plain computation."""

from datetime import datetime, time

import pytest
from django.db import connection
from django.utils import timezone

from players.models import Category, CategoryAssignment
from players.services import changes
from scoring.ledger.models import LedgerEntry
from scoring.ledger.models.standings import VENUE_COLUMNS
from scoring.ledger.queries import published
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import PastList
from scoring.ledger.queries.summed import Summed
from scoring.ledger.services import standings
from tests import triggers
from tests.scoring.ledger.histories import CHANGES, RandomHistory
from tests.scoring.ledger.naive import Naive, rows_of

pytestmark = pytest.mark.django_db
COLUMNS = [(LedgerEntry, "posted_at"), (CategoryAssignment, "created_at"), (CategoryAssignment, "revoked_at")]


class RecordedHistory(RandomHistory):
    """Random changes, each recorded at noon of the day on which it happens."""

    def __init__(self, chance: int) -> None:
        super().__init__(chance)
        self.known: dict[str, set[int]] = {}  # ids of the rows whose time is set, for each column
        self.record()

    def change(self, name: str) -> None:
        getattr(self, name)()
        self.record()

    def revoke(self) -> None:
        row = CategoryAssignment.objects.filter(revoked_at=None, player__in=self.some(5)).last()
        if row and row.player.assignments.filter(revoked_at=None).count() > 1:
            row.revoked_at, row.revoked_reason = timezone.now(), "Slip"
            row.save()
            changes.send_players_changed({row.player_id})

    def record(self) -> None:
        """Set the times of what was stored since the last call."""
        now = timezone.make_aware(datetime.combine(self.day, time(12)))
        with triggers.without(connection):
            for model, column in COLUMNS:
                rows = model.objects.exclude(**{column: None})
                known = self.known.setdefault(column, set())
                new = set(rows.values_list("pk", flat=True)) - known
                rows.filter(pk__in=new).update(**{column: now})
                known |= new


def without_none(points: dict[int, int]) -> dict[int, int]:
    return {player: value for player, value in points.items() if value}


def check_lists(history: RandomHistory, day) -> int:
    """Assert that the lists as published on a day are those of the plain computation. Return their rows."""
    rows = 0
    for category in Category.objects.on(day).filter(code__in=["2C", "2P", "2D", "1D"]):
        column, licensed = history.chance.choice(VENUE_COLUMNS), history.chance.random() < 0.7
        scope = Scope(category, day, column, licensed, as_published=True)
        listing, naive = PastList(scope), Naive(day, scope.recorded_before)
        assert isinstance(listing._sums, published.Published)
        assert rows_of(listing) == naive.rows(scope), (day, category, column, licensed)
        assert without_none(listing._points_of_all(column)) == without_none(Summed(scope).points(column))
        rows += listing.count()
    return rows


@pytest.mark.parametrize("seed", range(2))
def test_lists_as_published_equal_a_plain_computation_after_every_change(seed):
    history, rows = RecordedHistory(seed), 0
    standings.rebuild()
    for name in ["play"] * 6 + history.chance.choices([*CHANGES, "revoke", "wait", "wait"], k=30):
        history.change(name)
        day = history.past(history.chance.choice([40, 300]))
        if day < history.day:
            rows += check_lists(history, day)
    assert rows > 100


def test_a_list_of_which_too_many_players_changed_is_summed_from_the_ledger(monkeypatch):
    history = RecordedHistory(1)
    standings.rebuild()
    for name in ("play", "wait", "merge", "category", "category", "play", "wait"):
        history.change(name)
    monkeypatch.setattr("scoring.ledger.queries.kept.MOST", 1)
    scope = Scope(Category.objects.on(history.past(1)).get(code="2C"), history.past(1), as_published=True)
    naive = Naive(scope.day, scope.recorded_before)
    assert rows_of(PastList(scope)) == naive.rows(scope)
