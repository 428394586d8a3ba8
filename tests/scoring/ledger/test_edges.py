"""Boundary cases: first and last days of licences and factors, order of runs, settings."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from players.access import uploadable_clubs
from players.models import Licence
from scoring import regulations
from scoring.ledger.models import LedgerEntry, ScoringFactor, Standing, StandingsState
from scoring.ledger.services import runs, standings
from scoring.ledger.systems.placed import factors_on
from scoring.office.services import rescore
from scoring.pages.queries.profile import position_of
from tests import factories as make
from tests.scoring.ledger.test_posting import store_correction
from tournaments.services.suggestions import suggest

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 14)


# --- Licences -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("issuer", "equivalent", "counts"),
    [("", False, True), ("", True, True), ("FFB", True, True), ("FFB", False, False)],
)
def test_a_foreign_licence_counts_only_if_the_office_marks_it_equivalent(issuer, equivalent, counts):
    player = make.player(licensed=False)
    make.licence(player, issuer=issuer, equivalent=equivalent, valid_from=DAY, valid_to=DAY)
    assert Licence.objects.valid_on(DAY).exists() == counts
    assert not Licence.objects.valid_on(DAY - timedelta(days=1)).exists()
    assert not Licence.objects.valid_on(DAY + timedelta(days=1)).exists()


@pytest.mark.parametrize(
    ("licences", "state"),
    [
        ([], "none"),
        ([("", False, 2026)], "valid"),
        ([("FFB", True, 2026)], "valid"),
        ([("", False, 2025)], "lapsed"),
        ([("FFB", False, 2026)], "foreign"),
        ([("", False, 2025), ("FFB", False, 2026)], "foreign"),
        ([("FFB", False, 2025)], "none"),
        ([("", False, 2027)], "none"),
    ],
)
def test_the_state_of_a_licence_on_a_day(licences, state):
    player = make.player(licensed=False)
    for issuer, equivalent, year in licences:
        span = {"valid_from": date(year, 1, 1), "valid_to": date(year, 12, 31)}
        make.licence(player, issuer=issuer, equivalent=equivalent, **span)
    assert Licence.objects.states(DAY, [player.pk]) == {player.pk: state}
    assert bool(Licence.objects.holders(DAY)) == (state == "valid")


@pytest.mark.parametrize("last_day", [date(2026, 3, 20), date(2026, 3, 21)])
def test_advancing_the_day_notices_a_licence_that_ended(last_day):
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))
    four = make.players(4, category="1P")
    make.scored(*make.pairs(four))
    Licence.objects.filter(player=four[0]).update(valid_to=last_day)
    standings.roll(date(2026, 3, 22))
    assert not Standing.objects.get(player=four[0]).licensed
    assert Standing.objects.get(player=four[1]).licensed


def test_advancing_the_day_notices_a_licence_that_begins():
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))
    four = make.players(4, category="1P")
    make.scored(*make.pairs(four))
    Licence.objects.filter(player=four[0]).update(valid_from=date(2026, 3, 21))
    standings.rebuild()
    assert not Standing.objects.get(player=four[0]).licensed
    standings.roll(date(2026, 3, 21))
    assert Standing.objects.get(player=four[0]).licensed


def test_a_player_without_a_licence_has_no_rank_in_the_standings():
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))
    a, b, c, d = make.players(4, category="1P")
    make.scored((a, b), (c, d))
    Licence.objects.filter(player=a).delete()
    standings.rebuild()
    without, other = position_of(a, date(2026, 3, 20)), position_of(b, date(2026, 3, 20))
    assert (without.points, without.rank, without.of) == (other.points, None, None)
    assert (other.rank, other.of) == (1, 3)


def test_a_setting_withholds_points_from_players_without_a_licence(settings):
    """With `UNLICENSED_EARN` off, players without a licence get no points.

    Tested with AEB 2022, under which a tournament counts whatever the share of licensed players.
    """
    licensed, without = make.players(6, category="1P"), make.players(2, category="1P", licensed=False)
    ranking = (*make.pairs(without), *make.pairs(licensed))
    header = {"end_date": date(2025, 3, 14)}
    settings.UNLICENSED_EARN = True
    everybody = dict(make.scored(*ranking, **header).entries.values_list("player_id", "points"))
    settings.UNLICENSED_EARN = False
    paid = dict(make.scored(*ranking, **header).entries.values_list("player_id", "points"))
    gone = {item.pk for item in without}
    assert gone <= everybody.keys()
    assert paid == {player: points for player, points in everybody.items() if player not in gone}


# --- Runs ---------------------------------------------------------------------------------------------------
def test_a_run_scored_late_does_not_replace_a_newer_run_of_the_ranking():
    a, b, c, d = make.players(4, category="1P")
    revision = make.revision((a, b), (c, d))
    older = runs.create_run(revision, None)
    make.assign(a, "MN-O", date(2026, 3, 1))
    newer = runs.create_run(revision, None)
    runs.score(newer.pk)
    runs.score(older.pk)
    older.refresh_from_db()
    newer.refresh_from_db()
    assert (older.state, newer.state) == ("outdated", "done")
    assert set(LedgerEntry.objects.values_list("run", "kind")) == {(newer.pk, "award")}


def test_a_run_is_scored_while_a_newer_one_is_still_pending():
    a, b, c, d = make.players(4, category="1P")
    revision = make.scored((a, b), (c, d)).published
    older, newer = runs.create_run(revision, None), runs.create_run(revision, None)
    for run in (older, newer):
        runs.score(run.pk)
        run.refresh_from_db()
        assert run.state == "done"


def test_a_tournament_whose_newest_run_failed_cannot_be_rescored():
    a, b, c, d = make.players(4, category="1P")
    played = make.scored((a, b), (c, d), event_type="regional", end_date=date(2026, 2, 1))
    other = regulations.get("aeb-2022")
    assert rescore.preview(played, other).changes
    waiting = runs.create_run(store_correction(played, (c, d), (a, b)), None)
    type(waiting).objects.filter(pk=waiting.pk).update(state="failed")
    with pytest.raises(ValidationError):
        rescore.preview(played, other)


# --- Clubs, names and factors -------------------------------------------------------------------------------
@pytest.mark.parametrize("account_of", [make.director, lambda _club: make.office()])
def test_nobody_can_upload_for_a_closed_club(account_of):
    club, closed = make.club(), make.club(active=False)
    assert closed not in uploadable_clubs(account_of(closed))
    assert club in uploadable_clubs(account_of(club))


def test_players_proposed_for_a_name_are_sorted_by_similarity():
    """Players proposed for a name are sorted by words in common, then by similar spelling, not by number."""
    club = make.club()
    names = [
        ("Bartolomé", "Quirós Vega"),
        ("Berta", "Quirós Vega"),
        ("Bera", "Quirós Vega"),
        ("Berta", "Quirós"),
    ]
    far, near, letter, short = (
        make.player(club=club, given_name=value, surname=surname) for value, surname in names
    )
    (result,) = suggest(["Berta Quirós Vega"], club).values()
    assert result.players == (near, letter, short)
    assert result.clear == near and far not in result.players


def test_given_names_in_another_order_are_not_matched_with_certainty():
    """A name with the given names in another order is proposed, but is not certain.

    María José and José María can be two persons. Surnames before the given names make no difference.
    """
    club = make.club()
    member = make.player(club=club, given_name="María José", surname="Quirós Vega")
    for written, certain in (("José María Quirós Vega", False), ("Quirós Vega María José", True)):
        (suggestion,) = suggest([written], club).values()
        assert suggestion.players == (member,)
        assert (suggestion.certain, suggestion.clear) == (certain, member if certain else None)


@pytest.mark.parametrize(
    ("valid_from", "value"), [(date(2026, 3, 13), "0.9"), (DAY, "0.9"), (date(2026, 3, 15), "0.8")]
)
def test_a_factor_applies_from_its_first_day_on(valid_from, value):
    office, old = make.office(), date(2020, 1, 1)
    for day, number in ((old, "0.8"), (valid_from, "0.9")):
        ScoringFactor.objects.create(
            regulation="acbl-overall",
            name="M",
            value=Decimal(number),
            source="p. 3",
            valid_from=day,
            set_by=office,
        )
    header = make.header(make.club(), family="acbl", event_type="overall", end_date=DAY)
    assert factors_on("acbl-overall", header.end_date, header.params) == {"M": Decimal(value)}


# --- Settings -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("ties", "hundredths"), [("mean", (834, 834)), ("mean_place", (789, 789)), ("best", (1185, 1185))]
)
def test_the_setting_ties_decides_what_shared_places_earn(settings, ties, hundredths):
    """The setting TIES decides what each of two pairs that share the first place earns.

    The first place earns 11.8457 points (Pmax), the place 1.5 would earn 7.8875, and the second 4.8256.
    """
    settings.TIES = ties
    played = make.scored(*make.pairs(make.players(6, category="1P")), places=[1, 1, 3])
    points = list(played.entries.order_by("-points").values_list("points", flat=True))
    assert (points[0], points[3]) == hundredths
    assert played.runs.get().inputs[0]["event"]["ties"] == ties


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_the_setting_decides_the_decimals_of_bronze(settings, decimals):
    settings.BRONZE_DECIMALS = decimals
    before, since = date(2020, 8, 31), date(2020, 9, 1)
    for day, wanted in ((before, 0), (since, decimals)):
        played = make.scored(
            *make.pairs(make.players(16)), family="sbf-bronze", event_type="bronze", end_date=day
        )
        assert played.runs.get().inputs[0]["event"]["decimals"] == wanted
