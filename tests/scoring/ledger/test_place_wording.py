"""The names and sentences of the steps of receipts, for schemes that award points by place.

A step of a new kind never gets the sentence of another scheme.
"""

import pytest

from scoring import regulations
from scoring.engine.points import ZERO
from scoring.engine.types import Step
from scoring.ledger.place_wording import NAMES, sentence
from scoring.regulations.places.scheme import PlaceScheme
from tests.scoring.rulebook.test_formulas import STEPS

CODES = [regulation.code for regulation in regulations.ALL if isinstance(regulation, PlaceScheme)]


@pytest.mark.parametrize("code", CODES)
def test_every_step_of_a_scheme_has_a_name_and_a_sentence(code):
    for step in STEPS[code]():
        assert NAMES[step.key]
        assert sentence(step, "es") or step.key == "factor"


@pytest.mark.parametrize("key", ["winner", "places", "share"])
def test_a_new_kind_of_step_never_gets_the_sentence_of_another_scheme(key):
    step = Step(key, "new", ZERO, "K = n/2", "K = 2", "1", params={"contestants": 4})
    with pytest.raises(KeyError):
        sentence(step, "en")
