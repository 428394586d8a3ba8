"""A player's entries and their receipts: they agree, and corrected entries stay visible."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from scoring.engine.types import Step
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.receipts import localised, receipt_line, receipt_of
from scoring.ledger.services import posting, runs
from scoring.ledger.windows import leaves_on
from tests import factories as make
from tests.pages import Page, open_page
from tournaments import drafts
from ui.formatting import format_points

pytestmark = pytest.mark.django_db


def receipts(tournament) -> list:
    entries = LedgerEntry.objects.filter(tournament=tournament, kind="award").select_related(
        "run", "contestant"
    )
    return [receipt_of(entry, "es") for entry in entries]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"end_date": "2025"},
        {"format": "teams"},
        {"format": "individual"},
        {"venue": "online"},
        {"boards": 120},
        {"event_type": "regional"},
    ],
    ids=str,
)
def test_every_receipt_ends_with_the_points_of_the_ledger(fields, today):
    players = make.players(12, category="2C")
    fields = {**fields, "end_date": today - timedelta(days=400 if fields.get("end_date") else 3)}
    sizes = {"teams": 4, "individual": 1}
    size = sizes.get(fields.get("format", ""), 2)
    contestants = [tuple(players[at : at + size]) for at in range(0, 12, size)]
    tournament = make.scored(*contestants, **fields)
    result = receipts(tournament)
    assert len(result) == 12
    assert all(receipt.agrees for receipt in result)
    keys = [line.key for line in result[0].lines]
    assert keys == ["C1", "C2", "n", "C3", "C4", "C5", "p_max", "p_min", "i", "award", "rounding"]
    assert all(line.source for receipt in result for line in receipt.lines)


def test_the_receipt_explains_a_shared_place(today):
    pairs = make.pairs(make.players(8, category="2C"))
    tournament = make.scored(*pairs, places=[1, 2, 2, 4])
    result = receipts(tournament)
    tied = [
        item for item in result if any(line.key == "award" and "₁" in line.formula for line in item.lines)
    ]
    assert len(tied) == 4
    assert len({receipt.computed for receipt in tied}) == 1
    assert all(receipt.agrees for receipt in result)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"family": "sbf-bronze", "event_type": "bronze"},
        {"family": "acbl", "event_type": "club"},
    ],
    ids=str,
)
def test_formulas_in_receipts_are_typeset_and_numbers_stay_text(client, today, fields):
    tournament = make.scored(*make.pairs(make.players(8, category="2C")), places=[1, 2, 2, 4], **fields)
    for entry in LedgerEntry.objects.filter(tournament=tournament, kind="award").select_related(
        "run", "contestant"
    ):
        page = open_page(client, reverse("award", args=[entry.player.number, entry.pk]))
        lines = [line for line in receipt_of(entry, "es").lines if line.formula]
        formulas = [item for item in page.all("span", class_="formula") if item.all("math")]
        assert len(formulas) == len(lines)
        assert all(line.working in page.text for line in lines)


def test_a_receipt_that_differs_from_the_ledger_shows_an_error(client, federation):
    entry = LedgerEntry.objects.filter(kind="award").select_related("run").first()
    address = reverse("award", args=[entry.player.number, entry.pk])
    assert "issue-error" not in client.get(address).content.decode()
    inputs = entry.run.inputs
    inputs[0]["event"]["boards"] += 30
    ScoringRun.objects.filter(pk=entry.run_id).update(inputs=inputs)
    html = client.get(address).content.decode()
    assert "issue-error" in html


def test_a_receipt_with_unreadable_inputs_is_still_a_page(client, federation):
    entry = LedgerEntry.objects.filter(kind="award").select_related("run").first()
    inputs = entry.run.inputs
    inputs[0]["event"]["boards"] = "many"
    ScoringRun.objects.filter(pk=entry.run_id).update(inputs=inputs)
    response = client.get(reverse("award", args=[entry.player.number, entry.pk]))
    assert response.status_code == 200
    assert "issue-error" in response.content.decode()


def test_decimal_signs_follow_the_language():
    text = "C2 = 0.23·√27 − 0.035 = 1.160115, art. 2.4"
    assert localised(text, "es") == "C2 = 0,23·√27 − 0,035 = 1,160115, art. 2,4"
    assert localised(text, "en") == text


def correct(tournament, rows, reason: str):
    with transaction.atomic():
        revision = drafts.store(drafts.header_of(tournament), rows, None, corrects=tournament, reason=reason)
    runs.score(runs.create_run(revision, None, reason).pk)


def test_a_correction_shows_the_old_and_new_award_and_the_reason(client, federation):
    tournament, player = federation.counted, federation.players[0]
    before = LedgerEntry.objects.get(tournament=tournament, player=player, kind="award")
    rows = drafts.rows_of(tournament.published)
    swapped = [replace(row, place=place) for row, place in zip(rows, (2, 1, 3, 4), strict=True)]
    correct(tournament, swapped, "Una mano al revés")
    results = Page(client.get(f"{player.get_absolute_url()}resultados/"))
    assert results.main.text.count("Una mano al revés") == 2
    latest = client.get(player.get_absolute_url()).context["results_html"]
    assert latest.count(tournament.name) == 3  # also in the names of its receipt and its fold
    reversal = LedgerEntry.objects.get(reverses=before)
    response = client.get(reverse("award", args=[player.number, reversal.pk]))
    assert "Una mano al revés" in response.content.decode()
    old = client.get(reverse("award", args=[player.number, before.pk])).content.decode()
    assert reverse("award", args=[player.number, reversal.pk]) in old
    assert "Una mano al revés" in client.get(tournament.get_absolute_url()).content.decode()


def test_an_opening_award_has_a_receipt_without_a_computation(client, today):
    player = make.player(category="2P")
    posting.post_opening([posting.OpeningRow(player.pk, today, "De antes", False, 1234)], None)
    page = open_page(client, reverse("award", args=[player.number, LedgerEntry.objects.get().pk]))
    assert "De antes" in page.text
    assert "12,34" in page.text
    assert page.tables == []


def test_counting_expired_and_ineligible_awards_are_listed_separately(client, federation, today):
    player = federation.players[0]
    old = posting.OpeningRow(player.pk, today - timedelta(days=500), "Muy antiguo", False, 777)
    posting.post_opening([old], None)
    address = f"{player.get_absolute_url()}resultados/"
    counting, expired = (client.get(address, {"ver": state}).context for state in ("cuentan", "fuera"))
    assert "Pool de los jueves" in counting["table_html"] and "Muy antiguo" not in counting["table_html"]
    assert "Muy antiguo" in expired["table_html"] and "jueves" not in expired["table_html"]
    rest = counting["not_counted_html"]
    assert "18" in rest.partition("Pool corta")[2]
    assert "Pool corta" in client.get(player.get_absolute_url()).content.decode()
    counting = counting["table_html"]
    leaves = leaves_on(today - timedelta(days=30))
    assert str(leaves.year) in counting


@pytest.mark.parametrize("address", ["/jugadores/999999999/", "/jugadores/nadie/", "/jugadores/1/puntos/1/"])
def test_unknown_players_and_entries_are_not_found(client, today, address):
    assert client.get(address).status_code == 404


def test_an_entry_is_shown_under_its_own_player_only(client, federation):
    entry = LedgerEntry.objects.filter(player=federation.players[0]).first()
    other = federation.players[1]
    assert client.get(reverse("award", args=[other.number, entry.pk])).status_code == 404


def test_a_number_with_leading_zeros_leads_to_the_player(client, federation):
    player = federation.players[0]
    response = client.get(f"/jugadores/00{player.number}/")
    assert response.headers["Location"] == player.get_absolute_url()


def test_all_results_are_paged(client, today):
    player = make.player(category="2P")
    old = [
        posting.OpeningRow(player.pk, today - timedelta(days=500 + number), f"Viejo {number:02}", False, 1)
        for number in range(60)
    ]
    posting.post_opening(old, None)
    address = f"{player.get_absolute_url()}resultados/"
    first, second = (client.get(address, {"pagina": page}).content.decode() for page in (1, 2))
    assert "Viejo 00" in first and "Viejo 59" not in first
    assert "Viejo 59" in second and "Viejo 00" not in second


@pytest.mark.parametrize(
    ("number", "without", "parts"),
    [
        (1, 0, ["Media de 1 jugador; suma de los valores: 12."]),
        (2, 1, ["Media de 2 jugadores con categoría;", "Quedan fuera, sin categoría: 1."]),
        (9, 2, ["Media de 9 jugadores con categoría;", "Quedan fuera, sin categoría: 2."]),
    ],
)
def test_the_sentence_on_the_mean_category_fits_one_or_many_players(number, without, parts):
    params = {"classified": number, "unclassified": without, "sum": Decimal(12), "counts": ()}
    step = Step("C4", "mean", Decimal(1), "C4", "C4", "2.4", params=params)
    with translation.override("es"):
        sentence = receipt_line(step, "aeb-2026", "es").sentence
    assert [part for part in parts if part not in sentence] == []


def test_a_receipt_begins_with_its_answer_and_lists_what_the_ledger_has(client, federation):
    tournament, player = federation.counted, federation.players[0]
    rows = drafts.rows_of(tournament.published)
    swapped = [replace(row, place=place) for row, place in zip(rows, (2, 1, 3, 4), strict=True)]
    correct(tournament, swapped, "Una mano al revés")
    entries = LedgerEntry.objects.filter(tournament=tournament, player=player).order_by("pk")
    latest = entries.last()
    page = open_page(client, reverse("award", args=[player.number, latest.pk]))
    text = page.text.replace("\N{NO-BREAK SPACE}", " ")
    points = format_points(latest.points, "es")
    assert page.headings()[0] == f"{points} puntos"
    assert "puesto 2 de 4 con" in page.lead
    product = page.the("dl", class_="product")
    assert len(product.all("dt")) == 7  # five coefficients, the points of the first, those of the place
    assert product.all("dd")[-1].text.endswith(points)
    assert f"Puesto 2: {points}" in text
    words = [row[0] for row in page.table("Lo anotado").rows]
    assert [word.partition(",")[0] for word in words][::2] == ["Reparto", "Reparto corregido"]
    assert words[1].startswith("Retirado por una corrección") and words[1].endswith("Una mano al revés")
    receipts = [reverse("award", args=[player.number, entry.pk]) for entry in entries]
    assert [receipt in page.addresses for receipt in receipts] == [True, True, False]
