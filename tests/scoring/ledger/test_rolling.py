"""12-month totals of a player over time, compared with a plain sum over the entries."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.rolling import Rolling
from scoring.ledger.windows import first_day, leaves_on

DAYS = st.dates(date(2023, 1, 1), date(2026, 12, 31))
ENTRIES = st.lists(st.tuples(DAYS, st.integers(-500, 5000)), max_size=30)


def plain_totals(entries, day: date, played_until: date) -> int:
    return sum(points for played, points in entries if first_day(day) <= played <= min(day, played_until))


@given(ENTRIES, DAYS)
def test_the_total_of_a_day_equals_a_plain_sum(entries, day):
    assert Rolling(entries).total(day) == plain_totals(entries, day, day)


@given(ENTRIES, DAYS, st.integers(1, 700))
def test_the_totals_of_past_days_equal_plain_sums(entries, first, length):
    last = first + timedelta(days=length)
    steps = dict(Rolling(entries).past(first, last))
    shown = steps[first]
    for offset in range(length + 1):
        day = first + timedelta(days=offset)
        shown = steps.get(day, shown)
        assert shown == plain_totals(entries, day, day)


@given(ENTRIES, DAYS)
def test_the_totals_of_coming_days_equal_plain_sums_of_todays_entries(entries, today):
    ahead = Rolling(entries).ahead(today)
    assert ahead[0] == (today, plain_totals(entries, today, today))
    for day, total in ahead:
        assert total == plain_totals(entries, day, today)
    if any(first_day(today) <= played <= today for played, _points in entries):
        assert ahead[-1][1] == 0


def test_an_award_of_29_february_stops_counting_on_1_march():
    rolling = Rolling([(date(2024, 2, 29), 100)])
    assert rolling.total(date(2025, 2, 28)) == 100
    assert rolling.total(date(2025, 3, 1)) == 0
    assert rolling.ahead(date(2024, 6, 1))[-1] == (leaves_on(date(2024, 2, 29)), 0)


def test_the_points_of_a_calendar_year_start_on_1_january():
    entries = [
        (date(2025, 12, 31), 700),
        (date(2026, 2, 1), 300),
        (date(2026, 5, 1), 500),
        (date(2026, 2, 1), -100),
    ]
    points = Rolling(entries).year(date(2026, 6, 1))
    assert points == [
        (date(2026, 1, 1), 0),
        (date(2026, 2, 1), 200),
        (date(2026, 5, 1), 700),
        (date(2026, 6, 1), 700),
    ]
