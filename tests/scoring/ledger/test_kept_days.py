"""Lists of past days follow from the standings of kept days, and equal a plain sum over the ledger."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Category, Licence
from players.services import changes
from scoring.audit.verify import compare_standings
from scoring.ledger import sanity
from scoring.ledger.models import LedgerEntry, Standing, StandingsState
from scoring.ledger.models.standings import VENUE_COLUMNS
from scoring.ledger.queries.kept import Past
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import PastList
from scoring.ledger.queries.summed import Summed
from scoring.ledger.services import kept, posting, standings
from scoring.ledger.windows import is_kept, kept_days
from tests import factories as f
from tests.scoring.ledger.histories import CHANGES, RandomHistory
from tests.scoring.ledger.naive import Naive, rows_of

pytestmark = pytest.mark.django_db
# Both sides of kept days, of ends of years and ladders, of the ends of two Februaries.
EDGES = [
    date(2024, 2, 28),
    date(2024, 2, 29),
    date(2024, 3, 1),
    date(2024, 12, 31),
    date(2025, 1, 1),
    date(2025, 2, 28),
    date(2025, 3, 1),
    date(2025, 12, 27),
    date(2026, 1, 3),
]


def check_lists(history: RandomHistory, day: date) -> int:
    """Assert that the lists of a day are those of the plain computation. Return the number of rows."""
    naive, rows = Naive(day), 0
    for category in Category.objects.on(day).filter(code__in=["2C", "2P", "2D", "1D"]):
        column, licensed = history.chance.choice(VENUE_COLUMNS), history.chance.random() < 0.7
        scope = Scope(category, day, column, licensed)
        listing = PastList(scope)
        assert rows_of(listing) == naive.rows(scope), (day, category, column, licensed)
        assert isinstance(listing._sums, Past), day
        rows += listing.count()
    return rows


@pytest.mark.parametrize("seed", range(3))
def test_lists_of_past_days_equal_a_plain_sum_after_every_change(seed):
    history, rows = RandomHistory(seed), 0
    standings.rebuild()
    for name in ["play"] * 6 + history.chance.choices([*CHANGES, "adjust", "wait", "wait"], k=30):
        getattr(history, name)()
        assert list(standings.compare_kept()) == [], name
        for day in (history.past(90), history.chance.choice([*EDGES, history.past(30)])):
            if day < history.day:
                rows += check_lists(history, day)
    assert rows > 200
    assert standings.rebuild() == []
    over = {day for day in Standing.stored.values_list("day", flat=True) if day < history.day}
    assert over and all(map(is_kept, over)) and len(over) > 10


@pytest.fixture
def four():
    """Four players with points in December 2025, and kept days since then."""
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))
    people = f.players(4, category="2C")
    f.scored(*f.pairs(people), end_date=date(2025, 12, 10))
    standings.rebuild()
    return people


def state() -> StandingsState:
    return StandingsState.objects.get(family="aeb")


def kept_rows() -> list[tuple]:
    rows = Standing.stored.filter(day__lt=state().as_of).order_by("day", "player_id")
    return list(rows.values_list("day", "player_id", "points", "category__code", "licensed"))


def test_three_days_of_each_month_and_the_last_of_the_year_are_kept():
    days = kept_days(date(2025, 12, 12), date(2026, 2, 1))
    assert [(day.month, day.day) for day in days] == [(12, 21), (12, 31), (1, 1), (1, 11), (1, 21), (2, 1)]
    assert [day for day in days if not is_kept(day)] == [] == kept_days(date(2026, 1, 2), date(2026, 1, 10))


def test_points_from_adjustments_alone_come_back_when_the_one_that_cancelled_them_leaves(four):
    player = f.players(1, category="2C")[0]
    for points, day in ((-100, date(2025, 1, 5)), (100, date(2025, 1, 20))):
        LedgerEntry.objects.create(
            kind="adjustment", player=player, points=points, played_on=day, online=False, title="Slip"
        )
        standings.refresh([player.pk], ["aeb"], day)
    assert not Standing.stored.filter(player=player, day=date(2026, 1, 1)).exists()
    listing = PastList(Scope(f.category("2C"), date(2026, 1, 6)))
    assert listing._sums.base == date(2026, 1, 1) and listing.points_of(player.pk) == 100


def test_a_day_that_begins_and_ends_while_no_worker_runs_is_kept_too(four):
    before = len(kept_rows())
    Licence.objects.filter(player=four[0]).update(valid_to=date(2026, 4, 1))
    standings.roll(date(2026, 5, 3))
    assert [row[0].isoformat() for row in kept_rows()[before::4]] == [
        "2026-03-21",
        "2026-04-01",
        "2026-04-11",
        "2026-04-21",
        "2026-05-01",
    ]
    assert list(standings.compare_kept()) == []


def test_a_posting_writes_the_kept_days_since_it_was_played(four):
    before = kept_rows()
    row = posting.OpeningRow(four[0].pk, date(2026, 3, 17), "Open", False, 50)
    with CaptureQueriesContext(connection) as result:
        posting.post_opening([row], None)
    assert not [query for query in result if "2026-03-11" in query["sql"]]  # nothing for kept days
    assert kept_rows() == before
    posting.post_opening([posting.OpeningRow(four[0].pk, date(2026, 2, 16), "Late", False, 50)], None)
    changed = [(new[0].isoformat(), new[2] - old[2]) for old, new in zip(before, kept_rows(), strict=True)]
    assert [change for change in changed if change[1]] == [
        (day, 50) for day in ("2026-02-21", "2026-03-01", "2026-03-11")
    ]


def test_a_change_of_many_players_is_left_to_workers_and_lists_are_right_meanwhile(four, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 5)
    monkeypatch.setattr(standings, "KEPT_SLICE", 3)
    before = kept_rows()
    Licence.objects.filter(player__in=four).update(valid_to=date(2026, 1, 31))
    changes.send_players_changed({player.pk for player in four}, date(2026, 2, 1))
    assert kept_rows() == before and state().unkept_from == date(2026, 2, 1)
    scopes = [Scope(f.category("2C"), day) for day in (date(2026, 2, 2), date(2026, 1, 15))]
    assert [(isinstance(PastList(scope)._sums, Summed), PastList(scope).count()) for scope in scopes] == [
        (True, 0),
        (False, 4),
    ]
    assert not standings.fill_slice() and state().unkept_from  # some players are written, not all
    changes.send_players_changed({four[3].pk}, date(2026, 2, 1))
    monkeypatch.setattr(standings, "today", lambda: state().as_of)
    assert standings.roll_if_due() is False and state().unkept_from is None
    assert isinstance(PastList(scopes[0])._sums, Past) and PastList(scopes[0]).count() == 0
    assert compare_standings()[1] == []


def test_a_worker_that_is_killed_while_it_fills_leaves_nothing_half(four, monkeypatch):
    before = kept_rows()
    Standing.stored.filter(day__lt=state().as_of).delete()
    StandingsState.objects.update(unkept_from=date.min)
    repair = kept.repair

    def killed(*args):
        repair(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(kept, "repair", killed)
    with pytest.raises(KeyboardInterrupt):
        standings.fill_slice()
    assert kept_rows() == [] and (state().unkept_from, state().kept_to) == (date.min, 0)
    row = posting.OpeningRow(four[0].pk, date(2026, 2, 10), "Open", False, 50)
    with pytest.raises(KeyboardInterrupt):
        posting.post_opening([row], None)
    assert kept_rows() == [] and not LedgerEntry.objects.filter(title="Open").exists()
    monkeypatch.undo()
    while not standings.fill_slice():
        pass
    assert kept_rows() == before


@pytest.mark.parametrize("wrong", [{"points": 1, "points_in_person": 1}, {"licensed": False}, None])
def test_audit_and_sanity_check_notice_a_wrong_row_of_a_kept_day_and_rebuilding_repairs_it(four, wrong):
    before = kept_rows()
    row = Standing.stored.filter(player=four[1], day=date(2026, 1, 21))
    assert row.update(**wrong) if wrong else row.delete()
    ((code, number),) = [(item.code, item.player) for item in compare_standings()[1]]
    assert (code, number) == ("standing", four[1].number)
    check = next(check for check in sanity.CHECKS if check.code == "standing_sum")
    assert list(filter(None, check.finder.keys())) == [str(four[1].pk)]
    assert [(item.player_id, item.computed.day) for item in standings.rebuild()] == [
        (four[1].pk, date(2026, 1, 21))
    ]
    assert kept_rows() == before


def test_a_page_of_a_past_day_takes_the_same_queries_however_many_players_it_lists(four, client):
    def queries(day: str) -> int:
        with CaptureQueriesContext(connection) as result:
            assert client.get(reverse("standing", args=["2c"]), {"a": day}).status_code == 200
        return len(result)

    def change(number: int) -> None:
        new = f.players(8, category="2C")
        f.scored(*f.pairs(new), end_date=date(2026, 2, 3))
        for player in new[:number]:
            f.assign(player, "2P", date(2026, 2, 2))
            Licence.objects.filter(player=player).update(valid_to=date(2026, 2, 3))
        changes.send_players_changed({player.pk for player in new}, date(2026, 2, 2))

    days = ("2026-02-05", "2026-01-21")
    numbers = []
    for number in (1, 3):
        change(number)
        for day in days:
            queries(day)  # fills the caches of the version
        numbers.append([queries(day) for day in days])
    assert numbers[0] == numbers[1] < [26, 10]
