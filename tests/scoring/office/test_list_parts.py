"""Lists are applied and undone part by part, and the end is as if it were done in one transaction."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone

from players.models import CategoryAssignment, Licence, Player, PlayerChange, Proposal, Role
from players.services.changes import players_changed
from scoring.audit import approved, verify
from scoring.ledger.models import LedgerEntry, Standing, StandingsState, YearTotal
from scoring.ledger.services import posting, queue, standings
from scoring.office.lists import comparing, imports, rows, writing
from scoring.office.models import ListTask, OfficeImport
from tests import factories, second
from tests.pages import open_page
from tests.scoring.office.lists import apply, approve_all, asked, sent, tick_all, work
from tests.servers import wait_until
from tests.threads import at_once
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "small_parts")]
LISTS = {
    "licences": ["901;2026;;;;", "902;2026;;;;", "903;2026;;;;", "904;2026;;;;", "904;2027;;;;"],
    "players": ["901;Ana;Prado;;", "902;Ana;Vega;;sí", "905;Eva;Gil;;", "906;Luis;Gil;;", "907;Ada;Gil;;"],
    "categories": [f"{number};1D;{today().isoformat()};;" for number in range(901, 905)],
}


@pytest.fixture
def small_parts(monkeypatch) -> None:
    """Store lists in parts of two rows."""
    monkeypatch.setattr(rows, "PART", 2)


@pytest.fixture
def four(db) -> list[Player]:
    """Four players with points: one without a licence, one with one that ends earlier than the lists say."""
    names = {"given_name": "Ana", "category": "2P", "licensed": False}
    made = [factories.player(number=str(number), surname="Prado", **names) for number in range(901, 905)]
    factories.licence(made[2], valid_from="2026-01-01", valid_to="2026-12-31")
    factories.licence(made[3], valid_from="2026-01-01", valid_to="2026-03-01")
    day = today() - timedelta(days=30)
    posting.post_opening((posting.OpeningRow(holder.pk, day, "Pool", False, 500) for holder in made), None)
    return made


def register() -> list:
    """Return what lists change, without ids, which two ways to the same end do not share."""
    sums = ("player__number", "day", "category__code", "licensed", "points", "tournaments")
    tables = [
        (Player.objects, ("number", "given_name", "surname", "hidden")),
        (Licence.objects, ("player__number", "valid_from", "valid_to", "issuer")),
        (
            CategoryAssignment.objects.filter(revoked_at=None),
            ("player__number", "category__code", "valid_from"),
        ),
        (Standing.stored, sums),
        (YearTotal.stored, sums),
    ]
    return [sorted(map(repr, table.values_list(*names))) for table, names in tables]


def traces(batch: OfficeImport) -> list:
    """Return what is stored about the list and what it did, without ids and times."""
    batch.refresh_from_db()
    journal = PlayerChange.objects.values_list("number", "kind", "source", "before", "after", "reason")
    kept = batch.rows.values_list("line", "change", "number", "values", "name", "details")
    revoked = CategoryAssignment.objects.exclude(revoked_at=None).values_list(
        "player__number", "revoked_reason"
    )
    return [
        *(sorted(map(repr, table)) for table in (journal, kept, revoked)),
        (batch.state, batch.counts, batch.written, batch.parsed, batch.compared),
    ]


# A list of opening awards changes no data of players; posting its entries updates the standings.
@pytest.mark.parametrize("kind", sorted(imports.KINDS.keys() - {"opening"}))
def test_every_list_tells_receivers_whose_data_it_changes(client, four, kind):
    changed: list[set[int]] = []

    def receive(sender: object, player_ids: set[int], **kwargs: object) -> None:
        changed.append(player_ids)

    client.force_login(factories.office())
    batch = sent(client, kind, *LISTS[kind])
    tick_all(batch, today())
    players_changed.connect(receive)
    try:
        apply(client, batch)
        applied, changed = set().union(*changed), []
        undo(client, batch)
        work()
    finally:
        players_changed.disconnect(receive)
    unchanged = {"players": {"901", "903", "904"}, "licences": {"903"}}.get(kind, set())
    expected = {player.pk for player in four if player.number not in unchanged}
    assert applied == set().union(*changed) == expected


def undo(client, batch: OfficeImport) -> None:
    """Ask for undoing an applied list, and approve it if that needs a second person."""
    url = reverse("office_import_undo", args=[batch.pk])
    if client.get(url).status_code == 302:
        work()  # a long list is compared first
    digest = open_page(client, url).context["undoing"].digest
    client.post(url, {"digest": digest, "reason": "Wrong file", "evidence": "Letter 4"})
    second.approve_all()


def work_dying(monkeypatch, call: str) -> int:
    """Let workers die again and again until the list's task is done. Return how many died.

    Each does one step, which is a transaction, and dies in the next one.

    call: function of `queue` at whose second call it dies: all steps begin with "lock_held" and end with
        "renew", except the last one, which has "finish" instead
    """
    task, deaths, plain = ListTask.objects.latest("pk"), 0, getattr(queue, call)
    while ListTask.objects.get(pk=task.pk).is_under_way:
        turns: list[int] = []

        def dying(*args, turns=turns, **values) -> None:
            turns.append(1)
            if len(turns) == 2:
                raise KeyboardInterrupt
            plain(*args, **values)

        with monkeypatch.context() as patch:
            patch.setattr(queue, call, dying)
            try:
                writing.perform(task.pk)
            except KeyboardInterrupt:
                deaths += 1
                over = timezone.now() - timedelta(seconds=1)
                ListTask.objects.filter(pk=task.pk).update(lease_until=over, attempts=0)
    return deaths


# --- The same in the end ------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("call", ["lock_held", "renew"])
def test_a_list_whose_workers_die_in_every_part_ends_like_one_in_one_transaction(
    office, four, monkeypatch, kind, call
):
    before, ends = register(), []
    for way in ("whole", "parts"):
        savepoint = transaction.savepoint()
        monkeypatch.setattr(type(imports.KINDS[kind]), "whole", way == "whole")
        batch = sent(office, kind, *LISTS[kind])
        asked(office, batch, accept=["another_name"])
        died = work_dying(monkeypatch, call) if way == "parts" else work()
        ends.append([register(), *traces(batch)])
        assert batch.state == "applied" and register() != before
        undo(office, batch)
        died_undoing = work_dying(monkeypatch, call) if way == "parts" else work()
        ends[-1] += traces(batch)
        assert batch.state == "undone" and register() == before
        # Each part is compared and written; the first step of the first worker and the last are not killed.
        parts = batch.parts.count()
        assert way == "whole" or (died, died_undoing) == (2 * parts, 2 * parts) or call == "renew"
        transaction.savepoint_rollback(savepoint)
    assert ends[0] == ends[1]


def test_the_standings_are_right_after_every_part(office, four, monkeypatch):
    monkeypatch.setattr(comparing, "SLICE", timedelta(0))  # a turn is one part
    batch = sent(office, "licences", *LISTS["licences"])
    work()
    listed = []
    asked(office, batch)
    while not listed or batch.state == "applying":
        work()
        batch.refresh_from_db()
        assert standings.compare(standings.today()) == [] and verify.compare_standings()[1] == []
        listed.append(Standing.objects.filter(licensed=True).count())
    assert listed == [1, 3, 4]  # a turn compares, one compares and writes, one writes


def test_the_page_says_how_many_lines_are_written(office, four, monkeypatch):
    monkeypatch.setattr(comparing, "SLICE", timedelta(0))
    batch = sent(office, "licences", *LISTS["licences"])
    work()
    asked(office, batch)
    seen = []
    for _turn in range(2):
        work()
        seen.append(open_page(office, batch.get_absolute_url()).text)
    assert "2 of 4" not in seen[0] and "2 of 4" in seen[1]


# --- What changes in between --------------------------------------------------------------------------------
def begun(monkeypatch, batch: OfficeImport) -> ListTask:
    """Let workers compare the list again and write its first part. Return the task."""
    with monkeypatch.context() as patch:
        patch.setattr(comparing, "SLICE", timedelta(0))
        while not (task := ListTask.objects.latest("pk")).begun_at:
            work()
    batch.refresh_from_db()
    return task


def test_a_player_who_changes_between_two_parts_is_left_alone_and_named(office, four, monkeypatch):
    lines = [f"{number};Eva;Prado;;" for number in range(901, 905)]
    batch = sent(office, "players", *lines, "905;Ada;Gil;;")
    asked(office, batch)
    begun(monkeypatch, batch)
    Player.objects.filter(number="903").update(given_name="Nora")
    factories.player(number="905", given_name="Ada", surname="Gil")
    work()
    batch.refresh_from_db()
    names = dict(Player.objects.values_list("number", "given_name"))
    assert names == {"901": "Eva", "902": "Eva", "903": "Nora", "904": "Eva", "905": "Ada"}
    assert (batch.state, batch.counts) == ("applied", {"added": 0, "changed": 3, "same": 0})
    page = open_page(office, batch.get_absolute_url())
    assert [row["Number"] for row in page.tables[1].records] == ["901", "902", "904"]
    assert page.tables[0].column("What is left alone") == [
        f"Number {number} was changed since: it stays as it is." for number in ("903", "905")
    ]
    undo(office, batch)
    work()
    assert set(Player.objects.values_list("given_name", flat=True)) == {"Ana", "Nora", "Ada"}


def test_a_list_that_is_begun_is_written_whoever_lost_a_role_meanwhile(office, four, monkeypatch):
    factories.player(number="905", category="2P")
    rows_of_six = [*LISTS["categories"], f"905;1D;{today().isoformat()};;"]
    factories.player(number="906", category="2P")
    batch = sent(office, "categories", *rows_of_six, f"906;1D;{today().isoformat()};;")
    asked(office, batch)
    waiting, committee = Proposal.objects.get(), second.person()
    second.approve(waiting, committee)
    begun(monkeypatch, batch)
    waiting.refresh_from_db()
    assert (batch.state, waiting.state) == ("applying", "pending")
    Role.objects.filter(user=committee).delete()
    work()
    batch.refresh_from_db()
    waiting.refresh_from_db()
    assert (batch.state, batch.applied_by, waiting.state) == ("applied", committee, "approved")
    assert waiting.result["counts"] == {"added": 6, "changed": 0, "same": 0}


@pytest.mark.parametrize("verb", ["apply", "undo"])
def test_a_task_that_fails_half_way_can_be_ended_there(office, four, monkeypatch, verb):
    batch = sent(office, "licences", *LISTS["licences"])
    if verb == "undo":
        apply(office, batch)
        undo(office, batch)
    else:
        asked(office, batch)
    before = register()
    begun(monkeypatch, batch)
    stop = reverse("office_import_stop", args=[batch.pk])
    office.post(stop)  # as long as it has not failed, it goes on
    with monkeypatch.context() as patch:
        patch.setattr(writing, "_note", lambda *args: 1 / 0)
        for _attempt in range(queue.MAX_ATTEMPTS):
            with pytest.raises(ZeroDivisionError):
                work()
    page = open_page(office, batch.get_absolute_url())
    assert "Done: 2 of 4." in page.lead and "Leave the rest as it is" in page.text
    office.post(stop)
    batch.refresh_from_db()
    assert (batch.state, before == register()) == ("applied", False)
    assert "half-way" in open_page(office, batch.get_absolute_url()).text
    assert verb == "undo" or batch.counts == {"added": 2, "changed": 0, "same": 1}
    undo(office, batch)
    work()
    batch.refresh_from_db()
    assert batch.state == "undone" and Licence.objects.count() == 2


def test_adjustments_of_several_parts_are_approved_together(office, four):
    day = today() - timedelta(days=9)
    line = "{};{};Otra;Presencial;{}"
    for points in (5, 7):
        batch = sent(office, "opening", *(line.format(player.number, day, points) for player in four))
        apply(office, batch, accept=["other_points"])
        approve_all()
        batch.refresh_from_db()
        assert (batch.state, batch.parts.count()) == ("applied", 2)
    assert LedgerEntry.objects.filter(kind="adjustment").count() == 4
    assert approved.differences() == [] and standings.compare(standings.today()) == []


# --- Who waits ----------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_a_part_locks_its_own_players_alone(office, four, monkeypatch):
    batch = sent(office, "licences", *LISTS["licences"])
    work()
    asked(office, batch)
    writes, go_on, plain = threading.Event(), threading.Event(), writing._note

    def wait(task, of, lines, *args) -> None:
        if lines[0].number == "904":
            writes.set()
            go_on.wait(20)
        plain(task, of, lines, *args)

    monkeypatch.setattr(writing, "_note", wait)
    other = threading.Thread(target=at_once, args=[[work]])
    other.start()
    wait_until(writes.is_set, "the second part")
    try:
        if connection.vendor == "postgresql":  # SQLite lets one transaction write at a time
            with transaction.atomic():
                free = Player.objects.select_for_update(skip_locked=True).order_by("number")
                assert [player.number for player in free] == ["901", "902"]
                assert StandingsState.objects.select_for_update(nowait=True).count() == 1
    finally:
        go_on.set()
        other.join()
    batch.refresh_from_db()
    assert batch.state == "applied"
