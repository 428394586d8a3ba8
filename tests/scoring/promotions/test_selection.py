"""The selection for a category's list: compared with a slow selection, and each rule on its own."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.promotions.pure.selection import PlaceState, select
from tests.scoring.promotions.lists import ENTRANTS, RULES, entrant, rule, slow


def states(players, by) -> dict[int, PlaceState]:
    return {place.entrant.player_id: place.state for place in select(players, by).places}


def moving_players(players, by) -> list[int]:
    return [place.entrant.player_id for place in select(players, by).movers]


# --- Properties -----------------------------------------------------------------------------------------
@given(ENTRANTS, RULES)
def test_the_selection_gives_the_same_states_as_a_slow_one(players, by):
    assert states(players, by) == slow(players, by)


@given(ENTRANTS, RULES)
def test_ranks_margins_and_cut_follow_from_the_points(players, by):
    selection = select(players, by)
    listed = [player for player in players if player.points > 0 and (player.licensed or not by.licence)]
    points = [place.entrant.points for place in selection.places]
    assert points == sorted((player.points for player in players if player.points > 0), reverse=True)
    assert [place.entrant for place in selection.listed] == sorted(
        listed, key=lambda player: (-player.points, player.player_id)
    )
    for place in selection.places:
        own = place.entrant.points
        if place.rank is None:
            assert by.licence and not place.entrant.licensed
            assert not place.shared
        else:
            assert place.rank == 1 + sum(item.points > own for item in listed)
            assert place.shared == (sum(item.points == own for item in listed) > 1)
        assert place.margin == (None if selection.cut is None else own - selection.cut)
    assert all(place.margin >= 0 for place in selection.movers)
    # Only players tied for the last place may exceed the number of places.
    above = [place for place in selection.movers if place.margin > 0]
    assert len(above) < max(selection.quota, 1)


@given(ENTRANTS, RULES, st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_change_the_selection(players, by, chance):
    shuffled = players[:]
    chance.shuffle(shuffled)
    assert select(players, by) == select(shuffled, by)


@given(ENTRANTS, RULES, st.integers(1, 40))
def test_more_points_never_cost_a_player_the_promotion(players, by, more):
    for winner in select(players, by).movers:
        better = winner.entrant._replace(points=winner.entrant.points + more)
        rest = [player for player in players if player.player_id != better.player_id]
        assert states([*rest, better], by)[better.player_id].up


# --- Places ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("players", "quota"), [(0, 0), (1, 1), (10, 1), (11, 2), (20, 2), (21, 3), (100, 10), (101, 11)]
)
def test_a_tenth_is_rounded_up_without_floating_point(players, quota):
    entered = [entrant(number, 1000 - number) for number in range(players)]
    assert select(entered, rule(share=Fraction(Decimal("0.1")))).quota == quota


@pytest.mark.parametrize("share", [Fraction(0), Fraction(-1, 10), Fraction(11, 10)])
def test_a_share_outside_0_to_100_per_cent_is_refused(share):
    with pytest.raises(ValueError, match="not a share"):
        select([entrant(1, 1)], rule(share=share))


def test_a_rule_that_limits_nothing_is_refused():
    with pytest.raises(ValueError, match="everybody"):
        select([entrant(1, 1)], rule(share=None))


def test_a_single_player_at_the_cut_is_not_tied():
    selection = select([entrant(1, 1)], rule())
    assert (selection.cut, [place.state for place in selection.places]) == (1, [PlaceState.MOVES])


def test_in_an_empty_category_there_is_no_cut():
    selection = select([entrant(1, 0), entrant(2, -5)], rule())
    assert (selection.quota, selection.cut, selection.places) == (0, None, ())


def test_the_smaller_of_share_and_number_limits_the_places():
    players = [entrant(number, 100 - number) for number in range(50)]
    assert len(moving_players(players, rule(share=Fraction(1, 10), count=3))) == 3
    assert len(moving_players(players, rule(share=Fraction(1, 10), count=8))) == 5
    assert len(moving_players(players, rule(share=None, count=7))) == 7
    assert len(moving_players(players, rule(share=Fraction(1, 10), minimum=6))) == 6
    assert len(moving_players(players, rule(share=Fraction(1, 10), minimum=6, count=4))) == 4


def test_a_points_threshold_limits_the_places_too():
    players = [entrant(1, 900), entrant(2, 500), entrant(3, 499)]
    assert moving_players(players, rule(share=Fraction(1), points=500)) == [1, 2]
    assert moving_players(players, rule(share=None, points=500)) == [1, 2]
    selection = select(players, rule(share=Fraction(1), points=500))
    assert selection.cut == 500
    assert selection.places[2].state is PlaceState.LOW
    assert selection.places[2].margin == -1


def test_a_rule_without_places_moves_nobody():
    selection = select([entrant(1, 900)], rule(share=None, count=0))
    assert selection.cut is None
    assert [(place.state, place.margin) for place in selection.places] == [(PlaceState.BELOW, None)]


def test_everybody_tied_with_the_last_place_moves_up():
    players = [entrant(1, 900), entrant(2, 500), entrant(3, 500), entrant(4, 499)]
    result = states(players, rule(share=None, count=2))
    assert result == {1: PlaceState.MOVES, 2: PlaceState.TIED, 3: PlaceState.TIED, 4: PlaceState.BELOW}


# --- Players who take no place --------------------------------------------------------------------------
def test_deceased_players_take_no_place_but_keep_their_rank():
    selection = select([entrant(1, 900, deceased=True), entrant(2, 500), entrant(3, 400)], rule())
    assert [place.state for place in selection.places] == [
        PlaceState.DECEASED,
        PlaceState.MOVES,
        PlaceState.BELOW,
    ]
    assert [place.rank for place in selection.places] == [1, 2, 3]
    assert selection.cut == 500


def test_unlicensed_players_have_no_rank_and_do_not_count_in_the_share():
    players = [entrant(0, 900, licensed=False), *(entrant(number, 500 - number) for number in range(1, 11))]
    selection = select(players, rule())
    assert selection.quota == 1
    assert (selection.places[0].state, selection.places[0].rank) == (PlaceState.UNLICENSED, None)
    assert (selection.places[1].state, selection.places[1].rank) == (PlaceState.MOVES, 1)
    assert moving_players(players, rule(licence=False)) == [0, 1]  # eleven players have two places


def test_the_place_of_a_player_with_too_few_tournaments_passes_on():
    players = [entrant(1, 900, tournaments=4), entrant(2, 500), entrant(3, 400, tournaments=4)]
    assert states(players, rule(tournaments=5)) == {
        1: PlaceState.FEW,
        2: PlaceState.MOVES,
        3: PlaceState.BELOW,
    }


def test_the_place_of_a_player_blocked_by_the_average_passes_or_stays_empty():
    players = [entrant(1, 900, average=Decimal("49.9999")), entrant(2, 500), entrant(3, 400)]
    blocks = rule(average=Decimal(50), effect="block")
    assert states(players, blocks) == {1: PlaceState.BLOCKED, 2: PlaceState.MOVES, 3: PlaceState.BELOW}
    empty = replace(blocks, blocked_place="empty")
    assert states(players, empty) == {1: PlaceState.BLOCKED, 2: PlaceState.BELOW, 3: PlaceState.BELOW}
    tied = [players[0], entrant(2, 900)]
    assert states(tied, empty) == {1: PlaceState.BLOCKED, 2: PlaceState.TIED}


def test_a_rule_may_let_a_low_average_only_warn_or_only_be_shown():
    players = [entrant(1, 900, average=Decimal(49))]
    assert states(players, rule(average=Decimal(50), effect="warn")) == {1: PlaceState.WARNED}
    assert states(players, rule(average=Decimal(50), effect="none")) == {1: PlaceState.MOVES}


@pytest.mark.parametrize("effect", ["warn", "block"])
@pytest.mark.parametrize("average", [None, Decimal(50)])
def test_a_missing_average_and_one_at_the_threshold_never_block(effect, average):
    players = [entrant(1, 900, average=average)]
    assert states(players, rule(average=Decimal(50), effect=effect)) == {1: PlaceState.MOVES}


# --- Moving down ----------------------------------------------------------------------------------------
def test_players_with_few_points_move_down_only_if_the_rule_says_so():
    players = [
        entrant(1, 900),
        entrant(2, 100),
        entrant(3, 99),
        entrant(4, 5, deceased=True),
        entrant(5, 5, licensed=False),
    ]
    with_demotion = select(players, rule(demote_below=100))
    assert [place.entrant.player_id for place in with_demotion.fallers] == [3]
    assert select(players, rule()).fallers == ()


def test_a_player_who_moves_up_does_not_also_move_down():
    assert states([entrant(1, 50)], rule(demote_below=100)) == {1: PlaceState.MOVES}
