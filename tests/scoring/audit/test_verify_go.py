"""The audit of Go ratings names every tournament whose data were tampered with, and no other."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring.audit import go
from scoring.ratings.models import (
    GoUpload,
    RatedPlayer,
    Rating,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingTournament,
)
from scoring.ratings.services import register, replays
from tests import factories
from tests.scoring.audit.acts import resumed_audit, run_audit
from tests.scoring.ratings import makers
from tests.scoring.ratings.test_replays import random_history, replay_since

pytestmark = pytest.mark.django_db

TAIL = "0 tournaments, 0 runs, 0 awards; "


@pytest.fixture
def history() -> list[RatingTournament]:
    """Three tournaments of the same four players."""
    return [
        makers.registered(makers.event(f"Copa {k}", date(2026, 1, 1) + timedelta(days=7 * k)))
        for k in range(3)
    ]


def all_differences() -> list[go.Difference]:
    return [difference for batch in go.batches() for difference in batch.differences]


def ratings_of(tournament, name: str = "Uno 1"):
    return Rating.objects.filter(entrant__tournament=tournament, entrant__player__name=name)


# --- No differences -------------------------------------------------------------------------------------
def test_an_untouched_history_is_equal():
    random_history()
    for replay in RatingReplay.objects.filter(state="pending"):
        replays.replay(replay.pk)
    lines, text = run_audit()
    assert text == "equal"
    assert lines[0].startswith(
        f"equal: {TAIL}14 of Go, 112 ratings, {RatingGame.objects.filter(rated=True).count()} games;"
    )
    for size in ("1", "5"):
        assert run_audit("--batch", size)[1] == "equal"
    assert run_audit("--since", "2020-11-01")[0][0].startswith(f"equal: {TAIL}8 of Go")


def test_ratings_that_wait_for_a_replay_are_counted_but_not_compared(history):
    corrected = makers.event("Copa 1", date(2026, 1, 8), games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    _tournament, replay = register.register(corrected, None)
    lines, text = run_audit()
    assert text == "equal"
    assert f"{TAIL}1 of Go, 4 ratings, 2 games" in lines[0]
    assert "; 2 tournaments of Go wait for their ratings" in lines[0]
    replays.replay(replay.pk)
    assert "3 of Go, 12 ratings, 6 games" in run_audit()[0][0]


def test_ratings_missing_after_a_failed_replay_are_reported(history):
    tournament, replay = register.register(makers.event("Copa 9", date(2026, 3, 1)), None)
    type(replay).objects.filter(pk=replay.pk).update(state="failed")
    differences = all_differences()
    assert {(difference.code, difference.tournament, difference.stored) for difference in differences} == {
        ("go_rating", tournament.pk, "nothing")
    }
    assert {difference.player for difference in differences} == {
        "10000001",
        "10000002",
        "10000003",
        "10000004",
    }


def test_ratings_posted_between_two_batches_are_no_difference(history):
    batches = go.batches(size=1)
    assert next(batches).differences == []
    first = makers.event("Copa 0", date(2026, 1, 1), games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    makers.registered(first)
    assert [batch.differences for batch in batches] == [[], []]


# --- Differences ----------------------------------------------------------------------------------------
def test_a_changed_rating_is_reported_in_its_tournament_and_in_the_next(history):
    rating = ratings_of(history[1]).get()
    ratings_of(history[1]).update(after=1999.5)
    lines, text = run_audit()
    assert text.startswith("1: 2 differences: ")
    assert lines[0].split("\t") == [
        "go_rating",
        str(history[1].pk),
        "-",
        "10000001",
        "after=1999.5",
        f"after={rating.after!r}",
    ]
    # The ratings of the next tournament follow from the original rating, not from the tampered one.
    assert lines[1].split("\t")[:5] == [
        "go_rating",
        str(history[2].pk),
        "-",
        "10000001",
        f"before={rating.after!r}",
    ]
    assert len(lines) == 2


def test_even_the_smallest_difference_of_a_rating_is_reported(history):
    ratings_of(history[2]).update(after=F("after") + 1e-10)
    assert [issue.code for issue in all_differences()] == ["go_rating"]


@pytest.mark.parametrize(
    "change",
    [{"regulation": "egf-classic"}, {"reset_to": 1600}, {"highest_before": "4k"}, {"games": 2}],
    ids=str,
)
def test_every_stored_figure_of_a_rating_is_compared(history, change):
    ratings_of(history[2]).update(**change)
    (difference,) = all_differences()
    ((name, value),) = change.items()
    assert difference.stored == f"{name}={value!r}"
    assert difference.derived.startswith(f"{name}=")


def test_changed_and_missing_games_are_reported(history):
    game = history[0].games.first()
    RatingGame.objects.filter(pk=game.pk).update(half_points=0)
    assert {(issue.code, issue.tournament) for issue in all_differences()} == {("go_rating", history[0].pk)}
    assert len(all_differences()) == 2
    game.delete()
    assert len(all_differences()) == 2


def test_a_lost_rating_is_reported(history):
    ratings_of(history[1]).delete()
    assert [(item.stored, item.tournament) for item in all_differences()] == [("nothing", history[1].pk)]


def test_games_that_cannot_be_rated_are_reported(history):
    RatingEntrant.objects.filter(tournament=history[0], position=1).update(seed=3300)
    assert [(issue.code, issue.tournament) for issue in all_differences()] == [
        ("go_unreadable", history[0].pk)
    ]


def test_a_changed_row_of_the_rating_list_is_reported(history):
    RatedPlayer.objects.filter(name="Uno 3").update(rating=1.0, events=9)
    lines, text = run_audit()
    assert text.startswith("1: 1 differences")
    assert lines[0].startswith("go_player\t-\t-\t10000003\trating=1.0, grade=5k, day=2026-01-15, events=9\t")
    RatedPlayer.objects.filter(name="Uno 3").update(pin="")
    assert run_audit()[0][0].split("\t")[3] == f"id {makers.player('Uno 3').pk}"


# --- Logged changes -------------------------------------------------------------------------------------
@pytest.fixture
def rerated_tournament(history) -> RatingTournament:
    """The second tournament of `history`. Its ratings changed when an earlier tournament was registered."""
    earlier = makers.event("Copa 0 bis", date(2026, 1, 1), games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    makers.registered(earlier)
    return history[1]


def changes_of(tournament, name: str = "Uno 1"):
    return RatingChange.objects.filter(tournament=tournament, player__name=name).order_by("pk")


def test_a_gap_in_the_noted_changes_of_a_rating_is_reported(rerated_tournament):
    assert all_differences() == []
    first, last = changes_of(rerated_tournament)
    RatingChange.objects.filter(pk=last.pk).update(old=1.5)
    lines, text = run_audit()
    assert text.startswith("1: 1 differences")
    assert lines[0].split("\t") == [
        "go_change",
        str(rerated_tournament.pk),
        "-",
        "10000001",
        f"change {last.pk}: from 1.5",
        f"from {first.new!r}",
    ]
    RatingChange.objects.filter(pk=last.pk).update(old=first.new)
    RatingChange.objects.filter(pk=first.pk).update(new=7)
    assert [(issue.code, issue.derived) for issue in all_differences()] == [("go_change", "from 7.0")]
    first.delete()
    assert [(issue.code, issue.derived) for issue in all_differences()] == [("go_change", "from None")]


def test_a_missing_last_change_of_a_rating_is_reported(rerated_tournament):
    right = ratings_of(rerated_tournament).get().after
    changes_of(rerated_tournament).last().delete()
    assert [item.derived for item in all_differences()] == [f"to {right!r}"]
    changes_of(rerated_tournament).delete()
    assert [(item.stored, item.derived) for item in all_differences()] == [
        ("the last change: to None", f"to {right!r}")
    ]


def test_the_last_change_of_a_player_left_out_by_a_correction_is_checked(history):
    people = makers.people(4)[:3]
    event = makers.event("Copa 1", date(2026, 1, 8), people, [(1, 1, 2, "1")])
    makers.registered(event, corrects=history[1])
    assert all_differences() == []
    changes_of(history[1], "Uno 4").last().delete()
    assert [(item.player, item.derived) for item in all_differences()] == [("10000004", "to None")]


def test_ratings_corrected_by_a_replay_are_no_longer_reported(history):
    right = ratings_of(history[1]).get().after
    ratings_of(history[1]).update(after=1999.5)
    replay_since()
    assert [(item.old, item.new) for item in changes_of(history[1])] == [(None, right), (1999.5, right)]
    assert all_differences() == []


# --- Files ----------------------------------------------------------------------------------------------
@pytest.fixture
def upload() -> GoUpload:
    director = factories.director(factories.club())
    upload = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    replays.replay(upload.replay_id)
    return upload


def test_games_that_differ_from_the_file_are_reported(upload):
    assert all_differences() == []
    game = upload.tournament.games.get(round=1, first__position=1)
    RatingGame.objects.filter(pk=game.pk).update(half_points=1 - game.half_points // 2)
    replay_since()  # so that the ratings follow from the changed game
    (difference,) = all_differences()
    assert difference.code == "go_source"
    assert (difference.stored, difference.derived) == (
        "games: [(1, 1, 2, 0, 0, '')]",
        "games: [(1, 1, 2, 2, 0, '')]",
    )


def test_players_days_and_classes_that_differ_from_the_file_are_reported(upload):
    upload.tournament.entrants.filter(position=4).update(declared="6k")
    RatingTournament.objects.update(tournament_class="B", end_date=date(2026, 3, 16), digest="0" * 64)
    replay_since()
    differences = {item.stored: item.derived for item in all_differences()}
    assert [name.split(" ")[0] for name in differences] == ["digest:", "last", "class:", "players:"]
    assert differences["players: [(4, '6k', None)]"] == "players: [(4, '5k', None)]"


def test_an_upload_that_cannot_be_read_again_is_reported(upload):
    GoUpload.objects.update(details={"end_date": "2020-01-01"})
    assert [(issue.code, issue.stored) for issue in all_differences()] == [
        ("go_source", "file: cannot be read")
    ]


def test_a_corrected_tournament_is_compared_with_the_corrections_file(upload):
    text = makers.FILE.replace("2+/w", "2-/w").replace("1-/b 4", "1+/b 4")
    again = makers.upload(upload.created_by, text)
    corrected = makers.confirmed(again, upload.created_by, {"go_no_pin"})
    replays.replay(corrected.replay_id)
    assert corrected.tournament == upload.tournament
    assert all_differences() == []


# --- The command ----------------------------------------------------------------------------------------
def test_an_interrupted_audit_resumes_where_it_stopped(history, tmp_path, monkeypatch):
    ratings_of(history[0]).update(games=7)
    audited = resumed_audit(go, tmp_path, monkeypatch)
    assert audited.left["go_last"] == ["2026-01-08", history[1].pk]
    assert audited.resumed_with[1] == (date(2026, 1, 8), history[1].pk)
    assert audited.ending.startswith(f"1: 1 differences: {TAIL}3 of Go, 12 ratings, 6 games")
    assert len(audited.lines) == 1


def test_the_audit_of_one_bridge_tournament_ignores_go(history):
    ratings_of(history[0]).update(games=7)
    pool = factories.scored(*factories.pairs(factories.players(4, category="1P")))
    assert run_audit("--tournament", str(pool.pk))[1] == "equal"


def test_queries_do_not_grow_with_games(history):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert all_differences() == []
        return len(captured)

    before = queries()
    makers.registered(
        makers.event("Otra", date(2026, 2, 10), makers.people(8), [(1, 1, 2, "1"), (2, 5, 6, "0")])
    )
    assert queries() == before
