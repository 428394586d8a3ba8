"""Registering Go tournaments, and replaying the ratings of all later ones."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from scoring import regulations
from scoring.audit import go
from scoring.ledger.services import queue, sweeper
from scoring.ratings import history
from scoring.ratings.models import (
    RatedPlayer,
    Rating,
    RatingChange,
    RatingGame,
    RatingReplay,
    RatingTournament,
)
from scoring.ratings.services import register, replays
from scoring.regulations.egf.types import Game, Player, Tournament
from tests import factories
from tests.scoring.ratings import makers
from tournaments.formats.go_types import GoPlayer

pytestmark = pytest.mark.django_db


def whole_history() -> dict[int, tuple]:
    """Return every stored rating, by entrant."""
    return {pk: values for pk, *values in Rating.objects.values_list("pk", *history.RatingValues._fields)}


def test_the_stored_ratings_are_those_of_the_engine():
    tournament = makers.registered(makers.event())
    rated = regulations.get("egf-2021").rate(
        Tournament(
            players=tuple(Player(str(k), None, "5k") for k in range(4)),
            games=(Game(1, "0", "1", 1.0), Game(1, "2", "3", 1.0)),
        )
    )
    assert list(makers.after(tournament).values()) == [change.after for change in rated.changes]
    assert makers.player("Uno 1").rating == rated.changes[0].after
    assert (makers.player("Uno 1").events, makers.player("Uno 1").grade) == (1, "5k")


def test_the_day_chooses_the_rating_system():
    old = makers.registered(makers.event(end=date(2020, 12, 31)))
    new = makers.registered(makers.event(end=date(2021, 1, 1)))
    result = [item.entrants.first().result.regulation for item in (old, new)]
    assert result == ["egf-classic", "egf-2021"]


def test_registering_a_tournament_twice_changes_nothing():
    first = makers.registered(makers.event())
    before = whole_history()
    again, replay = register.register(makers.event(), None)
    assert (again, replay) == (first, None)
    assert RatingTournament.objects.count() == 1
    assert whole_history() == before


def test_an_old_tournament_replays_all_later_ones():
    """Only the order of the days matters, not the order of registering."""
    days = [date(2026, month, 1) for month in (1, 2, 3)]
    events = [makers.event(f"Copa {k}", day) for k, day in enumerate(days)]
    for event in (events[2], events[0], events[1]):
        makers.registered(event)
    late = RatingTournament.objects.get(name="Copa 2")
    ratings = makers.after(late)
    RatingChange.objects.all().delete()
    for event in RatingTournament.objects.all():
        event.replays.all().delete()
        event.delete()
    RatedPlayer.objects.all().delete()
    for event in events:
        makers.registered(event)
    assert makers.after(RatingTournament.objects.get(name="Copa 2")) == ratings


def test_a_correction_posts_only_differences_with_old_and_new():
    first = makers.registered(makers.event("Copa 1", date(2026, 1, 1)))
    apart = makers.registered(makers.event("Otra", date(2026, 1, 15), makers.people(2, 50), [(1, 1, 2, "1")]))
    second = makers.registered(makers.event("Copa 2", date(2026, 2, 1)))
    old_first, old_second, untouched = makers.after(first), makers.after(second), makers.after(apart)
    RatingChange.objects.all().delete()
    corrected = makers.event("Copa 1", date(2026, 1, 1), games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    assert makers.registered(corrected) == first
    changes = {
        (change.tournament_id, change.player.name): (change.old, change.new)
        for change in RatingChange.objects.select_related("player")
    }
    # Only the two players of the corrected game, in that tournament and later ones.
    assert changes == {
        (event.pk, name): (old[name], makers.after(event)[name])
        for event, old in ((first, old_first), (second, old_second))
        for name in ("Uno 1", "Uno 2")
    }
    assert makers.after(apart) == untouched
    assert RatingReplay.objects.latest("pk").changed == 4
    assert list(replays.differences(date.min)) == []


def test_a_correction_may_remove_a_player():
    first = makers.registered(makers.event())
    old = makers.after(first)
    makers.registered(makers.event(players=makers.people(2), games=[(1, 1, 2, "1")]), corrects=first)
    assert set(makers.after(first)) == {"Uno 1", "Uno 2"}
    gone = RatingChange.objects.get(player__name="Uno 3", new=None)
    assert gone.old == old["Uno 3"]
    assert makers.player("Uno 3").rating is None


@pytest.mark.parametrize("what", ["day", "grade"])
def test_a_correction_that_changes_no_rating_reaches_the_rating_list(what):
    """The rating list shows day and grade of the last tournament. They can change although no rating does."""
    made = makers.event(end=date(2026, 3, 1))
    tournament = makers.registered(made)
    makers.registered(makers.event("Antes", date(2026, 2, 1)))
    if what == "day":
        corrected = replace(made, end=date(2026, 3, 2))
    else:
        players = tuple(replace(player, grade="4k") for player in made.result.players)
        corrected = replace(made, result=replace(made.result, players=players))
    before = makers.after(tournament)
    makers.registered(corrected)
    assert makers.after(tournament) == before
    rows = set(RatedPlayer.objects.values_list("grade", "last_played"))
    assert rows == {("5k", date(2026, 3, 2)) if what == "day" else ("4k", date(2026, 3, 1))}
    assert go.player_differences() == []


def test_games_that_are_not_rated_change_nothing():
    event = makers.event()
    games = (*event.result.games, replace(event.result.games[0], round=2, reason="forfeit"))
    tournament = makers.registered(replace(event, result=replace(event.result, games=games)))
    assert tournament.games.filter(rated=False).count() == 1
    assert set(Rating.objects.values_list("games", flat=True)) == {1}


def test_the_files_first_rating_is_used_and_a_higher_grade_resets_it():
    """A player's first rating is that of the file. A grade two above the highest so far resets the rating.

    The player enters with 1412 and 7k, and declares 5k later. The nominal rating of 5k is 1600.
    """
    first, two = makers.people(2, grade="7k")
    makers.registered(
        makers.event("Antes", date(2019, 1, 1), (replace(first, rating="1412"), two), [(1, 1, 2, "0.5")])
    )
    promoted = (replace(first, grade="5k"), replace(two, grade="6k"))
    makers.registered(makers.event("Después", date(2019, 2, 1), promoted, [(1, 1, 2, "1")]))
    response = Rating.objects.get(entrant__player=makers.player("Uno 1"), entrant__tournament__name="Después")
    assert (response.reset_to, response.highest_before) == (1600, "7k")
    assert (
        Rating.objects.get(entrant__player=makers.player("Uno 1"), entrant__tournament__name="Antes").before
        == 1412
    )


def test_players_without_pin_are_recognised_by_name_and_country():
    makers.registered(makers.event("Uno", players=makers.people(2, pins=False), games=[(1, 1, 2, "1")]))
    turkish = (GoPlayer(1, "UNO 1", "5k", "", "ES"), GoPlayer(2, "Uno 2", "5k", "", "FR"))
    makers.registered(makers.event("Dos", date(2026, 4, 1), players=turkish, games=[(1, 1, 2, "1")]))
    assert sorted(RatedPlayer.objects.values_list("name", "country", "events")) == [
        ("Uno 1", "ES", 2),
        ("Uno 2", "ES", 1),
        ("Uno 2", "FR", 1),
    ]
    RatedPlayer.objects.create(name="Uno 1", country="ES", pin="20000001")
    with pytest.raises(register.NotConfirmable):
        makers.registered(makers.event("Tres", date(2026, 5, 1), players=turkish, games=[(1, 1, 2, "1")]))


def test_the_command_corrects_ratings_that_were_tampered_with():
    tournament = makers.registered(makers.event())
    good, players = whole_history(), list(RatedPlayer.objects.order_by("pk").values())
    Rating.objects.filter(entrant=tournament.entrants.first()).update(after=1.0)
    RatedPlayer.objects.filter(name="Uno 4").update(rating=1.0, events=7)
    out = StringIO()
    call_command("replay_ratings", stdout=out)
    assert out.getvalue() == "1 ratings differed and were posted.\n"
    assert whole_history() == good
    assert list(RatedPlayer.objects.order_by("pk").values()) == players


def test_a_replay_replaced_by_a_later_one_posts_nothing():
    makers.registered(makers.event())
    differences = list(replays.differences(date.min))
    with pytest.raises(replays.RatingsChanged):
        replays.post([differences], at_version=-1)


def test_a_replay_is_done_once_and_a_lost_one_is_enqueued_again(monkeypatch):
    _tournament, replay = register.register(makers.event(), None)
    text = []
    monkeypatch.setattr(queue, "enqueue", lambda model, pk: text.append(pk))
    RatingReplay.objects.update(created_at="2026-01-01T00:00Z")
    sweeper.sweep()
    assert text == [replay.pk]
    replays.replay(replay.pk)
    changes = RatingChange.objects.count()
    replays.replay(replay.pk)
    assert RatingChange.objects.count() == changes == 4
    assert RatingReplay.objects.get().state == "done"


def test_a_replay_that_keeps_failing_is_parked(monkeypatch):
    _tournament, replay = register.register(makers.event(), None)

    def broken(*args):
        raise ValueError("example")

    monkeypatch.setattr(replays, "differences", broken)
    for _ in range(queue.MAX_ATTEMPTS):
        with pytest.raises(ValueError, match="example"):
            replays.replay(replay.pk)
    replays.replay(replay.pk)
    replay.refresh_from_db()
    assert (replay.state, replay.error) == ("failed", "ValueError: example")


@pytest.mark.parametrize(
    "fields",
    [
        {"handicap": 10},
        {"half_points": 3},
        {"half_points": None},
        {"reason": "forfeit"},
        {"rated": False},
        {"round": 1},
    ],
)
def test_the_database_refuses_impossible_games(fields):
    tournament = makers.registered(makers.event())
    first, two = tournament.entrants.all()[:2]
    values = {"round": 9, "half_points": 2, "rated": True, **fields}
    with pytest.raises(IntegrityError), transaction.atomic():
        RatingGame.objects.create(tournament=tournament, first=first, second=two, **values)


# --- Uploads --------------------------------------------------------------------------------------------
def test_the_confirmed_ratings_are_those_of_the_preview():
    director = factories.director(factories.club())
    upload = makers.upload(director)
    event = register.event_of(upload)
    shown = register.preview(event, director)
    assert not shown.has_errors
    assert RatingTournament.objects.count() == RatedPlayer.objects.count() == 0
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(upload, director, set())  # without confirming the warning
    done = makers.confirmed(upload, director, {"go_no_pin"})
    replays.replay(done.replay_id)
    assert list(makers.after(done.tournament).values()) == [row["after"] for row in shown.rows]
    assert makers.confirmed(upload, director, set()).tournament == done.tournament


def test_the_same_file_again_is_refused():
    director = factories.director(factories.club())
    done = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    again = makers.upload(director)
    assert register.preview(register.event_of(again), director).already == done.tournament
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(again, director, {"go_no_pin"})


def test_other_games_of_the_same_event_correct_it_if_the_director_may():
    director, stranger = (factories.director(factories.club()) for _ in range(2))
    done = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    text = makers.FILE.replace("2+/w", "2-/w").replace("1-/b 4", "1+/b 4")
    shown = register.preview(register.event_of(makers.upload(director, text)), director)
    assert (shown.corrects, shown.has_errors) == (done.tournament, False)
    refused = register.preview(register.event_of(makers.upload(stranger, text)), stranger)
    assert refused.has_errors


def test_the_same_event_with_other_players_needs_a_tick():
    director = factories.director(factories.club())
    makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    other = makers.upload(director, makers.FILE.replace("Duarte", "Dumas"))
    shown = register.preview(register.event_of(other), director)
    assert "go_same_event" in {item.code for item in shown.issues}
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(other, director, {"go_no_pin"})
    assert makers.confirmed(other, director, {"go_no_pin", "go_same_event", "go_same_games"}).tournament


def test_a_future_day_and_a_rating_out_of_bounds_are_refused():
    director = factories.director(factories.club())
    upload = makers.upload(director, end_date="2099-01-01")
    assert register.review_of(upload, director).has_errors
    event = makers.event(players=(replace(makers.people()[0], rating="3300"), *makers.people()[1:]))
    shown = register.preview(event, director)
    assert [item for item in shown.issues if item.params.get("highest") == "3300"]
    assert Decimal("3300") == regulations.get("egf-2021").highest
