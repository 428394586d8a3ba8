"""Each promotion criterion is declared once, and forms and texts are made from the declaration."""

from dataclasses import fields, replace

from scoring.promotions.criteria import CRITERIA, STATES
from scoring.promotions.models import PromotionRule
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import PlaceState, Rule, select
from scoring.promotions.queries.candidates import criteria
from scoring.promotions.services.rule_sets import RULE_FIGURES
from tests.scoring.promotions.lists import NO_RULE, entrant


def test_every_figure_of_a_rule_is_declared_as_a_criterion():
    declared = [criterion.column for criterion in CRITERIA]
    apart = {"target", "demotion_target", "confirmed"}
    assert declared == [name for name in RULE_FIGURES if name not in apart]


def test_every_criterion_is_passed_to_the_selection():
    row = PromotionRule(target_id=1, demotion_target_id=2, demotion_threshold=100)
    rule = criteria(row)
    assert len(fields(Rule)) == len(CRITERIA)
    assert (rule.minimum, rule.tournaments, rule.licence, rule.demote_below) == (1, 0, True, 100)


def test_every_state_of_a_player_has_a_text():
    assert set(STATES) == set(PlaceState)
    document = ListDocument("2P", "1D", "3P", NO_RULE, select([entrant(1, 900)], replace(NO_RULE, count=1)))
    (place,) = document.selection.places
    for state, words in STATES.items():
        assert str(words)
        assert words.explain(place._replace(state=state), document, "en")


def test_states_of_players_who_move_up_are_public():
    assert not any(words.private for state, words in STATES.items() if state.up)
