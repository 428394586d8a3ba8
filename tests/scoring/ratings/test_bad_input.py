"""Unusual Go tournaments: they are rated or refused with a clear error, and no game counts twice."""

import re
from dataclasses import replace
from datetime import date

import pytest
from django.urls import reverse

from scoring.ratings.models import Rating, RatingTournament
from scoring.ratings.services import register, replays
from tests import factories
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.ratings import makers
from tournaments.formats.go_types import GoPlayer
from tournaments.services.issues import describe

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 1)


@pytest.fixture
def director():
    return factories.director(factories.club())


def problems(event, user) -> list[str]:
    """Return the message and the remedy of each error that the preview of a Go tournament shows."""
    errors = [item for item in register.preview(event, user).issues if item.severity == "error"]
    return [f"{text.message} {text.remedy}" for text in map(describe, errors)]


def same_games(shown: register.Preview) -> list[tuple]:
    """Return (code, tournament, number of games) of the issues about tournaments that share games."""
    codes = ("go_same_games", "go_same_results", "go_all_registered")
    params = [(item.code, item.params) for item in shown.issues if item.code in codes]
    return [(code, values["tournament"], values.get("count")) for code, values in params]


def ratings(tournament) -> list[tuple]:
    return list(Rating.objects.filter(entrant__tournament=tournament).values_list("before", "after", "games"))


# --- Refused by the rating system -----------------------------------------------------------------------
def test_a_rating_outside_the_systems_range_is_refused_with_a_clear_message(director):
    first, *others = makers.people()
    event = makers.event("Copa", DAY, [replace(first, rating="3400"), *others])
    assert problems(event, director) == [
        "«Uno 1» tiene un rating de 3400, y el sistema de rating admite desde -10000 hasta menos de 3300. "
        "Corrígelo en el archivo y sube ese."
    ]


def changed_game(**values):
    games = makers.event().result.games
    return {"games": (games[0], replace(games[1], **values))}


REFUSED = {
    "grade": (
        {"players": (replace(makers.people()[0], grade="12d"), *makers.people()[1:])},
        ["Uno 1", "12d"],
    ),
    "handicap": (changed_game(handicap=99), ["Uno 3", "Uno 4", "99"]),
    "round": (changed_game(round=20_000), ["Uno 3", "Uno 4", "20000"]),
    "self": (changed_game(second=3), ["Uno 3", "ronda 1"]),
    "twice": (changed_game(first=2, second=1), ["Uno 1", "Uno 2", "ronda 1"]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_every_error_names_the_player_and_shows_no_code(director, name):
    values, words = REFUSED[name]
    event = makers.event("Copa", DAY)
    (text,) = problems(replace(event, result=replace(event.result, **values)), director)
    assert all(word in text for word in words)
    assert not re.search(r"[a-z]_[a-z]|\[|players|games", text)


def test_an_error_of_a_game_names_its_players_and_round(director):
    games = [replace(game, reason="forfeit") for game in makers.event().result.games]
    games.append(replace(games[1], reason="", round=2, handicap=99))
    event = makers.event("Copa", DAY)
    (text,) = problems(replace(event, result=replace(event.result, games=tuple(games))), director)
    assert "«Uno 3» y «Uno 4» de la ronda 2" in text


def test_an_error_of_the_whole_tournament_is_shown(director):
    (text,) = problems(makers.event("Copa", DAY, tournament_class="X"), director)
    assert text.startswith("El sistema de rating no puede calcular este torneo")
    (text,) = problems(makers.event("Copa", date(1900, 3, 1)), director)
    assert "1 mar 1900" in text and "no_regulation" not in text


# --- Sizes ----------------------------------------------------------------------------------------------
def test_a_player_without_games_keeps_the_rating():
    alone = makers.registered(makers.event("Solo", DAY, makers.people(1), []))
    assert ratings(alone) == [(1600, 1600, 0)]


def test_a_tournament_without_rated_games_changes_no_rating():
    event = makers.event("Copa", DAY)
    idle = tuple(replace(game, reason="forfeit") for game in event.result.games)
    quiet = makers.registered(replace(event, result=replace(event.result, games=idle)))
    assert ratings(quiet) == [(1600, 1600, 0)] * 4


def test_files_without_games_are_refused(director):
    text = "\n".join(line for line in makers.FILE.splitlines() if line.startswith(";"))
    for data in (text, text + "\n1 Arroyo Ana 2d ES Faro\n"):
        upload = makers.upload(director, data)
        assert register.event_of(upload) is None
        with pytest.raises(register.NotConfirmable):
            makers.confirmed(upload, director, {"go_no_pin"})


def test_forfeits_are_kept_and_not_rated(director):
    forfeit = makers.FILE.replace("2+/w", "2+!/w").replace("1-/b 4", "1-!/b 4")
    upload = makers.upload(director, forfeit)
    done = makers.confirmed(
        upload,
        director,
        {"go_no_pin"}
        | {issue.code for issue in register.result_of(upload).issues if issue.severity == "warning"},
    )
    replays.replay(done.replay_id)
    assert list(done.tournament.games.filter(rated=False).values_list("reason", flat=True)) == ["forfeit"]
    assert [games for _before, _after, games in ratings(done.tournament)] == [1, 1, 2, 2]


# --- Ratings at the limits ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("day", "rating", "refused"),
    [
        (date(2026, 3, 1), "3299", False),
        (date(2026, 3, 1), "3300", True),
        (date(2020, 3, 1), "3300", False),
        (date(2020, 3, 1), "10000", True),
        (date(2026, 3, 1), "-901", False),
        (date(2026, 3, 1), "-9999", False),
        (date(2026, 3, 1), "-10001", True),
        (date(2020, 3, 1), "-50", False),
    ],
)
def test_ratings_at_the_bounds_are_accepted_and_those_beyond_refused(director, day, rating, refused):
    first, *rest = makers.people()
    event = makers.event("Copa", day, (replace(first, rating=rating), *rest))
    result = problems(event, director)
    assert bool(result) is refused
    if refused:
        assert rating in result[0]
        return
    (before, after, _games), *_others = ratings(makers.registered(event))
    assert before == float(rating)
    floor, ceiling = (-900, 3299.99) if day.year > 2020 else (100, float("inf"))
    assert floor <= after <= ceiling


def test_ratings_far_above_3300_can_be_replayed_under_the_2021_system():
    """Ratings far above 3300, the limit of the 2021 system, do not prevent rating everything again.

    The players got these ratings under the classic system.
    """
    first, two = makers.people(2, grade="9d")
    makers.registered(makers.event("Antes", date(2020, 1, 1), (replace(first, rating="4000"), two), []))
    late = makers.event("Tarde", date(2019, 1, 1), (replace(first, rating="5000"), two), [(1, 2, 1, "1")])
    makers.registered(makers.event("Nueva", date(2022, 1, 1), (first, two), [(1, 1, 2, "0")]))
    makers.registered(late)  # everything is rated again, across the change of systems
    assert list(replays.differences(date.min)) == []


# --- Contradictions -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("games", "words"),
    [
        ([(1, 1, 2, "1"), (1, 1, 2, "0")], "tienen dos partidas en la ronda 1"),
        ([(1, 1, 1, "1")], "entre «Uno 1» y «Uno 1» de la ronda 1"),
    ],
)
def test_games_that_contradict_each_other_are_refused_by_the_engine_too(director, games, words):
    result = problems(makers.event("Copa", DAY, games=games), director)
    assert len(result) == 1 and words in result[0]


# --- The same games again -------------------------------------------------------------------------------
def test_the_same_games_under_another_name_are_refused(director, client):
    makers.registered(makers.event("Copa", DAY))
    (problem,) = problems(makers.event("La Copa de Marzo", DAY), director)
    assert "Copa" in problem and "ya están registradas" in problem


def test_a_tournament_that_shares_some_games_with_another_needs_a_tick(director, client):
    text = makers.FILE.replace("Torneo del Faro", "Otro nombre").replace("Duarte Diego", "Espino Eva")
    first = makers.confirmed(makers.upload(director), director, {"go_no_pin"})
    upload = makers.upload(director, text)
    shown = register.preview(register.event_of(upload), director)
    assert not shown.has_errors
    assert same_games(shown) == [("go_same_games", first.tournament.pk, 2)]
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(upload, director, {"go_no_pin"})
    speak(client, "en")
    client.force_login(director)
    page = open_page(client, reverse("go_upload_review", args=[upload.pk]))
    assert "go_same_games" in page.values("accept")
    assert "met in Torneo del Faro on the same days" in page.text
    assert makers.confirmed(upload, director, {"go_no_pin", "go_same_games"}).tournament != first.tournament


def test_the_same_opponents_on_another_day_are_no_repetition(director):
    makers.registered(makers.event("Copa", DAY))
    other = makers.event("Copa 2", date(2026, 3, 2), games=[(1, 1, 2, "1"), (1, 3, 4, "0")])
    assert same_games(register.preview(other, director)) == []


@pytest.mark.parametrize("day", [date(2025, 3, 1), date(2026, 3, 2)])
def test_the_same_results_on_another_day_need_a_tick(director, client, day):
    """A tournament with the results of another day's tournament can only be registered with a tick.

    The file may have a wrong day, and then its games would count twice.
    """
    first = makers.confirmed(makers.upload(director), director, {"go_no_pin"}).tournament
    text = makers.FILE.replace("2026-03-14,2026-03-15", day.isoformat()).replace("del Faro", "del Puerto")
    upload = makers.upload(director, text)
    shown = register.preview(register.event_of(upload), director)
    assert not shown.has_errors
    assert same_games(shown) == [("go_same_results", first.pk, None)]
    with pytest.raises(register.NotConfirmable):
        makers.confirmed(upload, director, {"go_no_pin"})
    speak(client, "en")
    client.force_login(director)
    page = open_page(client, reverse("go_upload_review", args=[upload.pk]))
    assert "go_same_results" in page.values("accept")
    assert "are registered in Torneo del Faro of 15 Mar 2026" in page.text
    assert makers.confirmed(upload, director, {"go_no_pin", "go_same_results"}).tournament != first


def test_games_with_the_players_in_the_other_order_are_a_repetition(director):
    first = makers.registered(makers.event("Copa", DAY))
    turned = makers.event("Copa 2", date(2026, 3, 8), games=[(1, 2, 1, "0"), (1, 4, 3, "0")])
    assert same_games(register.preview(turned, director)) == [("go_same_results", first.pk, None)]


def test_a_correction_is_no_repetition_of_the_tournament_it_corrects(director):
    first = makers.registered(makers.event("Copa", DAY), director)
    corrected = makers.event("Copa", DAY, games=[(1, 1, 2, "0"), (1, 3, 4, "1")])
    shown = register.preview(corrected, director)
    assert (shown.corrects, shown.issues) == (first, [])
    assert same_games(register.preview(makers.event("Copa", DAY), director)) == []
    renamed = makers.event("Copa de Marzo", DAY)
    assert same_games(register.preview(renamed, director, first)) == []


def test_games_of_new_players_are_no_repetition(director):
    makers.registered(makers.event("Copa", DAY))
    new = tuple(GoPlayer(k, f"Nadie {k}", "5k", "", "ES") for k in range(1, 5))
    assert same_games(register.preview(makers.event("Otra", DAY, new), director)) == []
    assert RatingTournament.objects.count() == 1
