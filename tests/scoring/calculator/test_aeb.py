"""The calculator under the AEB's regulations: correct results, and clear errors for invalid input."""

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.urls import reverse

from scoring import regulations
from scoring.calculator.aeb import (
    Question,
    address,
    calculate,
    comparison_address,
    neighbour,
    question_of,
    under_regulation,
)
from scoring.engine.types import Contestant, Event, Seat
from scoring.ledger.evaluation import FieldResult
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page

pytestmark = pytest.mark.django_db
OLD, NEW = (regulations.get(code) for code in ("aeb-2022", "aeb-2026"))
PLAIN = {
    "reglamento": "aeb-2026",
    "tipo": "regional",
    "formato": "pairs",
    "participantes": "12",
    "manos": "24",
    "lugar": "in_person",
    "c4": "1.2",
}


def errors(page) -> dict[str, list[str]]:
    return dict(page.context["form"].errors)


def parameters_of(address: str) -> dict[str, str]:
    """Return the query string of a URL as a dict."""
    return dict(parse_qsl(urlsplit(address).query))


def test_a_figure_of_the_address_is_shown_with_the_readers_decimal_mark(client):
    for language, shown in (("es", "1,2"), ("en", "1.2")):
        speak(client, language)
        for c4 in ("1.2", "1,2"):
            page = open_page(client, reverse("calculator"), **{**PLAIN, "c4": c4})
            assert (page.values("c4"), errors(page)) == ([shown], {})


def question(**changes) -> Question:
    values = {
        "event_type": "regional",
        "format": "pairs",
        "contestants": 12,
        "boards": 24,
        "venue": "in_person",
        "c4": Decimal("1.2"),
        "players": {},
    }
    return Question(**{**values, **changes})


# --- Arithmetic -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("form", ["pairs", "teams", "individual"])
@pytest.mark.parametrize("count", [1, 2, 3, 40])
def test_the_calculators_points_equal_those_of_a_ranking_without_ties(form, count):
    calculation = calculate(NEW, question(format=form, contestants=count))
    contestants = tuple(Contestant(str(k), place=k) for k in range(1, count + 1))
    event = Event("regional", form, 24, "in_person", contestants, c4=Decimal("1.2"))
    assert list(calculation.points) == [award.points for award in NEW.score(event).awards]
    assert [step.key for step in calculation.steps] == ["C1", "C2", "n", "C3", "C4", "C5", "p_max", "p_min"]


def test_c4_is_the_mean_of_the_players_categories():
    calculation = calculate(NEW, question(c4=None, players={"1P": 3, "2P": 1}))
    assert calculation.result.coefficients["C4"] == (3 * Decimal("2.17") + Decimal("1.46")) / 4
    nobody = calculate(NEW, question(c4=None))
    assert nobody.result.coefficients["C4"] == Decimal("1.10")


def test_titles_are_converted_to_those_of_the_compared_regulation():
    asked = question(c4=None, players={"ME-O": 2, "MN-D": 1, "MM-O": 1, "1P": 4})
    assert under_regulation(asked, OLD, "regional", None).players == {"MN": 3, "MM": 1, "1P": 4}
    assert under_regulation(question(players={"MN": 2}), NEW, "regional", None).players == {"MN": 2}


def test_the_curve_goes_through_the_points_of_the_first_and_last_place():
    calculation = calculate(OLD, question())
    assert (calculation.curve_points[0], calculation.curve_points[-1]) == (
        (1, calculation.points[0]),
        (12, calculation.points[-1]),
    )


# --- The page -------------------------------------------------------------------------------------------
def test_the_page_without_parameters_shows_an_example(calculator):
    page = calculator()
    assert errors(page) == {}
    assert re.search(r"AEB 2026: [0-9.]+ points for the first, [0-9.]+ for the last\.", page.text)
    assert len(page.context["rows"]) == 20


def test_the_page_lists_every_place_and_shows_how_it_is_computed(calculator):
    page = calculator(**PLAIN)
    points = [row["cells"][0][1] for row in page.context["rows"]]
    assert points == list(calculate(NEW, question()).points)
    assert "C2 = 0.23·√24 − 0.035" in page.text
    assert "From the tournament to the first and the last place" in page.text


def test_for_many_contestants_the_page_lists_only_the_first_places(calculator):
    page = calculator(**{**PLAIN, "participantes": "5000"})
    assert len(page.context["rows"]) == 500
    assert page.context["answers"][0]["last"] == calculate(NEW, question(contestants=5000)).last
    assert "Places listed: 500 of 5,000." in page.text


def test_the_page_compares_two_regulations_side_by_side(calculator):
    page = calculator(**PLAIN, comparar="aeb-2022", c4_otro="1.05")
    old, new = calculate(OLD, question(c4=Decimal("1.05"))).points, calculate(NEW, question()).points
    assert [row["difference"] for row in page.context["rows"]] == [
        n - o for n, o in zip(new, old, strict=True)
    ]
    assert [name for name, _line in page.context["steps"][0]["cells"]] == ["AEB 2026", "AEB 2022"]
    assert len(page.context["chart"].series) == 2
    assert page.context["chart"].as_table["heads"] == ["Place", "AEB 2026", "AEB 2022"]


def test_a_type_that_the_compared_regulation_lacks_has_to_be_replaced(calculator):
    asked = {**PLAIN, "tipo": "league", "c4": "", "n_1P": "20"}
    page = calculator(**asked, comparar="aeb-2022")
    assert list(errors(page)) == ["tipo_otro"]
    page = calculator(**asked, comparar="aeb-2022", tipo_otro="teams_championship_open")
    assert errors(page) == {}
    assert "AEB 2026: AEB League. AEB 2022: Spanish Open Teams Championship (Open)." in page.text


def test_comparing_a_regulation_with_itself_compares_nothing(calculator):
    page = calculator(**PLAIN, comparar="aeb-2026")
    assert errors(page) == {} and len(page.context["answers"]) == 1


def test_the_page_says_why_a_tournament_would_not_count(calculator):
    page = calculator(**{**PLAIN, "manos": "19"})
    assert "AEB 2026: it would not count. Boards: 19; the minimum is 20 (AEB 2026, summary)." in page.text
    assert "those that it would have had" in page.text


def test_one_contestant_has_points_and_no_curve(calculator):
    page = calculator(**{**PLAIN, "participantes": "1"})
    assert page.context["chart"] is None and len(page.context["rows"]) == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reglamento": "aeb-1999"}, "reglamento"),
        ({"reglamento": "egf-2030"}, "reglamento"),
        ({"tipo": "pairs_championship_open"}, "tipo"),
        ({"formato": "threes"}, "formato"),
        ({"participantes": "0"}, "participantes"),
        ({"participantes": "5001"}, "participantes"),
        ({"participantes": "twelve"}, "participantes"),
        ({"participantes": ""}, "participantes"),
        ({"participantes": "9" * 5000}, "participantes"),
        ({"manos": "0"}, "manos"),
        ({"manos": "1000"}, "manos"),
        ({"lugar": "moon"}, "lugar"),
        ({"c4": "1.0"}, "c4"),
        ({"c4": "3.78"}, "c4"),
        ({"c4": "NaN"}, "c4"),
        ({"c4": "1e400"}, "c4"),
        ({"c4": "1,2,3"}, "c4"),
        ({"n_1P": "4"}, "c4"),
        ({"c4": "", "n_1P": "-1"}, "n_1P"),
        ({"c4": "", "n_1P": "20", "n_2P": "5"}, "participantes"),
        ({"comparar": "aeb-2030"}, "comparar"),
        ({"comparar": "aeb-2022"}, "c4_otro"),
        ({"comparar": "aeb-2022", "c4_otro": "2"}, "c4_otro"),
        ({"comparar": "aeb-2022", "c4_otro": "1.1", "tipo_otro": "league"}, "tipo_otro"),
    ],
)
def test_errors_are_shown_at_their_fields(calculator, changes, field):
    page = calculator(**{**PLAIN, **changes})
    assert list(errors(page)) == [field]
    assert "answers" not in page.context
    assert f"#id_{field}" in page.addresses
    assert page.of_id(f"id_{field}").get("aria-invalid") == "true"


@pytest.mark.parametrize("c4", ["1.25", "1,25"])
def test_c4_can_be_typed_with_a_point_or_a_comma(calculator, client, c4):
    page = calculator(**{**PLAIN, "c4": c4})
    assert page.context["form"].question.c4 == Decimal("1.25")
    speak(client, "es")
    assert "C4 = 1,25" in open_page(client, reverse("calculator"), **{**PLAIN, "c4": c4}).text


def test_the_link_to_share_leads_to_the_same_calculation(calculator):
    first = calculator(
        reglamento="aeb-2022", comparar="aeb-2026", participantes="9", n_1P="4", n_MN="2", manos="30"
    )
    again = calculator(**parameters_of(first.context["address"]))
    assert first.context["rows"] == again.context["rows"]
    assert first.context["address"] == again.context["address"]
    link = calculator(**PLAIN, comparar="aeb-2022", c4_otro="1.05").context["address"]
    assert "c4=1.2&" in link and link.endswith("comparar=aeb-2022&c4_otro=1.05")


def test_the_calculator_gives_the_points_of_a_stored_ranking(calculator):
    seats = tuple(Seat(str(k), code, True) for k, code in enumerate(["1P", None, "MN", "1P"]))
    contestants = (Contestant("1", 1, seats[:2]), Contestant("2", 1, seats[2:]))
    event = Event("regional", "pairs", 24, "online", contestants)
    line = FieldResult("", event, NEW.score(event))
    asked = question_of(line, NEW)
    assert asked.players == {"1P": 2, "MN-O": 1}
    page = calculator(**parameters_of(address(asked, "aeb-2026")))
    assert errors(page) == {}
    assert calculate(NEW, page.context["form"].question).result.p_max == line.result.p_max


def test_every_regulation_is_compared_with_the_next_or_the_latest_with_the_previous():
    following = sorted(regulations.of_family("aeb"), key=lambda row: row.valid_from)
    assert [neighbour(item) for item in following[:-1]] == following[1:]
    assert neighbour(following[-1]) is following[-2]


def test_the_regulation_to_compare_with_is_right_among_three_and_none_for_one(monkeypatch):
    later = replace(NEW, code="aeb-2031", valid_from=date(2031, 1, 1))
    monkeypatch.setattr(regulations, "ALL", (OLD, NEW, later))
    assert [neighbour(item) for item in (OLD, NEW, later)] == [NEW, later, NEW]
    monkeypatch.setattr(regulations, "ALL", (NEW,))
    assert neighbour(NEW) is None


@pytest.mark.parametrize(("scheme", "other"), [(OLD, "aeb-2026"), (NEW, "aeb-2022")])
def test_the_link_to_compare_a_ranking_names_the_other_regulation(monkeypatch, scheme, other):
    monkeypatch.setattr(regulations, "ALL", (OLD, NEW))
    seats = tuple(Seat(str(k), "1P", True) for k in range(4))
    event = Event(
        "regional", "pairs", 24, "online", (Contestant("1", 1, seats[:2]), Contestant("2", 2, seats[2:]))
    )
    link = comparison_address(scheme, FieldResult("", event, scheme.score(event)))
    assert f"reglamento={scheme.code}&" in link and link.endswith(f"comparar={other}")


# --- Links to the page ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["regulations", "help"])
def test_other_pages_link_to_the_calculator(client, name):
    assert reverse("calculator") in open_page(client, reverse(name)).addresses


def test_the_page_of_a_regulation_links_to_its_calculator(client):
    addresses = open_page(client, reverse("regulation", args=["aeb-2022"])).addresses
    assert f"{reverse('calculator')}?reglamento=aeb-2022" in addresses


def test_a_tournaments_page_links_to_its_points_under_the_other_regulation(client):
    players = make.players(4, category="1P")
    tournament = make.scored(players[:2], players[2:])
    addresses = open_page(client, tournament.get_absolute_url()).addresses
    (link,) = (item for item in addresses if item.startswith(reverse("calculator") + "?"))
    page = client.get(link)
    assert errors(page) == {}
    first = [points for _name, points in page.context["rows"][0]["cells"]]
    assert first[0] == 1185 and len(first) == 2
