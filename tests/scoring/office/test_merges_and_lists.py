"""Lists that are imported for a merged player, or while two numbers are being merged."""

import threading
from datetime import date
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import Sum
from django.urls import reverse

from players.models import Player
from scoring.audit import transfers
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import posting, standings
from scoring.office.lists import imports, writing
from scoring.office.models import ListTask
from scoring.office.services import merges
from tests import factories
from tests.scoring.office.lists import apply, issues, sent, tick_all
from tests.servers import wait_until
from tests.threads import at_once

LINE = "{};01/10/2025;Pool de octubre;{};{}"


def opening(player, points: int = 1250) -> None:
    row = posting.OpeningRow(player.pk, date(2025, 10, 1), "Pool de octubre", False, points)
    posting.post_opening([row], None)


def total(player) -> int:
    return LedgerEntry.objects.filter(player=player).aggregate(Sum("points"))["points__sum"] or 0


def counts(office, batch) -> dict[str, int]:
    return office.get(reverse("office_import_review", args=[batch.pk])).context["plan"].counts


# --- The same award under the other number -----------------------------------------------------------------
@pytest.mark.django_db
def test_an_opening_award_moved_by_a_merge_is_not_imported_again(office):
    duplicate, kept = factories.players(2)
    opening(duplicate)
    made = merges.merge(duplicate, kept, "Registered twice", None)
    batch = sent(office, "opening", LINE.format(kept.number, "Presencial", "12,5"))
    assert counts(office, batch) == {"added": 0, "changed": 0, "same": 1}
    assert apply(office, batch).status_code == 302
    assert (total(duplicate), total(kept)) == (0, 1250)
    other = sent(office, "opening", LINE.format(kept.number, "Presencial", "13"))
    assert issues(other) == [("other_points", 2)]
    online = sent(office, "opening", LINE.format(kept.number, "En línea", "12,5"))
    assert counts(office, online)["added"] == 1

    merges.undo(made.pk, "They are two", None)
    batch = sent(office, "opening", LINE.format(kept.number, "Presencial", "12,5"))
    assert counts(office, batch)["added"] == 1  # after undoing the merge, it is an award of another person
    batch = sent(office, "opening", LINE.format(duplicate.number, "Presencial", "12,5"))
    assert counts(office, batch) == {"added": 0, "changed": 0, "same": 1}


@pytest.mark.django_db
def test_neither_of_two_equal_awards_under_both_numbers_is_imported_again(office):
    duplicate, kept = factories.players(2)
    opening(duplicate, 500)
    opening(kept, 1250)
    seen = merges.fingerprint(merges.duplicate_awards(duplicate, kept))
    merges.merge(duplicate, kept, "Registered twice", None, seen)
    for points in ("5", "12,5"):
        batch = sent(office, "opening", LINE.format(kept.number, "Presencial", points))
        assert counts(office, batch) == {"added": 0, "changed": 0, "same": 1}


@pytest.mark.django_db
def test_an_award_of_a_scored_tournament_is_not_taken_for_an_opening_award(office):
    four, kept = factories.players(4, category="2P"), factories.player()
    played = factories.scored(four[:2], four[2:], name="Pool de octubre", end_date=date(2025, 10, 1))
    merges.merge(four[0], kept, "Registered twice", None)
    assert LedgerEntry.objects.get(player=kept).tournament == played
    batch = sent(office, "opening", LINE.format(kept.number, "Presencial", "12,5"))
    assert counts(office, batch)["added"] == 1


# --- At the same time --------------------------------------------------------------------------------------
def is_blocked(waiting: int = 1) -> bool:
    """Return whether at least this number of transactions wait for a lock.

    Always True on SQLite, which cannot tell.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] >= waiting


def while_merging(duplicate, kept, batch) -> str:
    """Let a worker apply a list while a merge has written everything but not committed yet.

    Return why the list went back; "" if it was applied after the merge.
    """
    task = imports.apply(batch.pk, tick_all(batch, standings.today()), batch.created_by)
    other = threading.Thread(target=at_once, args=[[partial(writing.perform, task.pk)]])
    with transaction.atomic():
        merges.merge(duplicate, kept, "Registered twice", None)
        other.start()
        wait_until(is_blocked, "the list to wait for the merging")
    other.join()
    return ended(task).refusal


def ended(task: ListTask) -> ListTask:
    """Return a task that a worker has done or sent back."""
    task.refresh_from_db()
    assert task.state in ("done", "returned")
    return task


@pytest.mark.django_db(transaction=True)
def test_a_list_keeps_a_player_hidden_whom_a_simultaneous_merge_hides(office):
    duplicate, kept = factories.player(hidden=True), factories.player(given_name="Ana")
    row = f"{kept.number};Anabel;{kept.surname};;"
    assert while_merging(duplicate, kept, sent(office, "players", row)) == ""
    kept.refresh_from_db()
    assert (kept.given_name, kept.hidden) == ("Anabel", True)


@pytest.mark.django_db(transaction=True)
def test_a_list_with_a_number_that_is_being_merged_is_refused(office):
    duplicate, kept = factories.players(2)
    batch = sent(office, "players", f"{duplicate.number};Ana;{duplicate.surname};;")
    assert while_merging(duplicate, kept, batch) == "errors"


@pytest.mark.django_db(transaction=True)
def test_opening_awards_moved_by_a_simultaneous_merge_are_not_posted_twice(office):
    duplicate, kept = factories.players(2)
    opening(duplicate)
    batch = sent(office, "opening", LINE.format(kept.number, "Presencial", "12,5"))
    assert while_merging(duplicate, kept, batch) == "changed"
    assert (total(duplicate), total(kept)) == (0, 1250)


@pytest.mark.django_db(transaction=True)
def test_a_list_with_a_licence_copied_by_a_simultaneous_merge_is_shown_again(office):
    duplicate, kept = factories.player(), factories.player(licensed=False)
    factories.licence(duplicate, valid_from=date(2025, 1, 1), valid_to=date(2025, 12, 31))
    batch = sent(office, "licences", f"{kept.number};2025;;;;")
    assert while_merging(duplicate, kept, batch) == "changed"


@pytest.mark.django_db(transaction=True)
def test_a_list_and_a_merge_at_once_do_not_deadlock(office):
    # Numbers and ids in opposite orders, so that locking by number and locking by id would deadlock.
    players = [factories.player(number=str(9000 - number)) for number in range(6)]
    # With the surnames kept: a list with names of other people would need a second person.
    batch = sent(office, "players", *(f"{item.number};Otro;{item.surname};;" for item in players))
    task, failed = imports.apply(batch.pk, tick_all(batch, standings.today()), batch.created_by), []
    acts = [
        lambda: writing.perform(task.pk),
        lambda: merges.merge(players[0], players[5], "Registered twice", None),
    ]
    with transaction.atomic():
        list(Player.objects.select_for_update(no_key=True).filter(pk=players[3].pk))
        threads = [threading.Thread(target=lambda act=act: failed.extend(at_once([act]))) for act in acts]
        for waiting, thread in enumerate(threads, start=1):
            thread.start()
            wait_until(lambda waiting=waiting: is_blocked(waiting), "both to wait")
        Player.objects.filter(pk=players[3].pk).update(hidden=False)
    for thread in threads:
        thread.join()
    # The list contains the duplicate's number. After the merge none of it is applied.
    refusal = ended(task).refusal
    assert (failed, refusal) in (([], ""), ([], "errors"))
    for player in players:
        player.refresh_from_db()
    assert players[0].merged_into == players[5]
    assert [item.given_name == "Otro" for item in players] == [not refusal] * 6
    assert standings.compare(standings.today()) == [] and transfers.differences() == []
