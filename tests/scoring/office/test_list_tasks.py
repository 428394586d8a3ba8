"""Workers apply and undo imported lists: each row once, and as it was asked for or not at all."""

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import CategoryAssignment, Player, PlayerChange, Proposal, Role
from players.services import proposals
from scoring.ledger.services import queue
from scoring.office.lists import comparing, imports, rows, writing
from scoring.office.models import ListTask, OfficeImport
from tests import factories, second
from tests.languages import speak
from tests.pages import client_of, open_page
from tests.scoring.office.lists import apply, asked, sent, work
from tests.scoring.office.test_merges_and_lists import is_blocked
from tests.servers import wait_until
from tests.threads import at_once
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
HTMX = {"HX-Request": "true"}
ROW = "901;Ana;Prado Gil;;"


def state(batch: OfficeImport) -> str:
    batch.refresh_from_db()
    return batch.state


def page_of(client, batch: OfficeImport):
    return open_page(client, reverse("office_import_review", args=[batch.pk]))


def press(client, name: str, batch: OfficeImport, **data):
    """Press a button of the list's page. Return the response."""
    return client.post(reverse(f"office_import_{name}", args=[batch.pk]), data)


def task_of() -> ListTask:
    """Return the only task that was to apply or undo a list."""
    return ListTask.objects.exclude(verb="compare").get()


def up(number: int) -> str:
    """Return the row of a list of categories that moves a new player one step up."""
    factories.player(number=str(number), category="2P")
    return f"{number};1D;{today().isoformat()};;"


# --- Asking, waiting, stopping ------------------------------------------------------------------------------
def test_a_list_belongs_to_its_task_until_that_is_done_or_stopped(office):
    batch = sent(office, "players", ROW)
    assert asked(office, batch).url == batch.get_absolute_url()
    page = page_of(office, batch)
    assert page.lead == "The list is being applied, some lines at a time."
    assert "Waiting its turn" in page.text and "Apply 1 line" not in page.text
    fragment = reverse("office_import_progress", args=[batch.pk])
    assert "progress-block" in office.get(fragment, headers=HTMX).content.decode()
    assert press(office, "apply", batch, digest="0" * 64).status_code == 409
    for name in ("discard", "undo", "columns"):
        press(office, name, batch)
    assert (state(batch), Player.objects.count(), ListTask.objects.filter(verb="apply").count()) == (
        "applying",
        0,
        1,
    )

    press(office, "stop", batch)
    assert "stopped it before it began" in page_of(office, batch).text
    writing.perform(task_of().pk)  # a message that comes too late
    assert (state(batch), Player.objects.count()) == ("review", 0)

    asked(office, batch)
    work()
    assert office.get(fragment, headers=HTMX).headers["HX-Redirect"] == batch.get_absolute_url()
    press(office, "stop", batch)
    assert (state(batch), Player.objects.count()) == ("applied", 1)
    page = page_of(office, batch)
    assert page.lead.startswith("Applied on") and "before it began" not in page.text


def test_undoing_can_be_stopped_too_and_the_list_stays_applied(office):
    batch = sent(office, "players", ROW)
    apply(office, batch)
    digest = open_page(office, reverse("office_import_undo", args=[batch.pk])).context["undoing"].digest
    press(office, "undo", batch, digest=digest, reason="Wrong file")
    assert (page_of(office, batch).lead, state(batch)) == (
        "The list is being undone, some lines at a time.",
        "undoing",
    )
    press(office, "stop", batch)
    assert (state(batch), Player.objects.count()) == ("applied", 1)
    press(office, "undo", batch, digest=digest, reason="Wrong file")
    work()
    assert (state(batch), Player.objects.count()) == ("undone", 0)


# --- Once, or not at all ------------------------------------------------------------------------------------
def test_a_worker_that_dies_or_fails_leaves_nothing_behind_and_the_next_one_does_all(office, monkeypatch):
    batch = sent(office, "players", ROW)
    asked(office, batch)
    task = task_of()
    assert queue.claim(ListTask, task.pk, writing.LEASE)  # a worker begins, and dies
    assert not writing.stop(batch.pk, office.account)
    writing.perform(task.pk)
    assert (state(batch), Player.objects.count()) == ("applying", 0)
    ListTask.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    with monkeypatch.context() as patch:
        patch.setattr(rows, "forget_private", lambda stored: 1 / 0)  # after the players are written
        with pytest.raises(ZeroDivisionError):
            writing.perform(task.pk)
    assert (state(batch), Player.objects.count(), PlayerChange.objects.count()) == ("applying", 0, 0)
    writing.perform(task.pk)
    writing.perform(task.pk)
    assert (state(batch), Player.objects.count(), PlayerChange.objects.count()) == ("applied", 1, 1)


def test_a_task_that_fails_again_and_again_is_tried_again_or_taken_back_by_the_office(office, monkeypatch):
    batch = sent(office, "players", ROW)
    for way in ("taken back", "tried again"):
        asked(office, batch)
        with monkeypatch.context() as patch:
            patch.setattr(rows, "forget_private", lambda stored: 1 / 0)
            for _attempt in range(queue.MAX_ATTEMPTS):
                with pytest.raises(ZeroDivisionError):
                    work()
        assert "stopped after several attempts; nothing was written" in page_of(office, batch).lead
        if way == "taken back":
            press(office, "stop", batch)
            assert state(batch) == "review"
    office.post(reverse("office_runs_retry"))
    work()
    assert (state(batch), Player.objects.count()) == ("applied", 1)


@pytest.mark.django_db(transaction=True)
def test_a_second_worker_waits_for_the_first_even_after_its_lease(office, monkeypatch):
    batch = sent(office, "players", ROW)
    asked(office, batch)
    act = partial(writing.perform, task_of().pk)
    for module in (comparing, writing):
        monkeypatch.setattr(module, "LEASE", timedelta(0))
    begun, go_on, turns, plain = threading.Event(), threading.Event(), [], writing._note

    def wait(*args) -> None:
        turns.append(1)
        begun.set()
        go_on.wait(20)
        plain(*args)

    monkeypatch.setattr(writing, "_note", wait)
    failed: list[BaseException] = []
    threads = [threading.Thread(target=lambda: failed.extend(at_once([act]))) for _worker in range(2)]
    threads[0].start()
    assert begun.wait(20)
    threads[1].start()
    wait_until(is_blocked, "the second worker to wait")
    go_on.set()
    for thread in threads:
        thread.join()
    assert (failed, len(turns), state(batch)) == ([], 1, "applied")
    assert (Player.objects.count(), PlayerChange.objects.count()) == (1, 1)


# --- As it was asked for, or not at all ---------------------------------------------------------------------
def test_a_list_that_would_do_something_else_by_now_goes_back_and_says_so(office):
    batch = sent(office, "players", ROW)
    asked(office, batch)
    factories.player(number="901", given_name="Ana", surname="Prado Soto")
    work()
    assert (state(batch), Player.objects.get().surname) == ("review", "Prado Soto")
    assert "nothing was written. The list would do something else by now" in page_of(office, batch).text
    apply(office, batch)
    assert (state(batch), Player.objects.get().surname) == ("applied", "Prado Gil")

    undoing = imports.undoing_of(batch, today(), office.account)
    imports.undo(batch.pk, undoing.digest, office.account, "Wrong file")
    Player.objects.update(surname="Otra")
    work()
    assert (state(batch), Player.objects.get().surname) == ("applied", "Otra")
    assert "it was to be undone, and nothing was written" in page_of(office, batch).text


def test_a_list_with_a_row_that_was_added_in_between_goes_back(office, monkeypatch):
    """A row that is added between the plan and the writing breaks a constraint of the database."""
    batch = sent(office, "players", ROW)
    asked(office, batch)
    kind, stored = imports.KINDS["players"], list(batch.rows.all())
    plan = kind.plan(rows.as_read(stored), today())
    factories.player(number="901")
    monkeypatch.setattr(kind, "plan", lambda *_: plan)
    work()
    assert (state(batch), task_of().refusal) == ("review", "changed")


def test_lists_that_wait_together_do_not_pass_the_daily_limit_of_one_person(office):
    batches = [sent(office, "categories", *(up(10 * turn + at) for at in range(3))) for turn in (90, 91)]
    for batch in batches:
        asked(office, batch)
    work()
    assert [state(batch) for batch in batches] == ["applied", "review"]
    assert "By now a second person has to approve it" in page_of(office, batches[1]).text


# --- With a second person -----------------------------------------------------------------------------------
def test_an_approved_list_waits_for_its_worker_and_nobody_decides_again(office):
    batch = sent(office, "categories", *(up(number) for number in range(901, 907)))
    asked(office, batch)
    waiting, committee = Proposal.objects.get(), client_of(second.person())
    speak(committee, "en")
    url = waiting.get_absolute_url()
    seen = open_page(committee, url).context["effect"].digest
    assert committee.post(url, {"action": "approve", "seen": seen}).url == url
    page = open_page(committee, url)
    assert page.lead == "It was approved, and is being done." and "Waiting its turn" in page.text
    fragment = reverse("proposal_progress", args=[waiting.pk])
    assert "progress-block" in committee.get(fragment, headers=HTMX).content.decode()
    for action in ("approve", "return"):
        assert committee.post(url, {"action": action, "seen": seen, "reason": "No"}).status_code == 422
    assert office.post(url, {"action": "withdraw"}).status_code == 422
    assert state(batch) == "applying"

    press(office, "stop", batch)
    waiting.refresh_from_db()
    assert (state(batch), waiting.state) == ("waiting", "pending")
    committee.post(url, {"action": "approve", "seen": seen})
    work()
    waiting.refresh_from_db()
    assert (state(batch), waiting.state, waiting.result["counts"]["added"]) == ("applied", "approved", 6)
    assert batch.by_two and CategoryAssignment.objects.filter(category__code="1D").count() == 6
    assert committee.get(fragment, headers=HTMX).headers["HX-Redirect"] == url

    digest = open_page(office, reverse("office_import_undo", args=[batch.pk])).context["undoing"].digest
    press(office, "undo", batch, digest=digest, reason="Wrong file", evidence="Letter 4")
    second.approve_all()
    assert (state(batch), page_of(office, batch).lead[:25]) == ("undoing", "The list is being undone,")
    work()
    assert (state(batch), Proposal.objects.filter(state="approved").count()) == ("undone", 2)


@pytest.mark.parametrize("what", ["data", "role"])
def test_an_approved_list_goes_back_to_its_proposal_if_data_or_a_role_changed(office, what):
    batch = sent(office, "categories", *(up(number) for number in range(901, 907)))
    asked(office, batch)
    waiting, committee = Proposal.objects.get(), second.person()
    second.approve(waiting, committee)
    if what == "role":
        Role.objects.filter(user=committee).delete()
    else:
        Player.objects.filter(number="906").update(merged_into=Player.objects.get(number="901"))
    work()
    waiting.refresh_from_db()
    assert (state(batch), waiting.state) == ("waiting", "pending")
    assert task_of().refusal == {"role": "approval", "data": "errors"}[what]
    proposals.give_back(waiting.pk, second.person(), "Look again")
    assert state(batch) == "review"
