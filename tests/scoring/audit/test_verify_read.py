"""The audit reads the files of rankings again, and reports differences from the stored rankings."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.audit import read
from scoring.audit.read import Unread
from scoring.ledger.services import runs
from scoring.uploads.services import confirm
from tests import factories as f
from tests.scoring.audit.acts import read_only_database, resumed_audit, run_audit
from tests.scoring.uploads.makers import csv_of, usebio_of
from tournaments.formats.types import Entry, Person
from tournaments.models import BoardResult, Contestant, ResultUpload, Revision, StoredFile
from tournaments.services import uploads

pytestmark = pytest.mark.django_db

DETAILS = {
    "name": "Pool", "event_type": "pool", "format": "pairs", "venue": "in_person",
    "end_date": date(2026, 3, 14), "boards": 24, "ranking": "one",
}  # fmt: skip


@pytest.fixture
def pairs():
    return f.pairs(f.players(8, category="2P"))


def stored_upload(data: bytes, name: str = "pool.csv", **details) -> ResultUpload:
    club = f.club()
    return uploads.receive(f.director(club), club, name, data, {**DETAILS, **details})


def confirmed_revision(upload: ResultUpload) -> Revision:
    """Confirm an upload, ticking all its warnings, and score it. Return the stored ranking."""
    uploads.save(upload, uploads.Answers(ticks=uploads.draft_of(upload).by_tick))
    run = confirm.confirm(upload, upload.created_by)
    runs.score(run.pk)
    return run.revision


@pytest.fixture
def usebio(pairs) -> Revision:
    """A ranking read from a USEBIO file, with percentages and the results of 24 boards at two tables."""
    return confirmed_revision(stored_upload(usebio_of(pairs), "pool.xml"))


@pytest.fixture
def table(pairs) -> Revision:
    return confirmed_revision(stored_upload(csv_of(pairs)))


def all_differences() -> list[tuple[str, str, str]]:
    return [
        (difference.code, difference.stored, difference.derived)
        for batch in read.batches()
        for difference in batch.differences
    ]


def unread_counts() -> dict[Unread, int]:
    (batch,) = read.batches()
    return {"read": batch.counts["read_again"], **batch.unread}


# --- No differences -----------------------------------------------------------------------------------------
def test_untouched_rankings_are_equal(usebio, pairs):
    headings = "puesto;licencia;nombre;pareja;puntuación;línea"
    lines = [headings]
    for k, pair in enumerate(pairs):
        line = "N-S" if k % 2 else "E-O"
        lines += [
            f"{k // 2 + 1};{player.number};{player.full_name};{k + 1};{9 - k},5;{line}" for player in pair
        ]
    confirmed_revision(stored_upload("\r\n".join(lines).encode(), end_date=date(2026, 3, 13), ranking="two"))
    with read_only_database():
        lines, text = run_audit()
    assert text == "equal"
    expected = "2 rankings read again from their files; not read again: 0 without an upload, "
    assert f"; 2 files; {expected}0 typed by hand, 0 edited in the review, 0 whose file is gone; " in lines[0]


def test_a_file_is_read_again_with_the_directors_changes(pairs):
    """The audit reads a file as the director completed it: as pairs, and with a mended number.

    A file without pair numbers is first read as a ranking of individuals.
    """
    lines = ["puesto;licencia;nombre"]
    for k, pair in enumerate(pairs, start=1):
        lines += [f"{k};{pair[0].number};{pair[0].full_name}", f";{pair[1].number};{pair[1].full_name}"]
    lines[2], lines[4] = ";;A guest", ";7654321;Nobody"
    upload = stored_upload("\r\n".join(lines).encode(), format="individual")
    uploads.save(upload, uploads.Answers(upload.club, DETAILS))
    uploads.save(upload, uploads.Answers(seats={(1, 1): pairs[1][1].number}))
    upload.refresh_from_db()
    uploads.save(upload, uploads.Answers(upload.club, {**DETAILS, "name": "Another"}))
    confirmed_revision(upload)
    assert (all_differences(), unread_counts()) == ([], {"read": 1})


# --- Differences --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "stored", "derived"),
    [
        ({"percentage": Decimal("71")}, "percentage 71.000", "percentage 69.500"),
        ({"percentage": None}, "percentage None", "percentage 69.500"),
        ({"score": Decimal("0.001")}, "score 0.001", "score None"),
        ({"place": 3}, "place 3", "place 2"),
        ({"label": "9", "field": "NS"}, "field NS, label 9", "field , label 2"),
    ],
    ids=str,
)
def test_a_changed_row_of_a_ranking_is_reported(table, change, stored, derived):
    Contestant.objects.filter(revision=table, position=2).update(**change)
    where = f"ranking {table.pk}, row 2: "
    assert all_differences() == [("read_row", where + stored, where + derived)]
    lines, text = run_audit("--tournament", str(table.tournament_id))
    assert f"read_row\t{table.tournament_id}\t-\t-\t{where}{stored}\t{where}{derived}" in lines


def test_a_changed_score_is_reported(pairs):
    data = csv_of(pairs, "puesto;licencia;nombre;pareja;puntuación")
    revision = confirmed_revision(stored_upload(data))
    Contestant.objects.filter(position=4).update(score=F("score") + 1)
    where = f"ranking {revision.pk}, row 4: score "
    assert all_differences() == [("read_row", f"{where}70.000", f"{where}69.000")]


def test_additional_and_missing_rows_are_reported(table):
    Contestant.objects.create(revision=table, position=5, place=5)
    where = f"ranking {table.pk}, row 5: "
    assert all_differences() == [("read_row", f"{where}place 5", f"{where}nothing")]
    Revision.objects.get().contestants.filter(position__gt=3).update(position=F("position") + 5, place=9)
    assert [item[2][-7:] for item in all_differences()] == ["place 4", "nothing", "nothing"]


def test_a_changed_or_missing_board_result_is_reported(usebio):
    changed = BoardResult.objects.filter(board=3).earliest("pk")
    BoardResult.objects.filter(pk=changed.pk).update(score=-50)
    where = f"ranking {usebio.pk}, board 3, row 1 against 2: "
    assert all_differences() == [("read_board", f"{where}-50", f"{where}420")]
    BoardResult.objects.filter(pk=changed.pk).update(score=None, adjusted_ns=60, adjusted_ew=40)
    assert [item[1] for item in all_differences()] == [f"{where}60 % and 40 %"]
    BoardResult.objects.filter(pk=changed.pk).delete()
    assert [item[1] for item in all_differences()] == [f"{where}nothing"]


def test_a_board_result_moved_to_another_pair_is_reported_twice(usebio):
    BoardResult.objects.filter(pk=BoardResult.objects.earliest("pk").pk).update(ew=F("ns"), ns=F("ew"))
    assert [item[0] for item in all_differences()] == ["read_board"] * 2


def test_another_way_of_scoring_is_reported(usebio):
    Revision.objects.update(boards_scored="imp")
    assert [item[1:] for item in all_differences()] == [
        (f"ranking {usebio.pk}, boards: imp", f"ranking {usebio.pk}, boards: mp")
    ]


def test_a_changed_or_unreadable_file_is_reported(table):
    file = StoredFile.objects.get()
    changed = bytes(file.content).replace(b";69,75", b";69,80")
    StoredFile.objects.update(content=changed)
    where = f"ranking {table.pk}, row 1: percentage "
    assert all_differences() == [("read_row", f"{where}69.750", f"{where}69.800")]
    StoredFile.objects.update(content=b"puesto;licencia\r\n")
    assert [item[0] for item in all_differences()] == ["read_file"]
    lines, text = run_audit()
    assert [line.split("\t")[0] for line in lines] == ["file", "read_file"]


def test_a_corrected_ranking_is_read_again_too(table, pairs):
    upload = ResultUpload.objects.get()
    data = csv_of([pairs[1], pairs[0], *pairs[2:]])
    later = uploads.receive(
        upload.created_by, upload.club, "b.csv", data, DETAILS, corrects=table.tournament, reason="order"
    )
    confirmed_revision(later)
    assert (all_differences(), unread_counts()) == ([], {"read": 2})
    Contestant.objects.filter(revision=table, position=1).update(percentage=1)
    assert [item[1][:20] for item in all_differences()] == [f"ranking {table.pk}, row 1: percentage 1"[:20]]


# --- Rankings without a file to compare ---------------------------------------------------------------------
def test_rankings_that_cannot_be_read_again_are_counted(pairs, table):
    # Within a week, an upload with the same ranking would be taken for the same tournament.
    f.scored(*pairs, end_date=date(2026, 1, 5))
    edited = stored_upload(csv_of(pairs) + b"\r\n", end_date=date(2026, 1, 15))
    entries = [
        Entry(
            k,
            str(k),
            str(k),
            None,
            None,
            None,
            None,
            None,
            tuple(Person(player.number, player.full_name) for player in pair),
            None,
        )
        for k, pair in enumerate(pairs, start=1)
    ]
    uploads.replace_entries(edited, entries)
    confirmed_revision(edited)
    club = f.club()
    typed = uploads.receive_typed(f.director(club), club, {**DETAILS, "end_date": date(2026, 1, 25)})
    uploads.replace_entries(typed, entries)
    confirmed_revision(typed)
    gone = confirmed_revision(stored_upload(csv_of(pairs) + b"\r\n\r\n", end_date=date(2026, 2, 5)))
    gone.upload.file.delete()
    Contestant.objects.exclude(revision=table).update(score=5)
    assert all_differences() == []
    assert unread_counts() == {
        "read": 1,
        Unread.NO_UPLOAD: 1,
        Unread.TYPED: 1,
        Unread.EDITED: 1,
        Unread.GONE: 1,
    }
    text = run_audit()[1]
    assert "1 rankings read again from their files; not read again: 1 without an upload, " in text
    assert "1 typed by hand, 1 edited in the review, 1 whose file is gone" in text


# --- The command --------------------------------------------------------------------------------------------
def test_the_audit_can_be_limited_to_one_tournament_or_to_those_since_a_day(table, pairs):
    other = confirmed_revision(stored_upload(csv_of(pairs) + b"\r\n", end_date=date(2026, 1, 15)))
    Contestant.objects.filter(revision=other, position=1).update(percentage=1)
    assert run_audit("--tournament", str(table.tournament_id))[1] == "equal"
    assert run_audit("--since", "2026-01-16")[1] == "equal"
    assert run_audit("--since", "2026-01-15")[1].startswith("1: 1 differences")
    assert run_audit("--tournament", str(other.tournament_id))[1].startswith("1: 1 differences")


def test_an_interrupted_audit_resumes_where_it_stopped(table, tmp_path, monkeypatch):
    others = [f.scored(*f.pairs(f.players(4, category="2P"))).published_id for _ in range(2)]
    Contestant.objects.filter(revision=table, position=1).update(percentage=1)
    audited = resumed_audit(read, tmp_path, monkeypatch)
    assert audited.left["read_last"] == others[0]
    assert audited.resumed_with[2] == others[0]
    assert audited.ending.startswith("1: 1 differences")
    assert "1 rankings read again from their files; not read again: 2 without an upload, " in audited.ending
    assert len(audited.lines) == 1


def test_queries_do_not_grow_with_files(pairs):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert all_differences() == []
        return len(captured)

    confirmed_revision(stored_upload(csv_of(pairs)))
    before = queries()
    for k in range(1, 4):
        confirmed_revision(
            stored_upload(csv_of(pairs) + b"\r\n" * k, end_date=date(2026, 1, 1) + timedelta(days=10 * k))
        )
    assert queries() == before == 7  # one, five for the files, and one that finds no more rankings
