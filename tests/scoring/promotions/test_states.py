"""Every act of a campaign in every state: it leads to the next state, or is refused.

Database triggers refuse the same changes of state.
"""

from copy import deepcopy
from datetime import date, timedelta
from itertools import product
from unittest import mock

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from players.models import Category
from scoring.promotions.acts.apply import Schedule, Unschedule
from scoring.promotions.acts.approve import Approve, GiveBack
from scoring.promotions.acts.base import NOT_APPROVED, NOT_PUBLISHED, Refused
from scoring.promotions.acts.claims import Answer, Claim, Close
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.open import Abandon, Edit, Open, usual_intake
from scoring.promotions.acts.publish import Publish, Withdraw
from scoring.promotions.models import (
    CampaignAct,
    CampaignClaim,
    CampaignSnapshot,
    CampaignTask,
    PromotionCampaign,
)
from scoring.promotions.pure import states
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import list_digest
from tests import factories as make
from tests.scoring.promotions import campaigns
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
        Verb.CLAIM: lambda: file_claim(campaign, player),
        Verb.ANSWER: lambda: Answer().perform(campaign.claims.get().pk, False, "No", None, office),
        Verb.CLOSE: lambda: Close().perform(pk, people.committee, "all were heard"),
        Verb.SCHEDULE: lambda: Schedule().perform(pk, office, due_on=campaigns.EFFECTIVE_ON),
        Verb.UNSCHEDULE: lambda: Unschedule().perform(scheduled_task(campaign, office).pk, office, "not yet"),
    }
    doing[verb]()


def approve_anew(campaign, people) -> None:
    """Approve the lists. If they are published, first let an accepted claim change them."""
    if campaign.state == "published":
        claim = file_claim(campaign, people.diamonds[1])
        Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    Approve().perform(campaign.pk, people.committee, list_digest(campaign))


def file_claim(campaign, player) -> CampaignClaim:
    """Create an account for the player, and a claim of the player against the published lists.

    Return the claim.
    """
    player.user = make.user()
    player.save()
    return Claim().perform(campaign.pk, player, "I have more points", player.user)


def claimed_campaign(state: str, people: campaigns.People, clock) -> PromotionCampaign:
    """Return a campaign in this state, with a claim by the last player of category 2D.

    The campaign was published before, because only published lists can be contested.
    """
    campaign = campaigns.published(people)
    claim = file_claim(campaign, people.diamonds[-1])
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


def scheduled_task(campaign, office) -> CampaignTask:
    if campaign.state == "published":
        return Schedule().perform(campaign.pk, office, due_on=campaigns.EFFECTIVE_ON)
    return CampaignTask.objects.create(
        campaign=campaign, verb="apply", due_on=campaigns.EFFECTIVE_ON, created_by=office
    )


@pytest.fixture(scope="module")
def module_campaign(request, django_db_setup, django_db_blocker):
    """The people, a campaign in the requested state, and the day; created once for all tests of the state."""
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


def every_state_with(*others):
    """Return a decorator that runs a test for every pair of a campaign's state and one of the other values.

    others: the other values, as one iterable; they may be states, but a state is not paired with itself
    """
    return pytest.mark.parametrize(
        ("module_campaign", "other"),
        [pair for pair in product(STATES, *others) if pair[0] != pair[1]],
        indirect=["module_campaign"],
    )


@every_state_with([verb for verb in Verb if verb != Verb.ANSWER])
def test_every_act_is_possible_only_in_the_right_states(at, clock, other):
    check_act(*reversed(at), clock, other)


# Before the first publication there are no claims to answer.
@pytest.mark.parametrize("state", [state for state in STATES if state != "draft"])
def test_claims_can_be_answered_only_in_the_right_states(people, clock, state):
    check_act(claimed_campaign(state, people, clock), people, clock, Verb.ANSWER)


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


@every_state_with(STATES)
def test_the_database_allows_only_the_same_changes_of_state(at, other):
    """Triggers refuse every change of state that is not in the table `STEPS`."""
    people, campaign = at
    before = campaign.state
    row = PromotionCampaign.objects.filter(pk=campaign.pk)
    if (before, other) in STEPS:
        assert row.update(state=other, **columns_of_step(campaign, other, people)) == 1
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


# --- Rows that never change -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "rows",
    [
        lambda c: c.acts.all(),
        lambda c: c.decisions.all(),
        lambda c: c.claims.all(),
        lambda c: c.snapshots.all(),
        lambda c: c.snapshot.lists.all(),
        lambda c: type(c.claims.get().answer).objects.all(),
    ],
    ids=["acts", "decisions", "claims", "snapshots", "lists", "answers"],
)
def test_the_records_of_a_campaign_cannot_be_changed_or_deleted(people, clock, rows):
    campaign = campaigns.published(people)
    claim = file_claim(campaign, people.diamonds[1])
    Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    result = rows(campaign)
    assert result.exists()
    pk = result.first().pk
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        result.filter(pk=pk).update(id=pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        result.filter(pk=pk)._raw_delete("default")
    with pytest.raises(DatabaseError), transaction.atomic():
        PromotionCampaign.objects.filter(pk=campaign.pk)._raw_delete("default")


def test_opening_is_logged_and_a_year_has_only_one_campaign(people):
    campaign = campaigns.draft(people)
    act = CampaignAct.objects.get()
    assert (act.verb, act.by, act.state_after) == ("open", people.office, "draft")
    with pytest.raises(Refused, match="2025"):
        campaigns.draft(people)
    Abandon().perform(campaign.pk, people.office, "wrong dates")
    assert campaigns.draft(people).pk != campaign.pk


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"year": 2027}, "year"),
        ({"intake_until": date(2025, 12, 30)}, "intake_until"),
        ({"effective_on": date(2026, 1, 15)}, "effective_on"),
        ({"year": 2023, "intake_until": date(2024, 1, 15)}, None),
        ({"year": 2021}, "rule_set"),
    ],
)
def test_invalid_dates_or_rules_of_a_campaign_are_refused(people, changes, names):
    fields = {
        "year": 2025,
        "rule_set": campaigns.confirmed_rules(),
        "intake_until": date(2026, 1, 15),
        "effective_on": campaigns.EFFECTIVE_ON,
        **changes,
    }
    year = fields.pop("year")
    if names is None:
        assert Open().perform(year, people.office, **fields).state == "draft"
        return
    with pytest.raises(Refused) as refused:
        Open().perform(year, people.office, **fields)
    assert list(refused.value.message_dict) == [names]


def test_the_usual_last_day_for_late_results_is_15_january():
    assert usual_intake(2025) == date(2026, 1, 15)
    assert campaigns.FROZEN_ON - usual_intake(2025) == timedelta(days=5)


def test_a_decision_cannot_give_a_title_or_keep_the_category_as_a_move(people, clock):
    campaign = campaigns.frozen(people)
    for code in ("MN-O", "2D"):
        with pytest.raises(Refused):
            Decide().perform(
                campaign.pk,
                people.diamonds[1].pk,
                Category.objects.get(code=code),
                "for merit",
                people.office,
            )
