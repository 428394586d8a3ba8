"""Points of several systems: each family has its own ledger entries, lists and totals."""

from datetime import date
from decimal import Decimal

import pytest

from players.models import Category
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry, ScoringFactor, ScoringRun, Standing, StandingsState
from scoring.ledger.services import posting, runs, standings
from scoring.ledger.snapshots import digest_of, evaluation_of, inputs_of
from scoring.ledger.systems import placed
from scoring.regulations.acbl.overall import half_tables
from scoring.regulations.places.scheme import PlaceScheme
from scoring.uploads.forms.systems import FIELDS
from tests import factories as make
from tournaments import drafts

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 14)
BRONZE = {"family": "sbf-bronze", "event_type": "bronze"}
SILVER = {"family": "sbf-silver", "event_type": "silver"}
OVERALL = {"family": "acbl", "event_type": "overall", "params": {"rating": "sectional", "sessions": 2}}
CLUB = {"family": "acbl", "event_type": "club"}


@pytest.fixture(autouse=True)
def _day():
    StandingsState.objects.create(family="aeb", as_of=date(2026, 3, 20))


@pytest.fixture
def field():
    """Eight pairs. Two places earn points under the Swedish rules, three under those of ACBL club awards."""
    return make.pairs(make.players(16, category="3D"))


def factor(name: str, value: str, day: date = date(2026, 1, 1), case: str = "", regulation="acbl-overall"):
    return ScoringFactor.objects.create(
        regulation=regulation,
        name=name,
        case=case,
        value=Decimal(value),
        source="Handbook, page 12",
        valid_from=day,
        set_by=make.user(),
    )


def all_factors() -> None:
    for name, value in (("M", "1"), ("T", "0.9"), ("depth", "0.25")):
        factor(name, value)


def awards(tournament) -> list[int]:
    """Return the points of each pair that has any, in hundredths, in order of the ranking."""
    entries = LedgerEntry.objects.filter(tournament=tournament, kind="award").order_by("contestant__position")
    return [entry.points for entry in entries][::2]


@pytest.mark.parametrize("scheme", regulations.of_family("aeb"), ids=str)
def test_every_category_is_known_under_every_regulation(scheme):
    """Every regulation of the AEB has a value for every category of the database, old or new.

    The office and the calculator can apply any of these regulations to a tournament of any day.
    """
    ladder = set(Category.objects.values_list("code", flat=True))
    assert {row.code for row in scheme.categories.rows} <= ladder
    for code in ladder:
        assert scheme.categories.find(adapters.category_code(scheme, code)) is not None, code


def test_bronze_points_are_posted_to_their_own_family_in_hundredths(field):
    tournament = make.scored(*field, **BRONZE, params={"decimals": 0})
    # Eight pairs: the winner earns 16 points, the second 3/4 of that. Without decimals, stored in hundredths.
    assert awards(tournament) == [1600, 1200]
    assert set(LedgerEntry.objects.values_list("family", flat=True)) == {"sbf-bronze"}
    assert list(
        Standing.objects.values_list("family", "category", "points").distinct().order_by("points")
    ) == [
        ("sbf-bronze", None, 1200),
        ("sbf-bronze", None, 1600),
    ]


def test_silver_points_depend_on_the_boards_and_have_a_decimal(field):
    tournament = make.scored(*field, **SILVER, boards=25)
    # Eight pairs, 25 boards: the winner earns 0.5·8 + 0.3·25 = 11.5; the second 3/4 of it, 8.625, so 8.6.
    assert awards(tournament) == [1150, 860]
    assert LedgerEntry.objects.filter(family="sbf-silver").count() == 4


def test_a_club_game_of_the_acbl_pays_the_first_places(field):
    # Eight pairs: the winner earns 0.1·8 = 0.80, the next places 0.70 and 0.50 of it. 40 % of 8 pairs, 3.2,
    # makes 3 places.
    assert awards(make.scored(*field, **CLUB)) == [80, 56, 40]


def test_overall_awards_of_the_acbl_use_the_offices_factors(field):
    all_factors()
    # Four tables give the factor B = (4 + 10)/60, the rating R = 10, two sessions S = 1.5: together 3.50. The
    # factors M, P and T make it 3.15. Two places (a quarter of eight) earn points.
    tournament = make.scored(*field, **OVERALL)
    assert len(awards(tournament)) == 2
    run = ScoringRun.objects.get(tournament=tournament)
    event = evaluation_of(run).fields[0].event
    assert event.tables == 4 and event.factors == {"M": 1, "T": Decimal("0.9"), "depth": Decimal("0.25")}


@pytest.mark.parametrize("missing", ["M", "T", "depth"])
def test_without_an_entered_factor_no_run_is_created_and_the_error_names_it(field, missing):
    all_factors()
    ScoringFactor.objects.filter(name=missing).delete()
    ranking = make.revision(*field, **OVERALL)
    with pytest.raises(EngineError) as refused:
        runs.create_run(ranking, None)
    assert (refused.value.code, refused.value.field) == ("missing_factor", f"factors.{missing}")
    assert not ScoringRun.objects.exists()


def test_the_latest_factor_valid_for_the_day_and_case_is_used():
    factor("R", "11", case="sectional")
    factor("R", "12", date(2026, 3, 1), case="sectional")
    factor("R", "13", date(2026, 3, 15), case="sectional")
    factor("R", "15", case="regional")
    header = make.header(make.club(), **OVERALL)
    assert placed.factors_on("acbl-overall", header.end_date, header.params) == {"R": 12}


def test_an_old_run_keeps_the_factor_it_was_scored_with(field):
    all_factors()
    tournament = make.scored(*field, **OVERALL)
    before = awards(tournament)
    factor("T", "2", date(2026, 2, 1))
    run = ScoringRun.objects.get(tournament=tournament)
    assert sorted(set(evaluation_of(run).points_by_position.values())) == sorted(set(before))


@pytest.mark.parametrize(
    "fields", [{}, BRONZE, SILVER, OVERALL, CLUB], ids=lambda family: str(family.get("event_type"))
)
def test_stored_inputs_restore_the_same_event(field, fields):
    all_factors()
    ranking = make.revision(*field, places=[1, 2, 2, 4, 5, 6, 7, 8], venue="online", **fields)
    header, rows = drafts.header_of(ranking.tournament), drafts.rows_of(ranking)
    evaluation = adapters.evaluate(header, rows)
    run = runs.create_run(ranking, None)
    again = evaluation_of(ScoringRun.objects.get(pk=run.pk))
    assert again.fields == evaluation.fields
    assert inputs_of(again) == run.inputs and digest_of(again) == run.input_digest
    assert again.family == header.family and again.persons == 16


def test_points_of_different_families_are_never_added_up(field):
    """A player with points of three systems has three totals, and the AEB total contains no other points."""
    make.scored(*field)
    make.scored(*field, **BRONZE)
    make.scored(*field, **CLUB)
    first = field[0][0]
    own = LedgerEntry.objects.filter(player=first)
    by_family = {family: own.get(family=family).points for family in ("aeb", "sbf-bronze", "acbl")}
    assert {row.family: row.points for row in Standing.objects.filter(player=first)} == by_family
    category = make.category("3D").pk
    assert Standing.objects.ranked(category).get(player=first).points == by_family["aeb"]
    totals = dict(LedgerEntry.objects.totals(date(2025, 3, 21), DAY).values_list("player_id", "total"))
    assert totals[first.pk] == by_family["aeb"]
    assert standings.rebuild() == []


def test_a_correction_may_change_the_family(field):
    tournament = make.scored(*field)
    header = drafts.header_of(tournament)
    from dataclasses import replace

    revision = drafts.store(
        replace(header, **BRONZE),
        drafts.rows_of(tournament.published),
        None,
        corrects=tournament,
        reason="Otra",
    )
    runs.score(runs.create_run(revision, None).pk)
    assert not Standing.objects.filter(family="aeb").exists()
    assert Standing.objects.filter(family="sbf-bronze").count() == 4
    assert standings.rebuild() == []


def test_standings_of_all_families_advance_together(field):
    make.scored(*field, **BRONZE)
    before = dict(StandingsState.objects.values_list("family", "version"))
    assert set(before) == {"aeb", "sbf-bronze"}
    make.scored(*field, **CLUB)
    after = dict(StandingsState.objects.values_list("family", "version"))
    assert after["aeb"] > before["aeb"] and after["sbf-bronze"] > before["sbf-bronze"]
    assert standings.roll(date(2027, 3, 14))
    assert set(StandingsState.objects.values_list("as_of", flat=True)) == {date(2027, 3, 14)}
    assert not Standing.objects.exists()
    assert standings.rebuild() == []


def test_a_licence_that_ends_changes_every_list(field):
    make.scored(*field, **BRONZE)
    player = field[0][0]
    player.licences.all().delete()
    standings.refresh([player.pk])
    assert not Standing.objects.get(player=player, family="sbf-bronze").licensed


def test_a_session_with_two_fields_has_two_rankings(field):
    from dataclasses import replace

    rows = [
        replace(row, field="NS" if row.position <= 4 else "EW", place=(row.position - 1) % 4 + 1)
        for row in make.rows(*field)
    ]
    evaluation = adapters.evaluate(make.header(make.club(), ranking="two", **BRONZE), rows)
    assert [line.field for line in evaluation.fields] == ["NS", "EW"]
    assert evaluation.persons == 16
    # Four pairs in each field: the winner earns 8 points, and no other place earns any.
    assert evaluation.points_by_position == {1: 800, 5: 800}


@pytest.mark.parametrize(
    ("day", "decimals"), [(date(2020, 8, 31), 0), (date(2020, 9, 1), 2), (date(2026, 3, 14), 2)]
)
def test_bronze_has_decimals_from_september_2020_on(day, decimals):
    assert placed.bronze_decimals(day) == decimals


@pytest.mark.parametrize(
    ("fields", "day"),
    [(BRONZE, date(2018, 12, 31)), (SILVER, date(2018, 12, 31)), (CLUB, date(2003, 10, 31))],
)
def test_a_tournament_before_the_first_regulation_gets_no_points(fields, day):
    with pytest.raises(EngineError) as refused:
        adapters.regulation_for(make.header(make.club(), end_date=day, **fields))
    assert refused.value.code == "no_regulation"


def test_a_regulation_override_must_be_of_the_same_family():
    header = make.header(make.club(), regulation_override="aeb-2022", override_reason="x", **BRONZE)
    with pytest.raises(EngineError) as refused:
        adapters.regulation_for(header)
    assert refused.value.code == "unknown_regulation"


@pytest.mark.parametrize(("persons", "tables"), [(4, "1"), (5, "1.5"), (6, "1.5"), (7, "2"), (16, "4")])
def test_the_number_of_tables_is_computed_in_halves(persons, tables):
    assert half_tables(persons) == Decimal(tables)


def test_tournaments_can_be_scored_by_every_scheme_by_place():
    schemes = [regulation for regulation in regulations.ALL if isinstance(regulation, PlaceScheme)]
    assert placed.EVENTS.keys() == {scheme.code for scheme in schemes}
    for scheme in schemes:
        system = systems.of_regulation(scheme)
        assert set(system.params) <= FIELDS.keys()


def test_a_rating_system_gives_no_points():
    with pytest.raises(EngineError):
        systems.of_regulation(regulations.get("egf-2021"))


def test_opening_awards_belong_to_the_federations_own_family(field):
    posting.post_opening([posting.OpeningRow(field[0][0].pk, DAY, "Antiguo", False, 100)], None)
    assert LedgerEntry.objects.get().family == "aeb"
