"""The pages of Go ratings: number of queries, hidden players, uploads and receipts.

A receipt also shows the results of common mistakes in computing by hand.
"""

import re
from dataclasses import replace
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from scoring.ratings.models import RatedPlayer, Rating
from scoring.ratings.services import replays
from tests import factories
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.ratings import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


def query_count(client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_lists_without_ratings_or_tournaments_say_that_they_are_empty(client):
    assert "No player has a rating yet." in open_page(client, reverse("go_ratings")).text
    assert "No Go tournament has been rated yet." in open_page(client, reverse("go_tournaments")).text
    assert "No rated player has that name" in open_page(client, reverse("go_ratings"), q="nadie").text


def test_the_number_of_queries_does_not_grow_with_lists(client):
    makers.registered(makers.event("Copa 0", date(2026, 1, 1), makers.people(2), [(1, 1, 2, "1")]))
    addresses = [reverse("go_ratings"), reverse("go_tournaments"), reverse("go_ratings") + "?q=uno"]
    before = [query_count(client, address) for address in addresses]
    for k in (1, 2):
        makers.registered(
            makers.event(
                f"Copa {k}", date(2026, 1, 1 + k), makers.people(6, 1), [(1, 1, 2, "1"), (2, 3, 4, "1")]
            )
        )
    assert [query_count(client, address) for address in addresses] == before


def test_the_number_of_queries_does_not_grow_with_players_of_a_tournament(client):
    small = makers.registered(makers.event("Copa 0", date(2026, 1, 1), makers.people(2), [(1, 1, 2, "1")]))
    games = [(1, 1, 2, "1"), (1, 3, 4, "1"), (2, 5, 6, "0")]
    large = makers.registered(makers.event("Copa 1", date(2026, 1, 2), makers.people(6), games))
    for page in (
        lambda event: event.get_absolute_url(),
        lambda event: reverse("go_receipt", args=[event.pk, 1]),
    ):
        assert query_count(client, page(small)) == query_count(client, page(large))
    first, two = makers.player("Uno 5").get_absolute_url(), makers.player("Uno 1").get_absolute_url()
    assert query_count(client, first) == query_count(client, two)


def test_a_tournament_shows_expected_result_and_change(client):
    event = makers.registered(makers.event())
    text = open_page(client, event.get_absolute_url()).text
    assert "1–0" in text
    assert "0.5000" in text
    assert "EGF rating 2021" in text
    assert "2 rated games." in text


def test_a_lost_game_shows_what_winning_would_have_given(client):
    """With equal ratings, the loser would have gained what the winner gained."""
    event = makers.registered(makers.event())
    won = re.search(
        r"1–0 0\.5000 (\+[\d.]+) (−[\d.]+) \((\+[\d.]+)\)", open_page(client, event.get_absolute_url()).text
    )
    assert won and won[1] == won[3]
    lost = open_page(client, reverse("go_receipt", args=[event.pk, 2])).text
    assert "Had they won" in lost
    assert f"0.5000 {won[2]} {won[3]}" in lost
    assert f"0.5000 {won[1]} —" in open_page(client, reverse("go_receipt", args=[event.pk, 1])).text


def test_the_receipt_lists_results_of_common_mistakes_in_computing_by_hand(client):
    """The receipt also lists the results without ε, without the class and without the reset.

    A player who computed the rating by hand finds the same result there, and sees why another one counts.
    """
    seven, other, third = (replace(person, rating="1500") for person in makers.people(3, grade="7k"))
    makers.registered(makers.event("Antes", date(2018, 1, 1), (seven, other, third), [(1, 1, 2, "0")]))
    players = (replace(seven, grade="5k"), replace(other, grade="7k"), replace(third, grade="7k"))
    event = makers.registered(
        makers.event("Después", date(2018, 2, 1), players, [(1, 1, 2, "1"), (2, 1, 3, "0")], "C")
    )
    shown = client.get(reverse("go_receipt", args=[event.pk, 1]))
    variants = {variant.label: variant for variant in shown.context["receipt"].variants}
    assert list(variants) == [
        "as it is rated",
        "without ε",
        "as if of class A",
        "without ε and as if of class A",
        "without resets",
        "without resets, ε and class",
    ]
    rated = variants["as it is rated"]
    assert rated.change.start == 1600
    assert rated.change.after == makers.after(event)["Uno 1"]
    assert variants["without resets"].change.start != 1600
    # ε adds con·w·ε/2 per game: 2 games, con(1600) = 43, w = 0.5.
    assert rated.gain - variants["without ε"].gain == pytest.approx(2 * 43 * 0.5 * 0.016 / 2)
    assert variants["as if of class A"].gain == pytest.approx(2 * rated.gain)
    bare = shown.context["receipt"].bare
    assert variants["without ε and as if of class A"].change == bare
    text = Page(shown).text
    assert "reset from" in text
    assert "ε 0.016" in text


def test_the_receipt_shows_the_wrong_and_right_results_of_the_articles_example(client):
    """The receipt shows what the author of the rating system's article computed, next to the correct result.

    The author got −3 and then 0, without an opponent's reset and with early rounding.
    """
    ratings = {1: ("4k", "1721"), 2: ("1d", "2073"), 3: ("4k", "1724"), 4: ("7k", "1533"), 5: ("5k", "1617")}
    before = [
        replace(item, grade=ratings[k][0], rating=ratings[k][1]) for k, item in enumerate(makers.people(5), 1)
    ]
    makers.registered(makers.event("Antes", date(2018, 1, 1), before, []))
    now = [replace(item, grade="5k") if k == 4 else item for k, item in enumerate(before, 1)]
    games = [(1, 1, 2, "0"), (2, 1, 3, "1"), (3, 1, 4, "0"), (4, 1, 5, "1")]
    event = makers.registered(makers.event("Ejemplo", date(2018, 2, 1), now, games, "C"))
    shown = client.get(reverse("go_receipt", args=[event.pk, 1]))
    result = {
        variant.label: (variant.gain_rounded, round(variant.gain, 2))
        for variant in shown.context["receipt"].variants
    }
    assert result["without resets, ε and class"] == (-3, -2.03)
    assert result["without ε and as if of class A"] == (0, 1.31)  # and finally +1, rounded once
    assert result["as if of class A"][1] == 2.53
    assert result["as it is rated"][1] == 1.27
    text = Page(shown).text
    assert "Rounded on the way" in text
    assert "-2.03" in text.replace("−", "-")
    assert "Without ε, as class A" in text


def test_formulas_are_typeset_with_the_decimal_sign_of_the_language(client):
    event = makers.registered(makers.event("Copa", date(2018, 1, 1), makers.people(2), [(1, 1, 2, "1")]))
    address = reverse("go_receipt", args=[event.pk, 1])
    shown = client.get(address)
    steps = shown.context["receipt"].steps
    page = Page(shown)
    formulas = [item for item in page.all("span", class_="formula") if item.all("math")]
    assert len(formulas) == len(steps) >= 5
    change = next(step.working for step in steps if step.key == "change")
    assert change in page.text and "." in change
    speak(client, "es")
    assert change.replace(".", ",") in open_page(client, address).text


def test_the_receipt_of_the_2021_system_does_not_mention_epsilon(client):
    event = makers.registered(makers.event(tournament_class="B"))
    speak(client, "en")
    text = open_page(client, reverse("go_receipt", args=[event.pk, 1])).text
    assert "As if of class A" in text
    assert [text[max(0, k - 60) : k + 30] for k, sign in enumerate(text) if sign == "ε"] == []


def test_every_step_of_a_receipt_names_its_game_and_its_source(client):
    """Ten games have forty formulas that look alike, so each step needs its game and its source."""
    games = [(1, 1, 2, "1"), (2, 1, 3, "0")]
    event = makers.registered(makers.event("Copa", date(2018, 1, 1), makers.people(3), games))
    speak(client, "en")
    shown = client.get(reverse("go_receipt", args=[event.pk, 1]))
    lines = shown.context["lines"]
    assert [line.name for line in lines][:2] == ["R, the rating before the games", "con, what is at stake"]
    changes = [(line.name, line.sentence) for line in lines if line.key == "change"]
    assert changes == [("Round 1: Change by the game", "Uno 2"), ("Round 2: Change by the game", "Uno 3")]
    assert {line.sentence for line in lines if not line.name.startswith("Round")} == {""}
    assert all(line.source.startswith("EGF, ") for line in lines)
    assert "Round 2: Expected score" in Page(shown).text


def test_a_receipt_says_so_while_ratings_are_being_computed_again(client):
    event = makers.registered(makers.event())
    makers.RatingTournament.objects.filter(pk=event.pk).update(tournament_class="B")
    receipt, page = reverse("go_receipt", args=[event.pk, 1]), event.get_absolute_url()
    assert "Tell the office" in open_page(client, receipt).text
    replays.request(date(2026, 2, 1), None)
    for address in (receipt, page):
        text = open_page(client, address).text
        assert "are being computed anew" in text
        assert "Tell the office" not in text


def test_hidden_players_are_numbers_on_all_pages_of_go(client):
    event = makers.registered(makers.event())
    hidden = makers.player("Uno 1")
    hidden.hidden = True
    hidden.save()
    in_register = makers.player("Uno 2")
    in_register.player = factories.player(hidden=True)
    in_register.save()
    addresses = [
        reverse("go_ratings"),
        reverse("go_ratings") + "?formato=csv",
        event.get_absolute_url(),
        hidden.get_absolute_url(),
        reverse("go_receipt", args=[event.pk, 1]),
    ]
    for address in addresses:
        response = client.get(address)
        content = b"".join(response) if response.streaming else response.content
        assert b"Uno 1" not in content, address
        assert b"Uno 2" not in content, address
    assert RatedPlayer.objects.search("uno 1").count() == 0
    assert RatedPlayer.objects.search("uno 2").count() == 0
    assert RatedPlayer.objects.search(hidden.pin).get() == hidden
    client.force_login(factories.office())
    assert b"Uno 1" in client.get(hidden.get_absolute_url(), {"yo": "1"}).content


def test_the_rating_list_can_be_exported(client):
    makers.registered(makers.event())
    lines = b"".join(client.get(reverse("go_ratings"), {"formato": "csv"})).decode().splitlines()
    assert len(lines) == 5
    assert "Uno 1" in lines[1]


def test_a_player_with_two_tournaments_has_a_rating_chart(client):
    makers.registered(makers.event("Copa 1", date(2026, 1, 1)))
    address = makers.player("Uno 1").get_absolute_url()
    assert client.get(address).context["chart"] is None
    makers.registered(makers.event("Copa 2", date(2026, 2, 1)))
    page = open_page(client, address)
    assert page.all("svg")
    chart = page.context["chart"]
    assert chart.y_format(1600.25) == "1,600"  # if the values are far apart, the axis has no decimals
    with translation.override("en"):
        close = makers.player("Uno 3").get_absolute_url()
        Rating.objects.filter(entrant__player__name="Uno 3").update(after=1600.25)
        assert client.get(close).context["chart"].y_format(1600.5) == "1,600.50"
