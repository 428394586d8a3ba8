"""The forecast of 31 December and the months in which points leave, compared with naive computations."""

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given
from hypothesis import strategies as st

from scoring.ledger.windows import leaves_on
from scoring.mypage.queries.forecast import forecast_of, leaving_by_month
from scoring.pages.queries.profile import Totals
from tests.examples import examples

DAYS = st.dates(date(2023, 6, 1), date(2026, 12, 31))


@st.composite
def ledgers(draw):
    """Return rows of a ledger as (day, points, kind), with reversals of some of the awards."""
    awards = draw(st.lists(st.tuples(DAYS, st.integers(1, 30_000)), max_size=25))
    taken_back = [award for award in awards if draw(st.integers(0, 4)) == 0]
    extra = draw(st.lists(st.tuples(DAYS, st.integers(-500, 500)), max_size=3))
    return (
        [(day, points, "award") for day, points in awards]
        + [(day, -points, "reversal") for day, points in taken_back]
        + [(day, points, "adjustment") for day, points in extra]
    )


def totals_of(rows) -> Totals:
    other = [("acbl", date(2026, 5, 1), 99_999, False, "award")]
    return Totals([("aeb", day, points, False, kind) for day, points, kind in rows] + other)


def counts_on(played: date, day: date) -> bool:
    return played <= day < leaves_on(played)


@examples(200)
@given(ledgers(), st.dates(date(2025, 1, 1), date(2026, 12, 31)))
def test_the_forecast_equals_a_naive_computation(rows, today):
    forecast = forecast_of(totals_of(rows), today)
    last = date(today.year, 12, 31)
    now = [row for row in rows if counts_on(row[0], today)]
    left = [row for row in now if counts_on(row[0], last)]
    assert forecast.played == sum(points for _day, points, _kind in left)

    def tournaments(listed) -> int:
        kinds = [kind for *_rest, kind in listed]
        return kinds.count("award") - kinds.count("reversal")

    if not tournaments(now):
        assert (forecast.mean, forecast.usual) == (None, None)
        return
    again = tournaments([row for row in now if row not in left])
    whole = Decimal(sum(points for _day, points, _kind in now)) / tournaments(now)
    if whole < 0:
        return
    exact = Decimal(sum(points for _day, points, _kind in now)) * again / tournaments(now)
    assert forecast.expected == again
    assert forecast.usual == forecast.played + int(exact.quantize(Decimal(1), ROUND_HALF_UP))


@given(ledgers(), st.dates(date(2025, 1, 1), date(2026, 12, 31)))
def test_all_points_of_today_leave_in_one_of_the_months(rows, today):
    months = leaving_by_month(totals_of(rows), today)
    totals = totals_of(rows).rolling
    assert sum(points for _month, points, _count in months) == totals.total(today)
    left = totals.total(today)
    for (_month, points, _count), (following, *_rest) in zip(months, months[1:], strict=False):
        left -= points
        assert left == totals.left_on(following - timedelta(days=1), today)
