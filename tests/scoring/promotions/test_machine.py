"""The tables of the campaign's state machine, tested without a database."""

from scoring.promotions.pure import states
from scoring.promotions.pure.states import ONWARD, PATH, STEPS, State, Verb


def test_every_state_is_reached_from_a_draft_and_every_act_leads_somewhere():
    reached, waiting = {State.DRAFT}, [State.DRAFT]
    while waiting:
        here = waiting.pop()
        new = {after for (before, _verb), after in STEPS.items() if before == here} - reached
        reached |= new
        waiting += new
    assert reached == set(State)
    assert {verb for _state, verb in STEPS} == set(Verb)


def test_the_acts_that_lead_on_are_possible_and_the_last_of_them_reach_the_next_state():
    for state, verbs in ONWARD.items():
        assert all(states.after(state, verb) for verb in verbs)
        assert PATH[PATH.index(state) + 1] in {states.after(state, verb) for verb in verbs}
    assert set(ONWARD) == set(PATH[:-1])


def test_what_a_state_does_not_allow_leads_nowhere():
    assert states.after("draft", "publish") is None
    assert states.after("draft", "open") is None


def test_where_acts_begin_and_which_changes_come_with_them():
    assert states.before(Verb.FREEZE) == ["draft", "frozen"]
    assert states.before(Verb.ANSWER, Verb.DECIDE) == ["frozen", "published"]
    assert states.transitions(Verb.WITHDRAW, Verb.APPROVE) == [
        "published>frozen", "frozen>approved", "published>published",
    ]  # fmt: skip
