"""The modified average: its formula, which sessions count, and the example of docs/modified-average.md."""

import json
from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from players.categories import categories_on
from scoring.ledger.services import runs
from scoring.office.services import merges
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.averages import SessionLine, shifts, units
from scoring.promotions.pure.documents import lines_text, lines_texts
from tests import factories as make
from tests.scoring.promotions.sessions import C4, Year, average, lines_of, slow_shift, years
from tournaments import drafts
from tournaments.models import Contestant, Revision, Tournament

FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)
THOUSANDTH = Decimal("0.001")


# --- The formula ----------------------------------------------------------------------------------------
@given(years())
def test_sessions_and_modified_averages_equal_a_slow_computation(year):
    sessions = year.sessions()
    slow = year.slow()
    assert np.diff(sessions.starts).tolist() == [len(lines) for lines in slow]
    assert sessions.sums().means() == [average(lines) for lines in slow]
    assert [json.loads(lines_text([text])) for text in lines_texts(sessions)] == [
        [json.loads(json.dumps(line, default=str)) for line in lines] for lines in expected_texts(slow)
    ]


def expected_texts(slow: list[list[SessionLine]]) -> list[list[SessionLine]]:
    """Return the session lines with their percentages rounded as in the texts of `lines_texts`.

    Percentages that a ranking states have three decimals. Computed percentages have four.
    """
    return [
        [
            line._replace(
                raw=None if line.raw is None else line.raw.quantize(THOUSANDTH),
                value=line.value.quantize(THOUSANDTH) if line.method == "plain" else line.value,
            )
            for line in lines
        ]
        for lines in slow
    ]


@given(years(), st.randoms(use_true_random=False))
def test_the_order_of_seats_does_not_change_averages(year, chance):
    sessions = year.sessions()
    shuffled = year._replace(seats=chance.sample(year.seats, len(year.seats))).sessions()
    assert lines_texts(shuffled) == lines_texts(sessions)
    assert shuffled.sums().means() == sessions.sums().means()
    for mean, lines in zip(sessions.sums().means(), year.slow(), strict=True):
        assert mean is None or min(x.value for x in lines) <= mean <= max(x.value for x in lines)


@given(years(), st.data())
def test_the_parts_of_a_year_add_up_to_the_year(year, data):
    end = data.draw(st.integers(0, len(year.tournaments)))
    parts = [
        year._replace(seats=[seat for seat in year.seats if (seat[1] < end) == is_first]).sessions()
        for is_first in (True, False)
    ]
    first, second = (part.sums() for part in parts)
    whole = year.sessions()
    assert [column.tolist() for column in first.plus(second)] == [column.tolist() for column in whole.sums()]
    texts = zip(*map(lines_texts, parts), strict=True)
    assert list(map(lines_text, texts)) == [lines_text([text]) for text in lines_texts(whole)]


def test_averages_are_rounded_half_up():
    day = date(2026, 1, 1)
    tournaments = [(number, day, 1, 10_000, [10_000]) for number in (1, 2)]
    seats = [(0, 0, 0, 500_000, 500_000), (0, 1, 0, 500_000, 500_001)]
    year = Year("strength", Decimal(1), tournaments, seats, [0])
    assert year.sessions().sums().means() == [Decimal("50.0001")]
    assert units(Decimal("1.64665")) == 16467


@given(st.decimals(0, 10, places=3), st.lists(st.tuples(C4, C4), min_size=1))
def test_a_stronger_field_raises_a_percentage_as_much_as_a_weaker_one_lowers_it(weight, fields):
    field, own = np.array(fields).T
    moved = shifts(weight, field, own)
    assert (moved == -shifts(weight, own, field)).all()
    assert moved.tolist() == [slow_shift(weight, *item) for item in fields]


# --- Which sessions count -------------------------------------------------------------------------------
def rules(strategy: str = "strength") -> PromotionRuleSet:
    return PromotionRuleSet(average=strategy, field_weight=Decimal(1))


def codes_of(day: date = LAST) -> dict[int, str]:
    return {player: category.code for player, category in categories_on(day).items()}


def averages_by(strategy: str = "strength") -> dict[int, tuple[SessionLine, ...]]:
    return lines_of(rules(strategy), FIRST, LAST, codes_of())


def played_pool(*pairs, percentages=("60", "40"), **fields) -> Tournament:
    """Store and score a pool whose pairs have these percentages, in the order of their places."""
    tournament = make.scored(*pairs, **fields)
    for place, value in enumerate(percentages, start=1):
        Contestant.objects.filter(revision=tournament.published, place=place).update(percentage=value)
    return tournament


def store_boards(tournament: Tournament, adjusted: str, boards: int, scored: str = "mp") -> None:
    Revision.objects.filter(pk=tournament.published_id).update(boards_scored=scored)
    Contestant.objects.filter(revision=tournament.published_id).update(
        adjusted=adjusted, boards_played=boards
    )


@pytest.fixture
def four_players():
    return [make.player(category=code) for code in ("2P", "2P", "1D", "1P")]


@pytest.mark.django_db
def test_the_documented_example_has_the_documented_average(four_players):
    me, partner, third, fourth = four_players
    weaker = [make.player(category=code) for code in ("2C", "2D")]
    first = played_pool(
        (me, partner), (third, fourth), percentages=("57.125", "42.875"), end_date=date(2026, 2, 1)
    )
    store_boards(first, "53.4000", 24)
    second = played_pool(
        (third, fourth), (me, partner), percentages=("51.75", "48.25"), boards=27, end_date=date(2026, 5, 1)
    )
    third_one = played_pool(
        (me, partner), weaker, percentages=("51", "49"), boards=20, end_date=date(2026, 9, 1)
    )
    lines = averages_by()[me.pk]
    assert lines == (
        SessionLine(first.pk, date(2026, 2, 1), 24, Decimal("57.125"), Decimal("53.4"), "boards", None, None),
        SessionLine(
            second.pk,
            date(2026, 5, 1),
            27,
            Decimal("48.25"),
            Decimal("50.475"),
            "field",
            Decimal("1.6825"),
            Decimal("2.2250"),
        ),
        SessionLine(
            third_one.pk,
            date(2026, 9, 1),
            20,
            Decimal(51),
            Decimal("50.1"),
            "field",
            Decimal("1.37"),
            Decimal("-0.9"),
        ),
    )
    assert average(lines) == Decimal("51.3581")


@pytest.mark.django_db
def test_the_three_methods_give_the_expected_percentages_for_a_session(four_players):
    tournament = played_pool(four_players[:2], four_players[2:])
    store_boards(tournament, "52.0000", 21)
    values = {s: averages_by(s)[four_players[0].pk][0] for s in ("strength", "field", "plain")}
    assert {s: (issue.value, issue.method) for s, issue in values.items()} == {
        "strength": (Decimal(52), "boards"),
        "field": (Decimal("62.225"), "field"),
        "plain": (Decimal(60), "plain"),
    }
    assert {value.boards for value in values.values()} == {21}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"format": "teams"},
        {"format": "individual"},
        {"family": "sbf-bronze", "event_type": "bronze"},
        {"boards": 18},  # too few boards to count under the rules of 2026
        {"end_date": date(2025, 12, 31)},
        {"end_date": date(2027, 1, 1)},
        {"percentages": ()},
    ],
    ids=str,
)
def test_sessions_that_do_not_count_are_left_out_of_the_average(four_players, fields):
    contestants = (
        [[item] for item in four_players]
        if fields.get("format") == "individual"
        else (four_players[:2], four_players[2:])
    )
    played_pool(*contestants, **fields)
    assert averages_by() == {}


@pytest.mark.django_db
def test_sessions_scored_in_imps_are_left_out(four_players):
    store_boards(played_pool(four_players[:2], four_players[2:]), "1.5000", 24, scored="imp")
    assert averages_by() == {}


@pytest.mark.django_db
def test_sessions_on_the_first_and_last_day_of_the_year_count(four_players):
    for day in (FIRST, LAST):
        played_pool(four_players[:2], four_players[2:], end_date=day)
    assert [item.day for item in averages_by()[four_players[0].pk]] == [FIRST, LAST]


@pytest.mark.django_db
def test_only_the_published_ranking_counts_in_the_average(four_players):
    tournament = played_pool(four_players[:2], four_players[2:])
    with transaction.atomic():
        header, swapped = drafts.header_of(tournament), make.rows(four_players[2:], four_players[:2])
        corrected = drafts.store(header, swapped, None, corrects=tournament, reason="wrong order")
    Contestant.objects.filter(revision=corrected).update(percentage=55)
    assert averages_by("plain")[four_players[0].pk][0].value == 60
    runs.score(runs.create_run(corrected, None).pk)
    assert [issue.value for issue in averages_by("plain")[four_players[0].pk]] == [55]


@pytest.mark.django_db
def test_a_session_corrected_to_aeb_points_counts_once_it_is_scored(four_players):
    tournament = played_pool(four_players[:2], four_players[2:], family="sbf-bronze", event_type="bronze")
    with transaction.atomic():
        header, ranking = make.header(tournament.club), make.rows(four_players[:2], four_players[2:])
        corrected = drafts.store(header, ranking, None, corrects=tournament, reason="wrong points")
    Contestant.objects.filter(revision=corrected).update(percentage=55)
    assert averages_by() == {}
    runs.score(runs.create_run(corrected, None).pk)
    assert [item.method for item in averages_by()[four_players[0].pk]] == ["field"]


@pytest.mark.django_db
def test_averages_use_the_players_category_on_the_cut_off_day(four_players):
    played_pool(four_players[:2], four_players[2:], end_date=date(2026, 3, 1))
    assert averages_by("field")[four_players[0].pk][0].shift == Decimal("2.2250")
    make.assign(four_players[0], "1D", date(2026, 12, 31))
    line = averages_by("field")[four_players[0].pk][0]
    assert (line.field_c4, line.shift) == (Decimal("1.6825"), Decimal("0.4250"))


@pytest.mark.django_db
def test_averages_use_the_c4_values_of_the_tournaments_regulation(four_players):
    played_pool(four_players[:2], four_players[2:], regulation_override="aeb-2022", override_reason="agreed")
    line = averages_by("field")[four_players[0].pk][0]
    # (1.10 + 1.10 + 1.13 + 1.22) / 4 = 1.1375, and 2P is worth 1.10 in 2022.
    assert (line.field_c4, line.shift) == (Decimal("1.1375"), Decimal("0.3750"))


@pytest.mark.django_db
def test_a_category_unknown_to_the_regulation_gets_no_shift(four_players):
    played_pool(four_players[:2], four_players[2:])
    line = lines_of(rules("field"), FIRST, LAST, {four_players[0].pk: "4P"})[four_players[0].pk][0]
    assert (line.value, line.method, line.field_c4) == (60, "plain", None)


@pytest.mark.django_db
def test_guests_and_players_without_a_category_have_no_sessions(four_players):
    played_pool((four_players[0], "A guest"), four_players[2:], event_type="regional")
    played_pool((four_players[0], make.player()), four_players[2:], event_type="regional")
    assert list(averages_by()) == sorted(item.pk for item in (four_players[0], *four_players[2:]))
    codes = {four_players[3].pk: "1P"}
    assert list(lines_of(rules(), FIRST, LAST, codes)) == [four_players[3].pk]
    assert lines_of(rules(), FIRST, LAST, {}) == {}


@pytest.mark.django_db
def test_a_session_without_a_stated_percentage_counts_its_board_results(four_players):
    tournament = played_pool(four_players[:2], four_players[2:], percentages=())
    store_boards(tournament, "52.1250", 21)
    line = averages_by()[four_players[0].pk][0]
    assert (line.raw, line.value, line.boards) == (None, Decimal("52.125"), 21)
    assert averages_by("field") == {}


@pytest.mark.django_db
def test_averages_need_two_queries_a_month_for_any_number_of_players(four_players, django_assert_num_queries):
    codes = codes_of()
    for many in (1, 3):
        for _ in range(many):
            played_pool(four_players[:2], four_players[2:])
        with django_assert_num_queries(1 + 2 * 12):
            assert len(lines_of(rules(), FIRST, LAST, codes)) == 4


@pytest.mark.django_db
def test_sessions_of_a_merged_number_count_for_the_surviving_player(four_players):
    """Sessions under a merged number count for the surviving player.

    One surviving player has sessions under both numbers, another only under the merged number.
    """
    kept, other = make.player(category="2P"), make.player(category="2P")
    played_pool(four_players[:2], four_players[2:], percentages=("60", "40"))
    played_pool((kept, make.player()), four_players[2:], percentages=("55", "45"), end_date=LAST)
    merges.merge(four_players[0], kept, "Registered twice", None)
    merges.merge(four_players[1], other, "Registered twice", None)
    # The surviving player has no category, and therefore no sessions.
    merges.merge(four_players[2], make.player(), "Registered twice", None)
    result = averages_by("plain")
    assert [issue.value for issue in result[kept.pk]] == [Decimal(60), Decimal(55)]
    assert [issue.value for issue in result[other.pk]] == [Decimal(60)]
    assert not {item.pk for item in four_players[:3]} & result.keys()
