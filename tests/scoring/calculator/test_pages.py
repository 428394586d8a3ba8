"""The calculator as a whole: any address gives a page, every regulation has one, a link leads to the same."""

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring import regulations
from scoring.strength.queries import address as strength_address
from tests import factories as make
from tournaments import boards
from tournaments.boards import MATCHPOINTS, BoardRow

pytestmark = pytest.mark.django_db
CODES = [regulation.code for regulation in regulations.ALL]
ANSWERING = [regulation.code for regulation in regulations.ALL if regulation.family != "strength"]


@pytest.fixture
def ask(client):
    """The page for some parameters, in English."""

    def page(**parameters):
        client.cookies["django_language"] = "en"
        response = client.get(reverse("calculator"), parameters)
        assert response.status_code == 200
        response.html = unescape(response.content.decode())
        return response

    return page


def again(ask, response):
    """The page that the link of a page leads to."""
    return ask(**dict(parse_qsl(urlsplit(response.context["address"]).query)))


def results(html: str) -> str:
    """What stands below the form: the answer."""
    return re.sub(r'href="[^"]*"', "", html[html.index("</form>", html.index('id="calculation"')) :])


@pytest.mark.parametrize("code", CODES)
def test_every_regulation_opens_by_its_address(ask, code):
    response = ask(reglamento=code)
    assert response.context["form"].errors == {}
    assert re.search(rf'<option value="{code}" selected>', response.html)
    chosen = regulations.get(code)
    assert response.context["form"].regulation is chosen


@pytest.mark.parametrize("code", CODES)
def test_only_the_fields_of_the_chosen_regulation_are_there(ask, code):
    own = {
        "aeb": "tipo",
        "sbf": "tabla",
        "sbf-silver": "decimales",
        "acbl": "participantes",
        "egf": "puntos",
        "strength": "reglamento",
    }
    family = regulations.get(code).family
    fields = set(ask(reglamento=code).context["form"].fields)
    assert own[family] in fields
    for other, name in {"aeb": "tipo", "sbf": "tabla", "egf": "puntos"}.items():
        assert (name in fields) == (other == family)


@pytest.mark.parametrize("code", ANSWERING)
def test_the_example_s_link_leads_to_the_same_answer(ask, code):
    first = ask(reglamento=code)
    second = again(ask, first)
    assert second.context["form"].errors == {}
    assert second.context["address"] == first.context["address"]
    assert results(second.html) == results(first.html)


@pytest.mark.parametrize(
    "asked",
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
def test_what_was_typed_travels_with_the_link(ask, asked):
    first = ask(**asked)
    assert first.context["form"].errors == {}
    second = again(ask, first)
    assert results(second.html) == results(first.html)


def test_another_regulation_forgets_what_was_compared(ask):
    for code in ANSWERING:
        response = ask(reglamento=code, comparar="aeb-2022" if code != "aeb-2022" else "acbl-club")
        assert response.context["form"].errors == {}, code


def test_an_unknown_regulation_is_said_beside_the_choice(ask):
    response = ask(reglamento="aeb-1999")
    assert list(response.context["form"].errors) == ["reglamento"]
    assert "answers" not in response.context


@pytest.mark.parametrize("code", ANSWERING)
def test_paper_has_title_parameters_and_table_but_no_form(ask, code):
    """What the print style hides is marked, and the rest says what was asked."""
    response = ask(reglamento=code, factor_m="1", factor_t="1", profundidad="0.4")
    text = re.search(r'<div id="calculation">.*?<p class="print-only">(.*?)</p>', response.html, re.S)[1]
    assert text.startswith(response.context["form"].title)
    assert re.search(r'<form class="calculator screen-only"', response.html)
    shown = re.sub(r'<section class="screen-only">.*?</section>', "", results(response.html), flags=re.S)
    assert "<table" in shown
    assert response.html.count('<section class="screen-only">') == 1


def test_strength_leads_to_the_latest_session_of_its_kind(ask, client):
    pairs = make.pairs(make.players(8, category="1P"))
    make.scored(*pairs)
    assert "No tournament with the results of its boards" in ask(reglamento="strength-mp").html
    for day in (10, 17):
        played = make.scored(*pairs, end_date=date(2026, 3, day))
        rows = [BoardRow(1, "", 1, 2, 420), BoardRow(1, "", 3, 4, -50)]
        boards.store_boards(played.published, MATCHPOINTS, rows)
    link = ask(reglamento="strength-mp").context["session_address"]
    assert link == strength_address(played)
    assert client.get(link).status_code == 200
    assert ask(reglamento="strength-imp").context["session"] is None


# --- Any address ----------------------------------------------------------------------------------------
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


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([*CODES, "", "nonsense"]),
    st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=12),
)
def test_any_address_gives_a_page(client, code, parameters):
    response = client.get(f"{reverse('calculator')}?{urlencode([('reglamento', code), *parameters])}")
    assert response.status_code == 200
    assert ("address" in response.context) == (not response.context["form"].errors)


def test_bytes_that_are_no_text_give_a_page(client):
    for code in CODES:
        address = f"{reverse('calculator')}?reglamento={code}&tipo=%ff%fe&n_1P=%00&c4=%ed%a0%80&puntos=%00"
        assert client.get(address).status_code == 200
