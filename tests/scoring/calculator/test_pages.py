"""The calculator in general: every regulation is supported, any URL gives a page, and links reproduce it."""

from datetime import date
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from scoring import regulations
from scoring.strength.queries import address as strength_address
from tests import factories as make
from tests.examples import examples
from tests.pages import Element
from tournaments import boards
from tournaments.boards import MATCHPOINTS, BoardRow

pytestmark = pytest.mark.django_db
CODES = [regulation.code for regulation in regulations.ALL]
ANSWERING = [regulation.code for regulation in regulations.ALL if regulation.family != "strength"]


def linked_page(calculator, page):
    """Request the URL with which the page can be shared."""
    return calculator(**dict(parse_qsl(urlsplit(page.context["address"]).query)))


def answer_parts(page) -> list[Element]:
    """Return the elements beside the form, which show the results."""
    _asked, results = page.of_id("calculation").the("div", class_="columns").elements
    return results.elements


def results(page) -> list[tuple]:
    """Return (tag, attributes, text) of all elements below the form, without the URLs of links."""
    return [
        (item.tag, {**item.attributes, "href": ""}, item.text)
        for part in answer_parts(page)
        for item in (part, *part.walk())
    ]


@pytest.mark.parametrize("code", CODES)
def test_the_calculator_of_every_regulation_has_a_url(calculator, code):
    page = calculator(reglamento=code)
    assert page.context["form"].errors == {}
    assert page.values("reglamento") == [code]
    chosen = regulations.get(code)
    assert page.context["form"].regulation is chosen


@pytest.mark.parametrize("code", CODES)
def test_the_form_has_only_the_fields_of_the_chosen_regulation(calculator, code):
    own = {
        "aeb": "tipo",
        "sbf": "tabla",
        "sbf-silver": "decimales",
        "acbl": "participantes",
        "egf": "puntos",
        "strength": "reglamento",
    }
    family = regulations.get(code).family
    fields = set(calculator(reglamento=code).context["form"].fields)
    assert own[family] in fields
    for other, name in {"aeb": "tipo", "sbf": "tabla", "egf": "puntos"}.items():
        assert (name in fields) == (other == family)


@pytest.mark.parametrize("code", ANSWERING)
def test_the_link_of_the_example_leads_to_the_same_results(calculator, code):
    first = calculator(reglamento=code)
    second = linked_page(calculator, first)
    assert second.context["form"].errors == {}
    assert second.context["address"] == first.context["address"]
    assert results(second) == results(first)


@pytest.mark.parametrize(
    "parameters",
    [
        {"reglamento": "sbf-2019-bronze", "participantes": "525", "decimales": "0", "comparar": "A"},
        {"reglamento": "sbf-2019-silver", "participantes": "60", "manos": "70", "decimales": "1"},
        {
            "reglamento": "acbl-overall", "participantes": "18", "mesas": "9.5", "factor_m": "0.8",
            "factor_t": "1,1", "profundidad": "0.25", "comparar": "acbl-club", "profundidad_club": "0.5",
        },
        {
            "reglamento": "egf-2021", "puntos": "3k", "clase": "B", "comparar": "egf-classic",
            "rival_1": "1721", "resultado_1": "0.5", "rival_4": "2d",
            "resultado_4": "0", "piedras_4": "5", "recibe_4": "rival",
        },
    ],
)  # fmt: skip
def test_the_link_of_a_calculation_leads_to_the_same_results(calculator, parameters):
    first = calculator(**parameters)
    assert first.context["form"].errors == {}
    second = linked_page(calculator, first)
    assert results(second) == results(first)


def test_choosing_another_regulation_ends_the_comparison(calculator):
    for code in ANSWERING:
        page = calculator(reglamento=code, comparar="aeb-2022" if code != "aeb-2022" else "acbl-club")
        assert page.context["form"].errors == {}, code


def test_an_unknown_regulation_is_an_error_at_its_field(calculator):
    page = calculator(reglamento="aeb-1999")
    assert list(page.context["form"].errors) == ["reglamento"]
    assert "answers" not in page.context


@pytest.mark.parametrize("code", ANSWERING)
def test_the_printed_page_has_title_parameters_and_table_but_no_form(calculator, code):
    """The print style hides the form, so the page also contains the parameters as text."""
    page = calculator(reglamento=code, factor_m="1", factor_t="1", profundidad="0.4")
    block = page.of_id("calculation")
    assert block.the("p", class_="print-only").text.startswith(page.context["form"].title)
    assert "screen-only" in block.the("aside", class_="calculator-asks").classes
    on_paper = [part for part in answer_parts(page) if "screen-only" not in part.classes]
    assert any(item.tag == "table" for part in on_paper for item in (part, *part.walk()))
    assert len(page.all("section", class_="screen-only")) == 1


def test_the_page_of_the_strength_adjustment_links_to_the_latest_session(calculator, client):
    pairs = make.pairs(make.players(8, category="1P"))
    make.scored(*pairs)
    assert "No tournament with the results of its boards" in calculator(reglamento="strength-mp").html
    for day in (10, 17):
        played = make.scored(*pairs, end_date=date(2026, 3, day))
        rows = [BoardRow(1, "", 1, 2, 420), BoardRow(1, "", 3, 4, -50)]
        boards.store_boards(played.published, MATCHPOINTS, rows)
    link = calculator(reglamento="strength-mp").context["session_address"]
    assert link == strength_address(played)
    assert client.get(link).status_code == 200
    assert calculator(reglamento="strength-imp").context["session"] is None


# --- Arbitrary URLs -----------------------------------------------------------------------------------------
NAMES = [
    "reglamento", "comparar", "tipo", "formato", "participantes", "manos", "lugar", "c4", "tipo_otro",
    "c4_otro", "n_1P", "n_MN", "n_MN-O", "n_", "decimales", "tabla", "mesas", "calificacion", "sesiones",
    "restriccion", "limite", "concurso", "factor_m", "factor_t", "factor_r", "profundidad",
    "profundidad_club", "puntos", "clase", "epsilon", "rival_1", "resultado_1", "piedras_1", "recibe_1",
    "rival_2", "rival_10", "resultado_10", "rival_11", "page", "é",
]  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        [
            "",
            "pool",
            "league",
            "pairs",
            "teams",
            "individual",
            "in_person",
            "online",
            "A",
            "AY",
            "none",
            "two",
            "unit",
            "yo",
            "rival",
            "3k",
            "30k",
            "9d",
            "10d",
            "-900",
            "-901",
            "99.9999",
            "3299.9999",
            "3300",
            "9999",
            "10000",
            "0",
            "0.0001",
            "0.5",
            "1",
            "2",
            "9",
            "10",
            "500",
            "5000",
            "5001",
            "-1",
            "1.5",
            "1,5",
            "NaN",
            "-Infinity",
            "1e999999",
            "0." + "0" * 40 + "1",
            "٣",
            "\x00",
            "<script>",
            "%s",
            "%(count)s",
            "1_0",
            " 7 ",
            "9" * 400,
        ]
    ),
    st.text(max_size=12).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
    st.integers(-5, 6000).map(str),
    st.sampled_from(CODES),
)


@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([*CODES, "", "nonsense"]),
    st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=12),
)
def test_any_parameters_in_the_url_give_a_page(client, code, parameters):
    address = f"{reverse('calculator')}?{urlencode([('reglamento', code), *parameters])}"
    page = client.get(address, follow=True)  # a former name of a parameter redirects
    assert page.status_code == 200
    assert ("address" in page.context) == (not page.context["form"].errors)


def test_invalid_bytes_in_the_url_give_a_page(client):
    for code in CODES:
        address = f"{reverse('calculator')}?reglamento={code}&tipo=%ff%fe&n_1P=%00&c4=%ed%a0%80&puntos=%00"
        assert client.get(address).status_code == 200
