"""Whoever holds the database cannot rewrite the ledger unseen by one who kept a checkpoint."""

import shutil

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F

from players.models import Proposal
from players.services.privacy import set_hidden
from scoring.engine.digest import digest
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import standings
from scoring.privacy import erasing
from scoring.transparency import publishing, services, underived
from scoring.transparency.models import Checkpoint, Leaf, LogState, Node
from tests import factories as make
from tests import triggers
from tests.scoring.audit.acts import run_audit
from tests.scoring.transparency.conftest import check
from tournaments.models import Seat

pytestmark = pytest.mark.django_db


def forge(log) -> None:
    """Exchange winner and last of a pool in seats, inputs and ledger, as the database's owner can."""
    run = log.first.runs.get()
    with triggers.without(connection):
        first, last = run.revision.contestants.order_by("place")
        winners, losers = list(first.seats.all()), list(last.seats.all())
        seats = Seat.objects.filter(pk__in=[seat.pk for seat in winners])
        seats.update(contestant=last, position=F("position") + 10)
        Seat.objects.filter(pk__in=[seat.pk for seat in losers]).update(contestant=first)
        seats.update(position=F("position") - 10)
        [stored] = run.inputs
        one, other = stored["event"]["contestants"]
        one["players"], other["players"] = other["players"], one["players"]
        type(run).objects.filter(pk=run.pk).update(inputs=run.inputs, input_digest=digest(stored["event"]))
        points = {entry.player_id: entry.points for entry in run.entries.all()}
        of_winner, of_loser = points[winners[0].player_id], points[losers[0].player_id]
        for seats, points_of, contestant in ((winners, of_loser, last), (losers, of_winner, first)):
            players = [seat.player_id for seat in seats]
            run.entries.filter(player__in=players).update(points=points_of, contestant=contestant)
    standings.rebuild()


def rebuild_log(*removed: LedgerEntry) -> None:
    """Rebuild the whole tree from the database, as somebody who also has the key can.

    removed: entries to delete before
    """
    with triggers.without(connection):
        for model in (Checkpoint, Node, Leaf, LogState):
            model.objects.all()._raw_delete("default")
        LedgerEntry.objects.filter(pk__in=[entry.pk for entry in removed])._raw_delete("default")
    services.append()


def publish(folder):
    shutil.rmtree(folder, ignore_errors=True)
    publishing.publish(folder)
    return folder


def test_the_published_log_is_equal(published):
    assert check(published, "--checkpoint", published / "checkpoint") == (0, "equal: 10 entries")


def test_the_command_brings_the_log_up_to_date_and_publishes_it(log, tmp_path, capsys):
    make.scored(*log.pairs)
    call_command("log", "publish", "--to", str(tmp_path / "log"))
    assert capsys.readouterr().out == "15 entries in the log, 4 files written\n"
    assert check(tmp_path / "log") == (0, "equal: 15 entries")


def test_a_rewritten_result_that_the_audit_calls_equal_is_caught(log, published, tmp_path):
    """The forgery leaves a database in which every number follows from the others."""
    forge(log)
    lines, text = run_audit()
    assert text.startswith("1: ")
    assert {line.split("\t")[0] for line in lines} == {"log"}  # without the log it would be equal
    status, output = check(publish(tmp_path / "now"), "--checkpoint", published / "checkpoint")
    assert status == 1
    assert "entry 2 was changed: the published tree has another hash" in output.splitlines()


def test_a_rewritten_log_is_caught_by_who_kept_a_checkpoint(log, published, tmp_path):
    forge(log)
    rebuild_log()
    now = publish(tmp_path / "now")
    assert check(now, "--checkpoint", published / "checkpoint") == (
        1,
        "split view: two checkpoints of one size differ",
    )
    make.scored(*log.pairs)
    services.append()
    now = publish(tmp_path / "now")
    status, output = check(now, "--checkpoint", published / "checkpoint")
    assert (status, output) == (1, f"the first 10 entries are not those of {published / 'checkpoint'}")
    status, output = check(now, "--kept", published)
    assert "entry 2 was changed" in output.splitlines()


def test_without_a_kept_checkpoint_a_rewritten_log_looks_equal(log, tmp_path):
    """The negative control: what is kept outside is what proves anything."""
    forge(log)
    rebuild_log()
    assert check(publish(tmp_path / "now")) == (0, "equal: 10 entries")
    assert run_audit()[1] == "equal"


def test_a_truncated_log_is_caught(log, published, tmp_path):
    rebuild_log(LedgerEntry.objects.latest("pk"))
    status, output = check(publish(tmp_path / "now"), "--checkpoint", published / "checkpoint")
    assert status == 1
    assert output == f"entries 9 to 9 are missing: {published / 'checkpoint'} had them"
    assert check(tmp_path / "now", "--kept", published) == (
        1,
        f"entries 9 to 9 are missing: {published}/checkpoint had them",
    )


def test_a_reordered_log_is_caught(log, published, tmp_path):
    with triggers.without(connection):
        one, other = Leaf.objects.filter(pk__in=[2, 3]).order_by("pk")
        entries = one.entry_id, other.entry_id
        Leaf.objects.filter(pk=2).update(entry=None, run=log.first.runs.get().pk + 1000)
        Leaf.objects.filter(pk=3).update(entry=entries[0], hash=one.hash)
        Leaf.objects.filter(pk=2).update(entry=entries[1], run=None, hash=other.hash)
        Checkpoint.objects.all()._raw_delete("default")
    services.sign()
    status, output = check(publish(tmp_path / "now"), "--kept", published)
    assert status == 1
    assert {"entry 2 stood at 3: reordered", "entry 3 stood at 2: reordered"} <= set(output.splitlines())


def test_a_file_that_is_missing_or_changed_is_named(published):
    bundle = published / "tile" / "entries" / "000.p" / "10"
    whole = bundle.read_bytes()
    bundle.write_bytes(whole.replace(b'"points":', b'"Points":', 1))
    status, output = check(published)
    assert status == 1
    assert output.splitlines()[0] == "entry 2 was changed: the published tree has another hash"
    bundle.write_bytes(whole[:-3])
    assert check(published) == (1, f"{published}: tile/entries/000.p/10 has not 10 entries")
    bundle.unlink()
    assert check(published) == (1, f"{published}: tile/entries/000.p/10 is missing")


def test_a_checkpoint_of_another_key_is_no_checkpoint_of_this_log(log, published, settings, tmp_path):
    from scoring.transparency.notes import Signer  # noqa: PLC0415

    settings.LOG_KEY = str(Signer.generate(log.key.name))
    services.append()
    forged = publish(tmp_path / "forged")
    status, output = check(forged, "--key", log.key.verifier())
    assert (status, output) == (1, f"{forged}/checkpoint is not signed by the log (mistyped?)")


def test_an_inserted_adjustment_is_no_equal_ledger(log, published, tmp_path):
    """It is a valid addition to the log, so it has to stand in the list of entries that nothing derives."""
    adjustment = LedgerEntry.objects.create(
        kind="adjustment", title="Gift", reason="Because", player=log.players[0], points=500,
        played_on="2026-01-02", online=False, source_key="proposal-99-1",
    )  # fmt: skip
    services.append()
    assert check(publish(tmp_path / "now"), "--checkpoint", published / "checkpoint")[0] == 0
    assert adjustment in underived.adjustments()
    standings.rebuild()
    lines, text = run_audit()
    assert text.startswith("1: ") and [line.split("\t")[0] for line in lines] == ["adjustment"]


def test_a_deleted_trigger_is_caught_by_the_audit(log):
    with connection.cursor() as cursor:
        cursor.execute(
            "DROP TRIGGER guard_transparency_leaf_append_only_update"
            if connection.vendor == "sqlite"
            else "DROP TRIGGER guard_transparency_leaf_append_only ON transparency_leaf"
        )
    try:
        lines, text = run_audit()
        assert text.startswith("1: ") and {line.split("\t")[0] for line in lines} == {"guard"}
    finally:
        with triggers.without(connection):
            pass  # installs all of them again


def test_the_log_is_checked_at_its_address(log, published, live_server):
    assert check(f"{live_server.url}/transparencia", "--checkpoint", published / "checkpoint") == (
        0,
        "equal: 10 entries",
    )


def test_erasing_and_hiding_people_leaves_the_log_as_it_is(log, published, tmp_path):
    erased, hidden = log.players[:2]
    set_hidden(hidden.pk, True, by=make.office())
    proposal = Proposal.objects.create(kind="erasure", key=f"{erased.pk}", prepared_by=make.office())
    erasing.begin(erased, proposal, make.office())
    services.append()
    now = publish(tmp_path / "now")
    entries = "tile/entries/000.p/10"
    assert (now / entries).read_bytes() == (published / entries).read_bytes()
    assert check(now, "--kept", published) == (0, "equal: 10 entries")
    assert run_audit("--log")[1] == "equal"
