"""The audit reports all stored points that were tampered with, and nothing else."""

import json
from datetime import date

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.audit import verify
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models import LedgerEntry, ScoringRun, Standing
from scoring.ledger.services import posting, runs, standings
from tests import factories as f
from tests.scoring.audit.acts import bring_in, read_only_database, resumed_audit, run_audit
from tournaments import drafts
from tournaments.models import Contestant, Revision, Seat, Tournament

pytestmark = pytest.mark.django_db


def store_correction(tournament, *contestants, score=True, **fields) -> Revision:
    """Store a correction of the ranking, and score it unless `score` is False."""
    header = drafts.header_of(tournament)
    with transaction.atomic():
        revision = drafts.store(header, f.rows(*contestants), None, corrects=tournament, reason="wrong order")
    run = runs.create_run(revision, None)
    if score:
        runs.score(run.pk)
    return revision


def all_differences() -> list[verify.Difference]:
    return [difference for batch in verify.batches() for difference in batch.differences]


def difference_codes() -> set[str]:
    return {issue.code for issue in all_differences()}


# --- No differences -----------------------------------------------------------------------------------------
def test_an_untouched_database_is_equal(pool, four):
    a, b, c, d = four
    store_correction(pool, (c, d), (a, b))
    f.scored((a, "A guest"), (b, "Another"), event_type="regional")
    f.scored((a, b), boards=10)  # too few boards: the tournament does not count
    f.scored((a, b), (c, d), event_type="regional", format="teams", end_date=date(2025, 5, 1))
    bring_in([posting.OpeningRow(a.pk, date(2025, 10, 1), "Old points", False, 500)], f.office())
    lines, text = run_audit()
    assert text == "equal"
    assert lines == [
        "equal: 4 tournaments, 5 runs, 14 awards; 0 of Go, 0 ratings, 0 games; "
        "0 rankings with 0 results of boards; 0 files; 0 rankings read again from their files; "
        "not read again: 5 without an upload, 0 typed by hand, 0 edited in the review, 0 whose file is gone; "
        "0 files no longer kept; standings of 2026-03-20; "
        "not derivable: 1 opening balances, 0 adjustments; 0 leaves of the log"
    ]


def test_an_empty_database_is_equal():
    lines, text = run_audit()
    assert (text, lines[0][:21]) == ("equal", "equal: 0 tournaments,")


def test_a_session_with_two_fields_has_no_difference(four):
    a, b, c, d = four
    rows = [
        drafts.Row(1, 1, (drafts.SeatRow(a.pk), drafts.SeatRow(b.pk)), field="NS"),
        drafts.Row(2, 1, (drafts.SeatRow(c.pk), drafts.SeatRow(d.pk)), field="EW"),
    ]
    with transaction.atomic():
        revision = drafts.store(f.header(f.club(), ranking="two"), rows, None)
    runs.score(runs.create_run(revision, None).pk)
    assert LedgerEntry.objects.count() == 4
    assert all_differences() == []


def test_a_correction_that_waits_for_scoring_is_no_difference(pool, four):
    a, b, c, d = four
    store_correction(pool, (c, d), (a, b), score=False)
    Tournament.objects.update(boards=30)  # like a correction that no worker has scored yet
    assert all_differences() == []


def test_the_audit_writes_nothing(pool):
    with read_only_database():
        assert run_audit()[1] == "equal"
        with pytest.raises(DatabaseError), transaction.atomic():
            Standing.objects.update(licensed=False)


@pytest.mark.django_db(transaction=True)
def test_the_audit_cannot_write_outside_a_transaction(pool):

    assert run_audit()[1] == "equal"
    if connection.vendor == "postgresql":
        with pytest.raises(DatabaseError, match="read-only"), consistent_read():
            Standing.objects.update(points=F("points"))
    else:
        with consistent_read():
            Standing.objects.update(licensed=False)  # to roll back this change
    assert Standing.objects.filter(licensed=False).count() == 0


# --- Differences --------------------------------------------------------------------------------------------
def change_stored_inputs(run: ScoringRun, **changes) -> None:
    inputs = json.loads(json.dumps(run.inputs))
    inputs[0]["event"].update(changes)
    ScoringRun.objects.filter(pk=run.pk).update(inputs=inputs)


def test_changed_inputs_of_a_run_are_reported(pool, four):
    change_stored_inputs(pool.runs.get(), boards=40)
    differences = all_differences()
    assert {difference.code for difference in differences} == {"digest", "outcome", "data", "award"}
    awards = {difference.player: difference for difference in differences if difference.code == "award"}
    assert set(awards) == {player.number for player in four}
    assert awards[four[0].number].stored.startswith("1185 (row 1, 2026-03-14, in person, aeb)")
    lines, text = run_audit()
    assert text.startswith("1: 7 differences: 1 tournaments")
    assert f"award\t{pool.pk}\t{pool.runs.get().pk}\t{four[0].number}\t1185 (row 1" in "\n".join(lines)


@pytest.mark.parametrize(
    "inputs",
    [
        [],
        [{}],
        {},
        5,
        [{"field": "", "event": {}}],
        [{"field": "", "event": {"boards": 1.5}}],
        [{"field": "", "event": [1]}],
    ],
)
def test_unreadable_inputs_of_a_run_are_reported(pool, inputs):
    ScoringRun.objects.update(inputs=inputs)
    assert difference_codes() == {"unreadable"}


def test_another_regulation_of_a_run_is_reported(pool):
    ScoringRun.objects.update(regulation="no-such-rule")
    assert difference_codes() == {"unreadable"}
    ScoringRun.objects.update(regulation="egf-2021")
    assert difference_codes() == {"unreadable"}
    ScoringRun.objects.update(regulation="aeb-2022")
    assert difference_codes() == {"data", "outcome", "award"}
    assert ("regulation: aeb-2022", "regulation: aeb-2026") in {
        (item.stored, item.derived) for item in all_differences()
    }


def test_an_impossible_player_number_in_the_inputs_is_reported(pool, four):
    run = pool.runs.get()
    contestants = run.inputs[0]["event"]["contestants"]
    contestants[0]["players"][0]["id"] = "9" * 40
    change_stored_inputs(run, contestants=contestants)
    assert difference_codes() == {"digest", "ranking", "award"}


def test_a_changed_outcome_of_a_run_is_reported(pool):
    run = pool.runs.get()
    run.outcome["lines"][0]["p_max"] = "99"
    run.save()
    assert difference_codes() == {"outcome"}
    run.outcome = []
    run.save()
    assert difference_codes() == {"outcome"}


def test_an_outcome_with_more_fields_of_an_earlier_version_is_no_difference(pool):
    run = pool.runs.get()
    run.outcome["licensed"] = 4
    run.save()
    assert difference_codes() == set()


def test_a_changed_eligibility_is_reported(pool):
    ScoringRun.objects.update(eligible=False)
    assert difference_codes() == {"outcome"}


def test_a_changed_place_is_reported(pool):
    Contestant.objects.filter(place=1).update(place=2)
    assert difference_codes() == {"ranking"}


def test_an_exchanged_player_is_reported(pool):
    seat = Seat.objects.first()
    seat.player = f.player()
    seat.save()
    assert difference_codes() == {"ranking"}


def test_a_forged_award_is_reported(pool):
    other, run = f.player(), pool.runs.get()
    entry = LedgerEntry.objects.first()
    LedgerEntry.objects.create(
        kind="award",
        player=other,
        points=5000,
        played_on=entry.played_on,
        online=False,
        tournament=pool,
        run=run,
        contestant=entry.contestant,
    )
    (difference,) = all_differences()
    assert (difference.code, difference.player, difference.derived) == ("award", other.number, "nothing")


def test_an_award_with_a_run_of_another_tournament_is_reported(pool, four):
    other = f.scored((four[0], four[2]))
    LedgerEntry.objects.create(
        kind="award",
        player=f.player(),
        points=1,
        played_on=date(2026, 3, 14),
        online=False,
        tournament=other,
        run=pool.runs.get(),
    )
    assert difference_codes() == {"no_run", "not_taken_back"}


def test_an_award_reversed_without_a_correction_is_reported(pool):
    entry = LedgerEntry.objects.first()
    LedgerEntry.objects.create(
        kind="reversal",
        player=entry.player,
        points=-entry.points,
        played_on=entry.played_on,
        online=False,
        tournament=pool,
        run=entry.run,
        contestant=entry.contestant,
        reverses=entry,
    )
    assert difference_codes() == {"taken_back"}


def test_a_reversal_of_too_many_points_is_reported(pool, four):
    a, b, c, d = four
    LedgerEntry.objects.create(
        kind="reversal",
        player=a,
        points=-9999,
        played_on=date(2026, 3, 14),
        online=False,
        tournament=pool,
        reverses=LedgerEntry.objects.get(player=a),
    )
    assert difference_codes() == {"reversal", "taken_back"}


def test_a_reversal_of_another_tournaments_award_is_reported(pool, four):
    other = f.scored((four[0], four[2]))
    entry = LedgerEntry.objects.filter(tournament=pool).first()
    LedgerEntry.objects.create(
        kind="reversal",
        player=entry.player,
        points=-entry.points,
        played_on=entry.played_on,
        online=False,
        tournament=other,
        reverses=entry,
    )
    assert difference_codes() == {"reversal"}


def test_an_old_award_that_was_never_reversed_is_reported(pool, four):
    a, b, c, d = four
    store_correction(pool, (c, d), (a, b))
    run = pool.runs.order_by("pk").first()
    LedgerEntry.objects.create(
        kind="award",
        player=f.player(),
        points=1,
        played_on=date(2026, 3, 14),
        online=False,
        tournament=pool,
        run=run,
        contestant=run.revision.contestants.first(),
    )
    assert difference_codes() == {"award", "not_taken_back"}


def test_a_wrong_published_ranking_is_reported(pool, four):
    a, b, c, d = four
    store_correction(pool, (c, d), (a, b))
    Tournament.objects.update(published=pool.revisions.order_by("number").first())
    assert difference_codes() == {"published"}


def test_a_wrong_reversal_of_opening_points_is_reported(pool, four):
    bring_in([posting.OpeningRow(four[0].pk, date(2025, 10, 1), "Old points", False, 500)], f.office())
    entry = LedgerEntry.objects.get(kind="opening")
    fields = {"player": entry.player, "played_on": entry.played_on, "online": False, "reverses": entry}
    with transaction.atomic():
        LedgerEntry.objects.create(kind="reversal", points=-500, **fields)
        assert verify.unmatched_reversals() == []
        transaction.set_rollback(True)
    LedgerEntry.objects.create(kind="reversal", points=-400, **fields)
    assert [(reversal.code, reversal.player) for reversal in verify.unmatched_reversals()] == [
        ("reversal", four[0].number)
    ]
    standings.rebuild()
    assert run_audit()[1].startswith("1: 1 differences")


def test_standings_that_differ_from_the_ledger_are_reported(pool, four):
    LedgerEntry.objects.create(
        kind="adjustment", player=four[0], points=100, played_on=date(2026, 3, 1), online=False, title="Slip"
    )
    day, differences = verify.compare_standings()
    assert day == date(2026, 3, 20)
    number = four[0].number
    assert [(difference.code, difference.player) for difference in differences] == [
        ("standing", number),
        ("year", number),
    ]
    standings.rebuild()
    # The audit reports that nobody approved it; the standings are consistent.
    lines, text = run_audit()
    assert text.startswith("1: 1 differences") and "1 adjustments" in text
    assert [line.split("\t")[0] for line in lines] == ["adjustment"]


# --- The command --------------------------------------------------------------------------------------------
def test_the_audit_can_be_limited_to_one_tournament_or_to_those_since_a_day(pool, four):
    old = f.scored(four[:2], four[2:], end_date=date(2025, 1, 10))
    change_stored_inputs(old.runs.get(), boards=40)
    assert run_audit("--tournament", str(pool.pk))[1] == "equal"
    assert run_audit("--since", "2025-01-11")[1] == "equal"
    assert run_audit("--since", "2025-01-10")[1].startswith("1: ")
    assert run_audit("--tournament", str(old.pk))[1].startswith("1: ")


@pytest.mark.parametrize("arguments", [("--tournament", "987654"), ("--batch", "0"), ("--batch", "5001")])
def test_invalid_arguments_are_refused(arguments):
    assert run_audit(*arguments)[1].startswith("2: ")


def test_an_interrupted_audit_resumes_where_it_stopped(pool, four, tmp_path, monkeypatch):
    for _ in range(3):
        f.scored(four[:2], four[2:])
    change_stored_inputs(pool.runs.get(), boards=40)
    audited = resumed_audit(verify, tmp_path, monkeypatch)
    assert audited.left["tournaments"] == 2
    assert audited.resumed_with[2] == sorted(Tournament.objects.values_list("pk", flat=True))[1]
    assert audited.ending.startswith("1: 7 differences: 4 tournaments, 4 runs, 16 awards")
    assert len(audited.lines) == 7


def test_a_position_of_another_audit_is_refused(pool, tmp_path):
    position = tmp_path / "position.json"
    position.write_text('{"since": "2026-01-01", "last": 1}')
    assert run_audit("--resume", str(position))[1].startswith("2: ")
    for text in ("[1, 2]", '{"go_last": [1, 2]}', '{"go_last": ["2026-01-01"]}', '{"go_file": 5}'):
        position.write_text(text)
        assert run_audit("--resume", str(position))[1].startswith("2: ")


def test_queries_do_not_grow_with_awards(pool, four):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert all_differences() == []
        return len(captured)

    before = queries()
    for _ in range(3):
        f.scored(*f.pairs(f.players(8, category="2P")))
    assert queries() == before == 5  # four per batch, and one that finds no more tournaments


def test_an_opening_that_nobody_brought_in_is_no_equal_ledger(db):
    """The kind of an entry is all that a forger would have to choose otherwise."""
    player = f.player()
    LedgerEntry.objects.create(
        kind="opening", title="Old points", player=player, points=5000, played_on="2026-01-02",
        online=False, source_key="old",
    )  # fmt: skip
    lines, text = run_audit()
    assert text.startswith("1: ")
    [line] = [line for line in lines if line.startswith("opening\t")]
    assert "brought in by a list or from a former program" in line
