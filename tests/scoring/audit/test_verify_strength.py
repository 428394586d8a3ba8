"""The audit reports changed board results, and adjusted results that do not follow from the board results."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.audit import strength as verify_strength
from scoring.ledger.services import runs
from scoring.strength import services as strength
from tests import factories as f
from tests.scoring.audit.acts import read_only_database, resumed_audit, run_audit
from tests.scoring.strength.test_pages import howell, random_results, session
from tournaments import boards, drafts
from tournaments.boards import IMPS, MATCHPOINTS
from tournaments.models import BoardResult, Contestant, Revision, Tournament

pytestmark = pytest.mark.django_db

DAY = date(2026, 3, 20)


@pytest.fixture
def howell_session() -> Tournament:
    return session(DAY, random_results(howell(8, 5)))


def all_differences() -> list[verify_strength.Difference]:
    return [difference for batch in verify_strength.batches() for difference in batch.differences]


def corrected_with_boards(tournament: Tournament) -> Revision:
    """Store a correction of the ranking with other board results."""
    people = [
        list(c.seats.values_list("player_id", flat=True)) for c in tournament.published.contestants.all()
    ]
    rows = [
        drafts.Row(k, k, tuple(drafts.SeatRow(seat) for seat in seats), label=str(k))
        for k, seats in enumerate(people, start=1)
    ]
    with transaction.atomic():
        header = drafts.header_of(tournament)
        revision = drafts.store(header, rows, None, corrects=tournament, reason="wrong boards")
        boards.store_boards(revision, MATCHPOINTS, random_results(howell(8, 3)))
        strength.store_figures(revision)
    runs.score(runs.create_run(revision, None).pk)
    return revision


# --- No differences -----------------------------------------------------------------------------------------
def test_untouched_adjusted_results_are_equal(howell_session):
    session(DAY, random_results(howell(8, 3)), scored=IMPS)
    session(DAY, random_results(howell(4, 3)), size=8)  # four pairs of this session have no boards
    corrected_with_boards(howell_session)
    f.scored(*f.pairs(f.players(4, category="2P")))
    assert all_differences() == []
    (batch,) = verify_strength.batches()
    assert batch.counts == {"rankings": 4, "results": BoardResult.objects.count()}
    assert batch.counts["results"] == 2 * 4 * (5 + 3 + 3) + 2 * 2 * 3
    with read_only_database():
        lines, text = run_audit()
    assert text == "equal"
    assert f"4 rankings with {batch.counts['results']} results of boards; 0 files" in lines[0]


# --- Differences --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "stored"),
    [
        ({"adjusted": Decimal("77.7")}, "10 boards, 77.7000"),
        ({"adjusted": F("adjusted") + Decimal("0.0001")}, "10 boards, "),
        ({"boards_played": 200}, "200 boards, "),
        ({"adjusted": None}, "10 boards, None"),
        ({"adjusted": None, "boards_played": None}, "nothing"),
    ],
    ids=str,
)
def test_a_changed_adjusted_result_is_reported_with_its_row(howell_session, change, stored):
    right = howell_session.published.contestants.get(position=3)
    Contestant.objects.filter(pk=right.pk).update(**change)
    lines, text = run_audit()
    assert text.startswith("1: 1 differences: ")
    code, tournament, run, player, first, other = lines[0].split("\t")
    assert (code, tournament, run, player) == ("strength", str(howell_session.pk), "-", "-")
    where = f"ranking {howell_session.published_id}, row 3: "
    assert first.startswith(where + stored)
    assert other == f"{where}10 boards, {right.adjusted}"


def test_every_changed_adjusted_result_is_reported(howell_session):
    Contestant.objects.update(adjusted=Decimal("77.7"))
    assert [item.stored.split(": ")[0][-5:] for item in all_differences()] == [
        f"row {k}" for k in range(1, 9)
    ]


def test_a_changed_board_result_is_reported_for_all_contestants(howell_session):
    changed = BoardResult.objects.filter(board=1).earliest("score")
    BoardResult.objects.filter(pk=changed.pk).update(score=7000)
    assert {issue.code for issue in all_differences()} == {"strength"}
    # The adjusted results of all contestants change, because the strength of their opponents changes.
    assert len(all_differences()) == 8


def test_lost_board_results_are_reported(howell_session):
    BoardResult.objects.earliest("pk").delete()
    assert any("9 boards" in item.derived for item in all_differences())
    BoardResult.objects.all().delete()
    assert [item.stored.split(": ")[1] for item in all_differences()] == ["EngineError"]


def test_board_results_that_cannot_be_scored_are_reported(howell_session):
    BoardResult.objects.filter(board=1).update(ew=F("ns"))
    (difference,) = all_differences()
    assert "nobody plays against themselves" in difference.stored
    assert difference.derived == "results of boards that can be scored"


@pytest.mark.parametrize("scored", ["", "?"])
def test_another_way_of_scoring_is_reported(howell_session, scored):
    Revision.objects.filter(pk=howell_session.published_id).update(boards_scored=scored)
    (difference,) = all_differences()
    assert "Error" in difference.stored
    Revision.objects.filter(pk=howell_session.published_id).update(boards_scored=IMPS)
    assert len(all_differences()) == 8


def test_an_adjusted_result_without_board_results_is_reported():
    pool = f.scored(*f.pairs(f.players(4, category="2P")))
    assert list(verify_strength.batches()) == []
    pool.published.contestants.filter(position=1).update(adjusted=60)
    assert [item.derived.split(": ")[1] for item in all_differences()] == ["nothing"]


def test_board_results_of_a_contestant_of_another_ranking_are_reported(howell_session):
    other = f.scored(*f.pairs(f.players(4, category="2P"))).published.contestants.first()
    whose = howell_session.published.contestants.get(position=8)
    BoardResult.objects.filter(ns=whose).update(ns=other)
    BoardResult.objects.filter(ew=whose).update(ew=other)
    storeds = [item.stored for item in all_differences()]
    assert any(f"contestant {other.pk} of another ranking: nothing" in item for item in storeds)


def test_a_corrected_ranking_is_checked_too(howell_session):
    first = howell_session.published_id
    corrected_with_boards(howell_session)
    Contestant.objects.filter(revision=first, position=1).update(boards_played=1)
    assert [item.stored for item in all_differences()][0].startswith(f"ranking {first}, row 1: 1 boards")


# --- The command --------------------------------------------------------------------------------------------
def test_the_audit_can_be_limited_to_one_tournament_or_to_those_since_a_day(howell_session):
    other = session(date(2025, 1, 15), random_results(howell(8, 3)))
    Contestant.objects.filter(revision=other.published_id, position=1).update(adjusted=1)
    lines, text = run_audit("--tournament", str(howell_session.pk))
    assert text == "equal"
    assert "; 1 rankings with 40 results of boards; 0 files; " in lines[0]
    assert run_audit("--since", "2025-01-11")[1] == "equal"
    assert run_audit("--since", "2025-01-10")[1].startswith("1: ")
    assert run_audit("--tournament", str(other.pk))[1].startswith("1: ")


def test_an_interrupted_audit_resumes_where_it_stopped(howell_session, tmp_path, monkeypatch):
    others = [session(DAY, random_results(howell(8, 3))) for _ in range(2)]
    Contestant.objects.filter(revision=howell_session.published_id, position=1).update(adjusted=1)
    audited = resumed_audit(verify_strength, tmp_path, monkeypatch)
    assert audited.left["ranking"] == others[0].published_id
    assert audited.resumed_with[2] == others[0].published_id
    assert (
        audited.ending.startswith("1: 1 differences: 3 tournaments")
        and "3 rankings with 88 results" in audited.ending
    )
    assert len(audited.lines) == 1


def test_queries_do_not_grow_with_rankings(howell_session):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert all_differences() == []
        return len(captured)

    before = queries()
    for _ in range(3):
        session(DAY, random_results(howell(8, 3)))
    assert queries() == before == 4  # three, and one that finds no more rankings
