"""The modified average: its formula, which sessions count, and the example of docs/modified-average.md."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from players.categories import categories_on
from scoring.campaigns.averages import Method, SessionLine, average, rounded, shift, valued
from scoring.models import PromotionRuleSet
from scoring.queries.averages import session_lines
from scoring.services import merges, runs
from tests import factories as make
from tournaments import drafts
from tournaments.models import Contestant, Revision, Tournament

FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)
PERCENTAGES = st.decimals(-20, 120, places=4)
C4 = st.decimals(1, 3, places=4)


def line(boards: int, value: Decimal) -> SessionLine:
    return SessionLine(1, FIRST, boards, None, value, "plain", None, None)


# --- The formula ----------------------------------------------------------------------------------------
@given(st.lists(st.tuples(st.integers(0, 200), PERCENTAGES), max_size=40))
def test_the_mean_is_that_of_every_board_taken_by_itself(sessions):
    boards = [Fraction(value) for count, value in sessions for _ in range(count)]
    found = average([line(count, value) for count, value in sessions])
    if not boards:
        assert found is None
        return
    exact = sum(boards) / len(boards)
    assert Fraction(found) == Fraction(floor(exact * 10_000 + Fraction(1, 2)), 10_000)


@given(st.lists(st.tuples(st.integers(1, 90), PERCENTAGES), min_size=2, max_size=9), st.randoms())
def test_the_order_does_not_matter_and_the_mean_lies_between(sessions, chance):
    lines = [line(*session) for session in sessions]
    shuffled = chance.sample(lines, len(lines))
    assert average(lines) == average(shuffled)
    assert min(x.value for x in lines) <= average(lines) <= max(x.value for x in lines)


def test_a_half_of_the_last_digit_goes_up():
    assert average([line(1, Decimal("50.0000")), line(1, Decimal("50.0001"))]) == Decimal("50.0001")
    assert rounded(Decimal("1.64665")) == Decimal("1.6467")


@given(st.decimals(0, 10, places=2), C4, C4)
def test_a_stronger_field_raises_a_weaker_one_lowers(weight, field, own):
    moved = shift(weight, field, own)
    assert moved == -shift(weight, own, field)
    assert abs(Fraction(moved) - Fraction(weight) * 10 * (Fraction(field) - Fraction(own))) <= Fraction(
        1, 20_000
    )
    assert moved.as_tuple().exponent == -4


RAW, ADJUSTED, MOVED = Decimal("48.250"), Decimal("51.5000"), Decimal("2.0000")


@pytest.mark.parametrize(
    ("strategy", "raw", "adjusted", "moved", "found"),
    [
        ("strength", RAW, ADJUSTED, MOVED, (ADJUSTED, Method.BOARDS)),
        ("strength", None, ADJUSTED, None, (ADJUSTED, Method.BOARDS)),
        ("strength", RAW, None, MOVED, (Decimal("50.25"), Method.FIELD)),
        ("strength", RAW, None, None, (RAW, Method.PLAIN)),
        ("field", RAW, ADJUSTED, MOVED, (Decimal("50.25"), Method.FIELD)),
        ("field", RAW, ADJUSTED, None, (RAW, Method.PLAIN)),
        ("plain", RAW, ADJUSTED, MOVED, (RAW, Method.PLAIN)),
        ("strength", None, None, MOVED, None),
        ("field", None, ADJUSTED, MOVED, None),
        ("plain", None, ADJUSTED, MOVED, None),
    ],
)
def test_how_a_session_is_valued(strategy, raw, adjusted, moved, found):
    assert valued(strategy, raw, adjusted, moved) == found


# --- Which sessions -------------------------------------------------------------------------------------
def rules(strategy: str = "strength") -> PromotionRuleSet:
    return PromotionRuleSet(average=strategy, field_weight=Decimal(1))


def codes_of(day: date = LAST) -> dict[int, str]:
    return {player: category.code for player, category in categories_on(day).items()}


def found_by(strategy: str = "strength", first: date = FIRST, last: date = LAST, ids=None) -> dict:
    return dict(session_lines(rules(strategy), first, last, codes_of(), ids))


def played(*pairs, percentages=("60", "40"), **fields) -> Tournament:
    """A scored pool whose pairs have these percentages."""
    tournament = make.scored(*pairs, **fields)
    for place, value in enumerate(percentages, start=1):
        Contestant.objects.filter(revision=tournament.published, place=place).update(percentage=value)
    return tournament


def with_boards(tournament: Tournament, adjusted: str, boards: int, scored: str = "mp") -> None:
    Revision.objects.filter(pk=tournament.published_id).update(boards_scored=scored)
    Contestant.objects.filter(revision=tournament.published_id).update(
        adjusted=adjusted, boards_played=boards
    )


@pytest.fixture
def four():
    return [make.player(category=code) for code in ("2P", "2P", "1D", "1P")]


@pytest.mark.django_db
def test_the_example_of_the_document(four):
    me, partner, third, fourth = four
    weaker = [make.player(category=code) for code in ("2C", "2D")]
    first = played((me, partner), (third, fourth), percentages=("57.125", "42.875"),
                   end_date=date(2026, 2, 1))  # fmt: skip
    with_boards(first, "53.4000", 24)
    second = played((third, fourth), (me, partner), percentages=("51.75", "48.25"), boards=27,
                    end_date=date(2026, 5, 1))  # fmt: skip
    third_one = played((me, partner), weaker, percentages=("51", "49"), boards=20, end_date=date(2026, 9, 1))
    lines = found_by()[me.pk]
    assert lines == [
        SessionLine(first.pk, date(2026, 2, 1), 24, Decimal("57.125"), Decimal("53.4"), "boards", None, None),
        SessionLine(second.pk, date(2026, 5, 1), 27, Decimal("48.25"), Decimal("50.475"), "field",
                    Decimal("1.6825"), Decimal("2.2250")),
        SessionLine(third_one.pk, date(2026, 9, 1), 20, Decimal(51), Decimal("50.1"), "field",
                    Decimal("1.37"), Decimal("-0.9")),
    ]  # fmt: skip
    assert average(lines) == Decimal("51.3581")


@pytest.mark.django_db
def test_the_three_strategies_of_one_session(four):
    tournament = played(four[:2], four[2:])
    with_boards(tournament, "52.0000", 21)
    values = {s: found_by(s)[four[0].pk][0] for s in ("strength", "field", "plain")}
    assert {s: (each.value, each.method) for s, each in values.items()} == {
        "strength": (Decimal(52), "boards"),
        "field": (Decimal("62.225"), "field"),
        "plain": (Decimal(60), "plain"),
    }
    assert {each.boards for each in values.values()} == {21}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"format": "teams"},
        {"format": "individual"},
        {"family": "sbf-bronze", "event_type": "bronze"},
        {"boards": 18},  # too few to count under the rules of 2026
        {"end_date": date(2025, 12, 31)},
        {"end_date": date(2027, 1, 1)},
        {"percentages": ()},
    ],
    ids=str,
)
def test_what_is_left_out(four, fields):
    contestants = [[each] for each in four] if fields.get("format") == "individual" else (four[:2], four[2:])
    played(*contestants, **fields)
    assert found_by() == {}


@pytest.mark.django_db
def test_sessions_scored_in_imps_are_left_out(four):
    with_boards(played(four[:2], four[2:]), "1.5000", 24, scored="imp")
    assert found_by() == {}


@pytest.mark.django_db
def test_both_ends_of_the_year_belong_to_it(four):
    for day in (FIRST, LAST):
        played(four[:2], four[2:], end_date=day)
    assert [each.day for each in found_by()[four[0].pk]] == [FIRST, LAST]


@pytest.mark.django_db
def test_only_the_published_ranking_counts(four):
    tournament = played(four[:2], four[2:])
    with transaction.atomic():
        header, swapped = drafts.header_of(tournament), make.rows(four[2:], four[:2])
        corrected = drafts.store(header, swapped, None, corrects=tournament, reason="wrong order")
    Contestant.objects.filter(revision=corrected).update(percentage=55)
    assert found_by("plain")[four[0].pk][0].value == 60
    runs.score(runs.create_run(corrected, None).pk)
    assert [each.value for each in found_by("plain")[four[0].pk]] == [55]


@pytest.mark.django_db
def test_a_correction_to_other_points_counts_once_it_is_scored(four):
    tournament = played(four[:2], four[2:], family="sbf-bronze", event_type="bronze")
    with transaction.atomic():
        header, ranking = make.header(tournament.club), make.rows(four[:2], four[2:])
        corrected = drafts.store(header, ranking, None, corrects=tournament, reason="wrong points")
    Contestant.objects.filter(revision=corrected).update(percentage=55)
    assert found_by() == {}
    runs.score(runs.create_run(corrected, None).pk)
    assert [each.method for each in found_by()[four[0].pk]] == ["field"]


@pytest.mark.django_db
def test_a_player_is_measured_by_the_category_of_the_cut_off_day(four):
    played(four[:2], four[2:], end_date=date(2026, 3, 1))
    assert found_by("field")[four[0].pk][0].shift == Decimal("2.2250")
    make.assign(four[0], "1D", date(2026, 12, 31))
    line = found_by("field")[four[0].pk][0]
    assert (line.field_c4, line.shift) == (Decimal("1.6825"), Decimal("0.4250"))


@pytest.mark.django_db
def test_the_value_of_a_category_is_that_of_the_tournament_s_own_regulation(four):
    played(four[:2], four[2:], regulation_override="aeb-2022", override_reason="agreed")
    line = found_by("field")[four[0].pk][0]
    # (1.10 + 1.10 + 1.13 + 1.22) / 4 = 1.1375, and 2P is worth 1.10 in 2022.
    assert (line.field_c4, line.shift) == (Decimal("1.1375"), Decimal("0.3750"))


@pytest.mark.django_db
def test_who_has_no_category_is_not_shifted(four):
    unclassified = make.player()
    played((four[0], unclassified), four[2:])
    line = found_by("field")[unclassified.pk][0]
    assert (line.value, line.method, line.field_c4) == (60, "plain", None)


@pytest.mark.django_db
def test_guests_have_no_line_and_players_may_be_chosen(four):
    played((four[0], "A guest"), four[2:], event_type="regional")
    assert list(found_by()) == sorted(each.pk for each in (four[0], *four[2:]))
    assert list(found_by(ids=[four[3].pk])) == [four[3].pk]


@pytest.mark.django_db
def test_three_queries_whatever_there_is(four, django_assert_num_queries):
    codes = codes_of()
    for many in (1, 3):
        for _ in range(many):
            played(four[:2], four[2:])
        with django_assert_num_queries(3):
            assert len(dict(session_lines(rules(), FIRST, LAST, codes))) == 4


@pytest.mark.django_db
def test_sessions_of_a_merged_number_are_of_the_player_kept(four):
    """One who plays under both numbers, and one who has played under the old number alone."""
    kept, other = make.player(category="2P"), make.player(category="2P")
    played(four[:2], four[2:], percentages=("60", "40"))
    played((kept, make.player()), four[2:], percentages=("55", "45"), end_date=LAST)
    merges.merge(four[0], kept, "Registered twice", None)
    merges.merge(four[1], other, "Registered twice", None)
    for found in (found_by("plain"), found_by("plain", ids=[kept.pk, other.pk])):
        assert [each.value for each in found[kept.pk]] == [Decimal(60), Decimal(55)]
        assert [each.value for each in found[other.pk]] == [Decimal(60)]
        assert not {four[0].pk, four[1].pk} & found.keys()
