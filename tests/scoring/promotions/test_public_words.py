"""Public lists disclose no deaths, and no decisions that the committee has not approved."""

import csv

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given

from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish
from scoring.promotions.criteria import PRIVATE, STATES
from scoring.promotions.pure.selection import PlaceState, public_view, select
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.wording import public_state
from tests import factories as make
from tests.languages import speak
from tests.pages import Page, open_page
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.lists import ENTRANTS, RULES, entrant, rule

pytestmark = pytest.mark.django_db
LIST = "/ascensos/2025/2d/"


def mark_deceased(player):
    player.deceased_on = campaigns.FROZEN_ON
    player.save()


def with_account(player):
    player.user = make.user()
    player.save()
    return player


def published(people, freeze=campaigns.frozen):
    campaign = freeze(people)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    campaign.refresh_from_db()
    return campaign


def page_for(client, address: str, account=None) -> Page:
    """Request a page in English, as the account or, without one, signed out."""
    client.logout()
    if account:
        client.force_login(account)
    speak(client, "en")
    return open_page(client, address, **({"yo": "1"} if account else {}))


def public_states(client) -> dict[str, tuple[str, str]]:
    """Return {federation number: (state, target category)} from the public list's CSV file.

    Assert that the page and the printed list show the same states.
    """
    client.logout()
    speak(client, "en")
    text = b"".join(client.get(LIST, {"formato": "csv"}).streaming_content).decode("utf-8-sig")
    result = {row[1]: (row[6], row[7]) for row in list(csv.reader(text.splitlines()))[1:]}
    for address in (LIST, f"{LIST}?entera=1"):
        shown = [cell.text for cell in page_for(client, address).all("td", data_label="State")]
        assert shown == [words for words, _target in result.values()]
    return result


# --- Deceased players -----------------------------------------------------------------------------------
@given(ENTRANTS, RULES)
def test_deceased_players_are_shown_like_others_with_their_points(players, by):
    """Below the cut, public lists show deceased players like living ones.

    Above it, they show them like all players who do not move up in spite of their points.
    """
    for place in select(players, by).places:
        seen = public_view(place, by).state
        if place.state is not PlaceState.DECEASED:
            assert seen is place.state
        elif seen is PlaceState.DECEASED:
            assert place.margin >= 0 and place.entrant.points >= (by.points or 0)
        else:
            living = [player for player in players if player.player_id != place.entrant.player_id]
            living.append(place.entrant._replace(deceased=False))
            states = {item.entrant.player_id: item.state for item in select(living, by).places}
            # If the player were alive, the state would be the same, or the player would move up.
            assert seen is states[place.entrant.player_id] or states[place.entrant.player_id].up


def test_with_any_rules_living_players_can_have_the_text_of_deceased_ones(client, people):
    """A living player whom a decision keeps in the category has the same public text as a deceased player.

    The shipped rules require only points and a licence. Under them only dead players stay although they have
    enough points. Players kept by a decision need the same text, so that it does not disclose a death.
    """
    first, second, last = (people.diamonds[at] for at in (0, 1, 9))
    mark_deceased(first)
    campaign = campaigns.frozen(people)
    for player in (second, last):
        Decide().perform(campaign.pk, player.pk, None, "Very private", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    result = public_states(client)
    assert result[first.number] == result[second.number] == ("does not move up", "")
    assert result[last.number] == ("stays, by decision of the federation", "")


def test_all_private_reasons_for_staying_have_the_same_public_text():
    assert {public_state(state) for state in PRIVATE} == {public_state(PlaceState.DECEASED)}
    assert {PlaceState.FEW, PlaceState.BLOCKED, PlaceState.DECEASED} <= set(PRIVATE)
    assert public_state(PlaceState.BELOW) == str(STATES[PlaceState.BELOW])


def test_deceased_players_below_the_threshold_are_shown_as_moving_down():
    by = rule(demote_below=200)
    selection = select([entrant(1, 900), entrant(2, 300, deceased=True), entrant(3, 100, deceased=True)], by)
    assert [public_view(place, by).state for place in selection.places] == [
        PlaceState.MOVES,
        PlaceState.BELOW,
        PlaceState.DOWN,
    ]


def test_the_published_list_does_not_disclose_deaths(client, people):
    """Deceased players have the text of living ones in the same position, on the page and in the file.

    Tested above the cut, below it, and below the threshold for moving down.
    """
    first, few, up, below, gone, last, gone_last = (people.diamonds[at] for at in (0, 1, 2, 3, 4, 8, 9))
    for player in (first, gone, gone_last):
        mark_deceased(player)
    campaigns.post_points(up, 1)
    rules = campaigns.confirmed_rules()
    rules.rules.filter(category__code="2D").update(
        minimum_tournaments=2, demotion_target=make.category("3P"), demotion_threshold=250
    )
    campaign = published(people)
    rows = queries.current_list(campaign, make.category("2D"))
    dead = {row.place.entrant.player_id for row in rows if row.place.state is PlaceState.DECEASED}
    assert dead == {first.pk, gone.pk, gone_last.pk}
    result = public_states(client)
    assert result[first.number] == result[few.number] == ("does not move up", "")
    assert result[up.number] == ("moves up", "2C")
    assert result[gone.number] == result[below.number] == ("below the cut", "")
    assert result[gone_last.number] == result[last.number] == ("would move down", "3P")


def test_office_and_committee_see_the_exact_state(client, people):
    mark_deceased(people.diamonds[0])
    campaign = campaigns.frozen(people)
    for account in (people.office, people.committee):
        assert (
            "deceased" in page_for(client, reverse("campaign_review", args=[campaign.pk, "2d"]), account).text
        )


def test_only_the_player_sees_the_own_reason(client, people):
    rules = campaigns.confirmed_rules()
    rules.rules.filter(category__code="2D").update(minimum_tournaments=5)
    published(people)
    best = with_account(people.diamonds[0])
    assert "too few tournaments" in page_for(client, reverse("promotion_letter", args=[2025]), best.user).text
    assert "too few tournaments" not in page_for(client, LIST).text


# --- Changes by claims ----------------------------------------------------------------------------------
def accept_claim(campaign, player, target, office) -> None:
    claim = Claim().perform(campaign.pk, with_account(player), "Look again", player.user)
    Answer().perform(claim.pk, True, "You are right", target, office)


def test_the_public_list_shows_changes_only_after_the_committee_approves_them(client, people):
    campaign, (best, second) = published(people), people.diamonds[:2]
    before = public_states(client)
    accept_claim(campaign, second, make.category("2C"), people.office)
    accept_claim(campaign, best, None, people.office)
    assert public_states(client) == before
    page = page_for(client, LIST).text
    assert "Official list: 1 of 10 players moves" in page
    assert "2 decisions on claims since then are not in it" in page
    assert "not in it" not in page_for(client, "/ascensos/2025/2c/").text
    for player, words in ((second, "you will move to 2C once"), (best, "you will stay once")):
        for address in (reverse("my_page"), reverse("promotion_letter", args=[2025])):
            assert words in page_for(client, address, player.user).text
    campaigns.approve(campaign, people)
    after = public_states(client)
    assert after[second.number] == ("moves to 2C, by decision of the federation", "2C")
    assert after[best.number] == ("does not move up", "")
    assert "not in it" not in page_for(client, LIST).text
    assert "once the category committee" not in page_for(client, reverse("my_page"), second.user).text


def test_a_decision_without_effect_needs_no_approval(people):
    campaign = campaigns.frozen(people)
    second, third = people.diamonds[1:3]
    Decide().perform(campaign.pk, second.pk, make.category("2C"), "merit", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    campaign.refresh_from_db()
    accept_claim(campaign, second, make.category("2C"), people.office)
    assert queries.list_digest(campaign) == campaign.approved_digest
    assert queries.waiting_decisions(campaign) == {}
    accept_claim(campaign, third, make.category("2C"), people.office)
    assert list(queries.waiting_decisions(campaign)) == [third.pk]
    moves = [row.final for row in queries.approved_list(campaign, make.category("2D"))[:3]]
    assert moves == [True, True, False]


def test_no_letter_calls_a_waiting_decision_approved(client, people):
    campaign, (best, second) = published(people), people.diamonds[:2]

    def counts() -> list[tuple[str, int]]:
        client.force_login(people.office)
        return client.get(reverse("campaign_letters", args=[campaign.pk])).context["counts"]

    assert counts() == [("2D", 1), ("2C", 1)]
    accept_claim(campaign, second, make.category("2C"), people.office)
    assert counts() == [("2D", 1), ("2C", 1)]
    accept_claim(campaign, best, None, people.office)
    assert counts() == [("2C", 1)]
    page = page_for(client, reverse("campaign_letters", args=[campaign.pk]), people.office).text
    assert "No letters to 2 players" in page
    campaigns.approve(campaign, people)
    assert counts() == [("2D", 1), ("2C", 1)]


def test_the_list_of_an_applied_change_shows_its_decisions(client, people, clock):
    campaign, second = published(people), people.diamonds[1]
    accept_claim(campaign, second, make.category("2C"), people.office)
    campaigns.approve(campaign, people)
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert public_states(client)[second.number] == ("moves to 2C, by decision of the federation", "2C")


def test_the_number_of_queries_does_not_grow_with_waiting_decisions(client, people):
    campaign = published(people)

    def asked() -> int:
        client.logout()
        client.get(LIST)
        with CaptureQueriesContext(connection) as result:
            client.get(LIST)
        return len(result)

    accept_claim(campaign, people.diamonds[1], make.category("2C"), people.office)
    first = asked()
    for player in people.diamonds[2:4]:
        accept_claim(campaign, player, make.category("2C"), people.office)
    assert asked() == first


# --- Players without a place ----------------------------------------------------------------------------
@pytest.mark.parametrize("moves", [True, False])
def test_the_letter_of_an_unlicensed_player_mentions_no_rank(client, people, moves):
    player = with_account(people.diamonds[1])
    player.licences.all().delete()
    campaign = campaigns.frozen(people)
    if moves:
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "merit", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    page = page_for(client, LIST, player.user).text
    assert "You are —" not in page
    assert "You have no place in the list" in page
    assert ("by decision of the federation you move to" in page) is moves
    assert "You have no place" not in page_for(client, LIST).text
    letter = page_for(client, reverse("promotion_letter", args=[2025]), player.user).text
    assert "In 2025 you won 9.00 points. Your category was" in letter
