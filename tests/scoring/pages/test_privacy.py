"""A hidden player appears only by number: on every page, in every file and in every search."""

import io
from datetime import timedelta

import openpyxl
import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry
from tests import factories as make
from tests.scoring.pages.test_pages import addresses

pytestmark = pytest.mark.django_db
SECRETS = ("Secundina", "Ocultada", "secundina", "ocultada")


def readers(federation) -> dict:
    return {"nobody": None, "outsider": make.user(), "director": make.director(federation.club)}


@pytest.mark.parametrize("reader", ["nobody", "outsider", "director"])
def test_a_hidden_players_name_is_on_no_page(client, federation, reader):
    user = readers(federation)[reader]
    if user:
        client.force_login(user)
    number = federation.hidden.number
    entry = LedgerEntry.objects.filter(player=federation.hidden).first()
    seen = 0
    extra = [
        reverse("award", args=[number, entry.pk]),
        reverse("search") + "?q=pool",
        reverse("tournaments") + "?q=pool",
        reverse("players") + f"?q={number}",
    ]
    for address in [*addresses(federation), *extra]:
        html = client.get(address).content.decode()
        assert not any(secret in html for secret in SECRETS), address
        seen += number in html
    assert seen >= 6  # make sure that the player appeared on the pages


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_hidden_players_name_is_in_no_file(client, federation, kind, today):
    files = [
        reverse("standing", args=["2p"]) + f"?formato={kind}",
        reverse("standing", args=["2p"]) + f"?formato={kind}&a={today - timedelta(days=1)}",
        reverse("promotion", args=[2026, "2p"]) + f"?formato={kind}",
        federation.counted.get_absolute_url() + f"?formato={kind}",
        federation.hidden.get_absolute_url() + f"?formato={kind}",
    ]
    number = federation.hidden.number
    for address in files:
        response = client.get(address)
        assert response.status_code == 200
        body = b"".join(response.streaming_content)
        if kind == "xlsx":
            sheet = openpyxl.load_workbook(io.BytesIO(body)).active
            text = " ".join(str(cell) for row in sheet.iter_rows(values_only=True) for cell in row)
        else:
            text = body.decode("utf-8-sig")
        assert not any(secret in text for secret in SECRETS), address
        if address != files[-1]:
            assert number in text, address


GUESTS = {
    "Secundina Ocultada Nombre": True,
    "OCULTADA NOMBRE, Secundina (Faro)": True,
    "S. Ocultada Nombre": True,
    "Secundina Ocultada": True,
    "Secundino Ocultada Nombre": False,
    "Berta Ocultada Nombre": False,
    "Ocultada Nombre (Faro)": True,
    "Ocultada, Berta": False,
    "Secundina Quiroga Paz": False,
}


@pytest.mark.parametrize("format", ["page", "sheet", "csv", "xlsx"])
@pytest.mark.parametrize("merged", [False, True])
def test_a_guest_with_the_name_of_a_hidden_player_has_no_name(client, federation, today, format, merged):
    if merged:
        survivor = make.player(hidden=True, given_name="Otra", surname="Distinta")
        federation.hidden.merged_into, federation.hidden.hidden = survivor, False
        federation.hidden.save()
    guests = [[name, f"Compañera {place}"] for place, name in enumerate(GUESTS, start=1)]
    tournament = make.scored(federation.players[:2], *guests, end_date=today, event_type="regional")
    address = tournament.get_absolute_url()
    path = {"page": address, "sheet": f"{address}imprimir/"}.get(format, f"{address}?formato={format}")
    response = client.get(path)
    assert response.status_code == 200
    body = b"".join(response) if response.streaming else response.content
    if format == "xlsx":
        sheet = openpyxl.load_workbook(io.BytesIO(body)).active
        names = [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row]
        shown = {name: name in names for name in GUESTS}
    else:
        shown = {name: name in body.decode() for name in GUESTS}
    assert shown == {name: not secret for name, secret in GUESTS.items()}


@pytest.mark.parametrize("name", ["secundina", "ocultada nombre", "Ocultada"])
def test_no_search_finds_a_hidden_players_name(client, federation, name):
    number = federation.hidden.number
    for address in ("search", "players"):
        assert number not in client.get(reverse(address), {"q": name}).content.decode()
    response = client.get(reverse("standing", args=["2p"]), {"q": name})
    assert number not in response.content.decode()


def test_an_old_link_with_the_name_leads_to_the_number(client, federation):
    number = federation.hidden.number
    response = client.get(f"/jugadores/{number}-secundina-ocultada-nombre/")
    assert response.status_code == 302
    assert response.headers["Location"] == f"/jugadores/{number}/"


def test_search_engines_do_not_index_a_hidden_player(client, federation):
    assert "noindex" in client.get(federation.hidden.get_absolute_url()).content.decode()
    assert "noindex" not in client.get(federation.players[0].get_absolute_url()).content.decode()


def test_the_office_and_the_player_see_a_hidden_name(client, federation):
    address = reverse("player_categories", args=[federation.hidden.number])
    client.force_login(make.office())
    assert "Secundina" in client.get(address, {"yo": "1"}).content.decode()
    federation.hidden.user = make.user()
    federation.hidden.save()
    client.force_login(federation.hidden.user)
    for page in (address, reverse("my_page")):
        assert "Secundina" in client.get(page, {"yo": "1"}).content.decode()
    assert "Secundina" not in client.get(federation.hidden.get_absolute_url()).content.decode()
