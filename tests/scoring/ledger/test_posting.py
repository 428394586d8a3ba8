"""Scoring runs post awards from a stored ranking to the ledger and update the standings."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Sum
from django.utils import timezone

from scoring.ledger.models import LedgerEntry, ScoringRun, Standing, StandingsState
from scoring.ledger.services import posting, queue, runs, standings, sweeper
from scoring.ledger.snapshots import evaluation_of
from tests import factories as f
from tournaments import drafts
from tournaments.models import Revision

pytestmark = pytest.mark.django_db


@pytest.fixture
def four():
    return f.players(4, category="1P")


@pytest.fixture
def on_15_march():
    """Set the day of the standings to 15 March 2026, the day after the tournaments of the factories."""
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 15))


def points_of(player) -> int | None:
    return LedgerEntry.objects.filter(player=player).aggregate(total=Sum("points"))["total"]


def store_correction(tournament, *contestants, **fields) -> Revision:
    """Store a correction of the tournament's ranking, without scoring it."""
    header = replace(drafts.header_of(tournament), **fields)
    with transaction.atomic():
        return drafts.store(header, f.rows(*contestants), None, corrects=tournament, reason="wrong order")


def test_posted_awards_are_those_of_the_engine(four, on_15_march):
    """A tournament of two pairs of 1P players over 24 boards earns the points that the engine computes.

    The first pair earns the product of the coefficients C1 to C5: 5 · C2 · 1 · 2.17 · 1. The last pair earns
    1 % of it.
    """
    a, b, c, d = four
    tournament = f.scored((a, b), (c, d))
    # C2 of 24 boards is 0.23 · √24 - 0.035 = 1.0917653, so the first pair earns 11.8456….
    assert [points_of(item) for item in four] == [1185, 1185, 12, 12]
    run = tournament.runs.get()
    assert (run.state, run.eligible) == ("done", True)
    standing = Standing.objects.get(player=a)
    assert (standing.points, standing.points_in_person, standing.points_online) == (1185, 1185, 0)
    assert (standing.tournaments, standing.category.code, standing.licensed) == (1, "1P", True)


def test_guests_keep_their_place_and_get_no_points(four, on_15_march):
    a, b, c, d = four
    extra = f.players(16, category="1P")
    tournament = f.scored((a, b), (c, "Visitor"), *f.pairs(extra), (d, "Other Visitor"))
    assert tournament.runs.get().eligible  # 20 of 22 players are licensed: 90.9 %
    assert LedgerEntry.objects.filter(tournament=tournament).count() == 20
    assert points_of(c) > points_of(extra[0]) > points_of(d)


def test_scoring_a_run_twice_posts_its_awards_once(four, on_15_march):
    a, b, c, d = four
    tournament = f.scored((a, b), (c, d))
    run = tournament.runs.get()
    runs.score(run.pk)
    assert LedgerEntry.objects.count() == 4
    ScoringRun.objects.filter(pk=run.pk).update(state="pending", attempts=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        runs.score(run.pk)  # a constraint of the database refuses it even with a tampered state
    assert LedgerEntry.objects.filter(kind="award").count() == 4


def test_a_worker_without_the_lease_posts_nothing(four, on_15_march):
    a, b, c, d = four
    revision = f.revision((a, b), (c, d))
    run = runs.claim(runs.create_run(revision, None).pk)
    evaluation = evaluation_of(run)
    ScoringRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert runs.claim(run.pk) is not None  # a second worker claims the run
    with pytest.raises(queue.LeaseLost):
        posting.post(run, evaluation)
    assert not LedgerEntry.objects.exists()


def test_a_correction_reverses_old_awards_and_posts_new_ones(four, on_15_march):
    a, b, c, d = four
    e, g = f.players(2, category="1P")
    tournament = f.scored((a, b), (c, d))
    revision = store_correction(
        tournament, (c, d), (e, g), end_date=date(2026, 3, 13), start_date=date(2026, 3, 13)
    )
    runs.score(runs.create_run(revision, None).pk)
    assert [points_of(item) for item in (a, b, c, d, e, g)] == [0, 0, 1185, 1185, 12, 12]
    kinds = LedgerEntry.objects.filter(player=c).order_by("pk").values_list("kind", "points", "reason")
    assert list(kinds) == [("award", 12, ""), ("reversal", -12, "wrong order"), ("award", 1185, "")]
    assert not Standing.objects.filter(player=a).exists()
    assert Standing.objects.get(player=c).tournaments == 1
    assert standings.rebuild() == []


def test_a_late_run_does_not_undo_a_newer_correction(four, on_15_march):
    a, b, c, d = four
    tournament = f.scored((a, b), (c, d))
    older = runs.create_run(store_correction(tournament, (c, d), (a, b)), None)
    newer = runs.create_run(store_correction(tournament, (a, c), (b, d)), None)
    runs.score(newer.pk)
    runs.score(older.pk)
    older.refresh_from_db()
    assert older.state == "outdated" and "newer" in older.error
    runs.retry_failed(older)
    older.refresh_from_db()
    assert older.state == "outdated"  # nobody needs to correct or retry it
    assert [points_of(item) for item in four] == [1185, 12, 1185, 12]


def test_an_ineligible_tournament_keeps_its_ranking_and_the_reason(four, on_15_march):
    a, b, c, d = four
    tournament = f.scored((a, b), (c, d), boards=18)
    run = tournament.runs.get()
    assert (run.state, run.eligible) == ("done", False)
    assert run.outcome["reasons"] == [
        {"code": "too_few_boards", "params": run.outcome["reasons"][0]["params"]}
    ]
    assert tournament.published is not None and not LedgerEntry.objects.exists()


def test_a_correction_that_no_longer_counts_takes_the_points_back(four, on_15_march):
    a, b, c, d = four
    tournament = f.scored((a, b), (c, d))
    runs.score(
        runs.create_run(store_correction(tournament, (a, b), (c, d), boards=18, boards_scheduled=18), None).pk
    )
    assert [points_of(item) for item in four] == [0, 0, 0, 0]
    assert not Standing.objects.exists()


def test_points_depend_on_the_categories_of_the_tournaments_day(four, on_15_march):
    """The coefficient of the field's strength (C4) uses the categories on the tournament's date.

    A category assigned later does not change the points.
    """
    a, b, c, d = four
    f.assign(a, "MN-O", date(2026, 3, 15))
    tournament = f.scored((a, b), (c, d))
    run = tournament.runs.get()
    assert run.outcome["lines"][0]["coefficients"]["C4"] == "2.17"
    f.assign(b, "MM-O", date(2026, 1, 1))
    assert str(evaluation_of(run).fields[0].result.coefficients["C4"]) == "2.17"


def test_two_fields_of_a_session_share_strength_and_eligibility(on_15_march):
    """With two fields, only the number of contestants (n) and its coefficient (C3) are those of each field.

    The coefficient of strength (C4) and the share of licensed players are those of the whole session.
    """
    north, east = f.players(4, category="1P"), f.players(4, category="3D")
    with transaction.atomic():
        header = f.header(f.club(), ranking="two")
        rows = f.rows(*f.pairs(north), *f.pairs(east), places=[1, 2, 1, 2])
        rows = [replace(row, field="NS" if row.position <= 2 else "EW") for row in rows]
        revision = drafts.store(header, rows, None)
    run = runs.create_run(revision, None)
    runs.score(run.pk)
    run.refresh_from_db()
    assert [line["field"] for line in run.outcome["lines"]] == ["NS", "EW"]
    assert {line["coefficients"]["C4"] for line in run.outcome["lines"]} == {"1.635"}
    assert {line["n"] for line in run.outcome["lines"]} == {"2"}
    assert points_of(north[0]) == points_of(east[0]) > points_of(north[2]) == points_of(east[2])


def test_the_database_refuses_to_change_or_delete_ledger_entries(four, on_15_march):
    a, b, c, d = four
    f.scored((a, b), (c, d))
    with pytest.raises(DatabaseError), transaction.atomic():
        LedgerEntry.objects.update(points=1)
    with pytest.raises(DatabaseError), transaction.atomic():
        LedgerEntry.objects.all()._raw_delete("default")
    assert [points_of(item) for item in four] == [1185, 1185, 12, 12]


def test_opening_awards_sent_twice_are_posted_once(four, on_15_march):
    rows = [posting.OpeningRow(p.pk, date(2025, 6, 1), "Copa", online=True, points=501) for p in four]
    assert len(posting.post_opening(rows, None)) == 4
    assert posting.post_opening(rows, None) == []
    standing = Standing.objects.get(player=four[0])
    assert (standing.points, standing.points_online, standing.tournaments) == (501, 501, 1)


def test_a_run_is_parked_after_three_failures(four, monkeypatch):
    a, b, c, d = four
    run = runs.create_run(f.revision((a, b), (c, d)), None)

    def broken(*_args):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(posting, "post", broken)
        for _attempt in range(queue.MAX_ATTEMPTS):
            with pytest.raises(OSError):
                runs.score(run.pk)
        runs.score(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("failed", 3) and "disk full" in run.error
    runs.retry_failed(run)
    runs.score(run.pk)
    run.refresh_from_db()
    assert run.state == "done" and LedgerEntry.objects.count() == 4


def test_a_run_that_fails_while_posting_returns_to_the_queue_at_once(four, monkeypatch):
    a, b, c, d = four
    run = runs.create_run(f.revision((a, b), (c, d)), None)

    def broken(*_args):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(standings, "refresh", broken)
        with pytest.raises(OSError):
            runs.score(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lease_until, run.error) == ("pending", None, "OSError: disk full")
    assert not LedgerEntry.objects.exists()


def test_the_sweeper_enqueues_runs_whose_message_was_lost(four, monkeypatch):
    a, b, c, d = four
    run = runs.create_run(f.revision((a, b), (c, d)), None)
    text = []
    monkeypatch.setattr(queue, "enqueue", lambda model, pk: text.append(pk))
    assert sweeper.sweep() == 0  # the run is new, so its own message may still be on its way
    ScoringRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=5))
    assert sweeper.sweep() == 1
    ScoringRun.objects.filter(pk=run.pk).update(enqueued_at=timezone.now())
    assert sweeper.sweep() == 0
    runs.claim(run.pk)
    assert sweeper.sweep() == 0
    ScoringRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweeper.sweep() == 1
    runs.score(run.pk)
    assert sweeper.sweep() == 0
    assert text == [run.pk, run.pk]


def test_a_reason_that_is_too_long_is_cut():
    player = f.player()
    opening = posting.post_opening(
        [posting.OpeningRow(player.pk, date(2025, 10, 1), "Liga", False, 500)], None
    )
    (back,) = posting.take_back(opening, "x" * 400, None)
    assert LedgerEntry.objects.get(pk=back).reason == "x" * 300
