"""What is committed comes into the log once, in order, and signed."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from threading import Event

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from scoring.audit import log as log_audit
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import runs, sweeper
from scoring.transparency import leaves, queries, services, transactions
from scoring.transparency.models import Checkpoint, Leaf, LogState, Node, Pseudonym, WitnessedLog
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.notes import Signer
from scoring.transparency.tree import Tree, fold, leaf_hash
from tests import factories as make
from tests import triggers

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_database(monkeypatch) -> None:
    """Leave out the transactions of other databases: those of the tests that run at the same time."""
    if connection.vendor != "postgresql":
        return

    def have_ended(number: int) -> bool:
        older = "datname = current_database() AND backend_xid::text::bigint < %s"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE {older})", [number])
            return cursor.fetchone()[0]

    real = transactions.have_ended
    monkeypatch.setattr(transactions, "have_ended", lambda number: real(number) or have_ended(number))


def data() -> list[dict]:
    return [json.loads(leaf) for leaf in leaves.data_of(Leaf.objects.all())]


def test_every_posted_run_and_entry_is_a_leaf(log):
    runs, entries = ScoringRun.objects.count(), LedgerEntry.objects.count()
    assert (runs, entries) == (2, 8)
    assert queries.log_size() == Leaf.objects.count() == 10
    assert [leaf["leaf"] for leaf in data()] == ["run"] * 2 + ["entry"] * 8
    entry = LedgerEntry.objects.select_related("run").earliest("pk")
    assert data()[2] == {
        "leaf": "entry",
        "entry": entry.pk,
        "family": "aeb",
        "kind": "award",
        "person": entry.player.pseudonym.code,
        "played_on": entry.played_on.isoformat(),
        "points": entry.points,
        "posted_at": data()[2]["posted_at"],
        "run": str(entry.run.uid),
        "tournament": entry.tournament_id,
        "venue": "in_person",
    }
    run = entry.run
    assert data()[0] == {
        "leaf": "run",
        "eligible": 1,
        "engine": run.engine_version,
        "finished_at": data()[0]["finished_at"],
        "inputs": run.input_digest,
        "number": 1,
        "purpose": "score",
        "regulation": run.regulation,
        "revision": 1,
        "run": str(run.uid),
        "tournament": run.tournament_id,
    }


def test_leaves_hash_to_the_stored_tree(log):
    hashes = [leaf_hash(leaf) for leaf in leaves.data_of(Leaf.objects.all())]
    assert [bytes(value) for value in Leaf.objects.values_list("hash", flat=True)] == hashes
    plain = Tree(len(hashes), lambda level, first, count: hashes[first : first + count])
    assert queries.stored_tree().root() == plain.root()
    note = Note.parse(Checkpoint.objects.get().note)
    assert (note.size, note.root) == (10, plain.root())
    assert note.signed_by([log.key.verifier()])


def test_appending_again_adds_nothing(log):
    assert services.append() == 10
    assert Checkpoint.objects.count() == 1


def test_an_annulment_adds_its_run_and_the_reversals(log):
    awards = LedgerEntry.objects.filter(tournament=log.first).order_by("pk")
    awarded = [(entry.pk, entry.points) for entry in awards]
    runs.score(runs.create_annulling(log.first.runs.get(), None, "wrong tournament").pk)
    assert services.append() == 15
    run, *reversals = data()[10:]
    assert (run["purpose"], run["eligible"]) == ("annul", 0)
    assert sorted((leaf["kind"], leaf["reverses"], -leaf["points"]) for leaf in reversals) == [
        ("reversal", *award) for award in awarded
    ]


def test_leaves_have_no_names_and_no_numbers(log):
    text = json.dumps(data())
    for player in log.players:
        assert player.surname not in text and player.number not in text
        assert Pseudonym.objects.get(player=player).code in text


def test_an_entry_that_is_committed_late_is_appended_although_later_ids_are_in_the_log(log):
    """Two transactions post at once; the one with the lower ids commits last."""
    first = LedgerEntry.objects.order_by("-pk").first()
    late = LedgerEntry(
        pk=first.pk + 1, kind="opening", title="Late", player=log.players[0], points=1,
        played_on=first.played_on, online=False, source_key="late",
    )  # fmt: skip
    early = LedgerEntry(
        pk=first.pk + 2, kind="opening", title="Early", player=log.players[0], points=2,
        played_on=first.played_on, online=False, source_key="early",
    )  # fmt: skip
    early.save(force_insert=True)
    assert services.append() == 11
    late.save(force_insert=True)
    assert services.append() == 12
    assert [leaf["points"] for leaf in data()[10:]] == [2, 1]


def append_later(minutes: int = 1) -> LogState:
    """Append to the log as if these minutes had passed. Return its state."""
    LogState.objects.update(seen_at=F("seen_at") - timedelta(minutes=minutes))
    services.append()  # notes which transactions have begun by now
    services.append()
    return LogState.objects.get()


def test_entries_below_which_none_can_be_committed_are_not_looked_at_again(log):
    make.scored(*log.pairs)
    last = LedgerEntry.objects.latest("pk").pk
    states = [append_later(), append_later()]
    assert [state.entries_to for state in states] == [0, last]
    assert [state.seen_to for state in states] == [last, last]
    services.append()
    assert LogState.objects.get().seen_at == states[-1].seen_at  # not every time
    assert timezone.now() - states[-1].runs_to < timedelta(hours=3)


@pytest.mark.django_db(transaction=True)
def test_entries_are_looked_for_until_every_transaction_of_their_time_has_ended(log):
    if connection.vendor != "postgresql":
        return  # SQLite has one transaction at a time
    player, stored, may_end = log.players[0], Event(), Event()
    late = LedgerEntry(
        kind="opening", title="Late", player=player, points=1, played_on=timezone.now(), online=False,
        source_key="late",
    )  # fmt: skip

    def post() -> None:
        with closing(connection), transaction.atomic():
            late.save(force_insert=True)
            stored.set()
            assert may_end.wait(30)

    with ThreadPoolExecutor() as threads:
        posting = threads.submit(post)
        try:
            assert stored.wait(30)
            make.scored(*log.pairs)
            states = [append_later() for _time in range(4)]
            assert services.last_in_log() > late.pk > states[-1].entries_to
        finally:
            may_end.set()
        posting.result()
    append_later()
    assert append_later().entries_to > late.pk
    assert Leaf.objects.filter(entry=late.pk).exists()


def test_in_a_database_restored_elsewhere_entries_are_settled_after_two_hours(log):
    LogState.objects.update(seen_to=10**9, seen_before=10**12)
    if connection.vendor == "postgresql":
        assert append_later().entries_to == 0
    assert append_later(120).entries_to == 10**9


def test_a_clock_that_was_ahead_stops_nothing(log):
    tomorrow = timezone.now() + timedelta(days=1)
    LogState.objects.update(due_at=tomorrow, appended_at=tomorrow, seen_at=tomorrow, runs_to=tomorrow)
    make.scored(*log.pairs)
    services.append_if_due()
    assert queries.log_size() == LedgerEntry.objects.count() + ScoringRun.objects.count() == 15
    assert LogState.objects.get().appended_at < tomorrow
    services.append()
    assert LogState.objects.get().entries_to == 0 and LogState.objects.get().seen_at < tomorrow


def test_what_is_missing_is_reported_by_the_time_of_posting_too(log):
    """How far the log is by its own state may be wrong."""
    make.scored(*log.pairs)
    with triggers.without(connection):
        LedgerEntry.objects.update(posted_at=timezone.now() - 2 * services.LONGEST)
        ScoringRun.objects.update(finished_at=timezone.now() - 2 * services.LONGEST)
        Leaf.objects.all()._raw_delete("default")
    LogState.objects.update(size=0, entries_to=0, runs_to=None)
    texts = [line.stored for line in log_audit.differences()]
    assert sum(text.endswith("is not in the log") for text in texts) == 12 + 3
    LogState.objects.all().delete()
    texts = [line.stored for line in log_audit.differences()]
    assert sum(text.endswith("is not in the log") for text in texts) == 12 + 3


def test_what_was_committed_too_late_is_appended_by_publishing(log, tmp_path):
    make.scored(*log.pairs)
    LogState.objects.update(entries_to=10**9)
    assert services.append() == 11  # its run alone
    call_command("log", "publish", "--to", str(tmp_path / "log"))
    assert queries.log_size() == 15


def test_a_damaged_log_does_not_stop_the_sweep(log, caplog):
    with triggers.without(connection):
        Leaf.objects.filter(pk=queries.log_size() - 1)._raw_delete("default")
    LogState.objects.update(due_at=timezone.now())
    make.scored(*log.pairs)
    services.append_if_due()
    assert "was not signed" in caplog.text


def test_a_host_with_a_wrong_clock_hides_no_entry(log):
    """Entries dated long ago are not taken for settled: others with lower ids may still be committed."""
    with triggers.without(connection):
        LedgerEntry.objects.update(posted_at=timezone.now() - timedelta(days=90))
    services.append()
    assert LogState.objects.get().entries_to == 0


def test_the_first_time_old_entries_are_settled_at_once(db, key):
    """Otherwise the log of a federation with millions of entries would read all of them for two hours."""
    make.scored(*make.pairs(make.players(4)))
    with triggers.without(connection):
        LedgerEntry.objects.update(posted_at=timezone.now() - timedelta(days=90))
    services.append()
    assert LogState.objects.get().entries_to == LedgerEntry.objects.latest("pk").pk


def test_many_entries_are_appended_in_slices(log, monkeypatch):
    monkeypatch.setattr(services, "SLICE", 3)
    for _number in range(3):
        make.scored(*log.pairs)
    assert services.append() == 10 + 3 + 12
    assert queries.stored_tree().root() == bytes(queries.latest_checkpoint().root)
    assert [leaf["leaf"] for leaf in data()[10:]] == ["run"] * 3 + ["entry"] * 12


def test_appending_stops_when_its_time_is_over_and_goes_on_later(log, monkeypatch):
    monkeypatch.setattr(services, "SLICE", 1)
    make.scored(*log.pairs)
    assert services.append(0) == 10
    assert services.append() == 15


def test_the_log_has_full_tiles(db, key):
    """With 300 leaves the tree has a node above 256 of them."""
    players = make.players(300)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            kind="opening", title="Old points", player=player, points=number, played_on="2026-01-02",
            online=False, source_key=f"old-{number}",
        )
        for number, player in enumerate(players)
    )  # fmt: skip
    assert services.append() == 300
    node = Node.objects.get()
    hashes = [bytes(value) for value in Leaf.objects.values_list("hash", flat=True)]
    assert (node.level, node.number) == (1, 0)
    assert bytes(node.hash) == fold(hashes[:256])


# --- Guards -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("model", [Leaf, Pseudonym, Checkpoint])
def test_nothing_of_the_log_can_be_changed_or_deleted(log, model):
    row = model.objects.first()
    field = {"Leaf": "hash", "Pseudonym": "code", "Checkpoint": "note"}[model.__name__]
    for write in (
        lambda: model.objects.filter(pk=row.pk).update(**{field: b"x" if field == "hash" else "x"}),
        lambda: model.objects.filter(pk=row.pk)._raw_delete("default"),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            write()


def test_a_witnessed_log_only_grows(db):
    row = WitnessedLog.objects.create(origin="other", size=5, root=b"x" * 32, note="", seen_at=timezone.now())
    rows = WitnessedLog.objects.filter(pk=row.pk)
    rows.update(size=6)
    for write in (lambda: rows.update(size=5), lambda: rows.update(origin="x"), row.delete):
        with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
            write()


# --- Keys -------------------------------------------------------------------------------------------------
def test_without_a_key_the_log_grows_unsigned_and_a_key_signs_it_later(db, settings):
    settings.LOG_KEY = ""
    make.scored(*make.pairs(make.players(4)))
    assert services.append() == 5
    assert not Checkpoint.objects.exists()
    signer = Signer.generate("federation.test/transparencia")
    settings.LOG_KEY = str(signer)
    services.append()
    assert Note.parse(Checkpoint.objects.get().note).signed_by([signer.verifier()])


def test_a_new_key_signs_the_same_log_anew(log, settings):
    new = Signer.generate(log.key.name)
    settings.LOG_KEY, settings.LOG_OLD_KEYS = str(new), [str(log.key.verifier())]
    services.append()
    services.append()
    last, first = Checkpoint.objects.order_by("-pk")
    assert (last.size, bytes(last.root)) == (first.size, bytes(first.root))
    assert Note.parse(last.note).signed_by([new.verifier()])


def test_a_log_that_does_not_begin_with_what_was_signed_is_not_signed_again(log):
    with triggers.without(connection):
        Leaf.objects.filter(pk=3).update(hash=bytes(32))
    make.scored(*log.pairs)
    with pytest.raises(services.LogDamaged):
        services.append()
    assert Checkpoint.objects.count() == 1


def test_a_log_that_cannot_be_signed_keeps_no_sweep_from_its_work(log, settings, caplog):
    with triggers.without(connection):
        Leaf.objects.filter(pk=3).update(hash=bytes(32))
    for key in (settings.LOG_KEY, "nonsense"):
        settings.LOG_KEY = key
        LogState.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        sweeper.sweep()
    assert [record.message for record in caplog.records].count("the transparency log was not signed") == 2


# --- Sweeps -----------------------------------------------------------------------------------------------
def test_a_sweep_appends_and_the_next_one_waits(log):
    LogState.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    make.scored(*log.pairs)
    sweeper.sweep()
    assert queries.log_size() == 15
    make.scored(*log.pairs)
    sweeper.sweep()
    assert queries.log_size() == 15
    assert queries.appended_at() is not None
