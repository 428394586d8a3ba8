"""Tournaments: the filters of the list, and pages that state whether a tournament counts and why not."""

from datetime import date

import pytest
from django.urls import reverse

from players.models import CategoryAssignment
from scoring.ledger.services import runs
from scoring.ledger.wording import reason_text
from scoring.regulations import of_family
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from ui.formatting import TEXT_GLYPH
from ui.text import fold

pytestmark = pytest.mark.django_db
NAMES = {"Zzjueves", "Zzcuatros", "Zzcorta", "Zzantigua"}
UNKNOWN = ["/torneos/2026/nada/", "/torneos/2026/x-999999/", "/torneos/2026/x-99999999999999999999/"]


def titles(client, **params) -> set[str]:
    html = client.get(reverse("tournaments"), params).content.decode()
    return {name for name in NAMES if name in html}


@pytest.fixture
def several_tournaments(today):
    club = make.club(name="Club del Faro")
    players = make.players(8, category="2P", club=club)
    pairs = make.pairs(players)
    make.scored(*pairs, of=club, end_date=today, name="Zzjueves")
    make.scored(tuple(players[:4]), tuple(players[4:]), end_date=today, name="Zzcuatros", format="teams")
    make.scored(*pairs, of=club, end_date=today, name="Zzcorta", boards=18)
    make.scored(*pairs, end_date=date(2025, 5, 1), name="Zzantigua", event_type="regional")
    return club


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, NAMES),
        ({"ano": "2025"}, {"Zzantigua"}),
        ({"modalidad": "teams"}, {"Zzcuatros"}),
        ({"tipo": "regional"}, {"Zzantigua"}),
        ({"puntua": "no"}, {"Zzcorta"}),
        ({"puntua": "si", "ano": "2026"}, {"Zzjueves", "Zzcuatros"}),
        ({"q": "zzjue"}, {"Zzjueves"}),
        ({"ano": "x", "modalidad": "x", "tipo": "x", "puntua": "x", "puntos": "x"}, NAMES),
    ],
    # Do not use str() of the set, whose order differs between processes.
    ids=lambda value: ",".join(sorted(value.values() if isinstance(value, dict) else value)) or "all",
)
def test_the_list_of_tournaments_can_be_filtered(client, several_tournaments, params, expected):
    assert titles(client, **params) == expected


def test_names_of_tournaments_are_found_without_their_accents(client, today):
    make.scored(*make.pairs(make.players(4)), end_date=today, name="Copa Áviles  de Otoño")
    make.announcement(name="Trofeo Ávila")
    for text in ("aviles", "ÁVILES otoño", "otono copa"):
        assert "Copa Áviles" in open_page(client, reverse("tournaments"), q=text).text
        assert "Copa Áviles" in open_page(client, reverse("search"), q=text).text
    assert "Copa Áviles" not in open_page(client, reverse("search"), q="avilex").text
    assert "Trofeo Ávila" in open_page(client, reverse("search"), q="avila").text


@pytest.mark.usefixtures("english")
def test_the_types_to_choose_from_follow_points_and_year(client, several_tournaments, settings):
    def offered(**params) -> set[str]:
        page = open_page(client, reverse("tournaments"), **params)
        return {option["value"] for option in page.of_id("f-tipo").all("option")} - {""}

    settings.FAMILIES = ["aeb", "acbl"]
    assert {"league", "pairs_championship_open", "club"} <= offered()
    assert offered(puntos="acbl") == {"overall", "club"}
    assert "league" in offered(ano="2026") and "pairs_championship_open" not in offered(ano="2026")
    assert "league" not in offered(ano="2025", puntos="aeb")
    settings.FAMILIES = ["aeb"]
    assert "club" not in offered()


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("params", "listed", "sentence"),
    [
        (
            {"tipo": "league", "ano": "2025"},
            {"Zzantigua"},
            "“AEB League” is no choice of “Type” here",
        ),
        ({"puntos": "acbl", "tipo": "pool"}, NAMES - {"Zzantigua"}, "“acbl” is no choice of “Points” here"),
        ({"ano": "1990"}, NAMES, "“1990” is no choice of “Year” here"),
        ({"tipo": "<b>"}, NAMES, "“<b>” is no choice of “Type” here"),
    ],
)
def test_a_filter_that_is_not_valid_is_left_out_and_named(
    client, several_tournaments, params, listed, sentence
):
    assert titles(client, **params) == listed
    page = open_page(client, "/en/torneos/", **params)
    assert page.the(role="status").text.startswith(sentence)
    assert page.all("option", selected=True, value="league") == []


def test_tournaments_can_be_filtered_by_points_system(client, several_tournaments, settings):
    settings.FAMILIES = ["aeb", "sbf-bronze", "acbl"]
    pairs = make.pairs(make.players(8))
    make.scored(*pairs, end_date=date(2026, 1, 9), name="Zzbronce", family="sbf-bronze", event_type="bronze")
    for asked, result in (
        ("sbf-bronze", set()),
        ("aeb", NAMES),
        ("acbl", set()),
        ("egf", NAMES),
        ("", NAMES),
    ):
        page = client.get(reverse("tournaments"), {"puntos": asked})
        assert titles(client, puntos=asked) == result
        assert ("Zzbronce" in page.content.decode()) == (asked in ("sbf-bronze", "egf", ""))
        assert page.context["filters"].family == (asked if asked != "egf" else "")
    assert titles(client, tipo="bronze") == set()
    settings.FAMILIES = ["aeb"]
    page = client.get(reverse("tournaments"), {"puntos": "sbf-bronze"})
    assert "f-puntos" not in page.content.decode() and page.context["filters"].family == ""


def test_tournaments_can_be_filtered_by_club(client, several_tournaments):
    assert titles(client, club=several_tournaments.slug) == {"Zzjueves", "Zzcorta"}
    assert client.get(reverse("tournaments"), {"club": "no-hay"}).status_code == 404


def test_the_page_of_a_tournament_that_does_not_count_says_why_first(client, federation):
    speak(client, "en")
    page = open_page(client, federation.short.get_absolute_url())
    assert "Boards: 18; the minimum is 20 (AEB 2026, summary)." in page.lead


def test_the_page_says_how_many_licences_are_missing(client, today):
    players = [*make.players(6, category="2P"), make.player(licensed=False), make.player(licensed=False)]
    tournament = make.scored(*make.pairs(players), end_date=today)
    speak(client, "en")
    page = open_page(client, tournament.get_absolute_url())
    assert "Players with a licence: 6 of 8; the minimum is 8, 2 are missing" in page.lead


def test_every_reason_for_not_counting_has_a_text():
    samples = {
        "too_few_boards": {"boards": 1, "minimum": 2},
        "too_few_licences": {"licensed": 1, "participants": 2, "needed": 3, "missing": 4, "per_cent": 90},
    }
    for scheme in of_family("aeb"):
        for code, params in samples.items():
            assert reason_text(scheme.code, code, params)
    with pytest.raises(ValueError, match="no words"):
        reason_text("aeb-2026", "unheard_of", {})


def test_the_page_of_an_unscored_tournament_shows_its_ranking_without_coefficients(client, today):
    revision = make.revision(*make.pairs(make.players(4)), end_date=today)
    runs.create_run(revision, None)
    page = open_page(client, revision.tournament.get_absolute_url())
    assert len(page.all(role="rowheader")) >= 2
    assert "C1" not in page.text


def test_names_of_guests_are_shown_and_escaped(client, today):
    pair = make.players(2, category="2P")
    tournament = make.scored(pair, ("Visita <b>", "Otra"), end_date=today, event_type="regional")
    # The name is escaped, so the tag in it is shown as text.
    assert "Visita <b>" in open_page(client, tournament.get_absolute_url()).text


@pytest.mark.parametrize("address", UNKNOWN)
def test_unknown_tournaments_are_not_found(client, today, address):
    assert client.get(address).status_code == 404


def test_other_spellings_of_the_url_redirect_to_the_right_one(client, federation):
    tournament = federation.counted
    response = client.get(f"/torneos/1999/otra-cosa-{tournament.pk}/")
    assert response.headers["Location"] == tournament.get_absolute_url()


def test_only_accounts_that_may_correct_a_tournament_see_the_link(client, federation):
    address = federation.counted.get_absolute_url()
    offer = f"?corrige={federation.counted.pk}"
    assert offer not in client.get(address).content.decode()
    client.force_login(make.director(make.club()))
    assert offer not in client.get(address, {"yo": "1"}).content.decode()
    client.force_login(make.director(federation.club))
    assert offer in client.get(address, {"yo": "1"}).content.decode()


def test_the_search_leads_directly_to_a_number_and_ignores_accents(client, federation):
    player = federation.players[0]
    response = client.get(reverse("search"), {"q": f" 0{player.number} "})
    assert response.headers["Location"] == player.get_absolute_url()
    html = client.get(reverse("search"), {"q": fold(player.full_name)}).content.decode()
    assert player.get_absolute_url() in html
    html = client.get(reverse("search"), {"q": "faro"}).content.decode()
    assert federation.club.get_absolute_url() in html
    for text in ("", "x", "\x00", "%", "'", "a" * 500, "٣", "²"):
        assert client.get(reverse("search"), {"q": text}).status_code == 200


def test_a_year_without_tournaments_links_to_other_years(client, today):
    page = open_page(client, reverse("tournaments"), ano="1999")
    empty = page.the("div", class_="empty")
    assert reverse("tournaments") in empty.addresses


def test_ranking_and_receipt_show_the_categories_used_for_c4(client, today):
    """The tournament's page and the receipt show the categories with which C4 was computed.

    A later change of a category does not change them.
    """
    players = [*make.players(4, category="2P"), *make.players(4, category="3D")]
    played = make.scored(*make.pairs(players), end_date=today)
    assigned = players[0].assignments.get()
    CategoryAssignment.objects.filter(pk=assigned.pk).update(category=make.category("1P"))
    speak(client, "en")
    ranking = open_page(client, played.get_absolute_url()).tables[0].element
    titles = [item["title"] for item in ranking.all(title=True)]
    assert (titles.count("2 of spades"), titles.count("3 of diamonds")) == (4, 4)
    entry = played.entries.get(player=players[0])
    text = client.get(reverse("award", args=[players[0].number, entry.pk])).content.decode()
    text = text.replace(TEXT_GLYPH, "")
    assert "Counted: 4 × 3D♦ (1.1), 4 × 2P♠ (1.46)." in text
