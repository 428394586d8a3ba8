"""Acts of two persons, or of two workers, at the same time: one succeeds and the others are refused."""

import threading

import pytest
from django.db import connection
from django.utils import timezone

from scoring.promotions.acts.apply import Apply, Unschedule
from scoring.promotions.acts.approve import Approve
from scoring.promotions.acts.base import Refused
from scoring.promotions.acts.claims import Answer
from scoring.promotions.acts.decide import Decide
from scoring.promotions.acts.freeze import Freeze
from scoring.promotions.models import PromotionCampaign, PromotionRuleSet, RuleSetChange
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.services import rule_sets
from scoring.promotions.services import work as campaign_tasks
from tests import factories as make
from tests.scoring.promotions import campaigns
from tests.scoring.promotions.rules import rows_of, store
from tests.scoring.promotions.test_tasks import scheduled_campaign, state_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(clock) -> campaigns.People:
    """The accounts and players of the small federation, committed, so that all threads see them."""
    return campaigns.create_people()


def test_of_two_simultaneous_campaigns_for_a_year_one_is_refused(people):
    campaigns.confirmed_rules()
    failed = at_once([lambda: campaigns.draft(people), lambda: campaigns.draft(people)])
    assert [type(error) for error in failed] == [Refused]
    assert PromotionCampaign.objects.count() == 1


def test_of_two_simultaneous_approvals_one_is_refused(people):
    campaign = campaigns.frozen(people)
    digest, other = queries.list_digest(campaign), campaigns.committee()
    failed = at_once(
        [
            lambda: Approve().perform(campaign.pk, people.committee, digest),
            lambda: Approve().perform(campaign.pk, other, digest),
        ]
    )
    assert [type(error) for error in failed] == [Refused]
    assert campaign.acts.filter(verb="approve").count() == 1


def test_a_decision_during_approval_is_either_approved_or_refused(people):
    campaign = campaigns.frozen(people)
    digest = queries.list_digest(campaign)
    failed = at_once(
        [
            lambda: Approve().perform(campaign.pk, people.committee, digest),
            lambda: Decide().perform(campaign.pk, people.diamonds[1].pk, None, "ill", people.office),
        ]
    )
    assert [type(error) for error in failed] == [Refused]
    campaign.refresh_from_db()
    if campaign.state == "approved":
        assert campaign.approved_digest == queries.list_digest(campaign) == digest
    else:
        assert campaign.decisions.count() == 1


def test_three_simultaneous_equal_decisions_are_stored_once(people):
    campaign, other = campaigns.frozen(people), make.office()
    failed = at_once(
        [
            lambda by=by: Decide().perform(campaign.pk, people.diamonds[1].pk, None, "ill", by)
            for by in (people.office, people.office, other)
        ]
    )
    assert [error.code for error in failed] == ["same", "same"]
    assert campaign.decisions.count() == campaign.acts.filter(verb="decide").count() == 1
    assert queries.decisions_in_force(campaign)[people.diamonds[1].pk].reason == "ill"


def test_of_two_simultaneous_answers_one_is_refused(people):
    campaign = campaigns.published(people)
    claim = campaigns.file_claim(campaign, people.diamonds[1])
    failed = at_once(
        [
            lambda: Answer().perform(claim.pk, True, "Yes", make.category("2C"), people.office),
            lambda: Answer().perform(claim.pk, False, "No", None, people.office),
        ]
    )
    assert [type(error) for error in failed] == [Refused]
    assert campaign.acts.filter(verb="answer").count() == 1


def test_of_two_workers_with_the_same_task_only_one_does_it(people, clock):
    campaign = campaigns.published(people)
    clock(campaigns.AFTER_CLAIMS)
    task = Apply().perform(campaign.pk, people.office)
    assert at_once([lambda: campaign_tasks.perform(task.pk)] * 4) == []
    assert state_of(task) == "done"
    assert campaign.changes.count() == 2


def test_of_two_simultaneous_requests_for_an_act_one_is_refused(people):
    campaign = campaigns.draft(people)
    ask = lambda: Freeze().perform(campaign.pk, people.office)  # noqa: E731
    failed = at_once([ask, ask])
    assert [type(error) for error in failed] == [Refused]
    assert campaign.tasks.count() == 1


def test_a_scheduled_change_is_either_cancelled_or_applied(people, clock, monkeypatch):
    """A worker tries to run a scheduled task while the office cancels it.

    The office wins: the task is cancelled, and nothing is applied.
    """
    campaign, task = scheduled_campaign(people)
    clock(campaigns.EFFECTIVE_ON)
    worker = threading.Thread(target=lambda: (campaign_tasks.perform(task.pk), connection.close()))
    now = timezone.now

    def with_a_worker_coming():
        if not worker.ident:
            worker.start()
            worker.join(0.5)
        return now()

    monkeypatch.setattr(timezone, "now", with_a_worker_coming)
    Unschedule().perform(task.pk, people.office, "not yet")
    worker.join()
    campaign.refresh_from_db()
    assert (state_of(task), campaign.state) == ("cancelled", "published")


@pytest.mark.parametrize("entering", [False, True])
def test_of_two_simultaneous_editors_one_is_refused(entering):
    stored = PromotionRuleSet.objects.get(name="AEB 2026")
    read, by = rule_sets.digest_of(rule_sets.figures(stored)), make.office()

    def act(number: int):
        def changed() -> None:
            mine, rows = PromotionRuleSet.objects.get(pk=stored.pk), rows_of(stored)
            rows[0].minimum = number
            store(mine, rows, by=by, read=read)

        def entered() -> None:
            made, rows = rule_sets.copy(stored)
            made.name, made.valid_from = f"AEB {number}", rule_sets.year_end(2030 + number)
            store(made, rows, by=by, read=read)

        return entered if entering else changed

    failed = at_once([act(2), act(3)])
    assert [type(error) for error in failed] == [rule_sets.Superseded]
    assert PromotionRuleSet.objects.count() == 2 + entering
    assert RuleSetChange.objects.count() == 1 + entering
