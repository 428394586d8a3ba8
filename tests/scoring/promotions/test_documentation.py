"""The table in docs/campaigns.md lists the same acts, with the same roles, as the application."""

import re

from scoring.promotions.acts import act_by_verb
from scoring.promotions.pure.states import STEPS, Verb
from tests.folders import ROOT

DOCUMENT = ROOT / "docs/campaigns.md"
ROW = re.compile(r"^\| `(\w+)` \| (`.+?` → `.+?`) \| (\w+) \|", re.MULTILINE)
PAIR = re.compile(r"`(\w+)` → `(\w+)`")


def rows() -> list[tuple[str, str, str]]:
    return ROW.findall(DOCUMENT.read_text())


def test_the_documented_table_of_acts_is_that_of_the_application():
    result = {(before, verb): after for verb, pairs, _who in rows() for before, after in PAIR.findall(pairs)}
    assert result == {(before, str(verb)): after for (before, verb), after in STEPS.items()}
    assert len(rows()) == len(Verb)


def test_the_documented_table_names_the_role_of_each_act():
    for verb, _pairs, role in rows():
        assert role == act_by_verb(verb).who, verb
