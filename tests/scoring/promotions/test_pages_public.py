"""The public pages of a category change, players' own pages, and claims from both sides."""

from datetime import date, timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import gettext

from players.models import CategoryAssignment
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.criteria import STATES
from scoring.promotions.models import CampaignClaim, PromotionRuleSet
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from tests import factories as make
from tests.languages import speak
from tests.scoring.pages.test_queries import query_count
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.campaigns import response_for

pytestmark = pytest.mark.django_db
LIST = "/ascensos/2025/2d/"


@pytest.fixture
def people(people):
    """The people of the small federation. The first two players have accounts."""
    for player in people.diamonds[:2]:
        player.user = make.user()
        player.save()
    return people


@pytest.fixture
def published(people):
    return campaigns.published(people)


# --- The official list ----------------------------------------------------------------------------------
def test_the_list_is_called_official_only_while_it_is_published(client, people):
    campaign = campaigns.approved(people)
    before = client.get(LIST)
    assert "promotions/promotion.html" in [template.name for template in before.templates]
    Publish().perform(campaign.pk, people.office)
    shown = client.get(LIST, headers={"If-None-Match": before.headers["ETag"]})
    assert "promotions/official.html" in [template.name for template in shown.templates]
    assert (shown.context["moving"], shown.context["entered"]) == (1, 10)
    assert "note-caution" not in shown.content.decode()
    assert client.get(LIST, headers={"If-None-Match": shown.headers["ETag"]}).status_code == 304
    assert client.get("/ascensos/").context["years"][1]["official"] is True
    Withdraw().perform(campaign.pk, people.office, "wrong rules")
    after = client.get(LIST, headers={"If-None-Match": shown.headers["ETag"]})
    assert "promotions/promotion.html" in [template.name for template in after.templates]


def test_a_public_list_shows_a_decision_without_its_reason(client, people):
    campaign = campaigns.frozen(people)
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "Very private", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    response = client.get(LIST)
    assert response.context["moving"] == 2
    assert "Very private" not in response.content.decode()
    file = b"".join(client.get(f"{LIST}?formato=csv").streaming_content).decode("utf-8-sig")
    assert "Very private" not in file
    assert [line.rsplit(";", 1)[1] for line in file.splitlines()[1:4]] == ["2C", "2C", ""]


def test_a_hidden_player_is_a_number_even_if_hidden_after_the_freeze(client, people, published):
    hidden = people.diamonds[0]
    hidden.hidden, hidden.surname = True, "Ocultada"
    hidden.save()
    html = client.get(LIST).content.decode()
    file = b"".join(client.get(f"{LIST}?formato=csv").streaming_content).decode("utf-8-sig")
    for text in (html, file, client.get(f"{LIST}?entera=1").content.decode()):
        assert "Ocultada" not in text
        assert hidden.number in text


def test_a_category_without_a_list_still_has_a_page(client, people, published):
    assert client.get("/ascensos/2025/mn/").status_code == 200
    assert client.get("/ascensos/2025/zz/").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_list(client, people, published):
    def counted() -> int:
        client.get(LIST)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        return len(queries)

    few = counted()
    Withdraw().perform(published.pk, people.office, "more players")
    for place in range(30):
        campaigns.post_points(make.player(category="2D"), 2000 + place)
    campaigns.carry_out(published, Verb.FREEZE, people.office, "more players")
    campaigns.approve(published, people)
    Publish().perform(published.pk, people.office)
    assert counted() == few <= 12


# --- A player's own pages -------------------------------------------------------------------------------
def test_a_players_page_says_what_happens_to_the_player_and_only_to_its_owner(client, people, published):
    best, second = people.diamonds[:2]
    client.force_login(best.user)
    html = client.get(reverse("my_page")).content.decode()
    assert reverse("promotion_letter", args=[2025]) in html
    assert reverse("claim", args=[2025]) in html
    assert client.get(reverse("my_page")).context["change"].moves is True
    client.force_login(second.user)
    own = client.get(reverse("my_page")).context["change"]
    assert (own.moves, own.short) == (False, 100)
    assert reverse("claim", args=[2025]) not in client.get(best.get_absolute_url()).content.decode()


def test_my_page_makes_few_queries_while_lists_are_published(client, people, published):
    player = people.diamonds[1]
    client.force_login(player.user)
    queries._read.cache_clear()
    assert query_count(client, reverse("my_page")) <= 24
    with CaptureQueriesContext(connection) as warm:
        assert client.get(reverse("my_page")).context["change"].row is not None
    assert len(warm) <= 16


def test_the_letter_says_whether_the_player_moves_and_why(client, people, published):
    best, second = people.diamonds[:2]
    mine = response_for(client, best.user, "promotion_letter", 2025).content.decode()
    assert best.full_name in mine
    assert "1 mar 2026" in mine
    other = response_for(client, second.user, "promotion_letter", 2025).content.decode()
    assert "1 mar 2026" not in other
    assert "−1,00" in other


def test_the_letter_of_a_player_who_stays_by_decision_says_so(client, people):
    campaign = campaigns.frozen(people)
    Decide().perform(campaign.pk, people.diamonds[0].pk, None, "Acta 3", people.office)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    text = response_for(client, people.diamonds[0].user, "promotion_letter", 2025).content.decode()
    assert gettext("You stay, by decision of the federation.") in text
    assert gettext("The federation decided so.") in text
    assert "Acta 3" not in text


def test_the_letter_of_a_blocked_player_says_why(client, people):
    rules = campaigns.confirmed_rules()
    rules.rules.filter(category__code="2D").update(minimum_tournaments=5)
    campaign = campaigns.frozen(people)
    campaigns.approve(campaign, people)
    Publish().perform(campaign.pk, people.office)
    text = response_for(client, people.diamonds[0].user, "promotion_letter", 2025).content.decode()
    assert text.count(str(STATES[PlaceState.FEW])) >= 2  # above the letter and in it


def test_the_letter_says_so_if_the_category_was_changed_by_hand(client, people, clock, published):
    best = people.diamonds[0]
    make.assign(best, "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A")
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(published, Verb.APPLY, people.office)
    own = response_for(client, best.user, "promotion_letter", 2025).context["own"]
    assert (own.left, own.moves) == (True, False)


def test_letters_are_only_for_their_player_and_only_after_publishing(client, people):
    campaign = campaigns.approved(people)
    best = people.diamonds[0]
    for name in ("promotion_letter", "claim"):
        assert response_for(client, best.user, name, 2025).status_code == 404
    Publish().perform(campaign.pk, people.office)
    for name in ("promotion_letter", "claim"):
        assert response_for(client, people.office, name, 2025).status_code == 403
        assert response_for(client, best.user, name, 2024).status_code == 404


def test_the_letter_of_a_player_in_no_list_says_so(client, published):
    player = make.player(category="2D", user=make.user())
    response = response_for(client, player.user, "promotion_letter", 2025)
    assert (response.status_code, response.context["own"].row) == (200, None)
    assert response.context["own"].may_claim


def test_a_player_of_a_category_without_a_list_is_not_offered_to_claim(client, published):
    player = make.player(category="1P", user=make.user())
    assert not response_for(client, player.user, "promotion_letter", 2025).context["own"].may_claim
    form = response_for(client, player.user, "claim", 2025)
    assert (form.status_code, form.context["form"]) == (200, None)


# --- Claims ---------------------------------------------------------------------------------------------
def test_a_player_claims_on_the_page_and_reads_the_answer(client, people, published):
    second = people.diamonds[1]
    client.force_login(second.user)
    address = reverse("claim", args=[2025])
    assert client.post(address, {"text": " "}).status_code == 422
    assert client.post(address, {"text": "My <b>June</b> points"}).url == reverse(
        "promotion_letter", args=[2025]
    )
    made = CampaignClaim.objects.get()
    assert (made.player, made.by, made.text) == (second, second.user, "My <b>June</b> points")
    assert client.post(address, {"text": "Again"}).status_code == 422

    listed = response_for(client, people.office, "campaign_claims", published.pk)
    assert listed.context["waiting"] == 1
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    assert "&lt;b&gt;June" in client.get(answer).content.decode()
    for wrong in ({"accepted": "1", "text": "Yes"}, {"accepted": "1", "target": "2C"}, {"text": "x"}):
        assert client.post(answer, wrong).status_code == 422, wrong
    assert client.post(answer, {"accepted": "1", "target": "2C", "text": "You are right"}).status_code == 302
    assert made.answer.decision.target.code == "2C"
    assert client.get(answer).context["form"] is None

    client.force_login(second.user)
    change = client.get(reverse("my_page")).context["change"]
    assert (change.moves, change.waiting.target.code) == (False, "2C")
    assert "You are right" in response_for(client, second.user, "promotion_letter", 2025).content.decode()
    # The list differs from the approved one.
    shown = response_for(client, people.committee, "campaign", published.pk)
    assert [step.verb for step in shown.context["steps"]] == ["approve", "close"]
    assert shown.context["main"].verb == "approve"


def test_a_claim_that_is_not_accepted_changes_nothing(client, people, published):
    second = people.diamonds[1]
    made = Claim().perform(published.pk, second, "wrong", second.user)
    client.force_login(people.office)
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    assert client.post(answer, {"accepted": "0", "target": "2C", "text": "All is right"}).status_code == 302
    assert not published.decisions.exists()
    second_click = client.post(answer, {"accepted": "1", "target": "2C", "text": "You are right"})
    text = [str(message) for message in get_messages(second_click.wsgi_request)]
    assert text[-1] == gettext("Somebody else has answered this claim.")
    assert not published.decisions.exists()


def test_only_the_office_answers_claims_and_only_in_their_campaign(client, people, published):
    made = Claim().perform(published.pk, people.diamonds[1], "wrong", people.diamonds[1].user)
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    for account in (people.committee, people.diamonds[1].user):
        client.force_login(account)
        assert client.post(answer, {"accepted": "0", "text": "No"}).status_code == 403
    assert (
        response_for(client, people.committee, "claim_answer", published.pk, made.pk).context["form"] is None
    )
    assert response_for(client, people.office, "claim_answer", published.pk + 1, made.pk).status_code == 404
    assert not hasattr(CampaignClaim.objects.get(), "answer")


def test_there_is_no_claim_form_after_the_last_day(client, people, clock, published):
    clock(campaigns.AFTER_CLAIMS)
    second = people.diamonds[1]
    assert response_for(client, second.user, "claim", 2025).context["form"] is None
    assert client.post(reverse("claim", args=[2025]), {"text": "late"}).status_code == 422
    assert not CampaignClaim.objects.exists()
    html = client.get(second.get_absolute_url()).content.decode()
    assert reverse("claim", args=[2025]) not in html


# --- The announced day ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("day", "from_day"),
    [
        (date(2026, 2, 1), campaigns.EFFECTIVE_ON),  # as set when opening the campaign
        (date(2026, 3, 10), date(2026, 3, 26)),  # the claims end after that day
        (date(2026, 4, 20), date(2026, 4, 20)),  # not applied yet
    ],
)
def test_pages_show_the_day_from_which_the_categories_will_be_valid(client, people, clock, day, from_day):
    """The pages show the day from which the new categories will really hold, even if it was planned earlier.

    Applying never changes past days, and it has to wait for the end of the claims.
    """
    campaign = campaigns.approved(people)
    clock(min(day, date(2026, 3, 10)))
    Publish().perform(campaign.pk, people.office)
    clock(day)
    mover = people.diamonds[0]
    shown = [client.get(LIST), response_for(client, mover.user, "promotion_letter", 2025)]
    shown.append(response_for(client, people.office, "campaign_letters", campaign.pk))
    result = [
        page.context["own"].from_day if "own" in page.context else page.context["from_day"] for page in shown
    ]
    assert result == [from_day] * 3
    clock(from_day)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    clock(from_day + timedelta(days=40))
    assert client.get(LIST).context["from_day"] == from_day


def test_a_published_list_names_the_rules_it_was_frozen_with(client, people, published):
    """Later changes of the rule set do not change the rules shown with the frozen lists."""
    PromotionRuleSet.objects.filter(pk=published.rule_set_id).update(name="Later name", confirmed=False)
    for page in (client.get(LIST), response_for(client, people.diamonds[0].user, "promotion_letter", 2025)):
        text = page.content.decode()
        assert published.snapshot.rules["name"] in text and "Later name" not in text
        assert "to be confirmed" not in text


# --- After a reversal -----------------------------------------------------------------------------------
def test_players_still_see_letter_claim_and_answer_after_a_reversal(client, people, clock):
    speak(client, "en")
    campaign = campaigns.published(people)
    mover, other = people.diamonds[:2]
    made = Claim().perform(campaign.pk, other, "Two sessions are missing", other.user)
    Answer().perform(made.pk, False, "Both are there", None, people.office)
    clock(campaigns.AFTER_CLAIMS)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    campaigns.carry_out(campaign, Verb.REVERSE, people.office, "Very private")
    for player, words in ((mover, "You have the category again"), (other, "Both are there")):
        letter = response_for(client, player.user, "promotion_letter", 2025)
        text = letter.content.decode()
        assert words in text and "was reversed on" in text and "this letter no longer holds" in text
        page = client.get(reverse("my_page")).content.decode()
        assert reverse("promotion_letter", args=[2025]) in page and "reversed on" in page
        assert "Very private" not in text + page
        assert response_for(client, player.user, "claim", 2025).context["form"] is None
    assert "promotions/promotion.html" in [template.name for template in client.get(LIST).templates]


def test_a_new_campaign_of_the_year_replaces_the_reversed_one(client, people, clock):
    campaigns.reversed_(people, clock)
    newer = campaigns.approved(people)
    Publish().perform(newer.pk, people.office)
    assert (
        response_for(client, people.diamonds[0].user, "promotion_letter", 2025).context["campaign"] == newer
    )


def test_the_letter_of_an_accepted_claim_gives_its_reason(client, people, published):
    speak(client, "en")
    other = people.diamonds[1]
    made = Claim().perform(published.pk, other, "wrong", other.user)
    Answer().perform(made.pk, True, "Two sessions were missing", make.category("2C"), people.office)
    campaigns.approve(published, people)
    assert "Your claim was accepted: Two sessions were missing" in (
        response_for(client, other.user, "promotion_letter", 2025).content.decode()
    )
    stack = response_for(client, people.office, "campaign_letters", published.pk, categoria="2d")
    assert [item["answer"] for item in stack.context["letters"]] == ["", "Two sessions were missing"]


def test_the_review_and_the_public_list_say_by_how_many_players_they_differ(client, people):
    speak(client, "en")
    people.diamonds[8].licences.all().delete()
    people.diamonds[9].licences.all().delete()
    campaign = campaigns.published(people)
    shown = client.get(LIST)
    assert (shown.context["entered"], shown.context["without_place"]) == (8, 2)
    assert "2 more have points of the year and no place" in shown.content.decode()
    review = response_for(client, people.office, "campaign_review", campaign.pk, "2d")
    assert (review.context["entered"], review.context["without_place"]) == (10, 2)
    assert "The public list is shorter by 2 players" in review.content.decode()
