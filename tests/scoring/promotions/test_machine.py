"""The tables of the campaign's state machine, tested without a database."""

from scoring.promotions.pure import states
from scoring.promotions.pure.states import ONWARD, PATH, STEPS, State, Verb


def test_every_state_can_be_reached_and_every_act_leads_to_a_state():
    reached, waiting = {State.DRAFT}, [State.DRAFT]
    while waiting:
        here = waiting.pop()
        new = {after for (before, _verb), after in STEPS.items() if before == here} - reached
        reached |= new
        waiting += new
    assert reached == set(State)
    assert {verb for _state, verb in STEPS} == set(Verb)


def test_the_acts_offered_next_are_possible_and_reach_the_next_state():
    for state, verbs in ONWARD.items():
        assert all(states.after(state, verb) for verb in verbs)
        assert PATH[PATH.index(state) + 1] in {states.after(state, verb) for verb in verbs}
    assert set(ONWARD) == set(PATH[:-1])


def test_an_act_that_a_state_does_not_allow_leads_to_no_state():
    assert states.after("draft", "publish") is None
    assert states.after("draft", "open") is None


def test_the_tables_list_the_states_before_acts_and_their_transitions():
    assert states.before(Verb.FREEZE) == ["draft", "frozen"]
    assert states.before(Verb.ANSWER, Verb.DECIDE) == ["frozen", "published"]
    assert states.transitions(Verb.WITHDRAW, Verb.APPROVE) == [
        "published>frozen", "frozen>approved", "published>published",
    ]  # fmt: skip
