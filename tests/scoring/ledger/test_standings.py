"""The stored standings, compared with a sum over the ledger in plain Python."""

import random
from datetime import date, timedelta

import pytest

from players.models import Licence
from scoring.ledger.models import LedgerEntry, Standing, StandingsState
from scoring.ledger.services import posting, standings
from scoring.ledger.windows import year_before
from tests import factories as f

pytestmark = pytest.mark.django_db


def plain_standings(day: date) -> dict[int, tuple]:
    """Return {player id: (points, in person, online, a week ago)} on a day, in hundredths.

    The points are a plain sum over the ledger entries of the 12 months up to the day.
    """
    totals: dict[int, list[int]] = {}
    week_ago = day - timedelta(days=7)
    entries = list(LedgerEntry.objects.all())
    for entry in entries:
        if year_before(day) < entry.played_on <= day:
            item = totals.setdefault(entry.player_id, [0, 0, 0, 0])
            item[0] += entry.points
            item[2 if entry.online else 1] += entry.points
    for entry in entries:
        if year_before(week_ago) < entry.played_on <= week_ago and entry.player_id in totals:
            totals[entry.player_id][3] += entry.points
    return {player: tuple(actual) for player, actual in totals.items()}


def stored_standings() -> dict[int, tuple]:
    columns = ("player_id", "points", "points_in_person", "points_online", "points_week_ago")
    rows = Standing.objects.values_list(*columns)
    return {player: tuple(rest) for player, *rest in rows}


@pytest.fixture
def history():
    """40 players with opening awards on random days from 2023 to 2025."""
    StandingsState.objects.create(family="aeb", as_of=date(2024, 3, 1))
    chance = random.Random(7)
    people = f.players(40, category="2C")
    rows = [
        posting.OpeningRow(
            chance.choice(people).pk,
            date(2023, 2, 20) + timedelta(days=chance.randrange(800)),
            f"T{k}",
            online=chance.random() < 0.3,
            points=chance.randrange(1, 2000),
        )
        for k in range(600)
    ]
    posting.post_opening(rows, None)
    return people


def test_refreshed_standings_equal_a_plain_sum_over_the_ledger(history):
    assert stored_standings() == plain_standings(date(2024, 3, 1))


def test_standings_advanced_by_days_or_months_equal_a_plain_sum_over_the_ledger(history):
    """Standings advanced by a day or by months equal a plain sum over the ledger, even after 29 February."""
    for day in [date(2025, 2, 27), date(2025, 2, 28), date(2025, 3, 1), date(2025, 3, 2), date(2025, 6, 30)]:
        assert standings.roll(day)
        assert stored_standings() == plain_standings(day)
        assert not standings.roll(day)
    assert standings.rebuild() == []


def test_a_clock_set_back_changes_nothing(history):
    before = stored_standings()
    assert not standings.roll(date(2024, 2, 28))
    assert stored_standings() == before


def test_rebuilding_corrects_wrong_standings_and_reports_them(history):
    player = Standing.objects.first().player_id
    Standing.objects.filter(player=player).update(points=1, points_in_person=1, points_online=0)
    gone = Standing.objects.exclude(player=player).first().player_id
    Standing.objects.filter(player=gone).delete()
    result = standings.rebuild()
    assert {difference.player_id for difference in result} == {player, gone}
    assert stored_standings() == plain_standings(date(2024, 3, 1))


def test_advancing_the_day_notices_changed_licences_and_categories(history):
    person = history[0]
    Licence.objects.filter(player=person).update(valid_to=date(2024, 3, 1))
    f.assign(person, "2P", date(2024, 3, 2))
    standings.roll(date(2024, 3, 2))
    row = Standing.objects.get(player=person)
    assert (row.licensed, row.category.code) == (False, "2P")


def test_players_with_the_title_mn_are_listed_under_mn_o_from_2026_on(history):
    """From 1 January 2026, players with the title MN of the ladder of 2022 are listed under MN-O."""
    master = history[1]
    f.assign(master, "MN", date(2024, 1, 1))
    posting.post_opening([posting.OpeningRow(master.pk, date(2025, 12, 30), "Liga", False, 900)], None)
    standings.roll(date(2025, 12, 31))
    assert Standing.objects.get(player=master).category.code == "MN"
    standings.roll(date(2026, 1, 1))
    assert Standing.objects.get(player=master).category.code == "MN-O"


def test_every_change_increases_the_version_of_the_standings(history):
    def version():
        return StandingsState.objects.get().version

    first = version()
    standings.refresh([history[0].pk])
    second = version()
    standings.roll(date(2024, 3, 2))
    assert first < second < version()


def test_a_change_before_the_first_standings_creates_their_state(
    monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(standings, "today", lambda: date(2025, 6, 1))
    assert not StandingsState.objects.exists()
    for version in (1, 2):
        with django_capture_on_commit_callbacks(execute=True):
            standings.bump_on_commit()
        state = StandingsState.objects.get()
        assert (state.as_of, state.version) == (date(2025, 6, 1), version)


def test_advancing_the_standings_is_cheap_until_the_day_changes(
    history, monkeypatch, django_assert_num_queries
):
    standings.rebuild()
    day = StandingsState.objects.get().as_of
    for today in (day, day - timedelta(days=1)):
        monkeypatch.setattr(standings, "today", lambda today=today: today)
        with django_assert_num_queries(1):
            assert standings.roll_if_due() is False
    monkeypatch.setattr(standings, "today", lambda: day + timedelta(days=1))
    assert standings.roll_if_due() is True
    assert StandingsState.objects.get().as_of == day + timedelta(days=1)


def test_a_failure_to_increase_the_version_does_not_undo_a_committed_change(
    monkeypatch, django_capture_on_commit_callbacks, caplog
):
    def refuse(**_values):
        raise ValueError("no room")

    monkeypatch.setattr(StandingsState.objects, "get_or_create", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        standings.bump_on_commit()
    assert "no room" in caplog.text


def test_only_changes_of_players_raise_the_version_of_people():
    state = StandingsState.objects.create(family="aeb", as_of=date(2026, 11, 21), version=7, people_version=3)
    standings.bump()
    state.refresh_from_db()
    assert (state.version, state.people_version) == (8, 3)
    standings.bump(people=True)
    state.refresh_from_db()
    assert (state.version, state.people_version) == (9, 9)
