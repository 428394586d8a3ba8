"""A new regulation of the AEB needs only a folder. Page, calculator, schema and dates are made from it."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial

import pytest
from django.urls import reverse
from jsonschema import Draft202012Validator

from scoring import regulations
from scoring.regulations.aeb.declaration import declared
from scoring.regulations.aeb.shapes import Row, Table
from scoring.regulations.answers import answer
from scoring.regulations.published import input_schema, output_schema
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.engine.test_strict_json import changed

pytestmark = pytest.mark.django_db
PREVIOUS = regulations.of_family("aeb")[-1]
YEAR = PREVIOUS.valid_from.year + 5
CODE = f"aeb-{YEAR}"
TITLES = Table("2", "2.4", (Row("3D", Decimal("1.5"), "3♦"), Row("GM", Decimal("4"), "GM")))


@pytest.fixture(autouse=True)
def following(monkeypatch):
    """Register a regulation for the next year, which has a different table of categories."""
    year = replace(PREVIOUS, code=CODE, valid_from=date(YEAR, 1, 1), categories=TITLES)
    monkeypatch.setattr(regulations, "ALL", (*regulations.ALL, year))
    monkeypatch.setattr(regulations, "DECLARATIONS", {**regulations.DECLARATIONS, CODE: declared(year)})
    return year


@pytest.fixture
def english_page(client):
    """Return a function that requests a page in English."""
    speak(client, "en")
    return partial(open_page, client)


def test_the_previous_regulation_ends_the_day_before(following):
    assert regulations.valid_to(PREVIOUS) == date(YEAR - 1, 12, 31)
    assert regulations.in_force("aeb", date(YEAR - 1, 12, 31)) is PREVIOUS
    assert regulations.in_force("aeb", date(YEAR, 1, 1)) is following


def test_a_new_regulation_has_a_page(english_page):
    page = english_page(reverse("regulation", args=[CODE]))
    assert f"AEB, Puntuación en torneos, 1 Jan {YEAR}" in page.text
    assert "GM" in page.text and "GM 4.0" in page.text
    # The examples of the previous year's document are not shown.
    assert "The worked examples of the document" not in page.text
    calculator = reverse("calculator")
    assert f"{calculator}?reglamento={CODE}&comparar={PREVIOUS.code}" in page.addresses
    before = english_page(reverse("regulation", args=[PREVIOUS.code]))
    assert f"{calculator}?reglamento={PREVIOUS.code}&comparar={CODE}" in before.addresses


def test_a_new_regulation_is_listed_by_its_year(english_page):
    page = english_page(reverse("regulations"))
    assert reverse("regulation", args=[CODE]) in page.addresses
    assert f"AEB points {YEAR}" in page.text


def test_the_calculator_uses_the_tables_of_a_new_regulation(english_page):
    page = english_page(reverse("calculator"), reglamento=CODE, n_3D="0", n_GM="40", manos="24")
    assert "n_GM" in page.fields and "n_2P" not in page.fields
    assert f"AEB {YEAR}: " in page.text and "C4 = (40·4)/40 = 4" in page.text


def test_a_new_regulation_has_schemas_for_input_and_output():
    event = changed("contestants.0.players.0.category", "GM") | {"regulation": CODE}
    for contestant in event["contestants"]:
        for player in contestant["players"]:
            player["category"] = "GM"
    assert Draft202012Validator(input_schema()).is_valid(event)
    assert not Draft202012Validator(input_schema()).is_valid(event | {"regulation": PREVIOUS.code})
    result = answer(event)
    assert result["coefficients"]["C4"] == "4"
    assert Draft202012Validator(output_schema()).is_valid(result)
