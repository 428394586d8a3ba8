"""Each sanity check reports what it is for, and a federation in order gives none.

`PLANTS` has a function for each check, which makes one finding of it.
"""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from players import triggers as guards
from players.models import Category, Licence, Player, PlayerMerge, Proposal, Role
from scoring.ledger.models import LedgerEntry, ScoringRun, Standing, YearTotal
from scoring.ledger.services import runs
from scoring.letters.models import Letter
from scoring.privacy.models import Erasure
from scoring.promotions.models import CampaignTask, PromotionCampaign, SnapshotList
from scoring.ratings.models import RatedPlayer
from scoring.sanity.services import found_by
from tests import factories as make
from tests import triggers
from tests.folders import ROOT
from tests.scoring.promotions.campaigns import create_people, draft, frozen
from tournaments.models import Contestant, RememberedName, ResultUpload, Revision, Seat, Tournament
from ui.sanity import checks

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=40)
YESTERDAY = make.today() - timedelta(days=1)
SEASON = {"valid_from": date(make.today().year, 1, 1), "valid_to": date(make.today().year, 12, 31)}
BY_CODE = {check.code: check for check in checks()}
PLANTS: dict[str, Callable[[], object]] = {}


def plants(plant: Callable[[], object]) -> Callable[[], object]:
    """Register a function under its name, the code of the check of which it makes a finding."""
    PLANTS[plant.__name__] = plant
    return plant


def pool(**fields) -> Tournament:
    """Score a pool of two pairs, of yesterday by default."""
    return make.scored(*make.pairs(make.players(4)), **{"end_date": YESTERDAY, **fields})


def ranking(percentages=(), **fields) -> Revision:
    """Store a published ranking whose contestants have these percentages and no people."""
    tournament = make.tournament(end_date=YESTERDAY, start_date=YESTERDAY, **fields)
    revision = Revision.objects.create(tournament=tournament, number=1)
    Tournament.objects.filter(pk=tournament.pk).update(published=revision)
    for place, percentage in enumerate(percentages, start=1):
        Contestant.objects.create(revision=revision, position=place, place=place, percentage=percentage)
    return revision


def upload(**fields) -> ResultUpload:
    made = ResultUpload.objects.create(club=make.club(), created_by=make.user(), **fields)
    ResultUpload.objects.filter(pk=made.pk).update(created_at=LONG_AGO)
    return made


# --- The register ---------------------------------------------------------------------------------------
@plants
def licence_overlap():
    make.licence(make.player(), valid_from=date(2024, 1, 1), valid_to=date(2024, 12, 31))


@plants
def licence_long():
    make.player()


@plants
def category_twice():
    player = make.player(category="2P")
    make.assign(player, "3P")


@plants
def category_outside():
    former = Category.objects.exclude(valid_to=None).first()
    make.assign(make.player(), former.code, former.valid_to + timedelta(days=1))


@plants
def person_twice():
    make.players(2, given_name="Alba", surname="Arroyo", birth_year=1970)


@plants
def merge_chain():
    first, second, third = make.players(3)
    Player.objects.filter(pk=second.pk).update(merged_into=third)
    Player.objects.filter(pk=first.pk).update(merged_into=second)


@plants
def merge_apart():
    first, second = make.players(2)
    Player.objects.filter(pk=first.pk).update(merged_into=second)


@plants
def erased_named():
    Player.objects.filter(pk=make.player().pk).update(erased_on=YESTERDAY)


@plants
def name_index():
    Player.objects.filter(pk=make.player().pk).update(surname="Otra Cosa")


@plants
def minor_visible():
    make.player(birth_year=make.today().year - 10)


@plants
def birth_year_odd():
    make.player(birth_year=1850)


@plants
def account_alone():
    make.user()


@plants
def role_of_closed_account():
    account = make.director(make.club())
    get_user_model().objects.filter(pk=account.pk).update(is_active=False)


@plants
def role_of_closed_club():
    make.director(make.club(active=False))


@plants
def club_closed_members():
    make.player(club=make.club(active=False))


@plants
def club_without_administrator():
    make.club()


@plants
def proposal_old():
    Proposal.objects.create(kind="adjustment", key="1", prepared_by=make.user())
    with triggers.without(connection):
        Proposal.objects.update(prepared_at=LONG_AGO)


@plants
def guard():
    guards.remove(connection)


def sequence_behind():
    with connection.cursor() as cursor:
        region = make.region()
        cursor.execute("SELECT setval(pg_get_serial_sequence('players_region', 'id'), 1)")
    assert region.pk > 1 or make.region().pk


def index_invalid():
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'player_by_name'::regclass")


# --- Tournaments ----------------------------------------------------------------------------------------
@plants
def tournament_future():
    make.tournament(end_date=make.today() + timedelta(days=1))


@plants
def ranking_empty():
    ranking()


@plants
def contestant_without_people():
    ranking([None])


@plants
def seat_astray():
    here, there = ranking([None]), ranking([None])
    player = make.player()
    Seat.objects.create(revision=there, contestant=here.contestants.get(), position=1, player=player)


@plants
def percentage_range():
    ranking([120])


@plants
def percentage_mean():
    ranking([70, 60, 55, 52])


def test_a_ranking_that_is_off_says_its_mean():
    ranking([70, 60, 55, 52])
    finder = BY_CODE["percentage_mean"].finder
    [described] = finder.describe(list(finder.keys())).values()
    assert described.text.endswith("media 59,25\u00a0% (parejas: 4)")


@plants
def ranking_twice():
    pairs = make.pairs(make.players(4))
    make.scored(*pairs, end_date=YESTERDAY)
    make.scored(*pairs, end_date=YESTERDAY)


@plants
def two_places():
    pairs = make.pairs(make.players(4))
    make.scored(*pairs, end_date=YESTERDAY)
    make.scored(*reversed(pairs), end_date=YESTERDAY)


@plants
def upload_unread():
    upload(file_name="r.xml")


@plants
def upload_old():
    upload()


@plants
def upload_file_lost():
    revision = make.revision((make.player(), make.player()))
    upload(file_name="r.xml", state="confirmed", revision=revision)


@plants
def erased_remembered():
    player = make.player(erased_on=YESTERDAY)
    RememberedName.objects.create(
        club=make.club(), key="k", written="w", player=player, updated_by=make.user()
    )


# --- Points ---------------------------------------------------------------------------------------------
@plants
def standing_sum():
    pool()
    assert Standing.objects.update(tournaments=9)


@plants
def year_sum():
    pool()
    assert YearTotal.objects.update(tournaments=9)


@plants
def run_without_awards():
    revision = make.revision(*make.pairs(make.players(4)), end_date=YESTERDAY)
    runs.create_run(revision, None)
    ScoringRun.objects.update(state="done", eligible=True, finished_at=timezone.now())
    Tournament.objects.update(published=revision)


@plants
def award_of_unfinished_run():
    pool()
    ScoringRun.objects.update(state="outdated")


@plants
def tournament_never_scored():
    make.revision((make.player(), make.player()), end_date=YESTERDAY)


def waiting_run(state: str) -> None:
    runs.create_run(make.revision((make.player(), make.player()), end_date=YESTERDAY), None)
    ScoringRun.objects.update(state=state, created_at=LONG_AGO)


@plants
def run_late():
    waiting_run("pending")


@plants
def run_parked():
    waiting_run("failed")


@plants
def run_unapproved():
    waiting_run("waiting")


@plants
def annulled_with_points():
    pool()
    Tournament.objects.update(annulled_at=timezone.now())


@plants
def merged_with_points():
    pool()
    winner = LedgerEntry.objects.first().player
    Player.objects.filter(pk=winner.pk).update(merged_into=make.player())


@plants
def award_without_licence():
    pool()
    Licence.objects.all().delete()


@plants
def adjustment_unapproved():
    LedgerEntry.objects.create(
        kind="adjustment", player=make.player(), points=100, played_on=YESTERDAY, online=False, title="x",
        source_key="adjustment:999",
    )  # fmt: skip


# --- Year-end change, Go, letters, privacy --------------------------------------------------------------
@plants
def campaign_list():
    frozen(create_people())
    with triggers.without(connection):
        assert SnapshotList.objects.update(body="")


@plants
def campaign_overdue():
    frozen(create_people())
    with triggers.without(connection):
        PromotionCampaign.objects.update(effective_on=YESTERDAY)


@plants
def campaign_stopped():
    campaign = draft(create_people())
    CampaignTask.objects.create(campaign=campaign, verb="freeze", state="failed", created_by=make.user())


@plants
def go_rating():
    RatedPlayer.objects.create(name="x", rating=2000.0, events=3)


@plants
def letter_late():
    Letter.objects.create(kind="points", key="1", account=make.user())
    Letter.objects.update(created_at=LONG_AGO)


@plants
def erasure_unfinished():
    proposal = Proposal.objects.create(kind="erasure", key="1", prepared_by=make.user())
    Erasure.objects.create(player=make.player(), proposal=proposal, state="failed")
    Erasure.objects.update(created_at=LONG_AGO)


if connection.vendor == "postgresql":  # SQLite has neither
    plants(sequence_behind)
    plants(index_invalid)


# --- The tests ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("code", sorted(PLANTS))
def test_a_check_reports_what_it_is_for(code, django_assert_max_num_queries):
    check = BY_CODE[code]
    guards.install(connection)
    assert [key for key in found_by(check) if key] == []
    PLANTS[code]()
    keys = [key for key in found_by(check) if key]
    assert keys and all(len(key) <= 60 for key in keys)
    with django_assert_max_num_queries(8):
        words = check.finder.describe(keys)
    assert words.keys() == set(keys)
    assert all(description.text for description in words.values())


def test_every_check_has_a_violating_row_and_a_line_in_the_documentation():
    assert set(PLANTS) | {"sequence_behind", "index_invalid"} == set(BY_CODE)
    lines = (ROOT / "docs/sanity.md").read_text(encoding="utf-8").splitlines()
    listed = dict(line.split(" | ")[0:2] for line in lines if line.startswith("| `"))
    expected = {f"| `{check.code}`": check.severity.name.lower() for check in checks()}
    assert listed == expected


def test_a_federation_in_order_gives_no_finding():
    club = make.club()
    make.role(make.user(), Role.Kind.CLUB_ADMIN, club=club)
    people = make.players(4, club=club, licensed=False, category="2P")
    Licence.objects.bulk_create(Licence(player=player, **SEASON) for player in people)
    merged = make.player(club=club, licensed=False)
    Player.objects.filter(pk=merged.pk).update(merged_into=people[0])
    PlayerMerge.objects.create(duplicate=merged, kept=people[0], reason="x")
    make.scored(*make.pairs(people), of=club, end_date=make.today())
    reported = {check.code: [key for key in found_by(check) if key] for check in checks()}
    assert {code: keys for code, keys in reported.items() if keys} == {}


def test_the_command_prints_findings_and_fails_on_errors(capsys):
    make.club()
    call_command("sanity", "club_without_administrator")  # a note
    assert capsys.readouterr().out.startswith("club_without_administrator\tnote\t")
    make.player(birth_year=make.today().year - 10)
    with pytest.raises(SystemExit) as ended:
        call_command("sanity", "minor_visible")
    assert ended.value.code == 1
    with pytest.raises(Exception, match="Unknown codes: nonsense"):
        call_command("sanity", "nonsense")
    call_command("sanity", "--list")
    assert capsys.readouterr().out.count("\n") >= len(BY_CODE)
