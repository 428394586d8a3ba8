"""Pages name the players of frozen lists whose numbers are merged before the lists are applied."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Role
from scoring.office.services import merges
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.open import Abandon
from scoring.promotions.acts.publish import Withdraw
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.merges import merged_since, number_in_list, running_lists
from tests import factories as make
from tests.languages import speak
from tests.pages import Page
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(people):
    """A player with an account and without points, who is in no list."""
    return make.player(category="2D", user=make.user())


def response_for(client, user, name: str, *args, query: str = ""):
    client.force_login(user)
    speak(client, "en")
    return client.get(reverse(name, args=args) + query)


def page_of(client, user, player):
    return response_for(client, user, "my_page")


def dossier_url(campaign, player) -> str:
    return reverse("campaign_player", args=[campaign.pk, player.number])


def assign_url(player) -> str:
    """Return the URL of the page to assign a category to the player by hand."""
    return f"{reverse('category_assign')}?numero={player.number}"


# --- The office -----------------------------------------------------------------------------------------
def test_the_page_to_merge_two_numbers_names_the_frozen_lists_they_are_in(client, people, kept):
    campaign, mover, other = campaigns.frozen(people), people.diamonds[0], people.hearts[1]

    def asked(duplicate, remaining):
        query = f"?cede={duplicate.number}&queda={remaining.number}"
        return response_for(client, people.office, "merges", query=query)

    page = asked(mover, kept)
    assert [(item.player, item.row.target) for item in page.context["listed"]] == [(mover, "2C")]
    assert dossier_url(campaign, mover) in Page(page).addresses
    assert [item.player for item in asked(kept, mover).context["listed"]] == [mover]
    assert [item.player for item in asked(mover, other).context["listed"]] == [mover, other]
    assert asked(kept, make.player(category="2D")).context["listed"] == []
    made = merges.merge(mover, kept, "registered twice", people.office)
    addresses = Page(response_for(client, people.office, "merge", made.pk)).addresses
    assert dossier_url(campaign, mover) in addresses and assign_url(kept) in addresses
    merges.undo(made.pk, "they are two", people.office)
    assert (
        dossier_url(campaign, mover)
        not in Page(response_for(client, people.office, "merge", made.pk)).addresses
    )


@pytest.mark.parametrize("state", ["draft", "frozen", "approved", "published", "applied", "abandoned"])
def test_the_page_to_merge_names_only_lists_that_are_not_applied_yet(people, kept, clock, state):
    campaign = campaigns.in_state(state, people, clock)
    named = running_lists([people.diamonds[3], kept])
    assert [item.campaign for item in named] == [campaign] * (state in ("frozen", "approved", "published"))


def test_the_campaigns_page_names_numbers_merged_since_the_freeze(client, people, kept):
    campaign, mover = campaigns.frozen(people), people.diamonds[0]
    page = response_for(client, people.office, "campaign", campaign.pk)
    assert page.context["listed"] == []
    merges.merge(mover, kept, "registered twice", people.office)
    office = Page(response_for(client, people.office, "campaign", campaign.pk)).addresses
    assert dossier_url(campaign, mover) in office and assign_url(kept) in office
    judge = Page(response_for(client, people.committee, "campaign", campaign.pk)).addresses
    assert dossier_url(campaign, mover) in judge and assign_url(kept) not in judge
    player_page = Page(response_for(client, people.office, "campaign_player", campaign.pk, mover.number))
    assert assign_url(kept) in player_page.addresses
    # After freezing again, the list contains the surviving player, and nothing is reported.
    campaigns.carry_out(campaign, Verb.FREEZE, people.office, "merged")
    assert merged_since(campaign) == []
    assert number_in_list(campaign, kept) == kept


def test_the_number_of_queries_does_not_grow_with_merged_numbers(client, people, kept):
    campaign = campaigns.frozen(people)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert response_for(client, people.office, "campaign", campaign.pk).status_code == 200
        return len(asked)

    merges.merge(people.diamonds[0], kept, "registered twice", people.office)
    queries()  # fill the process's cache of frozen lists
    count = queries()
    for player in people.diamonds[1:3]:
        merges.merge(player, make.player(category="2D"), "registered twice", people.office)
    assert len(merged_since(campaign)) == 3
    assert queries() == count


# --- The player -----------------------------------------------------------------------------------------
def test_the_surviving_player_sees_the_merged_numbers_place_and_can_claim(client, people, kept):
    campaign, mover = campaigns.published(people), people.diamonds[0]
    assert response_for(client, kept.user, "promotion_letter", campaigns.YEAR).context["own"].row is None
    merges.merge(mover, kept, "registered twice", people.office)
    letter = response_for(client, kept.user, "promotion_letter", campaigns.YEAR)
    own = letter.context["own"]
    assert (own.under, own.row.place.entrant.player_id) == (mover, mover.pk)
    assert not own.moves and own.may_claim  # applying would not move this player
    page = Page(letter)
    assert mover.number in page.text and not page.all(class_="letter-page")
    own_page = page_of(client, kept.user, kept).content.decode()
    assert f"in the list under number {mover.number}" in own_page
    assert client.post(reverse("claim", args=[campaigns.YEAR]), {"text": "That is me"}).status_code == 302
    claim = campaign.claims.get()
    assert claim.player == kept
    answer = Page(response_for(client, people.office, "claim_answer", campaign.pk, claim.pk)).addresses
    assert dossier_url(campaign, mover) in answer and assign_url(kept) in answer


def test_a_surviving_player_without_a_category_can_claim_too(people):
    campaign, kept = campaigns.published(people), make.player(user=make.user())
    with pytest.raises(Refused):
        Claim().perform(campaign.pk, kept, "That is me", kept.user)
    merges.merge(people.diamonds[0], kept, "registered twice", people.office)
    assert Claim().perform(campaign.pk, kept, "That is me", kept.user)


def test_claims_made_under_a_merged_number_stay_visible(client, people):
    """A merged player's account passes to the surviving player, and still shows the claim made before."""
    campaign, mover = campaigns.published(people), people.diamonds[0]
    mover.user = make.user()
    mover.save()
    made = Claim().perform(campaign.pk, mover, "Look again", mover.user)
    kept = make.player(category="2D")
    merges.merge(mover, kept, "registered twice", people.office)
    own = response_for(client, made.by, "promotion_letter", campaigns.YEAR).context["own"]
    assert own.claims == [made] and not own.may_claim


def test_a_players_own_place_takes_precedence_over_a_merged_numbers(client, people):
    campaign, kept = campaigns.published(people), people.diamonds[1]
    merges.merge(people.diamonds[0], kept, "registered twice", people.office)
    assert number_in_list(campaign, kept) == kept


# --- Unanswered claims ----------------------------------------------------------------------------------
@pytest.mark.parametrize("end", ["withdrawn", "abandoned"])
def test_the_page_says_that_open_claims_of_an_ended_campaign_get_no_answer(client, people, clock, end):
    campaign, player = campaigns.published(people), people.diamonds[1]
    player.user = make.user()
    player.save()
    Claim().perform(campaign.pk, player, "Look again", player.user)
    before = page_of(client, player.user, player).content.decode()
    assert "has not answered yet" in before
    Withdraw().perform(campaign.pk, people.office, "a mistake")
    if end == "abandoned":
        Abandon().perform(campaign.pk, people.office, "not this year")
    shown = page_of(client, player.user, player)
    assert "gets no answer" in shown.content.decode() or end == "withdrawn"
    assert "only if they are published again" in shown.content.decode() or end == "abandoned"
    page = response_for(client, people.office, "campaign_claims", campaign.pk).content.decode()
    assert ("nothing is awaited" in page) == (end == "abandoned")
    assert ("only if they are published again" in page) == (end == "withdrawn")
    assert "waits for an answer" not in page
    stranger = make.user()
    assert "gets no answer" not in page_of(client, stranger, player).content.decode()
    assert response_for(client, people.office, "campaign", campaign.pk).status_code == 200


# --- Whose turn it is -----------------------------------------------------------------------------------
def auditor():
    account = make.user()
    make.role(account, Role.Kind.AUDITOR)
    return account


TURNS = [
    ("draft", None, "office"), ("frozen", "committee", "committee"), ("approved", None, "office"),
    ("published", None, "players"), ("applied", None, None), ("abandoned", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("state", "office_reads", "auditor_reads"), TURNS)
def test_each_state_says_whose_turn_it_is_to_readers_who_have_to_wait(
    client, people, clock, state, office_reads, auditor_reads
):
    campaign = campaigns.in_state(state, people, clock)
    for account, expected in ((people.office, office_reads), (auditor(), auditor_reads)):
        page = response_for(client, account, "campaign", campaign.pk)
        turn = page.context["turn"]
        assert turn in page.content.decode()
        assert f"the {expected}’" in turn if expected else turn == ""
    if state == "frozen":
        assert response_for(client, people.committee, "campaign", campaign.pk).context["turn"] == ""


def test_published_lists_name_who_acts_next_after_claims(client, people, clock):
    campaign, player, reader = campaigns.published(people), people.diamonds[1], auditor()
    player.user = make.user()
    player.save()
    claim = Claim().perform(campaign.pk, player, "Look again", player.user)

    def turn() -> str:
        return response_for(client, reader, "campaign", campaign.pk).context["turn"]

    assert "the office’s turn: it answers" in turn()
    Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    assert "approves them anew" in turn()
    campaigns.approve(campaign, people)
    assert "the players’ turn" in turn()
    clock(date(2026, 2, 6))
    assert "the office’s turn: it applies" in turn()
