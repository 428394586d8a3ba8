"""Nobody decides on their own case, under any of their numbers, and no decision is stored twice.

An approver whose own category the lists change is named in the log.
"""

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from scoring.office.services import merges
from scoring.promotions.acts.approve import own_moves
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.decide import Decide
from tests import factories as make
from tests.languages import speak
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db


def with_account(player, account):
    player.user = account
    player.save()
    return player


def response_for(client, account, name: str, *args):
    client.force_login(account)
    speak(client, "en")
    return client.get(reverse(name, args=args))


# --- One's own case, under any number -------------------------------------------------------------------
def merge_numbers(duplicate, kept, by) -> None:
    """Merge two numbers of one person, `duplicate` into `kept`, without changing their accounts."""
    merges.merge(duplicate, kept, "registered twice", by)


@pytest.mark.parametrize("listed", ["duplicate", "kept", "another duplicate"])
def test_nobody_decides_on_their_own_other_number(people, listed):
    """The account belongs to another number of the listed player: the surviving one, or a duplicate."""
    campaign, line = campaigns.frozen(people), people.diamonds[1]
    if listed == "duplicate":
        merge_numbers(line, with_account(make.player(), people.office), people.office)
    else:
        kept = line if listed == "kept" else make.player(user=make.user())
        kept.user = kept.user or make.user()
        kept.save()
        merge_numbers(with_account(make.player(), people.office), kept, people.office)
        if listed == "another duplicate":
            merge_numbers(line, kept, people.office)
    with pytest.raises(Refused) as refused:
        Decide().perform(campaign.pk, line.pk, make.category("2C"), "merit", people.office)
    assert refused.value.code == "own"
    Decide().perform(campaign.pk, line.pk, make.category("2C"), "merit", make.office())


def test_nobody_answers_a_claim_of_their_own_other_number(people):
    campaign, line = campaigns.published(people), with_account(people.diamonds[1], make.user())
    claim = Claim().perform(campaign.pk, line, "Look again", line.user)
    merge_numbers(line, with_account(make.player(), people.office), people.office)
    for accepted in (True, False):
        with pytest.raises(Refused) as refused:
            Answer().perform(claim.pk, accepted, "Right", make.category("2C"), people.office)
        assert refused.value.code == "own"
    Answer().perform(claim.pk, True, "Right", make.category("2C"), make.office())


# --- A member of the committee in the list --------------------------------------------------------------
@pytest.mark.parametrize("number", ["own", "merged"])
def test_an_approver_whom_the_list_moves_is_warned_and_named_in_the_log(client, people, number):
    campaign, mover = campaigns.frozen(people), people.diamonds[0]
    if number == "own":
        with_account(mover, people.committee)
    else:
        merge_numbers(mover, with_account(make.player(), people.committee), people.office)
    words = "This list changes your own category, from 2D to 2C."
    assert (
        words
        in response_for(client, people.committee, "campaign_step", campaign.pk, "approve").content.decode()
    )
    campaigns.approve(campaign, people)
    assert campaign.acts.first().detail["own"] == [mover.pk]
    log = response_for(client, people.office, "campaign", campaign.pk).content.decode()
    assert "lists approved, by somebody whose own category they change" in log


@pytest.mark.parametrize("line", ["stays", "none", "no player"])
def test_an_approver_whom_the_list_does_not_move_is_not_named(client, people, line):
    campaign = campaigns.frozen(people)
    if line != "no player":
        with_account(people.diamonds[1] if line == "stays" else make.player(category="2D"), people.committee)
    page = response_for(client, people.committee, "campaign_step", campaign.pk, "approve")
    assert "changes your own category" not in page.content.decode()
    campaigns.approve(campaign, people)
    assert campaign.acts.first().detail == {"digest": campaign.approved_digest}


def test_decisions_are_considered_when_naming_an_approver_who_moves(people):
    campaign, member = campaigns.frozen(people), with_account(people.diamonds[1], people.committee)
    assert own_moves(campaign, people.committee) == []
    Decide().perform(campaign.pk, member.pk, make.category("2C"), "merit", people.office)
    assert [row.target for row in own_moves(campaign, people.committee)] == ["2C"]


# --- Repeated decisions ---------------------------------------------------------------------------------
def test_repeating_the_decision_in_force_stores_no_new_one(people):
    campaign, player = campaigns.frozen(people), people.diamonds[1].pk
    up = make.category("2C")
    for target, reason in ((up, "merit"), (up, "merit, see the minutes"), (None, "merit"), (up, "merit")):
        Decide().perform(campaign.pk, player, target, reason, people.office)
        with pytest.raises(Refused) as refused:
            Decide().perform(campaign.pk, player, target, f" {reason} ", make.office())
        assert refused.value.code == "same"
    Decide().perform(campaign.pk, people.diamonds[2].pk, up, "merit", people.office)
    assert campaign.decisions.count() == campaign.acts.filter(verb="decide").count() == 5


def test_a_decision_sent_twice_says_that_it_is_already_in_force(client, people):
    campaign = campaigns.frozen(people)
    client.force_login(people.office)
    speak(client, "en")
    address = reverse("campaign_player", args=[campaign.pk, people.diamonds[1].number])
    text = [client.post(address, {"target": "2C", "reason": "merit"}) for _time in range(3)]
    assert {(item.status_code, item.url) for item in text} == {(302, address)}
    last = [str(message) for message in get_messages(text[-1].wsgi_request)]
    assert last[-1] == "That is decided already, for this reason."
    assert campaign.decisions.count() == 1
