"""The two rating systems for Go: properties, limits, resets, receipts, and replays of a history."""

from dataclasses import replace
from decimal import Decimal
from math import exp, fsum, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.errors import EngineError
from scoring.regulations import of_family
from scoring.regulations.egf.grades import nominal
from scoring.regulations.egf.replay import Era, Reset, levels, replay
from scoring.regulations.egf.types import CLASSES, Game, Player, Tournament
from tests.examples import examples
from tests.scoring.engine.egf import CLASSIC, REVISED, duel, own_change, tournament

SYSTEMS = of_family("egf")
RATINGS = st.integers(-900_00, 3299_00).map(lambda hundredths: hundredths / 100)
CON = [116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15]
CON += [13, 11, 10]


def naive_classic(own, other, epsilon):
    """Return a player's expected score by the formula printed in the article on the classic rating.

    own, other: the ratings of the player and of the opponent
    """
    weaker = min(own, other)
    a = min(200, max(70, 200 - (weaker - 100) / 20))
    low = 1 / (exp(abs(own - other) / a) + 1) - epsilon / 2
    return low if own <= other else 1 - epsilon - low


def naive_con(rating):
    if rating < 100:
        return 116
    if rating >= 2700:
        return 10
    k = int(rating // 100) - 1
    return CON[k] * (1 - (rating % 100) / 100) + CON[k + 1] * (rating % 100) / 100


@given(RATINGS, RATINGS, st.integers(-9, 9), st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from("ABCD"))
def test_the_classic_system_agrees_with_its_plain_formula(own, other, stones, score, letter):
    change = own_change(CLASSIC, own, other, score, stones, tournament_class=letter)
    helped = 100 * (abs(stones) - 0.5) if stones else 0
    mine, theirs = (own + helped, other) if stones > 0 else (own, other + helped)
    expected = naive_classic(mine, theirs, 0.016)
    after = own + CLASSES[letter] * naive_con(own) * (score - expected)
    assert change.games[0].expected == pytest.approx(expected, abs=1e-9)
    assert change.con == pytest.approx(naive_con(own), abs=1e-9)
    assert change.after == pytest.approx(max(100, after), abs=1e-8)


@given(RATINGS, RATINGS, st.integers(-9, 9), st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from("ABCD"))
def test_the_2021_system_agrees_with_its_plain_formula(own, other, stones, score, letter):
    change = own_change(REVISED, own, other, score, stones, tournament_class=letter)
    helped = 100 * (abs(stones) - 0.5) if stones else 0
    mine, theirs = (own + helped, other) if stones > 0 else (own, other + helped)
    first, second = (-7 * log(3300 - min(3299, rating)) for rating in (mine, theirs))
    expected = 1 / (1 + exp(second - first))
    bonus = log(1 + exp((2300 - own) / 80)) / 5
    gain = CLASSES[letter] * (((3300 - own) / 200) ** 1.6 * (score - expected) + bonus)
    assert change.games[0].expected == pytest.approx(expected, abs=1e-9)
    assert change.games[0].change == pytest.approx(gain, abs=1e-8)
    assert change.after == pytest.approx(max(-900, own + gain), abs=1e-8)


@st.composite
def tournaments(draw):
    """Draw a tournament of up to six players, some of them new or to be reset, and up to twelve games."""
    size = draw(st.integers(2, 6))
    grades = st.none() | st.sampled_from(["30k", "12k", "5k", "1k", "1d", "6d"])
    players = []
    for k in range(size):
        rating = draw(st.none() | RATINGS)
        declared = draw(grades) if rating is not None else draw(grades.filter(bool))
        number = None if rating is None else Decimal(str(rating))
        players.append(Player(str(k), number, declared, draw(grades)))
    games = []
    for k in range(draw(st.integers(0, 12))):
        first = draw(st.integers(0, size - 1))
        second = (first + draw(st.integers(1, size - 1))) % size
        score, stones = draw(st.sampled_from((0.0, 0.5, 1.0))), draw(st.integers(0, 9))
        games.append(Game(k + 1, str(first), str(second), score, stones))
    return Tournament(
        players=tuple(players), games=tuple(games), tournament_class=draw(st.sampled_from("ABCD"))
    )


@given(st.sampled_from(SYSTEMS), tournaments(), st.randoms())
def test_the_order_of_players_and_games_does_not_change_ratings(system, played, random):
    players, games = list(played.players), list(played.games)
    random.shuffle(players)
    random.shuffle(games)
    first = {c.player: c.after for c in system.rate(played).changes}
    other = system.rate(replace(played, players=tuple(players), games=tuple(games)))
    assert {c.player: c.after for c in other.changes} == first
    assert [c.player for c in other.changes] == [p.id for p in players]


@given(st.sampled_from(SYSTEMS), tournaments())
def test_a_winner_gains_and_ratings_stay_in_bounds(system, played):
    for change in system.rate(played).changes:
        assert change.after <= system.ceiling or not change.games
        assert change.after >= min(system.floor, change.start)
        for game in change.games:
            assert -0.5 < game.expected <= 1
            if game.score == 1:
                assert game.change >= 0
        if not change.games:
            assert change.after == change.start


@given(st.sampled_from(SYSTEMS), tournaments())
def test_the_expected_scores_of_a_game_add_up_to_one_minus_epsilon(system, played):
    total = 1 - system.epsilon_of(played)
    rated = system.rate(played)
    seen = {(c.player, g.round): g.expected for c in rated.changes for g in c.games}
    for game in played.games:
        assert seen[game.first, game.round] + seen[game.second, game.round] == pytest.approx(total)


@given(st.sampled_from(SYSTEMS), tournaments())
def test_a_receipt_ends_with_the_new_rating(system, played):
    rated = system.rate(played)
    for change in rated.changes:
        steps = system.explain(played, rated, change.player)
        assert float(steps[0].value) == change.start
        assert float(steps[-1].value) == change.after
        changes = [step.value for step in steps if step.key == "change"]
        assert [float(value) for value in changes] == [game.change for game in change.games]
        expected = [step.value for step in steps if step.code == "expected"]
        assert [float(value) for value in expected] == [game.expected for game in change.games]
        assert steps[-1].code in ("sum", "floor", "ceiling")
        assert all(step.formula and step.working and step.article for step in steps)


@given(st.sampled_from(SYSTEMS), tournaments())
def test_the_fast_computation_gives_exactly_the_same_ratings(system, played):
    """`ratings_after` gives exactly the ratings of `rate`, to the last digit of a float."""
    rated = system.rate(played)
    places = {player.id: place for place, player in enumerate(played.players)}
    games = [(places[g.first], places[g.second], g.score, g.handicap) for g in played.games]
    result = system.ratings_after([change.start for change in rated.changes], games, played.tournament_class)
    assert result == [change.after for change in rated.changes]


def test_the_fast_computation_accepts_the_same_range_of_ratings():
    assert REVISED.ratings_after([3299.99], [], "A") == [3299.99]
    for system, rating in ((REVISED, 3300.0), (REVISED, -10_001.0), (CLASSIC, 10_000.0)):
        with pytest.raises(EngineError) as caught:
            system.ratings_after([2000.0, rating], [], "A")
        assert (caught.value.code, caught.value.field) == ("out_of_range", "players[1].rating")


def test_a_receipt_for_an_unknown_player_is_refused():
    played = duel(2000, 2000)
    with pytest.raises(EngineError) as caught:
        CLASSIC.explain(played, CLASSIC.rate(played), "x")
    assert caught.value.code == "unknown_player"


def test_a_rating_never_falls_below_the_floor():
    assert own_change(CLASSIC, 105, 105, 0.0).after == 100
    assert own_change(REVISED, -890, -890, 0.0).after == -900
    assert own_change(CLASSIC, 50, 50, 0.0).after == 100
    played = duel(105, 105, 0.0)
    assert CLASSIC.explain(played, CLASSIC.rate(played), "own")[-1].code == "floor"


def test_a_rating_close_to_3300_never_reaches_3300():
    """A rating close to 3300 gains almost nothing, and never reaches 3300.

    At 3300 the formulas are undefined. The formula of the expected score takes 3299 instead of any higher
    rating, so it gives 0.5 for 3299.5 against 3299.9.
    """
    change = own_change(REVISED, "3299.5", "3299.9", 1.0)
    assert change.games[0].expected == 0.5
    assert 3299.5 < change.after < 3299.99
    many = [(0, 1, 1.0)] * 5000
    rated = REVISED.rate(tournament([3200, 3250], many))
    assert rated.changes[0].after == 3299.99
    assert own_change(REVISED, 3250, 3250, 1.0, 9).games[0].expected > 0.99


def test_a_rating_below_the_floor_is_raised_only_after_the_tournament():
    """A rating below the floor is used unchanged; only the rating after a tournament is raised to it."""
    change = own_change(REVISED, -1000, -900, 1.0)
    assert change.before == -1000
    assert change.con == REVISED.con(-1000)
    assert change.before + change.games[0].change < -900 == change.after
    assert own_change(CLASSIC, 40, 40, 1.0).con == 116


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
@pytest.mark.parametrize(
    ("rating", "declared", "highest", "to"),
    [
        (1533, "5k", "7k", 1600),
        (1533, "5k", "6k", None),
        (1533, "5k", "5k", None),
        (1533, "5k", None, None),
        (1533, None, "7k", None),
        (1650, "5k", "9k", None),
        (1600, "5k", "9k", None),
        (1900, "1d", "2k", 2100),
        (1900, "1d", "1k", None),
    ],
)
def test_a_rating_is_reset_if_the_declared_grade_rises_by_more_than_one(
    system, rating, declared, highest, to
):
    """A rating is reset, only upwards, if the declared grade is more than one above the highest so far.

    The grade above 1k is 1d.
    """
    player = Player("1", Decimal(rating), declared, highest)
    (change,) = system.rate(Tournament(players=(player,), games=())).changes
    assert (change.before, change.reset_to) == (rating, to)
    assert change.after == (rating if to is None else to)
    assert change.con == system.con(change.after)


def test_a_new_player_starts_at_the_nominal_rating_of_the_grade():
    new = Tournament(players=(Player("1", None, "25k"), Player("2", None, "3d", "1k")), games=())
    assert [c.before for c in CLASSIC.rate(new).changes] == [100, 2300]
    assert [c.before for c in REVISED.rate(new).changes] == [-400, 2300]
    assert {c.reset_to for c in REVISED.rate(new).changes} == {None}
    assert nominal("1k", -900, "declared") == 2000


def test_all_games_of_a_tournament_use_the_rating_before_it():
    rated = CLASSIC.rate(tournament([2000, 2000], [(0, 1, 1.0), (0, 1, 1.0)])).changes[0]
    assert rated.games[0].change == rated.games[1].change
    assert rated.after == fsum([2000, rated.games[0].change, rated.games[1].change])


@st.composite
def histories(draw):
    """Draw a history of tournaments of twelve players, with resets, in chronological order."""
    made = []
    for _ in range(draw(st.integers(1, 12))):
        games = []
        for k in range(draw(st.integers(0, 5))):
            first = draw(st.integers(0, 11))
            second = (first + draw(st.integers(1, 11))) % 12
            score, stones = draw(st.sampled_from((0.0, 0.5, 1.0))), draw(st.sampled_from((0, 0, 1, 9)))
            games.append(Game(k + 1, str(first), str(second), score, stones))
        resets = draw(st.lists(st.tuples(st.integers(0, 11), st.sampled_from((1200, 2100))), max_size=1))
        made.append((games, resets, draw(st.sampled_from("ABCD"))))
    return made


def era_of(system, history):
    rows = [(t, game) for t, (games, _, _) in enumerate(history) for game in games]
    return Era(
        system=system,
        tournament=np.array([t for t, _ in rows], dtype=int),
        first=np.array([int(game.first) for _, game in rows], dtype=int),
        second=np.array([int(game.second) for _, game in rows], dtype=int),
        score=np.array([game.score for _, game in rows], dtype=float),
        handicap=np.array([game.handicap for _, game in rows], dtype=int),
        weight=np.array([CLASSES[letter] for _, _, letter in history]),
        epsilon=np.full(len(history), 0.016),
        resets=tuple(Reset(t, *reset) for t, (_, resets, _) in enumerate(history) for reset in resets),
    )


def one_by_one(system, history, ratings):
    """Rate a history tournament by tournament. Return the ratings before and after every game."""
    current, before, after = dict(enumerate(ratings)), [], []
    for games, resets, letter in history:
        for player, to in resets:
            current[player] = max(current[player], to)
        players = tuple(Player(str(k), Decimal(repr(float(r)))) for k, r in current.items())
        rated = system.rate(Tournament(players=players, games=tuple(games), tournament_class=letter))
        old = dict(current)
        current = {int(c.player): c.after for c in rated.changes}
        for game in games:
            pair = int(game.first), int(game.second)
            before.append([old[k] for k in pair])
            after.append([current[k] for k in pair])
    return [current[k] for k in range(len(ratings))], before, after


@examples(80)
@given(
    st.tuples(*(histories() for _system in SYSTEMS)),
    st.lists(st.integers(200, 3000), min_size=12, max_size=12),
)
def test_replaying_a_history_gives_the_same_ratings_as_one_tournament_at_a_time(eras, start):
    """`replay` and a computation of one tournament at a time give the same ratings.

    The history begins with tournaments under the first rating system and goes on with those under the next.
    """
    ratings = np.array(start, dtype=float)
    replayed = replay([era_of(*era) for era in zip(SYSTEMS, eras, strict=True)], ratings)
    current = start
    for k, (system, history) in enumerate(zip(SYSTEMS, eras, strict=True)):
        current, before, after = one_by_one(system, history, current)
        assert np.allclose(replayed.before[k], np.reshape(before, (-1, 2)), rtol=0, atol=1e-8)
        assert np.allclose(replayed.after[k], np.reshape(after, (-1, 2)), rtol=0, atol=1e-8)
    assert np.allclose(replayed.ratings, current, rtol=0, atol=1e-8)
    assert ratings.tolist() == start


@given(histories())
def test_no_player_is_in_two_tournaments_that_are_computed_together(history):
    era = era_of(REVISED, history)
    level = levels(era, 12)
    for number in set(level.tolist()):
        present = [
            {game.first for game in games} | {game.second for game in games} | {str(p) for p, _ in resets}
            for t, (games, resets, _) in enumerate(history)
            if level[t] == number
        ]
        assert sum(map(len, present)) == len(set().union(*present))


def test_replaying_from_a_changed_tournament_on_gives_the_same_ratings():
    """Replaying only the tournaments from a changed one on gives the same ratings as the whole history."""
    early = [([Game(1, "0", "1", 1.0), Game(2, "2", "3", 0.0)], [], "A")]
    late = [([Game(1, "1", "2", 0.5)], [(3, 2100)], "B"), ([Game(1, "3", "1", 1.0, 4)], [], "A")]
    start = np.full(12, 1800.0)
    whole = replay([era_of(REVISED, early + late)], start)
    first = replay([era_of(REVISED, early)], start)
    rest = replay([era_of(REVISED, late)], first.ratings)
    assert np.array_equal(rest.ratings, whole.ratings)


@pytest.mark.parametrize("system", [CLASSIC, REVISED], ids=lambda system: system.code)
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_a_lost_game_states_what_winning_it_would_have_given(system, score):
    games = [(0, 1, score), (2, 0, 1 - score)]
    rated = system.rate(tournament((1850, 2010, 1640), games)).changes[0]
    won = system.rate(tournament((1850, 2010, 1640), [(0, 1, 1.0), (2, 0, 0.0)])).changes[0]
    assert [game.if_won for game in rated.games] == [game.change for game in won.games]
    assert (rated.games[0].if_won == rated.games[0].change) == (score == 1)
