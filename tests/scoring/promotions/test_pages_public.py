"""Public pages of a category change and each player's own pages, and claims from both sides."""

from datetime import date, timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import gettext

from players.models import CategoryAssignment
from scoring.ledger.services import standings
from scoring.promotions.acts.answer import Answer
from scoring.promotions.acts.claim import Claim
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.publish import Publish
from scoring.promotions.acts.withdraw import Withdraw
from scoring.promotions.criteria import STATES
from scoring.promotions.models import CampaignClaim, PromotionRuleSet
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.pure.states import Verb
from tests import factories as make
from tests.scoring.promotions import acts
from tests.scoring.promotions.acts import get

pytestmark = pytest.mark.django_db
LIST = "/ascensos/2025/2d/"


@pytest.fixture
def who(clock):
    standings.roll(acts.FROZEN_ON)
    cast = acts.cast()
    for player in cast.diamonds[:2]:
        player.user = make.user()
        player.save()
    return cast


@pytest.fixture
def published(who):
    return acts.published(who)


# --- The official list ----------------------------------------------------------------------------------
def test_the_list_is_official_from_publishing_to_withdrawing(client, who):
    campaign = acts.approved(who)
    before = client.get(LIST)
    assert "promotions/promotion.html" in [template.name for template in before.templates]
    Publish().perform(campaign.pk, who.office)
    shown = client.get(LIST, headers={"If-None-Match": before.headers["ETag"]})
    assert "promotions/official.html" in [template.name for template in shown.templates]
    assert (shown.context["moving"], shown.context["entered"]) == (1, 10)
    assert "note-caution" not in shown.content.decode()
    assert client.get(LIST, headers={"If-None-Match": shown.headers["ETag"]}).status_code == 304
    assert client.get("/ascensos/").context["years"][1]["official"] is True
    Withdraw().perform(campaign.pk, who.office, "wrong rules")
    after = client.get(LIST, headers={"If-None-Match": shown.headers["ETag"]})
    assert "promotions/promotion.html" in [template.name for template in after.templates]


def test_a_decision_shows_without_its_reason(client, who):
    campaign = acts.frozen(who)
    Decide().perform(campaign.pk, who.diamonds[1].pk, make.category("2C"), "Very private", who.office)
    acts.approve(campaign, who)
    Publish().perform(campaign.pk, who.office)
    response = client.get(LIST)
    assert response.context["moving"] == 2
    assert "Very private" not in response.content.decode()
    file = b"".join(client.get(f"{LIST}?formato=csv").streaming_content).decode("utf-8-sig")
    assert "Very private" not in file
    assert [line.rsplit(";", 1)[1] for line in file.splitlines()[1:4]] == ["2C", "2C", ""]


def test_a_hidden_player_is_a_number_whenever_they_hid(client, who, published):
    hidden = who.diamonds[0]
    hidden.hidden, hidden.surname = True, "Ocultada"
    hidden.save()
    html = client.get(LIST).content.decode()
    file = b"".join(client.get(f"{LIST}?formato=csv").streaming_content).decode("utf-8-sig")
    for text in (html, file, client.get(f"{LIST}?entera=1").content.decode()):
        assert "Ocultada" not in text
        assert hidden.number in text


def test_a_category_without_a_list_keeps_its_page(client, who, published):
    assert client.get("/ascensos/2025/mn/").status_code == 200
    assert client.get("/ascensos/2025/zz/").status_code == 404


def test_the_list_asks_no_more_for_more_rows(client, who, published):
    def counted() -> int:
        client.get(LIST)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        return len(queries)

    few = counted()
    Withdraw().perform(published.pk, who.office, "more players")
    for place in range(30):
        acts.give(make.player(category="2D"), 2000 + place)
    acts.done(published, Verb.FREEZE, who.office, "more players")
    acts.approve(published, who)
    Publish().perform(published.pk, who.office)
    assert counted() == few <= 12


# --- A player's own pages -------------------------------------------------------------------------------
def test_the_players_page_says_what_happens_to_them_alone(client, who, published):
    best, second = who.diamonds[:2]
    client.force_login(best.user)
    html = client.get(best.get_absolute_url()).content.decode()
    assert reverse("promotion_letter", args=[2025]) in html
    assert reverse("claim", args=[2025]) in html
    assert client.get(best.get_absolute_url()).context["change"].moves is True
    client.force_login(second.user)
    own = client.get(second.get_absolute_url()).context["change"]
    assert (own.moves, own.short) == (False, 100)
    assert client.get(best.get_absolute_url()).context["change"] is None


def test_the_letter_says_move_or_stay_and_shows_the_derivation(client, who, published):
    best, second = who.diamonds[:2]
    mine = get(client, best.user, "promotion_letter", 2025).content.decode()
    assert best.full_name in mine
    assert "1 mar 2026" in mine
    other = get(client, second.user, "promotion_letter", 2025).content.decode()
    assert "1 mar 2026" not in other
    assert "−1,00" in other


def test_the_letter_of_who_stays_by_decision_says_so_and_not_that_they_move(client, who):
    campaign = acts.frozen(who)
    Decide().perform(campaign.pk, who.diamonds[0].pk, None, "Acta 3", who.office)
    acts.approve(campaign, who)
    Publish().perform(campaign.pk, who.office)
    text = get(client, who.diamonds[0].user, "promotion_letter", 2025).content.decode()
    assert gettext("You stay, by decision of the federation.") in text
    assert gettext("The federation decided so.") in text
    assert "Acta 3" not in text


def test_the_letter_of_who_is_blocked_says_why(client, who):
    rules = acts.confirmed_rules()
    rules.rules.filter(category__code="2D").update(minimum_tournaments=5)
    campaign = acts.frozen(who)
    acts.approve(campaign, who)
    Publish().perform(campaign.pk, who.office)
    text = get(client, who.diamonds[0].user, "promotion_letter", 2025).content.decode()
    assert text.count(str(STATES[PlaceState.FEW])) >= 2  # above the letter and in it


def test_who_was_changed_by_hand_meanwhile_is_told_so(client, who, clock, published):
    best = who.diamonds[0]
    make.assign(best, "1D", date(2026, 1, 25), origin=CategoryAssignment.Origin.MANUAL, reason="A")
    clock(acts.AFTER_CLAIMS)
    acts.done(published, Verb.APPLY, who.office)
    own = get(client, best.user, "promotion_letter", 2025).context["own"]
    assert (own.left, own.moves) == (True, False)


def test_there_is_no_letter_for_others_or_before_publishing(client, who):
    campaign = acts.approved(who)
    best = who.diamonds[0]
    for name in ("promotion_letter", "claim"):
        assert get(client, best.user, name, 2025).status_code == 404
    Publish().perform(campaign.pk, who.office)
    for name in ("promotion_letter", "claim"):
        assert get(client, who.office, name, 2025).status_code == 403
        assert get(client, best.user, name, 2024).status_code == 404


def test_a_player_in_no_list_is_told_so(client, published):
    player = make.player(category="2D", user=make.user())
    response = get(client, player.user, "promotion_letter", 2025)
    assert (response.status_code, response.context["own"].row) == (200, None)
    assert response.context["own"].may_claim


def test_who_has_no_list_is_not_offered_to_contest_one(client, published):
    player = make.player(category="1P", user=make.user())
    assert not get(client, player.user, "promotion_letter", 2025).context["own"].may_claim
    form = get(client, player.user, "claim", 2025)
    assert (form.status_code, form.context["form"]) == (200, None)


# --- Claims ---------------------------------------------------------------------------------------------
def test_a_claim_from_the_player_to_the_answer(client, who, published):
    second = who.diamonds[1]
    client.force_login(second.user)
    address = reverse("claim", args=[2025])
    assert client.post(address, {"text": " "}).status_code == 422
    assert client.post(address, {"text": "My <b>June</b> points"}).url == reverse(
        "promotion_letter", args=[2025]
    )
    made = CampaignClaim.objects.get()
    assert (made.player, made.by, made.text) == (second, second.user, "My <b>June</b> points")
    assert client.post(address, {"text": "Again"}).status_code == 422

    listed = get(client, who.office, "campaign_claims", published.pk)
    assert listed.context["waiting"] == 1
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    assert "&lt;b&gt;June" in client.get(answer).content.decode()
    for wrong in ({"accepted": "1", "text": "Yes"}, {"accepted": "1", "target": "2C"}, {"text": "x"}):
        assert client.post(answer, wrong).status_code == 422, wrong
    assert client.post(answer, {"accepted": "1", "target": "2C", "text": "You are right"}).status_code == 302
    assert made.answer.decision.target.code == "2C"
    assert client.get(answer).context["form"] is None

    client.force_login(second.user)
    change = client.get(second.get_absolute_url()).context["change"]
    assert (change.moves, change.waiting.target.code) == (False, "2C")
    assert "You are right" in get(client, second.user, "promotion_letter", 2025).content.decode()
    # The list differs from the approved one.
    shown = get(client, who.committee, "campaign", published.pk)
    assert [step.verb for step in shown.context["steps"]] == ["approve", "close"]
    assert shown.context["main"].verb == "approve"


def test_a_claim_that_is_not_accepted_changes_nothing(client, who, published):
    second = who.diamonds[1]
    made = Claim().perform(published.pk, second, "wrong", second.user)
    client.force_login(who.office)
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    assert client.post(answer, {"accepted": "0", "target": "2C", "text": "All is right"}).status_code == 302
    assert not published.decisions.exists()
    second_click = client.post(answer, {"accepted": "1", "target": "2C", "text": "You are right"})
    text = [str(message) for message in get_messages(second_click.wsgi_request)]
    assert text[-1] == gettext("Somebody else has answered this claim.")
    assert not published.decisions.exists()


def test_nobody_but_the_office_answers_and_claims_are_for_their_campaign(client, who, published):
    made = Claim().perform(published.pk, who.diamonds[1], "wrong", who.diamonds[1].user)
    answer = reverse("claim_answer", args=[published.pk, made.pk])
    for account in (who.committee, who.diamonds[1].user):
        client.force_login(account)
        assert client.post(answer, {"accepted": "0", "text": "No"}).status_code == 403
    assert get(client, who.committee, "claim_answer", published.pk, made.pk).context["form"] is None
    assert get(client, who.office, "claim_answer", published.pk + 1, made.pk).status_code == 404
    assert not hasattr(CampaignClaim.objects.get(), "answer")


def test_after_the_last_day_there_is_no_form(client, who, clock, published):
    clock(acts.AFTER_CLAIMS)
    second = who.diamonds[1]
    assert get(client, second.user, "claim", 2025).context["form"] is None
    assert client.post(reverse("claim", args=[2025]), {"text": "late"}).status_code == 422
    assert not CampaignClaim.objects.exists()
    html = client.get(second.get_absolute_url()).content.decode()
    assert reverse("claim", args=[2025]) not in html


# --- The announced day ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("day", "from_day"),
    [
        (date(2026, 2, 1), acts.EFFECTIVE_ON),  # as set when opening the campaign
        (date(2026, 3, 10), date(2026, 3, 26)),  # the claims end after that day
        (date(2026, 4, 20), date(2026, 4, 20)),  # not applied yet
    ],
)
def test_no_page_promises_the_categories_from_a_day_that_cannot_be_kept(client, who, clock, day, from_day):
    """Applying never changes past days, so categories of a late campaign start later than planned."""
    campaign = acts.approved(who)
    clock(min(day, date(2026, 3, 10)))
    Publish().perform(campaign.pk, who.office)
    clock(day)
    mover = who.diamonds[0]
    shown = [client.get(LIST), get(client, mover.user, "promotion_letter", 2025)]
    shown.append(get(client, who.office, "campaign_letters", campaign.pk))
    result = [
        page.context["own"].from_day if "own" in page.context else page.context["from_day"] for page in shown
    ]
    assert result == [from_day] * 3
    clock(from_day)
    acts.done(campaign, Verb.APPLY, who.office)
    clock(from_day + timedelta(days=40))
    assert client.get(LIST).context["from_day"] == from_day


def test_a_published_list_names_the_rules_it_was_frozen_with(client, who, published):
    """Later changes of the rule set do not change the frozen rules."""
    PromotionRuleSet.objects.filter(pk=published.rule_set_id).update(name="Later name", confirmed=False)
    for page in (client.get(LIST), get(client, who.diamonds[0].user, "promotion_letter", 2025)):
        text = page.content.decode()
        assert published.snapshot.rules["name"] in text and "Later name" not in text
        assert "to be confirmed" not in text


# --- After a reversal -----------------------------------------------------------------------------------
def test_after_a_reversal_the_player_keeps_letter_claim_and_answer(client, who, clock):
    client.cookies["django_language"] = "en"
    campaign = acts.published(who)
    mover, other = who.diamonds[:2]
    made = Claim().perform(campaign.pk, other, "Two sessions are missing", other.user)
    Answer().perform(made.pk, False, "Both are there", None, who.office)
    clock(acts.AFTER_CLAIMS)
    acts.done(campaign, Verb.APPLY, who.office)
    acts.done(campaign, Verb.REVERSE, who.office, "Very private")
    for player, words in ((mover, "You have the category again"), (other, "Both are there")):
        letter = get(client, player.user, "promotion_letter", 2025)
        text = letter.content.decode()
        assert words in text and "was reversed on" in text and "this letter no longer holds" in text
        page = client.get(player.get_absolute_url()).content.decode()
        assert reverse("promotion_letter", args=[2025]) in page and "reversed on" in page
        assert "Very private" not in text + page
        assert get(client, player.user, "claim", 2025).context["form"] is None
    assert "promotions/promotion.html" in [template.name for template in client.get(LIST).templates]


def test_a_new_change_of_the_year_takes_the_place_of_the_reversed_one(client, who, clock):
    acts.reversed_(who, clock)
    newer = acts.approved(who)
    Publish().perform(newer.pk, who.office)
    assert get(client, who.diamonds[0].user, "promotion_letter", 2025).context["campaign"] == newer


def test_the_letter_of_an_accepted_claim_gives_its_reason(client, who, published):
    client.cookies["django_language"] = "en"
    other = who.diamonds[1]
    made = Claim().perform(published.pk, other, "wrong", other.user)
    Answer().perform(made.pk, True, "Two sessions were missing", make.category("2C"), who.office)
    acts.approve(published, who)
    assert "Your claim was accepted: Two sessions were missing" in (
        get(client, other.user, "promotion_letter", 2025).content.decode()
    )
    stack = get(client, who.office, "campaign_letters", published.pk, categoria="2d")
    assert [item["answer"] for item in stack.context["letters"]] == ["", "Two sessions were missing"]


def test_both_lists_say_by_how_many_they_differ(client, who):
    client.cookies["django_language"] = "en"
    who.diamonds[8].licences.all().delete()
    who.diamonds[9].licences.all().delete()
    campaign = acts.published(who)
    shown = client.get(LIST)
    assert (shown.context["entered"], shown.context["without_place"]) == (8, 2)
    assert "2 more have points of the year and no place" in shown.content.decode()
    review = get(client, who.office, "campaign_review", campaign.pk, "2d")
    assert (review.context["entered"], review.context["without_place"]) == (10, 2)
    assert "The public list is shorter by 2 players" in review.content.decode()
