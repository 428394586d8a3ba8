"""The pages of a campaign in every state: their content, the acts that they offer, and refusals."""

from datetime import date

import pytest
from django.contrib.messages import get_messages
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import gettext

from players.models import CategoryAssignment, Proposal, Role
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.open import Open
from scoring.promotions.acts.reverse import Reverse
from scoring.promotions.models import CampaignTask, PromotionCampaign, PromotionRule
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.services import work as campaign_tasks
from tests import factories as make
from tests import second
from tests.pages import Page
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.campaigns import response_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def auditor():
    account = make.user()
    make.role(account, Role.Kind.AUDITOR)
    return account


def step(client, account, campaign, verb: str, **data):
    client.force_login(account)
    return client.post(reverse("campaign_step", args=[campaign.pk, verb]), data)


def offered_steps(response) -> list[str]:
    return [str(item.verb) for item in response.context["steps"]]


# --- All campaigns ------------------------------------------------------------------------------------------
def test_the_office_opens_a_campaign_and_others_cannot(client, people, auditor):
    rules = campaigns.confirmed_rules()
    data = {
        "year": 2025,
        "rule_set": rules.pk,
        "intake_until": "2026-01-15",
        "effective_on": "2026-03-01",
    }
    for account in (people.committee, auditor, make.user()):
        client.force_login(account)
        assert client.post(reverse("campaigns"), data).status_code == 403
    assert not PromotionCampaign.objects.exists()
    client.force_login(people.office)
    response = client.post(reverse("campaigns"), data)
    made = PromotionCampaign.objects.get()
    assert response.url == made.get_absolute_url()
    assert (made.year, made.opened_by, made.effective_on) == (2025, people.office, date(2026, 3, 1))
    again = client.post(reverse("campaigns"), data)
    assert again.status_code == 422
    assert again.context["form"].non_field_errors()


def test_the_form_proposes_the_past_year(client, people):
    form = response_for(client, people.office, "campaigns").context["form"]
    assert (form.initial["year"], form.initial["intake_until"]) == (2025, date(2026, 1, 15))
    assert form.initial["rule_set"].valid_to == date(2025, 12, 31)
    assert form.initial["effective_on"] == date(2026, 3, 1)
    of_committee = response_for(client, people.committee, "campaigns")
    assert of_committee.context["form"] is None
    says = "Simúlalo tantas veces", "esperan al comité"
    assert [text in of_committee.content.decode() for text in says] == [False, True]
    of_office = response_for(client, people.office, "campaigns").content.decode()
    assert [text in of_office for text in says] == [True, False]


@pytest.mark.parametrize(
    ("field", "value"),
    [("effective_on", "2026-01-10"), ("intake_until", "2025-11-01"), ("year", "2031"), ("rule_set", "")],
)
def test_invalid_values_of_the_form_are_errors_at_their_fields(client, people, field, value):
    data = {
        "year": 2025,
        "rule_set": campaigns.confirmed_rules().pk,
        "intake_until": "2026-01-15",
        "effective_on": "2026-03-01",
        field: value,
    }
    client.force_login(people.office)
    response = client.post(reverse("campaigns"), data)
    assert response.status_code == 422
    assert field in response.context["form"].errors


# --- One campaign, state by state ---------------------------------------------------------------------------
STEPS_OF = {
    # state: (acts of the office, acts of the committee)
    "draft": (["freeze", "edit", "abandon"], []),
    "frozen": (["freeze", "abandon"], ["approve"]),
    "approved": (["publish", "abandon"], ["return"]),
    "published": (["schedule", "withdraw"], ["close"]),  # nothing can be applied while claims are open
    "applied": (["reverse"], []),
    "reversed": ([], []),
    "abandoned": ([], []),
}


@pytest.mark.parametrize("state", STEPS_OF)
def test_each_role_is_offered_the_acts_it_may_perform(client, people, auditor, clock, state):
    campaign = campaigns.in_state(state, people, clock)
    readers = (people.office, people.committee, auditor)
    pages = [response_for(client, account, "campaign", campaign.pk) for account in readers]
    assert [offered_steps(item) for item in pages] == [*STEPS_OF[state], []]
    for page in pages:
        shown = Page(page)
        assert len(shown.all(aria_current="step")) == 1
        assert shown.all(class_="btn-primary") or page.context["main"] is None


@pytest.mark.parametrize("state", STEPS_OF)
def test_an_act_that_is_not_offered_has_no_effect(client, people, clock, state):
    campaign = campaigns.in_state(state, people, clock)
    before = campaign.acts.count(), campaign.tasks.count()
    data = {"reason": "x", "sure": "on", "digest": list_digest(campaign), "due_on": "2026-06-01"}
    for account, own in zip((people.office, people.committee), STEPS_OF[state], strict=True):
        for verb in Verb:
            if verb not in own:  # for an act with obstacles, its own page responds 422
                assert step(client, account, campaign, verb, **data).status_code in (302, 403, 404, 422), verb
    campaign.refresh_from_db()
    assert (campaign.state, campaign.acts.count(), campaign.tasks.count()) == (state, *before)


def test_the_page_says_what_is_missing_before_the_lists_can_be_frozen(client, people, clock):
    clock(date(2026, 1, 14))
    campaign = campaigns.draft(people)
    PromotionRule.objects.filter(rule_set=campaign.rule_set, category__code="2D").update(confirmed=False)
    response = response_for(client, people.office, "campaign", campaign.pk)
    intake, rules = response.context["missing"]
    assert "2" in intake.text
    assert "2D" in rules.text
    assert rules.url == reverse("rule_set", args=[campaign.rule_set_id])
    assert response.context["main"] is None
    assert offered_steps(response) == ["edit", "abandon"]
    refused = step(client, people.office, campaign, "freeze")
    assert refused.status_code == 422
    assert not campaign.tasks.exists()


def test_the_page_shows_the_progress_of_freezing_and_then_the_lists(client, people):
    campaign = campaigns.draft(people)
    assert step(client, people.office, campaign, "freeze").url == campaign.get_absolute_url()
    task = campaign.tasks.get()
    shown = response_for(client, people.office, "campaign", campaign.pk)
    assert shown.context["progress"].url in shown.content.decode()
    assert offered_steps(shown) == []
    fragment = client.get(reverse("campaign_progress", args=[campaign.pk]), headers={"HX-Request": "true"})
    assert 'hx-trigger="every 1s"' in fragment.content.decode()
    campaign_tasks.perform(task.pk)
    ended = client.get(reverse("campaign_progress", args=[campaign.pk]), headers={"HX-Request": "true"})
    assert ended.headers["HX-Redirect"] == campaign.get_absolute_url()
    html = client.get(campaign.get_absolute_url()).content.decode()
    assert reverse("campaign_review", args=[campaign.pk, "2d"]) in html


def test_freezing_again_needs_a_reason(client, people):
    campaign = campaigns.frozen(people)
    assert step(client, people.office, campaign, "freeze").status_code == 422
    assert step(client, people.office, campaign, "freeze", reason="late club").status_code == 302
    assert campaign.tasks.first().reason == "late club"


def test_the_committee_can_only_approve_the_lists_that_it_saw(client, people):
    campaign = campaigns.frozen(people)
    url = reverse("campaign_step", args=[campaign.pk, "approve"])
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "Acta 3", people.office)
    client.force_login(people.committee)
    shown = client.get(url)
    assert "Acta 3" in shown.content.decode()
    seen = shown.context["form"].initial["digest"]
    Decide().perform(campaign.pk, people.diamonds[2].pk, make.category("2C"), "Acta 4", people.office)
    stale = client.post(url, {"digest": seen, "sure": "on"}, follow=True)
    assert stale.redirect_chain == [(url, 302)]
    assert stale.context["form"].initial["digest"] == list_digest(campaign)
    assert "Acta 4" in stale.content.decode()
    assert client.post(url, {"digest": list_digest(campaign)}).status_code == 422  # without the confirmation
    assert client.post(url, {"digest": list_digest(campaign), "sure": "on"}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.state, campaign.approved_by) == ("approved", people.committee)


def test_whoever_worked_on_the_lists_is_not_offered_to_approve_them(client, people):
    make.role(people.office, Role.Kind.COMMITTEE)
    campaign = campaigns.frozen(people)
    assert "approve" not in offered_steps(response_for(client, people.office, "campaign", campaign.pk))
    assert "approve" in offered_steps(response_for(client, people.committee, "campaign", campaign.pk))


@pytest.mark.parametrize(
    ("state", "reader", "verb", "why"),
    [
        ("frozen", "office", "publish", "2025"),
        ("frozen", "both", "approve", "The list is approved by somebody who has not worked on it."),
        (
            "published",
            "committee",
            "approve",
            "The campaign has moved on meanwhile: this step is not open now.",
        ),
    ],
)
def test_the_page_says_why_an_act_is_not_possible_yet(client, people, clock, state, reader, verb, why):
    campaign = campaigns.in_state(state, people, clock)
    people.both = campaign.opened_by
    if reader == "both":
        make.role(people.both, Role.Kind.COMMITTEE)
    response = step(client, getattr(people, reader), campaign, verb)
    assert response.url == campaign.get_absolute_url()
    assert gettext(why) in str(next(iter(get_messages(response.wsgi_request))))


def test_the_form_to_publish_proposes_the_claims_period_of_the_rules(client, people):
    campaign = campaigns.approved(people)
    url = reverse("campaign_step", args=[campaign.pk, "publish"])
    client.force_login(people.office)
    assert client.get(url).context["form"].initial["claims_until"] == campaigns.CLAIMS_UNTIL
    assert client.post(url, {"claims_until": "2026-01-01"}).status_code == 422
    assert client.post(url, {"claims_until": "2026-02-10"}).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.state, campaign.claims_until) == ("published", date(2026, 2, 10))


def test_the_committee_can_end_the_claims_period_early(client, people):
    campaign = campaigns.published(people)
    assert "close" not in offered_steps(response_for(client, people.office, "campaign", campaign.pk))
    assert "close" in offered_steps(response_for(client, people.committee, "campaign", campaign.pk))
    for missing in ({"sure": "on"}, {"reason": "all were heard"}):
        assert step(client, people.committee, campaign, "close", **missing).status_code == 422
    assert step(client, people.office, campaign, "close", sure="on", reason="mine").status_code == 403
    assert step(client, people.committee, campaign, "close", sure="on", reason="heard").status_code == 302
    assert "close" not in offered_steps(response_for(client, people.committee, "campaign", campaign.pk))
    shown = response_for(client, people.office, "campaign", campaign.pk)
    assert "apply" in offered_steps(shown)
    assert shown.context["claims_ended"]
    over = "The lists are public and the time for claims is over. Next, the office applies the change."
    assert shown.context["lead"] == gettext(over)


def test_the_page_of_a_late_change_says_from_when_it_is_valid(client, people, clock):
    campaign = campaigns.published(people)
    clock(date(2026, 3, 9))
    step_page = response_for(client, people.office, "campaign_step", campaign.pk, "apply")
    assert step_page.context["application"]["from_day"] == date(2026, 3, 9)
    campaigns.carry_out(campaign, Verb.APPLY, people.office)
    assert "9 mar 2026" in response_for(client, people.office, "campaign", campaign.pk).context["lead"]


def test_applying_can_be_scheduled_and_cancelled_on_the_page(client, people):
    campaign = campaigns.published(people)
    form = step_form(client, people.office, campaign, "schedule")
    assert form.initial["due_on"] == campaigns.EFFECTIVE_ON
    assert step(client, people.office, campaign, "schedule", due_on="2026-01-30").status_code == 422
    assert step(client, people.office, campaign, "schedule", due_on="2026-03-01").status_code == 302
    response = response_for(client, people.office, "campaign", campaign.pk)
    assert response.context["scheduled"].due_on == date(2026, 3, 1)
    assert response.context["progress"] is None
    assert {"unschedule", "withdraw"} <= set(offered_steps(response))
    assert "schedule" not in offered_steps(response)
    assert step(client, people.office, campaign, "unschedule", reason="later").status_code == 302
    assert campaign.tasks.first().state == CampaignTask.State.CANCELLED
    assert "schedule" in offered_steps(response_for(client, people.office, "campaign", campaign.pk))


def step_form(client, account, campaign, verb: str):
    return response_for(client, account, "campaign_step", campaign.pk, verb).context["form"]


def test_the_page_says_why_a_task_stopped(client, people, clock):
    campaign = campaigns.published(people)
    step(client, people.office, campaign, "schedule", due_on="2026-03-01")
    Claim().perform(campaign.pk, with_account(people.diamonds[0]), "wrong", people.diamonds[0].user)
    clock(date(2026, 3, 1))
    campaign_tasks.perform(campaign.tasks.first().pk)
    response = response_for(client, people.office, "campaign", campaign.pk)
    assert response.context["stopped"].state == CampaignTask.State.FAILED
    assert 'role="alert"' in response.content.decode()


def with_account(player):
    """Create an account for the player, and return the player."""
    player.user = make.user()
    player.save()
    return player


def test_applying_and_reversing_need_a_tick_and_reversing_a_reason(client, people, clock):
    campaign = campaigns.published(people)
    clock(campaigns.AFTER_CLAIMS)
    assert step(client, people.office, campaign, "apply").status_code == 422
    assert step(client, people.office, campaign, "apply", sure="on").status_code == 302
    campaign_tasks.perform(campaign.tasks.first().pk)
    for missing in ({"sure": "on"}, {"reason": "wrong"}):
        assert step(client, people.office, campaign, "reverse", **missing).status_code == 422
    assert step(client, people.office, campaign, "reverse", sure="on", reason="wrong").status_code == 302
    assert Proposal.objects.get().reason == "wrong"


def test_reversing_needs_a_second_person_who_sees_which_players_are_skipped(client, people, clock):
    campaign = campaigns.applied(people, clock)
    moved = people.diamonds[0]
    make.assign(moved, "1D", date(2026, 3, 5), origin=CategoryAssignment.Origin.MANUAL, reason="Acta 9")
    step(client, people.office, campaign, "reverse", sure="on", reason="wrong rules")
    waiting = Proposal.objects.get()
    assert not campaign.tasks.filter(verb="reverse").exists()
    page = response_for(client, people.office, "campaign", campaign.pk)
    assert waiting.get_absolute_url() in page.content.decode() and page.context["steps"] == []
    assert response_for(client, people.office, "campaign_step", campaign.pk, "reverse").status_code == 302
    with pytest.raises(ValidationError):
        Reverse().propose(campaign.pk, people.office, "once more")
    client.force_login(people.committee)
    page = client.get(waiting.get_absolute_url())
    text = page.content.decode()
    assert moved.public_name in text and people.hearts[0].public_name not in text
    seen = page.context["effect"].digest
    make.assign(
        people.hearts[0], "1P", date(2026, 3, 5), origin=CategoryAssignment.Origin.MANUAL, reason="Acta 9"
    )
    data = {"action": "approve", "seen": seen}
    assert client.post(waiting.get_absolute_url(), data).status_code == 422
    data["seen"] = client.get(waiting.get_absolute_url()).context["effect"].digest
    assert client.post(waiting.get_absolute_url(), data).status_code == 302
    campaign_tasks.perform(campaign.tasks.first().pk)
    campaign.refresh_from_db()
    act = campaign.acts.first()
    assert (campaign.state, act.by, act.reason) == ("reversed", people.committee, "wrong rules")
    assert act.detail["conflict"] == 2


def test_a_change_cannot_be_reversed_twice(people, clock):
    campaign = campaigns.applied(people, clock)
    waiting = Reverse().propose(campaign.pk, people.office, "wrong rules")
    campaigns.carry_out(campaign, Verb.REVERSE, people.committee, "wrong rules")
    with pytest.raises(ValidationError):
        second.approve(waiting, people.committee)


def test_the_page_to_reverse_lists_players_who_would_be_skipped(client, people, clock):
    campaign = campaigns.applied(people, clock)
    moved = people.diamonds[0]
    make.assign(moved, "1D", date(2026, 3, 5), origin=CategoryAssignment.Origin.MANUAL, reason="Acta 9")
    response = response_for(client, people.office, "campaign_step", campaign.pk, "reverse")
    assert (response.context["reversal"]["kept"], response.context["reversal"]["taken_back"]) == (1, 1)
    assert moved.public_name in response.content.decode()
    assert people.hearts[0].public_name not in response.content.decode()


def test_the_log_names_the_player_of_a_decision(client, people):
    campaign = campaigns.frozen(people)
    player = people.diamonds[1]
    Decide().perform(campaign.pk, player.pk, make.category("2C"), "Acta 3", people.office)
    assert (
        player.number in response_for(client, people.committee, "campaign", campaign.pk).context["log_html"]
    )


# --- Queries ------------------------------------------------------------------------------------------------
def query_count(client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


def test_the_number_of_queries_does_not_grow_with_rows_of_a_campaign(client, people):
    campaign = campaigns.frozen(people)
    client.force_login(people.office)
    addresses = [campaign.get_absolute_url(), reverse("campaigns")]
    Decide().perform(campaign.pk, people.diamonds[1].pk, make.category("2C"), "Acta 3", people.office)
    for address in addresses:
        client.get(address)  # fill the process's cache of frozen lists
    first = [query_count(client, address) for address in addresses]
    for player in people.diamonds[2:4]:
        Decide().perform(campaign.pk, player.pk, make.category("2C"), "Acta 4", people.office)
    for year in (2022, 2023):
        Open().perform(
            year,
            people.office,
            rule_set=campaign.rule_set,
            intake_until=date(year + 1, 1, 15),
            effective_on=date(year + 1, 3, 1),
        )
    assert [query_count(client, address) for address in addresses] == first
    assert max(first) <= 25


def test_the_offices_home_page_shows_the_tasks_of_a_campaign(client, people):
    campaign = campaigns.published(people)
    assert response_for(client, people.office, "office").context["notices"] == []
    player = with_account(people.diamonds[1])
    Claim().perform(campaign.pk, player, "wrong", player.user)
    desk = response_for(client, people.office, "office")
    assert [matter.url for matter in desk.context["matters"]] == [campaign.get_absolute_url()]
    assert campaign.get_absolute_url() in desk.content.decode()


def test_the_main_button_is_the_act_that_is_possible_next(client, people, clock):
    campaign = campaigns.published(people)

    def main(account=people.office) -> str | None:
        step = response_for(client, account, "campaign", campaign.pk).context["main"]
        return step and str(step.verb)

    assert main() == "schedule"
    player = with_account(people.diamonds[1])
    claim = Claim().perform(campaign.pk, player, "wrong", player.user)
    assert main() is None
    Answer().perform(claim.pk, True, "right", make.category("2C"), people.office)
    assert (main(), main(people.committee)) == (None, "approve")
    campaigns.approve(campaign, people)
    clock(campaigns.AFTER_CLAIMS)
    assert main() == "apply"


def test_the_pages_of_a_campaign_count_in_sentences_and_say_nothing_twice(client, people):
    campaign = campaigns.published(people)
    claims = Page(response_for(client, people.office, "campaign_claims", campaign.pk))
    assert claims.main.text.count("Nadie ha reclamado") == 1
    listed = Page(response_for(client, people.office, "campaign_review", campaign.pk, "2d"))
    assert "Las reglas dan 1 puesto;" in listed.lead
    dossier = Page(
        response_for(client, people.office, "campaign_player", campaign.pk, people.diamonds[0].number)
    )
    figures = {item.text: item for item in dossier.all("dt")}
    assert {"Presencial", "En línea"} <= figures.keys() and "(presencial" not in dossier.main.text


def test_the_form_for_a_campaign_is_folded_only_beside_a_running_one(client, people):
    first = Page(response_for(client, people.office, "campaigns"))
    assert first.the("form", class_="form") and not first.main.all("details")
    campaigns.draft(people)
    running = Page(response_for(client, people.office, "campaigns"))
    assert len(running.main.all("details")) == len(running.main.all("summary")) == 1
