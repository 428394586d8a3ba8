"""Annulling and restoring a tournament: no points are lost or doubled, in whatever order workers run."""

from datetime import date

import pytest
from django.core.exceptions import ValidationError

from scoring.annulments import services as annul
from scoring.annulments.models import Annulment
from scoring.audit import go, transfers, verify
from scoring.ledger.models import LedgerEntry, ScoringRun, Standing
from scoring.ledger.services import runs
from scoring.office.services import merges, rescore
from scoring.ratings.models import Rating, RatingChange, RatingReplay
from scoring.ratings.services import register, replays
from scoring.uploads.services import confirm
from tests import factories as make
from tests.scoring.ratings import makers
from tests.scoring.uploads.makers import csv_of, details
from tournaments import drafts
from tournaments.services import uploads
from tournaments.services.drafts import draft_of

pytestmark = pytest.mark.django_db
Kind, State = LedgerEntry.Kind, ScoringRun.State


@pytest.fixture
def office(db):
    return make.office()


@pytest.fixture
def players(db):
    return make.players(8, category="2P")


@pytest.fixture
def tournament(players):
    return make.scored(*make.pairs(players))


def standing(tournament) -> dict[int, int]:
    entries = LedgerEntry.objects.filter(tournament=tournament, reversed_by=None).exclude(kind=Kind.REVERSAL)
    return dict(entries.values_list("player_id", "points"))


def in_list() -> dict[int, int]:
    return dict(Standing.objects.values_list("player_id", "points"))


def wrong() -> list:
    batches = [difference for batch in verify.batches() for difference in batch.differences]
    return [*batches, *verify.compare_standings()[1], *transfers.differences()]


def corrected(tournament, players) -> ScoringRun:
    """Store a correction with the players in reverse order. Return its run, which is not scored yet."""
    revision = drafts.store(
        drafts.header_of(tournament),
        make.rows(*make.pairs(players[::-1])),
        None,
        corrects=tournament,
        reason="Upside down",
    )
    return runs.create_run(revision, None, "Upside down")


def test_annulling_takes_the_points_back_and_restoring_gives_them_again(tournament, office):
    before, listed = standing(tournament), in_list()
    run = annul.annul(tournament.pk, "Uploaded by mistake", office)
    assert standing(tournament) == before  # until the worker has run
    runs.score(run.pk)
    assert (standing(tournament), in_list()) == ({}, {})
    reversals = LedgerEntry.objects.filter(kind=Kind.REVERSAL)
    assert {(reversal.reason, reversal.posted_by) for reversal in reversals} == {
        ("Uploaded by mistake", office)
    }
    assert wrong() == []
    runs.score(annul.restore(tournament.pk, "It was played after all", office).pk)
    assert (standing(tournament), in_list()) == (before, listed)
    assert wrong() == []
    acts = Annulment.objects.order_by("pk").values_list("act", "reason", "created_by")
    assert list(acts) == [
        ("annulled", "Uploaded by mistake", office.pk),
        ("restored", "It was played after all", office.pk),
    ]


def test_restoring_gives_the_same_points_although_categories_have_changed(tournament, players, office):
    before = standing(tournament)
    runs.score(annul.annul(tournament.pk, "Mistake", office).pk)
    make.assign(players[0], "1P", date(2026, 1, 1))
    runs.score(annul.restore(tournament.pk, "No mistake", office).pk)
    assert standing(tournament) == before


def test_repeated_or_lost_messages_never_take_points_back_twice(tournament, office, monkeypatch):
    before = standing(tournament)
    run = annul.annul(tournament.pk, "Mistake", office)
    with monkeypatch.context() as patch:
        patch.setattr("scoring.ledger.services.posting.finish", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            runs.score(run.pk)
    assert standing(tournament) == before
    assert run.pk in {*ScoringRun.objects.filter(state=State.PENDING).values_list("pk", flat=True)}
    for _ in range(2):
        runs.score(run.pk)
    assert standing(tournament) == {}
    assert LedgerEntry.objects.filter(kind=Kind.REVERSAL).count() == len(before)
    with pytest.raises(ValidationError):
        annul.annul(tournament.pk, "Again", office)
    assert wrong() == []


@pytest.mark.parametrize("first", ["correction", "annulment"])
def test_an_annulment_and_a_waiting_correction_can_run_in_either_order(tournament, players, office, first):
    correction = corrected(tournament, players)
    annulment = annul.annul(tournament.pk, "Mistake", office)
    order = [correction, annulment] if first == "correction" else [annulment, correction]
    for run in order:
        runs.score(run.pk)
    assert standing(tournament) == {}
    correction.refresh_from_db()
    assert correction.state == (State.DONE if first == "correction" else State.OUTDATED)
    assert wrong() == []
    runs.score(annul.restore(tournament.pk, "No mistake", office).pk)
    best = max(standing(tournament), key=standing(tournament).get)
    assert best in {players[-1].pk, players[-2].pk}  # from the correction, whichever run came first
    assert wrong() == []


def test_an_annulment_scored_after_the_restoring_changes_nothing(tournament, office):
    before = standing(tournament)
    late = annul.annul(tournament.pk, "Mistake", office)
    runs.score(annul.restore(tournament.pk, "No mistake", office).pk)
    runs.score(late.pk)
    late.refresh_from_db()
    assert late.state == State.OUTDATED
    assert standing(tournament) == before
    assert wrong() == []


def test_an_annulled_tournament_cannot_be_corrected_or_scored_again(tournament, players, office):
    director = make.director(tournament.club)
    details = uploads.details_of(tournament)
    ranking = csv_of(make.pairs(players[::-1]))
    upload = uploads.receive(director, tournament.club, "otra.csv", ranking, details, tournament, "Scores")
    assert "corrects_annulled" not in {issue.code for issue in draft_of(upload).issues}
    annul.annul(tournament.pk, "Mistake", office)
    with pytest.raises(confirm.NotConfirmable) as refused:
        confirm.confirm(upload, director)
    assert "corrects_annulled" in refused.value.codes
    tournament.refresh_from_db()
    assert rescore.alternatives(tournament) == []


def test_a_tournament_whose_file_counts_again_cannot_be_restored(players, office):
    """A tournament is not restored while the same file counts as another tournament.

    The file was uploaded under a wrong name, annulled, and uploaded again under the right one.
    """
    club = players[0].club
    director = make.director(club)

    def confirmed(name: str):
        form = details(name=name, boards=24)
        upload = uploads.receive(director, club, "pool.csv", csv_of(make.pairs(players)), form)
        assert [issue.code for issue in draft_of(upload).issues if issue.severity == "error"] == []
        run = confirm.confirm(upload, director)
        runs.score(run.pk)
        return run.tournament

    first = confirmed("Martes")
    runs.score(annul.annul(first.pk, "Wrong name", director).pk)
    second = confirmed("Miércoles")
    with pytest.raises(ValidationError, match=second.name):
        annul.restore(first.pk, "Both", office)
    runs.score(annul.annul(second.pk, "Wrong name", director).pk)
    assert annul.restore(first.pk, "It was the right one", office)


def test_annulling_also_takes_back_points_that_a_merge_moved(tournament, players, office):
    kept = make.player()
    merges.merge(players[0], kept, "Registered twice", office)
    before = standing(tournament)
    assert kept.pk in before
    runs.score(annul.annul(tournament.pk, "Mistake", office).pk)
    assert standing(tournament) == {}
    runs.score(annul.restore(tournament.pk, "No mistake", office).pk)
    assert standing(tournament) == before
    assert wrong() == []


def test_only_the_office_and_the_director_who_annulled_may_restore(tournament, office):
    director, colleague = (make.director(tournament.club) for _ in range(2))
    far = make.director(make.club())
    assert [annul.may_annul(item, tournament) for item in (director, office, far)] == [True, True, False]
    runs.score(annul.annul(tournament.pk, "Mistake", director).pk)
    tournament.refresh_from_db()
    restorers = (director, office, colleague, far)
    assert [annul.may_restore(restorer, tournament) for restorer in restorers] == [True, True, False, False]


def test_the_audit_reports_a_tournament_marked_annulled_without_a_run(tournament):
    type(tournament).objects.update(annulled_at=tournament.created_at)
    assert [(issue.code, issue.stored, issue.derived) for issue in wrong()] == [
        ("annulled", "annulled", "counts")
    ]


# --- Go -------------------------------------------------------------------------------------------------
def test_annulling_a_go_tournament_gives_the_ratings_without_it(office):
    first = makers.registered(makers.event("Antes", date(2026, 1, 1)))
    annulled = makers.registered(makers.event("Copa", date(2026, 2, 1)))
    later = makers.registered(makers.event("Después", date(2026, 3, 1)))
    before = makers.after(later)
    replay = annul.annul_go(annulled.pk, "Wrong class", office)
    assert not Rating.objects.filter(entrant__tournament=annulled).exists()
    replays.replay(replay.pk)
    assert verify_problems() == []
    assert makers.player("Uno 1").events == 2
    assert makers.after(later) != before
    assert makers.after(first)
    replays.replay(annul.restore_go(annulled.pk, "The class was right", office).pk)
    assert makers.after(later) == before
    assert makers.player("Uno 1").events == 3
    assert verify_problems() == []
    kept = RatingChange.objects.filter(tournament=annulled, player=makers.player("Uno 1")).order_by("pk")
    assert [(item.old is None, item.new is None) for item in kept] == [
        (True, False),
        (False, True),
        (True, False),
    ]


def verify_problems() -> list:
    batches = [difference for batch in go.batches() for difference in batch.differences]
    return [*batches, *go.player_differences(), *replays.differences(date.min)]


def test_the_audit_reports_a_rating_of_an_annulled_go_tournament(office):
    event = makers.registered(makers.event())
    stored = Rating.objects.first()
    replays.replay(annul.annul_go(event.pk, "Mistake", office).pk)
    stored.save(force_insert=True)
    batches = [difference for batch in go.batches() for difference in batch.differences]
    assert [(issue.code, issue.derived) for issue in batches] == [("go_rating", "nothing")]


def test_a_running_replay_posts_no_rating_of_a_tournament_annulled_during_it(office, monkeypatch):
    event, replay = register.register(makers.event(), None)
    real, calls = replays.spool, []

    def annulling(place, file):
        number = real(place, file)
        if not calls:
            calls.append(annul.annul_go(event.pk, "Mistake", office))
        return number

    monkeypatch.setattr(replays, "spool", annulling)
    replays.replay(replay.pk)
    replays.replay(calls[0].pk)
    assert not Rating.objects.exists()
    assert set(RatingReplay.objects.values_list("state", flat=True)) == {"done"}
    assert verify_problems() == []


def test_an_annulled_go_tournament_cannot_be_corrected_and_does_not_block_others(office):
    event = makers.registered(makers.event())
    annul.annul_go(event.pk, "Mistake", office)
    again = makers.event(games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    assert register.preview(again, office).has_errors
    with pytest.raises(register.NotConfirmable):
        register.register(again, office)
    # The annulled tournament has the same games, but they do not count, so this is no repetition.
    assert not register.preview(makers.event("Otra"), office).issues


def test_a_go_tournament_registered_again_cannot_be_restored(office):
    first = makers.confirmed(makers.upload(office), office, {"go_no_pin"}).tournament
    annul.annul_go(first.pk, "Wrong name", office)
    again = makers.upload(office, name="Copa del Faro")
    second = makers.confirmed(again, office, {"go_no_pin", "go_same_event", "go_same_games"}).tournament
    with pytest.raises(ValidationError, match="Copa del Faro"):
        annul.restore_go(first.pk, "Both", office)
    annul.annul_go(second.pk, "Wrong name", office)
    assert annul.restore_go(first.pk, "It was the right one", office)
