"""The sentence about the winners, and the summary in the aside of a tournament's page."""

from decimal import Decimal

import pytest
from django.utils import translation

from scoring.pages.winners import winners
from tests import factories as make
from tests.pages import open_page


def row(*names, place=1, points=1035, percentage="62.4", field="", team=""):
    people = [{"name": name} for name in names]
    share = Decimal(percentage) if percentage else None
    return {
        "field": field,
        "place": place,
        "people": people,
        "points": points,
        "percentage": share,
        "team": team,
    }


SENTENCES = [
    (
        [row("Eva Gil", "Ana Sol"), row("Otra", "Más", place=2)],
        ["Ganan Eva Gil y Ana Sol con el 62,40 %: 10,35 puntos"],
    ),
    ([row("Eva Gil")], ["Gana Eva Gil con el 62,40 %: 10,35 puntos"]),
    ([row("Eva Gil", "Inés Sol", percentage="", points=None)], ["Ganan Eva Gil e Inés Sol"]),
    ([row("Eva Gil", "", points=None)], ["Ganan Eva Gil e invitado con el 62,40 %"]),
    ([row("A", "B", "C", "D", team="Los Ases", percentage="")], ["Gana Los Ases: 10,35 puntos"]),
    (
        [row("Eva", "Ana", field="NS"), row("Luis", "Juan", field="EW", points=900)],
        [
            "Ganan Eva y Ana con el 62,40 % en Norte-Sur: 10,35 puntos",
            "Ganan Luis y Juan con el 62,40 % en Este-Oeste: 9,00 puntos",
        ],
    ),
    ([row("A", "B"), row("C", "D")], ["A – B y C – D comparten el primer puesto: 10,35 puntos"]),
    ([row("A")] * 4, []),
]


@pytest.mark.parametrize(("rows", "sentences"), SENTENCES)
def test_the_winners_are_named(rows, sentences):
    with translation.override("es"):
        shown = [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in winners(rows, 2)]
    assert shown == sentences


@pytest.mark.django_db
def test_a_tournament_names_its_winners_and_sums_up_its_coefficients(client):
    players = make.players(16, category="2P")
    tournament = make.scored(*make.pairs(players), end_date=make.today())
    page = open_page(client, tournament.get_absolute_url())
    assert page.lead.startswith(f"Ganan {players[0].full_name} y {players[1].full_name}")
    assert page.lead.endswith("puntúa.")
    aside = page.main.the("aside")
    assert "Con licencia 16 de 16 (100 %)" in aside.text.replace("\N{NO-BREAK SPACE}", " ")
    short, whole = aside.all("dl")[1:]
    assert max(decimals(short)) <= 4
    assert max(decimals(whole)) == 6
    assert short.all("dt")[-1].text == "Primer puesto"


def decimals(facts):
    return [len(value.text.partition(",")[2]) for value in facts.all("dd")]
