"""Workers read imported lists and compare them with the register; pages read what was stored."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from players.models import Player, PlayerChange
from scoring.ledger.services import queue
from scoring.office.lists import comparing, imports, rows, tasks, writing
from scoring.office.models import ListPart, ListRow, ListTask, OfficeImport
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.office.lists import apply, approve_all, asked, pressed, sent, work
from tournaments.formats import issues, limits, read_table
from tournaments.formats.types import TableRow
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def busy(monkeypatch) -> None:
    """Let no worker be free while a page waits for one."""
    monkeypatch.setattr(tasks, "wait", lambda batch: None)


@pytest.fixture
def small_parts(monkeypatch) -> None:
    """Store lists in parts of two rows."""
    monkeypatch.setattr(rows, "PART", 2)


def players(number: int, surname: str = "Prado") -> list[str]:
    """Return rows of a list of players, the highest number first."""
    return [f"{901 + at};Ana;{surname};;" for at in reversed(range(number))]


def page_of(client, batch: OfficeImport):
    return open_page(client, reverse("office_import_review", args=[batch.pk]))


def press(client, batch: OfficeImport, action: str):
    return client.post(batch.get_absolute_url(), {"action": action})


def state(batch: OfficeImport) -> str:
    batch.refresh_from_db()
    return batch.state


# --- Reading and comparing ----------------------------------------------------------------------------------
@pytest.mark.usefixtures("busy")
def test_an_uploaded_list_shows_its_progress_until_a_worker_has_compared_it(office):
    batch = sent(office, "players", *players(3))
    page = page_of(office, batch)
    assert page.lead.startswith("The list is being read and compared with the register")
    assert "Waiting its turn" in page.text and "You can leave this page" in page.text
    assert "Read the file again" not in page.text and "Apply" not in page.lead
    fragment = reverse("office_import_progress", args=[batch.pk])
    assert "progress-block" in office.get(fragment, headers=HTMX).content.decode()
    answer = office.post(reverse("office_import_apply", args=[batch.pk]), {"digest": "0" * 64})
    assert answer.status_code == 409 and "being compared" in answer.content.decode()

    work()
    assert office.get(fragment, headers=HTMX).headers["HX-Redirect"] == batch.get_absolute_url()
    page = page_of(office, batch)
    assert page.lead == "This list would add 3 and change 0; unchanged: 0."
    assert "Compared with the register on" in page.text
    assert [row["Line"] for row in page.tables[0].records] == ["2", "3", "4"]


@pytest.mark.usefixtures("small_parts")
def test_a_worker_that_dies_while_comparing_leaves_the_rest_to_the_next_one(office, monkeypatch):
    monkeypatch.setattr(tasks, "wait", lambda batch: None)
    batch = sent(office, "players", *players(5))
    kind, looked = imports.KINDS["players"], []
    plain = type(kind).plan

    def plan(stored, day):
        looked.append(len(stored))
        if len(looked) == 2:
            raise KeyboardInterrupt
        return plain(kind, stored, day)

    monkeypatch.setattr(kind, "plan", plan, raising=False)
    task = ListTask.objects.get()
    with pytest.raises(KeyboardInterrupt):
        writing.perform(task.pk)
    assert batch.parts.exclude(compared={}).count() == 1 and not page_of(office, batch).tables
    writing.perform(task.pk)  # the lease of the worker that died is not over
    assert looked == [2, 2]
    ListTask.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    writing.perform(task.pk)
    assert looked == [2, 2, 2, 1]
    task.refresh_from_db()
    assert (task.state, task.number, task.done) == ("done", 5, 5)
    assert page_of(office, batch).lead == "This list would add 5 and change 0; unchanged: 0."


@pytest.mark.usefixtures("small_parts")
def test_comparing_a_long_list_makes_room_for_other_work(office, monkeypatch):
    monkeypatch.setattr(comparing, "SLICE", timedelta(0))
    batch = sent(office, "players", *players(5))
    task = ListTask.objects.get()
    assert (task.state, task.done, task.attempts) == ("pending", 2, 0)
    assert "2 of 5" in page_of(office, batch).text
    for _turn in range(3):
        writing.perform(task.pk)
    task.refresh_from_db()
    assert (task.state, task.done) == ("done", 5)


def test_the_office_can_stop_comparing_and_compare_again(office, monkeypatch):
    monkeypatch.setattr(tasks, "wait", lambda batch: None)
    batch = sent(office, "players", *players(1))
    office.post(reverse("office_import_stop", args=[batch.pk]))
    page = page_of(office, batch)
    assert "stopped it before it began" not in page.text and "Read the file again" in page.text
    press(office, batch, "read-again")
    work()
    assert page_of(office, batch).lead == "This list would add 1 and change 0; unchanged: 0."
    factories.player(number="901", given_name="Ana", surname="Prado")
    press(office, batch, "compare")
    press(office, batch, "compare")
    assert ListTask.objects.filter(state="pending").count() == 1
    work()
    assert page_of(office, batch).lead == "This list would add 0 and change 0; unchanged: 1."


def test_a_list_is_compared_again_on_another_day_and_for_a_reader_of_another_language(office):
    factories.player(number="901")
    batch = sent(office, "licences", "901;2026;;;;")
    assert "1 Jan 2026" in page_of(office, batch).text
    speak(office, "es")
    assert "1 ene 2026" in page_of(office, batch).text
    before = ListTask.objects.count()
    page_of(office, batch)
    assert ListTask.objects.count() == before
    batch.refresh_from_db()
    batch.compared["day"] = "2020-01-01"
    batch.save()
    page_of(office, batch)
    batch.refresh_from_db()
    assert batch.compared["day"] == today().isoformat()


# --- Parts --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_parts_hold_all_rows_of_a_number_together(size):
    cells = ["5", "3", "x", "5", "1", "y", "5", "2"]
    parts = list(rows.parts_of([TableRow(at, {"number": cell}) for at, cell in enumerate(cells)], size))
    numbers = [{number for number, _row in part} for part in parts]
    assert sorted(row.line for part in parts for _number, row in part) == list(range(8))
    assert all(sum(number in part for part in numbers) == 1 for number in "1235")
    assert all(parts) and (len(parts) > 1) == (size < len(cells))


def test_the_issues_of_parts_are_joined_as_if_they_were_of_one_table():
    lists = [issues.IssueList(), issues.IssueList(), issues.IssueList()]
    for line in range(2, 302):
        lists[line % 2].add("bad_points", line, "Puntos", "x")
        lists[2].add("bad_points", line, "Puntos", "x")
    for part in lists:
        part.add("old_award", count=4 if part is lists[2] else 2)
    assert issues.merged([part.done() for part in lists[:2]]) == lists[2].done()


@pytest.mark.usefixtures("small_parts")
def test_a_list_in_parts_is_applied_and_undone_like_one_in_one_part(office):
    factories.player(number="902", given_name="Ana", surname="Otra")
    batch = sent(office, "players", *players(5), "905;Ana;Prado;;")
    assert page_of(office, batch).lead.startswith("The list has errors")
    batch = sent(office, "players", *players(5))
    assert batch.parts.count() == 3
    page = page_of(office, batch)
    assert page.lead == "This list would add 4 and change 1; unchanged: 0."
    assert [row["Number"] for row in page.tables[0].records] == ["905", "904", "903", "902", "901"]
    assert apply(office, batch, accept=["another_name"]).status_code == 302
    assert (state(batch), batch.counts) == ("applied", {"added": 4, "changed": 1, "same": 0})
    assert Player.objects.filter(surname="Prado").count() == PlayerChange.objects.count() == 5
    assert not batch.rows.exclude(values={}).exists() and not batch.rows.exclude(name="").exists()
    assert len(page_of(office, batch).tables[0].records) == 5

    Player.objects.filter(number="903").update(surname="Vega")
    factories.licence(Player.objects.get(number="904"))  # who is in use, and stays
    page = open_page(office, reverse("office_import_undo", args=[batch.pk]))
    assert page.lead == "4 lines would be undone."
    digest = page.context["undoing"].digest
    office.post(
        reverse("office_import_undo", args=[batch.pk]),
        {"digest": digest, "reason": "Wrong file", "evidence": "Letter"},
    )
    approve_all()
    assert state(batch) == "undone"
    assert set(Player.objects.values_list("number", "surname")) == {("902", "Otra"), ("904", "Prado")}


@pytest.mark.usefixtures("small_parts")
def test_undoing_a_long_list_is_compared_by_a_worker_and_again_after_a_change(office, monkeypatch):
    batch = sent(office, "players", *players(3))
    apply(office, batch)
    monkeypatch.setattr(tasks, "wait", lambda batch: None)
    url = reverse("office_import_undo", args=[batch.pk])
    assert office.get(url).url == batch.get_absolute_url()
    page = page_of(office, batch)
    assert page.lead.endswith("then you see what undoing it would do.") and "Undo this list" not in page.text
    with pytest.raises(imports.NotApplicable, match="comparing"):
        imports.undo(batch.pk, "x", office.account, "Wrong file")
    work()
    fragment = reverse("office_import_progress", args=[batch.pk])
    assert office.get(fragment, headers=HTMX).headers["HX-Redirect"] == url
    page = open_page(office, url)
    assert page.lead == "3 lines would be undone."

    data = {"digest": page.context["undoing"].digest, "reason": "Wrong file", "evidence": "Letter"}
    office.post(url, data)
    factories.licence(Player.objects.get(number="901"))
    work()
    assert (state(batch), Player.objects.count()) == ("applied", 3)
    assert "it was to be undone, and nothing was written" in page_of(office, batch).text
    assert office.get(url).url == batch.get_absolute_url()
    work()
    assert open_page(office, url).lead == "2 lines would be undone."


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("number", ["901", "905"])  # in the first part, and in the last
def test_a_part_that_changed_meanwhile_gives_the_whole_list_back(office, number):
    batch = sent(office, "players", *players(5))
    asked(office, batch)
    factories.player(number=number, given_name="Ana", surname="Prado Soto")
    work()
    assert (state(batch), Player.objects.count(), PlayerChange.objects.count()) == ("review", 1, 0)
    page = page_of(office, batch)
    assert "The list would do something else by now" in page.text
    assert page.lead == "This list would add 4 and change 1; unchanged: 0."
    pressed(office, batch)
    assert (state(batch), Player.objects.count()) == ("applied", 5)


# --- Pages, and the limit -----------------------------------------------------------------------------------
@pytest.mark.usefixtures("small_parts")
def test_the_review_reads_one_page_of_rows(office):
    factories.player()
    numbers = []
    for count in (1, 3, 120):
        batch = sent(office, "players", *players(count))
        page_of(office, batch)
        with CaptureQueriesContext(connection) as captured:
            assert len(page_of(office, batch).tables[0].records) == min(count, 50)
        numbers.append(len(captured))
        reading = [query["sql"] for query in captured if '"office_listrow"."details"' in query["sql"]]
        assert len(reading) == 1 and "LIMIT" in reading[0]
    assert numbers[0] == numbers[1] == numbers[2]


def test_the_rows_of_a_page_are_read_by_an_index(office):
    batch = sent(office, "players", *players(60))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    changing = ListRow.objects.filter(batch=batch).exclude(change="").order_by("line")[50:100]
    assert "list_row_by_line" in changing.explain()


def test_a_list_may_have_the_members_of_a_large_federation_and_no_more(office):
    columns = imports.KINDS["licences"].columns
    content = b"Numero;Temporada\r\n" + b"1;2026\r\n" * limits.TABLE_ROWS
    assert limits.TABLE_ROWS == 200_000
    assert len(read_table("a.csv", content, columns).rows) == limits.TABLE_ROWS
    too_long = read_table("a.csv", content + b"1;2026\r\n", columns)
    assert "too_many_rows" in {item.code for item in too_long.issues}
    assert "rows: at most 200,000" in open_page(office, reverse("office_imports")).text


# --- Lists from before --------------------------------------------------------------------------------------
def test_lists_that_wait_are_compared_on_the_first_look_after_the_migration(office):
    batch = sent(office, "players", *players(2))
    OfficeImport.objects.update(compared={}, compared_at=None)
    ListPart.objects.update(compared={})
    ListRow.objects.update(change="", name="", details=[])
    assert page_of(office, batch).lead == "This list would add 2 and change 0; unchanged: 0."


def test_only_an_uploaded_list_waits_for_its_worker(office, monkeypatch):
    """A page that shows a list does not wait again for a worker that has the list already."""
    waited = []
    monkeypatch.setattr(tasks, "wait", waited.append)
    batch = sent(office, "players", *players(1))
    page_of(office, batch)
    assert waited == [batch]
    assert queue.claim(ListTask, ListTask.objects.get().pk, writing.LEASE)
    page_of(office, batch)
    assert waited == [batch]
