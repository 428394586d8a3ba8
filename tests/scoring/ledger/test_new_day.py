"""A new day is prepared beside the standings of the day before, and becomes public at once."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Licence
from scoring.audit.verify import compare_standings
from scoring.ledger.models import Standing, StandingsState, YearTotal
from scoring.ledger.services import standings
from scoring.ledger.windows import is_kept
from tests import factories as f
from tests.scoring.ledger.histories import CHANGES, RandomHistory

pytestmark = pytest.mark.django_db
DAY = date(2025, 12, 31)


@pytest.fixture(autouse=True)
def short_slices(monkeypatch):
    monkeypatch.setattr(standings, "SLICE", 5)


@pytest.fixture
def players():
    """Twelve players with points in 2025 and a licence until its end."""
    StandingsState.objects.create(family="aeb", as_of=DAY)
    people = f.players(12, category="2C")
    f.scored(*f.pairs(people), end_date=DAY - timedelta(days=40))
    Licence.objects.update(valid_to=DAY)
    return people


def public_rows() -> list[tuple]:
    rows = Standing.objects.order_by("player_id").values_list("day", "player_id", "points", "licensed")
    totals = YearTotal.objects.order_by("player_id").values_list("day", "player_id", "points", "licensed")
    return [*rows, *totals]


def as_of() -> date:
    return StandingsState.objects.get(family="aeb").as_of


@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_while_a_day_is_prepared_the_sums_equal_the_ledger(seed):
    history = RandomHistory(seed)
    standings.rebuild()
    for _number in range(8):
        history.play()
    for _turn in range(4):
        before, new = history.day, history.next_day()
        assert standings._begin(new)
        published, history.day = False, before
        while not published:
            getattr(history, history.chance.choice(CHANGES))()
            assert (as_of(), compare_standings()[1]) == (before, [])
            published = standings._prepare_slice()
        history.day = new
        assert (as_of(), compare_standings()[1]) == (new, [])
        standings.delete_old_rows()
        assert standings.rebuild() == []
    assert {day for day in Standing.stored.values_list("day", flat=True) if not is_kept(day)} <= {new}
    assert YearTotal.stored.count() == YearTotal.objects.count() > 0


def test_readers_see_the_day_before_until_all_of_the_new_one_is_prepared(players):
    standings.roll(DAY)
    before = public_rows()
    assert len(before) == 24 and all(licensed for *_row, licensed in before)
    standings._begin(DAY + timedelta(days=1))
    for _slice in range(3):
        assert not standings._prepare_slice()
        assert public_rows() == before
    assert standings._prepare_slice()
    assert set(Standing.objects.values_list("day", "licensed")) == {(DAY + timedelta(days=1), False)}
    assert [row for row in public_rows() if row in before] == before[12:]  # the totals of 2025 are final


def test_a_day_that_was_begun_is_finished_before_a_later_one(players):
    standings._begin(DAY + timedelta(days=1))
    standings._prepare_slice()
    assert standings.roll(DAY + timedelta(days=3))
    assert as_of() == DAY + timedelta(days=3)
    assert compare_standings()[1] == [] and standings.rebuild() == []


def test_a_worker_stops_preparing_after_some_seconds_and_goes_on_in_its_next_sweep(players, monkeypatch):
    standings.rebuild(date(2026, 1, 2))
    day = date(2026, 1, 3)
    monkeypatch.setattr(standings, "today", lambda: day)
    monkeypatch.setattr(standings, "SECONDS", -1)
    assert not standings.roll_if_due() and as_of() == date(2026, 1, 2)
    monkeypatch.setattr(standings, "SECONDS", 60)
    assert standings.roll_if_due() and as_of() == day
    # What pages of the day before may still read goes in the next sweep.
    assert Standing.stored.filter(day=date(2026, 1, 2)).exists()
    assert not standings.roll_if_due()
    assert not Standing.stored.filter(day=date(2026, 1, 2)).exists()
    assert YearTotal.objects.filter(day=DAY).count() == 12


def test_a_slice_takes_the_same_queries_however_many_players_there_are(players):
    f.players(20, category="2C")
    standings._begin(DAY + timedelta(days=1))
    numbers = []
    for _slice in range(2):
        with CaptureQueriesContext(connection) as result:
            assert not standings._prepare_slice()
        numbers.append(len(result))
    assert numbers[0] == numbers[1] < 35
