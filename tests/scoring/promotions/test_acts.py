"""The registry of acts: each act is found by its verb, and has the texts that pages need."""

import pytest

from scoring.promotions import acts
from scoring.promotions.act_pages import PAGES, TURNS
from scoring.promotions.acts.base import Act, LongAct, Refused, register
from scoring.promotions.forms.acts import ReasonForm
from scoring.promotions.pure.states import ONWARD, OPENED, STEPS, Verb


def test_every_verb_has_an_act_and_every_act_has_its_texts():
    for verb in (OPENED, *Verb):
        act = acts.act_by_verb(verb)
        assert act.verb == verb
        assert acts.logged_words(verb) == str(act.logged) != ""
    for page in PAGES.values():
        assert str(page.label)
        assert str(page.says)
        assert not isinstance(page.act, LongAct) or str(page.progress)


def test_no_two_acts_have_one_verb():
    with pytest.raises(ValueError, match="publish"):

        @register
        class Twice(Act):
            verb = Verb.PUBLISH


def test_an_act_is_performed_whatever_it_returns():
    for returned in (None, 0, "task"):
        form = ReasonForm({"reason": "A"})
        assert form.submit(lambda reason, value=returned: value) is True
        assert form.result == returned


def test_a_refused_act_is_not_performed_and_its_form_says_why():
    def refuse(reason):
        raise Refused("Not today")

    form = ReasonForm({"reason": "A"})
    assert form.submit(refuse) is False
    assert form.non_field_errors() == ["Not today"]
    assert ReasonForm().submit(refuse) is False


def test_the_log_shows_the_verb_of_an_act_that_no_longer_exists():
    assert acts.logged_words("ratify") == "ratify"
    assert acts.logged_words("stop") != "stop"


def test_an_act_that_can_be_next_says_whose_turn_it_is():
    """Every act that can be the next one has a text that says whose turn it is.

    Scheduling has none: it is optional, and applying is the next act.
    """
    for state, verbs in ONWARD.items():
        for verb in set(verbs) - {Verb.SCHEDULE}:
            assert str(TURNS[state, verb])


def test_the_campaigns_page_offers_only_acts_that_need_just_a_form():
    # Their forms are in the dossier, the letter and the claim's page.
    elsewhere = {Verb.DECIDE, Verb.CLAIM, Verb.ANSWER}
    assert PAGES.keys() == {verb for _state, verb in STEPS} - elsewhere
