"""Players contest the published lists, the office answers, and the committee approves the changes again."""

import pytest
from django.core.exceptions import PermissionDenied

from scoring.promotions.acts.apply import Apply
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.open import Abandon
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from tests import factories as make
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.test_states import STATES, check_act

pytestmark = pytest.mark.django_db


def with_account(player):
    player.user = make.user()
    player.save()
    return player


def test_an_accepted_claim_changes_the_list_and_is_logged(people, clock):
    campaign = campaigns.published(people)
    player = people.diamonds[1]
    claim = campaigns.file_claim(campaign, player)
    answer = Answer().perform(claim.pk, True, "A result was missing", make.category("2C"), people.office)
    decision = campaign.decisions.get()
    assert (decision.answer, decision.player, decision.target.code) == (answer, player, "2C")
    assert player.pk in {row.place.entrant.player_id for row in queries.movers(campaign)}
    clock(campaigns.AFTER_CLAIMS)
    assert [obstacle.code for obstacle in Apply().obstacles(campaign)] == ["approval"]
    campaigns.approve(campaign, people)
    assert campaign.state == "published"
    assert Apply().obstacles(campaign) == []
    assert [act.verb for act in campaign.acts.all()][:3] == ["approve", "answer", "claim"]
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert campaign.changes.filter(player=player, target__code="2C", problem="").exists()


def test_a_rejected_claim_changes_nothing(people, clock):
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[1])
    clock(campaigns.AFTER_CLAIMS)
    assert [obstacle.code for obstacle in Apply().obstacles(campaign)] == ["unanswered"]
    Answer().perform(claim.pk, False, "All your results are in", make.category("2C"), people.office)
    assert not campaign.decisions.exists()
    assert Apply().obstacles(campaign) == []


def test_players_can_only_claim_for_themselves_and_in_time(people, clock):
    campaign = campaigns.published(people)
    player = with_account(people.diamonds[1])
    for stranger in (make.user(), people.office, with_account(people.diamonds[2]).user):
        with pytest.raises(PermissionDenied):
            Claim().perform(campaign.pk, player, "On her behalf", stranger)
    for text, field in (("  ", "text"), ("x" * 2001, "text")):
        with pytest.raises(Refused) as refused:
            Claim().perform(campaign.pk, player, text, player.user)
        assert field in refused.value.message_dict
    clock(campaigns.CLAIMS_UNTIL)
    Claim().perform(campaign.pk, player, "On the last day", player.user)
    clock(campaigns.AFTER_CLAIMS)
    with pytest.raises(Refused) as refused:
        campaigns.file_claim(campaign, people.diamonds[3])
    assert refused.value.code == "claims_over"


def test_claims_are_accepted_until_the_end_of_the_last_day(people, clock):
    campaign = campaigns.published(people)
    clock(campaigns.CLAIMS_UNTIL)
    assert [obstacle.code for obstacle in Apply().obstacles(campaign)] == ["claims"]
    campaigns.file_claim(campaign, people.diamonds[1])
    assert campaign.claims.count() == 1


def test_a_player_whose_category_has_no_list_cannot_claim(people):
    campaign = campaigns.published(people)
    for player in (make.player(category="MM"), make.player()):
        with pytest.raises(Refused) as refused:
            campaigns.file_claim(campaign, player)
        assert refused.value.code == "not_listed"
    campaigns.file_claim(campaign, make.player(category="2D"))  # of a listed category, but without points


def test_an_answer_cannot_move_a_player_who_is_in_no_list(people):
    """The office cannot answer a claim by moving a player who is in no frozen list for lack of points.

    It has to enter the missing results and freeze the lists again.
    """
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, make.player(category="2D"))
    with pytest.raises(Refused) as refused:
        Answer().perform(claim.pk, True, "A result was missing", make.category("2C"), people.office)
    assert refused.value.code == "not_listed"
    assert not hasattr(campaign.claims.get(), "answer")


def test_a_player_has_one_open_claim_and_each_claim_one_answer(people):
    campaign = campaigns.published(people)
    player = people.diamonds[1]
    claim = campaigns.file_claim(campaign, player)
    with pytest.raises(Refused):
        Claim().perform(campaign.pk, player, "And besides", player.user)
    Answer().perform(claim.pk, False, "No", None, people.office)
    with pytest.raises(Refused):
        Answer().perform(claim.pk, True, "Yes", None, make.office())
    Claim().perform(campaign.pk, player, "And besides", player.user)


def test_only_the_office_answers_claims_and_nobody_their_own(people):
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[1])
    for stranger in (people.committee, claim.by):
        with pytest.raises(PermissionDenied):
            Answer().perform(claim.pk, True, "Yes", make.category("2C"), stranger)
    own = make.office()
    player = people.diamonds[2]
    player.user = own
    player.save()
    claim = Claim().perform(campaign.pk, player, "Mine", own)
    with pytest.raises(Refused) as refused:
        Answer().perform(claim.pk, False, "No", None, own)
    assert refused.value.code == "own"


def test_a_claim_stays_open_when_the_publication_is_withdrawn(people, clock):
    """The claim is answered once the lists are public again, and nothing is applied before that."""
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[1])
    Withdraw().perform(campaign.pk, people.office, "a wrong figure")
    with pytest.raises(Refused):
        Answer().perform(claim.pk, False, "No", None, people.office)
    campaign.refresh_from_db()
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office, campaigns.CLAIMS_UNTIL)
    clock(campaigns.AFTER_CLAIMS)
    with pytest.raises(Refused) as refused:
        Apply().perform(campaign.pk, people.office)
    assert refused.value.code == "unanswered"
    Answer().perform(claim.pk, False, "No", None, people.office)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert campaign.state == "applied"


# --- In every state -------------------------------------------------------------------------------------
def claimed_campaign(state: str, people: campaigns.People, clock):
    """Return a campaign in this state, with a claim by the last player of category 2D.

    The campaign was published before, because only published lists can be contested.
    """
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[-1])
    if state in ("applied", "reversed"):
        Answer().perform(claim.pk, False, "You have not", None, people.office)
        clock(campaigns.AFTER_CLAIMS)
        campaigns.carry_out(campaign, Verb.APPLY, people.office)
        if state == "reversed":
            campaigns.carry_out(campaign, Verb.REVERSE, people.office, "wrong rules")
    elif state != "published":
        Withdraw().perform(campaign.pk, people.office, "a mistake")
        if state == "approved":
            campaigns.approve(campaign, people)
        elif state == "abandoned":
            Abandon().perform(campaign.pk, people.office, "not this year")
    campaign.refresh_from_db()
    return campaign


# Before the first publication there are no claims to answer.
@pytest.mark.parametrize("state", [state for state in STATES if state != "draft"])
def test_claims_can_be_answered_only_in_the_right_states(people, clock, state):
    check_act(claimed_campaign(state, people, clock), people, clock, Verb.ANSWER)
