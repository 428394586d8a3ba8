"""Every act of a campaign in every state: it leads to the next state, or is refused.

Database triggers refuse the same changes of state.
"""

from copy import deepcopy
from datetime import date
from unittest import mock

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from scoring.promotions.acts.apply import Schedule, Unschedule
from scoring.promotions.acts.approve import Approve, GiveBack
from scoring.promotions.acts.base import NOT_APPROVED, NOT_PUBLISHED, Refused
from scoring.promotions.acts.claims import Answer, Close
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.open import Abandon, Edit
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.models import (
    CampaignSnapshot,
    CampaignTask,
    PromotionCampaign,
    PromotionRuleSet,
)
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import list_digest
from tests import factories as make
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.test_sealed import CAMPAIGN, database_refuses, update_row
from tests.undone import rolled_back

pytestmark = pytest.mark.django_db
STATES = [str(state) for state in PromotionCampaign.State]
STEPS = {(before, after) for (before, _verb), after in states.STEPS.items() if before != after}


def try_act(campaign: PromotionCampaign, verb: Verb, people: campaigns.People, clock) -> None:
    """Perform an act of the campaign, after preparing everything that it requires except the right state."""
    pk, office, player = campaign.pk, people.office, people.diamonds[0]
    dates = {"intake_until": date(2026, 1, 10), "effective_on": date(2026, 4, 1)}
    if verb == Verb.APPLY:
        clock(campaigns.AFTER_CLAIMS)
    doing = {
        Verb.FREEZE: lambda: campaigns.carry_out(campaign, verb, office),
        Verb.APPLY: lambda: campaigns.carry_out(campaign, verb, office),
        Verb.REVERSE: lambda: campaigns.carry_out(campaign, verb, office, "wrong rules"),
        Verb.EDIT: lambda: Edit().perform(pk, office, rule_set=campaigns.confirmed_rules(), **dates),
        Verb.DECIDE: lambda: Decide().perform(pk, player.pk, None, "ill", office),
        Verb.APPROVE: lambda: approve_anew(campaign, people),
        Verb.RETURN: lambda: GiveBack().perform(pk, people.committee, "a mistake"),
        Verb.WITHDRAW: lambda: Withdraw().perform(pk, office, "a mistake"),
        Verb.ABANDON: lambda: Abandon().perform(pk, office, "not this year"),
        Verb.PUBLISH: lambda: Publish().perform(pk, office),
        Verb.CLAIM: lambda: campaigns.file_claim(campaign, player),
        Verb.ANSWER: lambda: Answer().perform(campaign.claims.get().pk, False, "No", None, office),
        Verb.CLOSE: lambda: Close().perform(pk, people.committee, "all were heard"),
        Verb.SCHEDULE: lambda: Schedule().perform(pk, office, due_on=campaigns.EFFECTIVE_ON),
        Verb.UNSCHEDULE: lambda: Unschedule().perform(scheduled_task(campaign, office).pk, office, "not yet"),
    }
    doing[verb]()


def approve_anew(campaign, people) -> None:
    """Approve the lists. If they are published, first let an accepted claim change them."""
    if campaign.state == "published":
        claim = campaigns.file_claim(campaign, people.diamonds[1])
        Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    Approve().perform(campaign.pk, people.committee, list_digest(campaign))


def scheduled_task(campaign, office) -> CampaignTask:
    if campaign.state == "published":
        return Schedule().perform(campaign.pk, office, due_on=campaigns.EFFECTIVE_ON)
    return CampaignTask.objects.create(
        campaign=campaign, verb="apply", due_on=campaigns.EFFECTIVE_ON, created_by=office
    )


@pytest.fixture(scope="module", params=STATES)
def module_campaign(request, django_db_setup, django_db_blocker):
    """The people, a campaign in every state, and the day; created once for all tests of the state."""
    now = {"day": campaigns.FROZEN_ON}
    with rolled_back(django_db_blocker), mock.patch.object(timezone, "localdate", lambda *_: now["day"]):
        people = campaigns.create_people()
        campaign = campaigns.in_state(request.param, people, lambda day: now.update(day=day))
        yield people, campaign, now["day"]


@pytest.fixture
def at(module_campaign, clock):
    """Return (people, campaign) for one test, and set the day.

    They are copies of the objects of `module_campaign`, so that the test may change them.
    """
    people, campaign, day = deepcopy(module_campaign)
    clock(day)
    return people, campaign


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb != Verb.ANSWER])
def test_every_act_is_possible_only_in_the_right_states(at, clock, verb):
    check_act(*reversed(at), clock, verb)


def check_act(campaign: PromotionCampaign, people: campaigns.People, clock, verb: Verb) -> None:
    """Assert that the act leads to the state in the table `STEPS`, or is refused without writing anything."""
    state, logged = campaign.state, campaign.acts.count()
    after = states.after(state, verb)
    if after is None:
        with pytest.raises(Refused), transaction.atomic():
            try_act(campaign, verb, people, clock)
        campaign.refresh_from_db()
        assert campaign.state == state
        assert campaign.acts.count() == logged
        return
    try_act(campaign, verb, people, clock)
    campaign.refresh_from_db()
    assert campaign.state == after
    act = campaign.acts.first()
    assert (act.verb, act.state_before, act.state_after) == (verb, state, after)
    assert act.by_id


@pytest.mark.parametrize("other", STATES)
def test_the_database_allows_only_the_same_changes_of_state(at, other):
    """Triggers refuse every change to another state that is not in the table `STEPS`."""
    people, campaign = at
    before = campaign.state
    row = PromotionCampaign.objects.filter(pk=campaign.pk)
    if before == other or (before, other) in STEPS:
        columns = {} if before == other else columns_of_step(campaign, other, people)
        assert row.update(state=other, **columns) == 1
        return
    with pytest.raises(DatabaseError, match="does not go from that state"), transaction.atomic():
        row.update(state=other)
    campaign.refresh_from_db()
    assert campaign.state == before


def columns_of_step(campaign: PromotionCampaign, after: str, people: campaigns.People) -> dict:
    """Return {column: value} of the columns that an act writes to the campaign's row besides `state`.

    after: the state to which the act leads
    """
    at = campaign.opened_at
    if after == "frozen" and campaign.state == "draft":
        empty = CampaignSnapshot(campaign=campaign, version=1, taken_by=people.office, rules={}, players=0)
        empty.save()
        return {"snapshot": empty, "frozen_by": people.office}
    return {
        "frozen": {**NOT_APPROVED, **NOT_PUBLISHED},
        "approved": {"approved_by": people.committee, "approved_at": at, "approved_digest": "x"},
        "published": {"published_at": at, "claims_until": campaigns.CLAIMS_UNTIL},
        "applied": {"applied_at": at},
        "reversed": {"reversed_at": at},
        "abandoned": {},
    }[after]


# --- What the database keeps ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "module_campaign", ["draft", "frozen", "approved", "published", "applied", "reversed"], indirect=True
)
@pytest.mark.parametrize(
    "columns",
    [
        {"year": 2024}, {"family": "other"}, {"opened_at": "2024-01-01 00:00:00+00:00"},
        {"approved_digest": "x"}, {"approved_at": "2024-01-01 00:00:00+00:00", "approved_by_id": None},
        {"published_at": "2024-01-01 00:00:00+00:00"}, {"claims_until": "2027-01-01"},
        {"applied_at": "2024-01-01 00:00:00+00:00"}, {"reversed_at": "2024-01-01 00:00:00+00:00"},
    ],
    ids=lambda columns: "+".join(columns),
)  # fmt: skip
def test_the_database_refuses_to_rewrite_what_a_campaign_records_of_its_acts(at, columns):
    _people, campaign = at
    with database_refuses("changes with another step|taken off|comes nearer"):
        update_row(CAMPAIGN, campaign.pk, **columns)


@pytest.mark.parametrize("module_campaign", ["frozen", "approved", "published", "applied"], indirect=True)
def test_the_database_keeps_the_rules_and_days_of_a_frozen_campaign(at):
    _people, campaign = at
    other = PromotionRuleSet.objects.exclude(pk=campaign.rule_set_id).first()
    for columns in (
        {"rule_set_id": other.pk},
        {"intake_until": "2026-01-01"},
        {"effective_on": "2026-06-01"},
    ):
        with database_refuses("changes with another step"):
            update_row(CAMPAIGN, campaign.pk, **columns)
