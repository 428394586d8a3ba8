"""The page to propose adjustments of points, and the receipt of an adjustment."""

import pytest
from django.urls import reverse

from players.models import Proposal, Role
from players.proposals import act_of
from players.services import proposals
from scoring.ledger.models import LedgerEntry
from scoring.ledger.queries import awards
from scoring.ledger.services import posting
from scoring.office.services.adjustments import Adjustment
from tests import factories as f
from tests.languages import speak
from tests.pages import open_page
from ui.clock import today

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(client):
    speak(client, "en")


def adjustments_url(player) -> str:
    return f"{reverse('adjustments')}?numero={player.number}"


def form_data(**changes) -> dict:
    return {
        "points": "-1,234.50",
        "title": "Open of March",
        "played_on": today().isoformat(),
        "online": "1",
        "family": "aeb",
        "reason": "Scored twice",
        "evidence": "Minutes 4",
        **changes,
    }


def test_the_office_prepares_and_the_committee_approves_an_adjustment(office, client):
    player = f.player(hidden=True)
    answer = office.post(adjustments_url(player), form_data())
    waiting = Proposal.objects.get()
    assert answer.url == waiting.get_absolute_url()
    committee = f.user()
    f.role(committee, Role.Kind.COMMITTEE)
    client.force_login(committee)
    shown = client.get(answer.url).content.decode()
    assert player.desk_name in shown and "−1,234.50" in shown and "Minutes 4" in shown
    digest = act_of(waiting).effect(waiting, committee).digest
    assert client.post(answer.url, {"action": "approve", "seen": digest}).status_code == 302
    entry = LedgerEntry.objects.get()
    assert (entry.points, entry.online, entry.posted_by) == (-123450, True, committee)

    receipt = reverse("award", args=[player.number, entry.pk])
    client.logout()
    speak(client, "en")
    public = client.get(receipt).content.decode()
    assert "Scored twice" in public and "another approved it" in public
    assert "Minutes 4" not in public and player.full_name not in public
    client.force_login(office.account)
    shown = client.get(receipt, {"yo": "1"}).content.decode()
    back = reverse("adjustment_back", args=[entry.pk])
    assert "Minutes 4" in shown and back in shown
    for page in (adjustments_url(player), back):
        assert player.desk_name in client.get(page).content.decode(), page
    listed = client.get(adjustments_url(player))
    assert (listed.status_code, receipt in listed.content.decode()) == (200, True)
    assert client.post(back, {"reason": "It was right", "evidence": "Letter 9"}).status_code == 302
    again = client.post(back, {"reason": "It was right", "evidence": "Letter 9"})
    assert again.status_code == 422 and "It waits for a second person" in again.content.decode()
    proposals.approve(Proposal.objects.first().pk, committee, _digest(committee))
    assert "already taken back" in client.get(back).content.decode()
    counter = LedgerEntry.objects.exclude(pk=entry.pk).get()
    shown = client.get(receipt, {"yo": "1"}).content.decode()
    assert "These points were taken back on" in shown and "It was right" in shown
    assert reverse("award", args=[player.number, counter.pk]) in shown and back not in shown
    account = client.get(f"{player.get_absolute_url()}resultados/").content.decode()
    assert "(adjustment, taken back: It was right)" in account and "(taken back: It was right)" in account


def test_one_query_finds_which_of_any_number_of_entries_were_taken_back(django_assert_num_queries):
    player = f.player()
    for number in range(4):
        prepared = Adjustment(player.pk, today(), "Open of March", online=False, points=100 + number)
        [pk] = posting.post_adjustments([prepared], f"adjustment-{number}", "Scored twice", f.user())
        if number % 2:
            posting.take_back_adjustment(pk, "It was right", f.user())
    with django_assert_num_queries(2):
        records = awards.award_records(awards.entries_of(player), player.number)
    assert [record["taken_back"] for record in reversed(records)] == [False, True, False, False, True, False]


def test_the_page_of_reversed_opening_points_says_that_they_were_taken_back(client):
    player = f.player()
    entry = LedgerEntry.objects.create(
        kind="opening", player=player, points=500, played_on=today(), online=True, title="Old Open"
    )
    [back] = posting.take_back([entry.pk], "The wrong file", f.user())
    account = client.get(f"{player.get_absolute_url()}resultados/").content.decode()
    assert "(brought in from before, taken back: The wrong file)" in account
    receipt = client.get(reverse("award", args=[player.number, entry.pk])).content.decode()
    assert "These points were taken back on" in receipt
    assert reverse("award", args=[player.number, back]) in receipt


def _digest(by) -> str:
    waiting = Proposal.objects.get(state="pending")
    return act_of(waiting).effect(waiting, by).digest


@pytest.mark.parametrize(
    ("name", "value"),
    [("points", "0"), ("points", "1.234"), ("points", "x"), ("points", "999999999"), ("title", ""),
     ("played_on", "2999-01-01"), ("reason", " "), ("evidence", ""), ("family", "acbl")],
)  # fmt: skip
def test_the_form_shows_errors_at_their_fields_and_keeps_all_input(office, name, value):
    player = f.player()
    answer = office.post(adjustments_url(player), form_data(**{name: value}))
    assert answer.status_code == 422
    assert name in answer.context["form"].errors
    assert not Proposal.objects.exists()
    assert answer.context["form"]["title"].value() == ("" if name == "title" else "Open of March")


def test_an_opening_award_is_adjusted_from_its_receipt(office):
    player = f.player()
    entry = LedgerEntry.objects.create(
        kind="opening", player=player, points=5, played_on=today(), online=True, title="Old Open"
    )
    receipt = open_page(office, reverse("award", args=[player.number, entry.pk]), yo="1")
    url = f"{adjustments_url(player)}&apunte={entry.pk}"
    assert url in receipt.addresses
    form = office.get(url).context["form"]
    assert (form["title"].value(), form["online"].value()) == ("Old Open", "1")


@pytest.mark.parametrize("name", ["adjustments", "category_assign", "merges"])
def test_pages_that_start_with_a_player_share_the_search_form(office, name):
    page = open_page(office, reverse(name))
    assert "office/_find.html" in {template.name for template in page.response.templates}
    assert len(page.all("form", method="get", class_="form")) == 1
    assert page.main.the("button", class_="btn-primary").text.startswith("Look at")


@pytest.mark.parametrize("name", ["adjustments", "category_assign"])
def test_with_a_chosen_player_searching_is_the_secondary_button(office, name):
    page = open_page(office, reverse(name), numero=f.player().number)
    assert "Look at this player" in [button.text for button in page.all("button", class_="btn-secondary")]
