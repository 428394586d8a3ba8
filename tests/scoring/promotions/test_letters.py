"""The letters of a campaign: recipients, order, number per page, and the choice of a region or club."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import CategoryAssignment
from scoring.ledger.queries import places
from scoring.office.services import merges
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.open import Abandon
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import movers
from scoring.promotions.views import letters as campaign_letters
from tests import factories as make
from tests.languages import speak
from tests.pages import Page
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.campaigns import response_for
from ui import choices
from ui.memo import forget

pytestmark = pytest.mark.django_db


def published_with_movers(people, moving: int):
    """Publish a campaign in which `moving` players of category 2D move. Return it.

    One moves by the rules, the others by decisions.
    """
    campaign = campaigns.frozen(people)
    for player in people.diamonds[1:moving]:
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "Acta 3", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    campaign.refresh_from_db()
    return campaign


def letters_response(client, people, campaign, **query):
    """Request the office's page with the letters to players of category 2D."""
    return response_for(client, people.office, "campaign_letters", campaign.pk, categoria="2d", **query)


def recipients(response) -> list:
    """Return the players to whom the page has letters, in order."""
    return [item["player"] for item in response.context["letters"]]


# --- Recipients -----------------------------------------------------------------------------------------
def test_letters_go_to_living_players_who_move(client, people):
    best = people.diamonds[0]
    best.hidden = True
    best.save()
    campaign = campaigns.approved(people)
    assert response_for(client, people.office, "campaign_letters", campaign.pk).context["letters"] == []
    Publish().perform(campaign.pk, people.office)
    choice = response_for(client, people.office, "campaign_letters", campaign.pk)
    assert choice.context["counts"] == [("2D", 1), ("2C", 1)]
    response = response_for(client, people.office, "campaign_letters", campaign.pk, categoria="2d")
    assert [item["player"] for item in response.context["letters"]] == [best]
    assert best.full_name in response.content.decode()
    best.deceased_on = date(2026, 1, 25)
    best.save()
    assert not response_for(client, people.office, "campaign_letters", campaign.pk, categoria="2d").context[
        "letters"
    ]


def test_players_whom_applying_skipped_get_no_letter(client, people, clock):
    campaign = campaigns.published(people)
    make.assign(
        people.hearts[0], "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A"
    )
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert response_for(client, people.office, "campaign_letters", campaign.pk).context["counts"] == [
        ("2D", 1)
    ]


def test_players_whom_applying_would_skip_get_no_letter(client, people):
    """Players whom applying would skip (merged, or changed by hand) get no letter."""
    campaign = campaigns.published(people)
    merges.merge(people.diamonds[0], make.player(category="2D"), "registered twice", people.office)
    make.assign(
        people.hearts[0], "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A"
    )
    assert response_for(client, people.office, "campaign_letters", campaign.pk).context["counts"] == []


def test_players_who_die_after_applying_get_no_letter(client, people, clock):
    campaign = published_with_movers(people, 2)
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    gone, other = people.diamonds[:2]
    gone.deceased_on = campaigns.AFTER_CLAIMS
    gone.save()
    page = letters_response(client, people, campaign)
    assert recipients(page) == [other]
    assert page.context["counts"] == [("2D", 1), ("2C", 1)]


# --- Pages --------------------------------------------------------------------------------------------------
def test_many_letters_are_split_into_pages_in_the_order_of_the_list(client, people, monkeypatch):
    monkeypatch.setattr(campaign_letters, "LETTERS", 2)
    campaign = published_with_movers(people, 5)
    speak(client, "en")
    pages = [letters_response(client, people, campaign, pagina=number) for number in (1, 2, 3)]
    ids = [player.pk for page in pages for player in recipients(page)]
    assert [len(recipients(page)) for page in pages] == [2, 2, 1]
    assert ids == [row.place.entrant.player_id for row in movers(campaign) if row.category == "2D"]
    middle = Page(pages[1])
    assert "Letters 3–4 of 5." in middle.text
    for number in (1, 3):
        assert f"?categoria=2d&pagina={number}" in middle.addresses
    # A number beyond the last page shows the last page.
    assert recipients(letters_response(client, people, campaign, pagina=99)) == recipients(pages[2])


def test_few_letters_are_shown_on_one_page(client, people):
    speak(client, "en")
    html = letters_response(client, people, published_with_movers(people, 3)).content.decode()
    assert "3 letters. Print this page" in html
    assert "pagina=" not in html


# --- Region and club ------------------------------------------------------------------------------------
@pytest.fixture
def scattered(people):
    """A campaign in which four players of category 2D move, of different clubs.

    The first two clubs are in one region, the third in another region. The fourth player has no club.
    """
    near = people.diamonds[0].club
    beside, far = make.club(region=near.region), make.club()
    for player, club in zip(people.diamonds[1:4], (beside, far, None), strict=True):
        player.club = club
        player.save()
    return published_with_movers(people, 4)


def test_letters_can_be_chosen_by_region_or_club(client, people, scattered):
    home, beside, far, alone = people.diamonds[:4]

    def matching(**query) -> list:
        return recipients(letters_response(client, people, scattered, **query))

    assert matching() == [home, beside, far, alone]
    assert matching(region=home.club.region.slug) == [home, beside]
    assert matching(region=home.club.region.slug, club=beside.club.slug) == [beside]
    assert matching(club=far.club.slug) == [far]
    assert matching(region=campaign_letters.NO_CLUB) == [alone]
    assert matching(region=home.club.region.slug, club=far.club.slug) == [
        home,
        beside,
    ]  # no club in that region


def test_the_chosen_club_is_kept_between_categories(client, people, scattered):
    beside = people.diamonds[1].club
    page = letters_response(client, people, scattered, club=beside.slug, pagina=1)
    assert page.context["counts"] == [("2D", 1)]
    assert f"?categoria=2d&club={beside.slug}" in Page(page).addresses
    chosen = Page(page).the("select", name="club").the("option", selected=True)
    assert (chosen["value"], chosen.text) == (beside.slug, beside.name)


def test_a_region_without_letters_is_empty_and_an_unknown_one_not_found(client, people, scattered):
    forget()  # a region created directly does not raise the version
    empty = letters_response(client, people, scattered, region=make.region().slug)
    assert (empty.status_code, recipients(empty), empty.context["counts"]) == (200, [], [])
    for query in ({"region": "ninguna"}, {"club": "ninguno"}):
        assert letters_response(client, people, scattered, **query).status_code == 404


def test_a_club_can_be_typed_where_there_are_many(client, people, scattered, monkeypatch):
    for module in (campaign_letters, places, choices):
        monkeypatch.setattr(module, "MOST_CHOICES", 2)
    club = people.diamonds[0].club
    page = Page(letters_response(client, people, scattered, club=club.code))
    assert page.the("input", name="club")["value"] == club.label


def test_the_number_of_queries_does_not_grow_with_letters(client, people):
    def counted(campaign) -> int:
        letters_response(client, people, campaign)  # fill the process's cache of frozen lists
        with CaptureQueriesContext(connection) as queries:
            assert len(recipients(letters_response(client, people, campaign))) == number
        return len(queries)

    result = []
    for number in (1, 3):
        campaign = published_with_movers(people, number)
        result.append(counted(campaign))
        Withdraw().perform(campaign.pk, people.office, "again")
        Abandon().perform(campaign.pk, people.office, "again")
    assert result[0] == result[1] <= 35
