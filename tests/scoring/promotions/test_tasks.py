"""Long acts as tasks of workers: each is done exactly once, or fails with a reason."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from players.categories import categories_on
from scoring.ledger.services import queue, sweeper
from scoring.promotions.act_pages import PAGES
from scoring.promotions.acts import freeze
from scoring.promotions.acts.apply import Apply, Schedule, Unschedule
from scoring.promotions.acts.base import MAX_AHEAD, LongAct, Refused
from scoring.promotions.acts.claims import Answer, Claim
from scoring.promotions.acts.freeze import Freeze
from scoring.promotions.acts.open import Edit
from scoring.promotions.acts.publish import Withdraw
from scoring.promotions.models import CampaignSnapshot, CampaignTask
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.campaigns import notices
from scoring.promotions.services import work as campaign_tasks
from tests import factories as make
from tests.scoring.promotions import campaigns

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def enqueued(monkeypatch) -> list[int]:
    """Collect the ids of tasks that are enqueued during the test, instead of sending messages to workers."""
    result: list[int] = []
    monkeypatch.setattr(queue, "enqueue", lambda model, pk: result.append(pk))
    return result


def scheduled_campaign(people, day=campaigns.EFFECTIVE_ON):
    campaign = campaigns.published(people)
    return campaign, Schedule().perform(campaign.pk, people.office, due_on=day)


def make_stale(task) -> None:
    """Backdate the task, so that the sweeper considers its message lost."""
    CampaignTask.objects.filter(pk=task.pk).update(created_at=timezone.now() - timedelta(minutes=5))


def state_of(task) -> str:
    task.refresh_from_db()
    return task.state


# --- Only once ------------------------------------------------------------------------------------------
def test_a_task_whose_message_is_delivered_ten_times_is_done_once(people, clock):
    campaign = campaigns.draft(people)
    task = Freeze().perform(campaign.pk, people.office)
    for _ in range(10):
        campaign_tasks.perform(task.pk)
    assert state_of(task) == "done"
    assert CampaignSnapshot.objects.count() == 1
    assert campaign.acts.filter(verb="freeze").count() == 1


def test_a_worker_that_lost_its_lease_writes_nothing(people, monkeypatch):
    """When the first worker finishes, another one holds the task. The first one's results are discarded."""
    campaign = campaigns.draft(people)
    task = Freeze().perform(campaign.pk, people.office)
    gather = freeze.gather

    def slow(*args):
        row = CampaignTask.objects.filter(pk=task.pk)
        row.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert queue.claim(CampaignTask, task.pk, timedelta(minutes=1))
        return gather(*args)

    monkeypatch.setattr(freeze, "gather", slow)
    campaign_tasks.perform(task.pk)
    assert not CampaignSnapshot.objects.exists()
    assert state_of(task) == "running"


def test_a_failing_task_is_retried_then_parked_and_the_office_gets_an_email(
    people, monkeypatch, mailoutbox, send_letters
):
    campaign = campaigns.draft(people)
    task = Freeze().perform(campaign.pk, people.office)

    def fail(*_args):
        raise ArithmeticError("a bug")

    monkeypatch.setattr(freeze, "gather", fail)
    for attempt in range(1, queue.MAX_ATTEMPTS + 1):
        with pytest.raises(ArithmeticError):
            send_letters(lambda: campaign_tasks.perform(task.pk))
        assert state_of(task) == ("pending" if attempt < queue.MAX_ATTEMPTS else "failed")
    campaign_tasks.perform(task.pk)  # another message changes nothing
    stopped = campaign.acts.get(verb="stop")
    assert (stopped.by, stopped.state_after, stopped.detail["step"]) == (None, "draft", "freeze")
    assert len(mailoutbox) == 1
    monkeypatch.undo()


def test_a_task_whose_workers_die_is_parked_and_reported(people, clock):
    campaign = campaigns.draft(people)
    task = Freeze().perform(campaign.pk, people.office)
    for _ in range(queue.MAX_ATTEMPTS):  # each of these workers died during the task
        assert queue.claim(CampaignTask, task.pk, timedelta(seconds=-1))
    for _ in range(2):
        campaign_tasks.perform(task.pk)
    assert state_of(task) == "failed"
    assert campaign.acts.filter(verb="stop").count() == 1
    assert [notice.code for notice in notices()] == ["stopped"]
    campaigns.carry_out(campaign, Verb.FREEZE, people.office)  # a new request succeeds
    assert campaign.state == "frozen"
    assert notices() == []


# --- On a set day ---------------------------------------------------------------------------------------
@pytest.fixture
def send_letters(django_capture_on_commit_callbacks):
    """Return a function that calls another function and then runs the on-commit callbacks.

    These callbacks send e-mail. The transaction of a test is never committed, so the callbacks would not run
    otherwise.
    """

    def do(act) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            act()

    return do


def test_a_scheduled_change_is_applied_on_its_day_and_the_office_gets_an_email(
    people, clock, enqueued, mailoutbox, send_letters
):
    campaign, task = scheduled_campaign(people)
    make_stale(task)
    clock(campaigns.EFFECTIVE_ON - DAY)
    sweeper.sweep()
    campaign_tasks.perform(task.pk)  # a message that arrives too early
    assert (enqueued, state_of(task), task.attempts) == ([], "pending", 0)
    clock(campaigns.EFFECTIVE_ON)
    sweeper.sweep()
    assert enqueued == [task.pk]
    send_letters(lambda: campaign_tasks.perform(task.pk))
    for _ in range(3):
        campaign_tasks.perform(task.pk)
    campaign.refresh_from_db()
    assert (campaign.state, state_of(task), campaign.changes.count()) == ("applied", "done", 2)
    act = campaign.acts.get(verb="apply")
    assert act.by is None  # done by schedule; the previous line of the log names who scheduled it
    assert campaign.acts.get(verb="schedule").by == people.office
    assert [letter.to for letter in mailoutbox] == [[people.office.email]]
    assert [notice.code for notice in notices()] == ["done"]


def test_a_change_delayed_by_missing_workers_is_valid_from_the_day_of_applying(people, clock, enqueued):
    _campaign, task = scheduled_campaign(people)
    make_stale(task)
    back = campaigns.EFFECTIVE_ON + 4 * DAY
    clock(back)
    sweeper.sweep()
    assert enqueued == [task.pk]
    campaign_tasks.perform(task.pk)
    mover = people.diamonds[0]
    codes = [categories_on(day, [mover.pk])[mover.pk].code for day in (back - DAY, back)]
    assert codes == ["2D", "2C"]


@pytest.mark.parametrize("missing", ["unanswered", "approval"])
def test_a_scheduled_change_stops_with_a_reason_if_something_is_missing(
    people, clock, enqueued, missing, mailoutbox, send_letters
):
    campaign, task = scheduled_campaign(people)
    player = people.diamonds[1]
    player.user = make.user()
    player.save()
    claim = Claim().perform(campaign.pk, player, "Look again", player.user)
    if missing == "approval":
        Answer().perform(claim.pk, True, "Right", make.category("2C"), people.office)
    clock(campaigns.EFFECTIVE_ON)
    send_letters(lambda: campaign_tasks.perform(task.pk))
    campaign.refresh_from_db()
    assert (campaign.state, state_of(task), campaign.changes.count()) == ("published", "failed", 0)
    stopped = campaign.acts.get(verb="stop")
    assert (stopped.by, stopped.detail["code"], stopped.detail["step"]) == (None, missing, "apply")
    assert stopped.reason
    assert len(mailoutbox) == 1 and stopped.reason in mailoutbox[0].body
    assert {notice.code for notice in notices()} == {
        "stopped",
        "claims" if missing == "unanswered" else "approval",
    }


def test_a_change_is_applied_even_if_nobody_can_get_an_email(people, clock, mailoutbox, send_letters):
    campaign, task = scheduled_campaign(people)
    type(people.office).objects.update(email="")
    clock(campaigns.EFFECTIVE_ON)
    send_letters(lambda: campaign_tasks.perform(task.pk))
    campaign.refresh_from_db()
    assert (campaign.state, mailoutbox) == ("applied", [])


def test_a_failing_mail_server_does_not_undo_a_change(people, clock, monkeypatch, send_letters, caplog):
    campaign, task = scheduled_campaign(people)

    def away(*_args, **_more):
        raise ConnectionRefusedError("no mail server")

    monkeypatch.setattr("scoring.promotions.services.work.send_mail", away)
    clock(campaigns.EFFECTIVE_ON)
    send_letters(lambda: campaign_tasks.perform(task.pk))
    campaign.refresh_from_db()
    assert (campaign.state, state_of(task)) == ("applied", "done")
    assert "no mail server" in caplog.text


def test_a_change_can_only_be_scheduled_for_a_possible_day(people, clock):
    campaign = campaigns.published(people)
    for day in (campaigns.FROZEN_ON - DAY, campaigns.CLAIMS_UNTIL, campaigns.FROZEN_ON + MAX_AHEAD + DAY):
        with pytest.raises(Refused):
            Schedule().perform(campaign.pk, people.office, due_on=day)


def test_a_campaign_has_only_one_pending_task(people, clock):
    campaign, _task = scheduled_campaign(people)
    clock(campaigns.AFTER_CLAIMS)
    for ask in (Apply().perform, partial(Schedule().perform, due_on=campaigns.EFFECTIVE_ON)):
        with pytest.raises(Refused) as refused:
            ask(campaign.pk, people.office)
        assert refused.value.code == "busy"


def test_a_campaign_cannot_be_edited_while_its_lists_are_being_frozen(people):
    campaign = campaigns.draft(people)
    Freeze().perform(campaign.pk, people.office)
    dates = {"intake_until": campaign.intake_until, "effective_on": campaign.effective_on}
    with pytest.raises(Refused) as refused:
        Edit().perform(campaign.pk, people.office, rule_set=campaign.rule_set, **dates)
    assert refused.value.code == "busy"


def test_the_office_can_cancel_a_scheduled_change(people, clock, enqueued):
    campaign, task = scheduled_campaign(people)
    make_stale(task)
    with pytest.raises(PermissionDenied):
        Unschedule().perform(task.pk, people.committee, "not yet")
    with pytest.raises(Refused):
        Unschedule().perform(task.pk, people.office, "")
    Unschedule().perform(task.pk, people.office, "not yet")
    with pytest.raises(Refused):
        Unschedule().perform(task.pk, people.office, "not yet")
    clock(campaigns.EFFECTIVE_ON)
    sweeper.sweep()
    campaign_tasks.perform(task.pk)
    assert (enqueued, state_of(task)) == ([], "cancelled")
    assert campaign.acts.first().verb == "unschedule"


def test_withdrawing_the_lists_cancels_a_scheduled_change(people, clock):
    campaign, task = scheduled_campaign(people)
    Withdraw().perform(campaign.pk, people.office, "a wrong figure")
    assert state_of(task) == "cancelled"
    assert campaign.acts.first().detail == {"cancelled": [task.pk]}
    clock(campaigns.EFFECTIVE_ON)
    campaign_tasks.perform(task.pk)
    campaign.refresh_from_db()
    assert (campaign.state, campaign.changes.count()) == ("frozen", 0)


def test_a_change_withdrawn_while_a_worker_claims_it_is_not_applied(people, clock, monkeypatch):
    campaign = campaigns.published(people)
    clock(campaigns.AFTER_CLAIMS)
    task = Apply().perform(campaign.pk, people.office)
    claim = queue.claim

    def claimed_then_withdrawn(*args, **also):
        row = claim(*args, **also)
        Withdraw().perform(campaign.pk, people.office, "a wrong figure")
        return row

    monkeypatch.setattr(queue, "claim", claimed_then_withdrawn)
    campaign_tasks.perform(task.pk)
    campaign.refresh_from_db()
    assert (campaign.state, state_of(task), campaign.changes.count()) == ("frozen", "failed", 0)
    assert campaign.acts.first().detail["code"] == "state"


def test_only_three_acts_are_performed_by_workers():
    long = [verb for verb, page in PAGES.items() if isinstance(page.act, LongAct)]
    assert long == [Verb.FREEZE, Verb.APPLY, Verb.REVERSE]
