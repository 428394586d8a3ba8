"""The document behind a category assigned by hand: who can read it, and where it is required."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import CategoryAssignment, Role
from players.services import categories
from scoring.office.models import OfficeImport
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.office.lists import apply, issues, send, sent, table

DAY = date(2026, 3, 1)
ADDRESS = "https://example.org/actas/2026-07.pdf"


@pytest.fixture
def titled_player(db):
    """A player with a title assigned by hand, and with a revoked category of the ladder."""
    player, by = factories.player(category="2P"), factories.office()
    text = {"reason": "Won the championship", "by": by, "evidence": ADDRESS}
    categories.assign(player, factories.category("MN-O"), DAY, **text)
    step = categories.assign(player, factories.category("1P"), DAY, **text)
    categories.revoke(step.pk, "Another player was meant", by, evidence="Letter of 4 March")
    return player


# --- Readers --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", [Role.Kind.OFFICE, Role.Kind.AUDITOR, Role.Kind.COMMITTEE, "player"])
def test_players_office_and_auditors_see_reason_and_document(client, titled_player, kind):
    account = factories.user()
    if kind == "player":
        titled_player.user = account
        titled_player.save()
    else:
        factories.role(account, kind)
    client.force_login(account)
    page = open_page(client, reverse("player_categories", args=[titled_player.number]))
    assert "Won the championship" in page.text
    links = page.all("a", href=ADDRESS)
    assert [(link.text, link.get("rel")) for link in links] == [(ADDRESS, "nofollow")] * 2
    assert "Another player was meant" in page.text and "Letter of 4 March" in page.text


@pytest.mark.parametrize("reader", ["anybody", "another player", "director"])
def test_other_readers_see_neither_reason_nor_document(client, titled_player, reader):
    if reader != "anybody":
        account = factories.director(titled_player.club) if reader == "director" else factories.user()
        if reader == "another player":
            factories.player(user=account)
        client.force_login(account)
    page = client.get(titled_player.get_absolute_url()).content.decode()
    assert "MN" in page
    for text in ("Won the championship", ADDRESS, "Another player was meant", "Letter of 4 March"):
        assert text not in page


def test_the_office_and_auditors_see_the_documents_of_assigning_and_revoking(client, titled_player):
    for kind in (Role.Kind.OFFICE, Role.Kind.AUDITOR):
        account = factories.user()
        factories.role(account, kind)
        client.force_login(account)
        page = client.get(f"{reverse('category_assign')}?numero={titled_player.number}").content.decode()
        assert ADDRESS in page and "Letter of 4 March" in page


def test_a_document_given_as_a_url_is_shown_as_a_link(office, titled_player):
    text = {"reason": "x", "by": office.account, "evidence": "<b>javascript:alert(1)</b>"}
    categories.assign(titled_player, factories.category("1D"), date(2026, 4, 1), **text)
    for url in (
        f"{reverse('category_assign')}?numero={titled_player.number}",
        reverse("player_categories", args=[titled_player.number]),
    ):
        page = open_page(office, url)
        assert "<b>javascript:alert(1)</b>" in page.text
        assert not [address for address in page.addresses if "javascript" in address]


def test_the_page_shows_no_document_for_assignments_without_one(office):
    player = factories.player(category=None)
    factories.assign(player, "2P", origin=CategoryAssignment.Origin.MANUAL, reason="Acta 1")
    speak(office, "en")
    page = office.get(reverse("player_categories", args=[player.number])).content.decode()
    assert "Acta 1" in page and "Evidence" not in page


# --- Lists ----------------------------------------------------------------------------------------------
def test_an_imported_list_may_name_the_document(office):
    players = [factories.player(number=number, category=None) for number in ("901", "902")]
    batch = sent(office, "categories", f"901;MN-O;{DAY:%d/%m/%Y};Champion;Acta 7", f"902;2P;{DAY:%d/%m/%Y};;")
    review = office.get(reverse("office_import_review", args=[batch.pk])).content.decode()
    assert "Champion" in review and "Acta 7" in review
    apply(office, batch)
    value = [player.assignments.get() for player in players]
    assert [(item.origin, item.evidence) for item in value] == [("import", "Acta 7"), ("import", "")]


def test_an_imported_list_without_a_document_column_is_accepted(office):
    player = factories.player(number="901", category=None)
    old = ["Número", "Categoría", "Desde", "Motivo"]
    data = table("categories", f"901;2P;{DAY:%d/%m/%Y};Champion", headings=old)
    assert send(office, "categories", data).status_code == 302
    apply(office, OfficeImport.objects.get())
    assert (player.assignments.get().reason, player.assignments.get().evidence) == ("Champion", "")


def test_an_imported_list_with_too_long_a_document_is_refused(office):
    factories.player(number="901", category=None)
    batch = sent(office, "categories", f"901;2P;{DAY:%d/%m/%Y};;{'x' * 301}")
    assert issues(batch) == [("text_over_limit", 2)]


def test_the_digest_of_a_list_depends_on_the_document(office):
    """The digest to which the office agrees differs if two lists differ only in the document."""
    factories.player(number="901", category=None)
    both = [sent(office, "categories", f"901;2P;{DAY:%d/%m/%Y};;{text}") for text in ("Acta 7", "Acta 8")]
    pages = [office.get(reverse("office_import_review", args=[batch.pk])) for batch in both]
    assert len({page.context["plan"].digest for page in pages}) == 2


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_template_of_lists_has_a_document_column(office, language):
    speak(office, language)
    answer = office.get(reverse("office_import_template", args=["categories", "csv"]))
    assert (
        answer.content.decode("utf-8-sig").strip().endswith({"es": "Documento", "en": "Evidence"}[language])
    )


# --- The service and the database -----------------------------------------------------------------------
def test_categories_cannot_be_assigned_or_revoked_without_a_document(office):
    player = factories.player(category=None)
    held = factories.assign(player, "2P")
    with pytest.raises(ValidationError) as refused:
        categories.assign(player, factories.category("1P"), DAY, "Champion", office.account, evidence=" ")
    assert list(refused.value.message_dict) == ["evidence"]
    with pytest.raises(ValidationError) as refused:
        categories.revoke(held.pk, " ", office.account, evidence="")
    assert list(refused.value.message_dict) == ["reason", "evidence"]
    held.refresh_from_db()
    assert player.assignments.count() == 1 and held.revoked_at is None


@pytest.mark.parametrize("act", ["give", "revoke"])
def test_assigning_and_revoking_lock_the_player_before_reading_categories(office, act):
    player = factories.player(category=None)
    held = factories.assign(player, "2P")
    with CaptureQueriesContext(connection) as captured:
        if act == "give":
            categories.assign(player, factories.category("1P"), DAY, "x", office.account, evidence="Acta 7")
        else:
            categories.revoke(held.pk, "x", office.account, evidence="Acta 7")
    text = [item["sql"] for item in captured]
    lock = next(place for place, sql in enumerate(text) if 'FROM "players_player"' in sql)
    if connection.vendor == "postgresql":
        assert text[lock].endswith("FOR NO KEY UPDATE")
    looked = [place for place, sql in enumerate(text) if '"players_categoryassignment"."revoked_at"' in sql]
    assert looked and lock < min(looked)
