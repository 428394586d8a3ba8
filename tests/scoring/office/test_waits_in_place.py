"""A page that prepares a proposal shows a link instead of its form while such a proposal is pending."""

from datetime import timedelta

import pytest
from django.urls import reverse

from players.models import Proposal
from players.services import proposals
from scoring.ledger.models import LedgerEntry
from scoring.office.services.adjustments import Adjustment, propose_adjustment
from tests import factories, second
from tests.languages import speak
from tests.pages import Element, Page, open_page
from tests.scoring.office.lists import apply, sent
from tests.scoring.office.test_adjustments import adjustments_url, form_data
from tests.scoring.office.test_categories import REVOKE
from tests.scoring.office.test_categories import page as category_page
from ui.clock import today

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(client):
    speak(client, "en")


def posted_forms(page: Page) -> list[Element]:
    return page.main.all("form", method="post")


def check_that_the_form_gives_way(client, url: str, form: dict) -> None:
    """Assert that the page shows a link instead of its form as long as a proposal is pending.

    form: the form data with which the page creates the proposal
    """
    assert posted_forms(open_page(client, url))
    assert client.post(url, form).status_code == 302
    waiting = Proposal.objects.get(state="pending")
    page = open_page(client, url)
    assert (posted_forms(page), waiting.get_absolute_url() in page.main.addresses) == ([], True)
    proposals.give_back(waiting.pk, second.person(), "No")
    assert posted_forms(open_page(client, url))


def test_the_page_to_undo_a_list_shows_a_pending_proposal_instead_of_its_form(office):
    players = [factories.player(number=number, category="2P") for number in ("901", "902")]
    yesterday = (today() - timedelta(days=1)).isoformat()
    batch = sent(office, "categories", *(f"{player.number};1D;{yesterday};;" for player in players))
    apply(office, batch)
    url = reverse("office_import_undo", args=[batch.pk])
    digest = office.get(url).context["undoing"].digest
    form = {"digest": digest, "reason": "The wrong file", "evidence": "Letter 4"}
    check_that_the_form_gives_way(office, url, form)


def test_the_page_to_take_an_adjustment_back_shows_a_pending_proposal(office):
    player = factories.player()
    propose_adjustment(Adjustment(player.pk, today(), "Open", False, 500), "Why", "Minutes 4", office.account)
    second.approve_all()
    url = reverse("adjustment_back", args=[LedgerEntry.objects.get().pk])
    check_that_the_form_gives_way(office, url, {"reason": "Once too often", "evidence": "Minutes 5"})


def test_the_page_to_revoke_a_category_shows_a_pending_proposal(office):
    player = factories.player(category="2P")
    url = reverse("category_revoke", args=[player.assignments.get().pk])
    check_that_the_form_gives_way(office, url, REVOKE)


def test_the_page_to_assign_a_category_shows_a_pending_proposal_and_its_form(office):
    """While a proposal is pending, the page to assign a category links to it and keeps its form.

    One person may still use the form to raise the player by one step from today on, which needs no proposal.
    """
    player = factories.player(category="2P")
    assert "waits for a second person;" not in open_page(office, category_page(player)).text
    office.post(reverse("category_revoke", args=[player.assignments.get().pk]), REVOKE)
    page = open_page(office, category_page(player))
    assert "waits for a second person;" in page.text
    assert Proposal.objects.get().get_absolute_url() in page.main.addresses
    assert posted_forms(page)


def test_a_player_can_have_several_pending_adjustments(office):
    player = factories.player()
    office.post(adjustments_url(player), form_data())
    assert posted_forms(open_page(office, adjustments_url(player)))
