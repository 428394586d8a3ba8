"""Every public page responds, states its main result first, and has one canonical URL."""

from datetime import date

import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.office.test_home import waiting_upload

pytestmark = pytest.mark.django_db


def addresses(federation) -> list[str]:
    player, hidden = federation.players[0], federation.hidden
    entry = LedgerEntry.objects.filter(player=player).first()
    return [
        reverse("home"),
        reverse("standings"),
        reverse("standing", args=["2p"]),
        reverse("standing", args=["3d"]),
        reverse("standing", args=["2p"]) + "?a=2026-10-25&lugar=presencial&licencia=todos",
        reverse("tournaments"),
        federation.counted.get_absolute_url(),
        federation.short.get_absolute_url(),
        reverse("players"),
        reverse("players") + "?q=alba",
        player.get_absolute_url(),
        hidden.get_absolute_url(),
        reverse("award", args=[player.number, entry.pk]),
        reverse("clubs"),
        federation.club.get_absolute_url(),
        reverse("promotions"),
        reverse("promotion", args=[2026, "2p"]),
        reverse("promotion", args=[2026, "1p"]),
        reverse("regulations"),
        reverse("regulation", args=["aeb-2022"]),
        reverse("regulation", args=["aeb-2026"]),
        reverse("calculator"),
        reverse("calculator") + "?comparar=aeb-2022",
        reverse("calculator") + "?participantes=0",
        reverse("search"),
        reverse("search") + "?q=pool",
        reverse("search") + "?q=zzzz",
        reverse("help"),
        reverse("privacy"),
    ]


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_public_page_states_its_main_result_first(client, federation, language):
    speak(client, language)
    for address in addresses(federation):
        page = open_page(client, address)
        assert len(page.headings(1)) == 1, address
        assert page.lead, address
        assert page.all("link", rel="canonical"), address
        assert not page.all(style=True), address


@pytest.mark.parametrize("account", ["office", "director", "player"])
def test_every_page_opens_for_a_signed_in_account(client, federation, account):
    if account == "player":
        user = make.user()
        federation.players[0].user = user
        federation.players[0].save()
    else:
        user = make.office() if account == "office" else make.director(federation.club)
    client.force_login(user)
    for address in addresses(federation):
        assert client.get(address).status_code == 200, address


def test_the_front_page_answers_its_question_for_a_signed_in_player(client, federation):
    visitor = open_page(client, reverse("home"))
    assert visitor.headings(1)[0] == "¿En qué puesto estás?"
    player = federation.players[0]
    player.user = make.user()
    player.save()
    client.force_login(player.user)
    own = open_page(client, reverse("home"), yo=1)
    position = own.context["own"]["position"]
    assert position.rank and own.headings(1)[0] == (
        f"En {position.category.code} estás en el puesto {position.rank} de {position.of}"
    )
    assert "en 12 meses" in own.lead and own.link("Mis puntos") == reverse("my_page")


def test_the_front_page_begins_with_what_waits_for_its_reader(client, federation):
    upload = waiting_upload()
    client.force_login(make.office())
    page = open_page(client, reverse("home"), yo=1)
    assert page.headings(1)[0].startswith("1 asunto") and page.headings(2)[0] == "Lo que te espera"
    assert upload.get_absolute_url() in page.main.addresses
    client.logout()
    assert upload.get_absolute_url() not in open_page(client, reverse("home")).main.addresses


def test_the_estimated_cut_is_drawn_until_the_end_of_the_year(client, federation):
    context = client.get(federation.players[0].get_absolute_url()).context
    plot, prospect = context["chart"], context["prospect"]
    assert plot.cut == prospect.cut
    assert plot.year_end == (date(2026, 12, 31), context["left_on_31_december"])
    for drawing in (plot.wide, plot.narrow):
        assert len(Page(drawing).all("path", class_="reference")) == 1


@pytest.mark.parametrize("name", ["tournaments", "players", "calendar"])
def test_an_empty_installation_counts_nothing(client, db, name):
    page = open_page(client, reverse(name))
    assert page.lead.startswith(("Todavía no hay", "No hay ningún"))


def test_a_player_without_results_has_a_sentence_instead_of_figures_of_nothing(client, db):
    player = make.player(hidden=True, category="3D")
    page = open_page(client, player.get_absolute_url())
    assert page.lead == "Todavía sin puntos." and not page.all("dl", class_="strip")
    assert "ha pedido" not in page.main.text  # members under 14 are hidden without asking
    assert "aparece solo con su número" in page.main.text
