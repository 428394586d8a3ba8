"""`manage.py demo` stores the same data as confirming and scoring every tournament would."""

import io
from collections import Counter
from datetime import date

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db.models import Avg, Count, Sum
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from players.models import AccountEvent, Club, Player, Proposal, Role
from scoring.audit import read
from scoring.demo import accounts, build, go, mailbox, other_systems, samples
from scoring.ledger.evaluation import evaluate
from scoring.ledger.models import LedgerEntry, ScoringFactor, ScoringRun, Standing
from scoring.ledger.services import runs, standings
from scoring.ledger.snapshots import digest_of, inputs_of, outcome_of
from scoring.office.services.category_changes import count_changes_alone
from scoring.ratings.models import RatedPlayer, Rating, RatingGame
from scoring.ratings.services import replays
from scoring.regulations.acbl.tables import UNSOURCED
from scoring.strength.figures import strength_of
from scoring.strength.queries import Comparison
from tests.pages import open_page
from tests.scoring.demo import acts
from tests.scoring.demo.acts import DAYS
from tests.scoring.uploads.makers import approve
from tests.undone import rolled_back
from tournaments.drafts import header_of, rows_of
from tournaments.formats import read_go, read_results
from tournaments.models import Contestant, ResultUpload, Revision, Seat, Tournament


@pytest.fixture(scope="module")
def built(django_db_setup, django_db_blocker, tmp_path_factory):
    """Create one demo for all tests of this module. Yield its folder and the command's output."""
    folder = tmp_path_factory.mktemp("demo")
    with rolled_back(django_db_blocker):
        with override_settings(VAR_DIR=folder):
            text = acts.create_demo()
        yield folder, text


@pytest.fixture
def var(built, settings):
    settings.VAR_DIR = built[0]
    return built[0]


@pytest.fixture
def demo(built, db, var):
    return built[1]


def latest_runs():
    result = ScoringRun.objects.select_related("tournament", "revision")
    return [run for run in result if run.revision_id == run.tournament.published_id]


def test_rankings_are_uploaded_before_their_points_are_computed(demo):
    steps = [
        (
            run.tournament.end_date,
            run.tournament.created_at,
            run.revision.created_at,
            run.created_at,
            run.finished_at,
        )
        for run in ScoringRun.objects.select_related("tournament", "revision")
    ]
    assert any(timezone.localdate(uploaded) == day for day, _created, uploaded, _asked, _finished in steps)
    for _day, created, uploaded, asked, finished in steps:
        assert created <= uploaded <= asked <= finished


def test_every_stored_run_is_what_scoring_the_stored_ranking_gives(demo):
    latest = latest_runs()
    assert {run.regulation for run in latest} == {
        "aeb-2022",
        "aeb-2026",
        "sbf-2019-bronze",
        "sbf-2019-silver",
        "acbl-club",
        "acbl-overall",
    }
    for run in latest:
        evaluation = evaluate(header_of(run.tournament), rows_of(run.revision))
        assert run.input_digest == digest_of(evaluation)
        assert run.inputs == inputs_of(evaluation)
        assert run.outcome == outcome_of(evaluation)
        assert run.eligible == evaluation.eligible
        assert run.state == ScoringRun.State.DONE
        points = evaluation.points_by_position
        expected = {
            seat.player_id: points[row.position]
            for row in rows_of(run.revision)
            for seat in row.seats
            if seat.player_id and row.position in points
        }
        assert dict(run.entries.filter(kind="award").values_list("player_id", "points")) == expected


def test_standings_agree_with_the_ledger(demo):
    assert Standing.objects.exists()
    assert standings.rebuild(date.fromisoformat(DAYS["until"])) == []


def test_the_demo_has_all_kinds_of_tournaments(demo):
    assert set(Tournament.objects.values_list("format", flat=True)) == {"pairs", "teams", "individual"}
    assert set(Tournament.objects.values_list("venue", flat=True)) == {
        "in_person",
        "online",
        "online_supervised",
    }
    assert "mixed_women_teams_heart" in set(Tournament.objects.values_list("event_type", flat=True))
    assert Tournament.objects.filter(ranking="two").exists()
    assert Seat.objects.filter(player=None).exclude(guest_name="").exists()
    places = Counter(Contestant.objects.values_list("revision_id", "field", "place"))
    assert max(places.values()) > 1
    reasons = {
        reason["code"]
        for outcome in ScoringRun.objects.filter(eligible=False).values_list("outcome", flat=True)
        for reason in outcome["reasons"]
    }
    assert reasons == {"too_few_boards", "too_few_licences"}


def test_the_mean_of_each_field_of_pairs_is_50(demo):
    pairs = Contestant.objects.filter(revision__tournament__format="pairs", percentage__isnull=False)
    fields = pairs.order_by().values("revision", "field").annotate(mean=Avg("percentage"), of=Count("pk"))
    # Files have results of their own, and a corrected one has a mistake in it.
    simulated = fields.filter(revision__upload=None, revision__number=1, of__gte=4)
    assert simulated and not simulated.exclude(mean__range=(49.5, 50.5))


def test_the_demo_has_a_corrected_tournament_with_reversed_points(demo):
    revision = Revision.objects.get(number=2)
    assert revision.tournament.published == revision
    assert revision.reason == build.CORRECTION
    entries = LedgerEntry.objects.filter(tournament=revision.tournament)
    first = ScoringRun.objects.get(revision__number=1, tournament=revision.tournament)
    taken_back = entries.filter(kind="reversal", reverses__run=first)
    assert taken_back.count() == first.entries.count() > 0
    assert (
        taken_back.aggregate(sum=Sum("points"))["sum"] == -first.entries.aggregate(sum=Sum("points"))["sum"]
    )


def test_the_demos_accounts_have_their_roles_and_the_printed_password(demo, client):
    kinds = dict(Role.objects.values_list("user__username", "kind"))
    assert kinds == {
        "director": "director",
        "club": "club_admin",
        "territorial": "region_admin",
        "oficina": "office",
        "oficina2": "office",
        "comite": "committee",
        "auditor": "auditor",
    }
    club = Role.objects.get(kind="director").club
    assert Role.objects.get(kind="club_admin").club == club
    assert Role.objects.get(kind="region_admin").region == club.region
    standing = Player.objects.get(user__username="jugador").standings.get(family="aeb")
    assert standing.points > 0 and standing.licensed  # so that the account sees its place in a list
    assert not AccountEvent.objects.filter(holds=True).exists()  # nobody has to wait before approving
    assert f"password {accounts.password()}" in demo
    for name in accounts.JOBS:
        assert client.login(username=name, password=accounts.password())


def test_the_sign_in_page_names_the_demos_accounts_only_where_letters_are_kept(demo, client, settings):
    address = reverse("account_login")
    assert "Cuentas de la demostración" not in open_page(client, address).main.text
    settings.EMAIL_BACKEND = mailbox.BACKEND
    club = Role.objects.get(kind="director").club
    text = open_page(client, address).main.text
    assert all(name in text for name in accounts.JOBS)
    assert f"sube resultados: {club.name}" in text
    assert f"lleva los clubes de una región: {club.region.name}" in text
    assert accounts.password() not in text


def test_the_demos_office_account_is_not_a_superuser(demo, client, django_user_model):
    office = django_user_model.objects.get(username="oficina")
    assert not django_user_model.objects.filter(is_superuser=True).exists()
    client.force_login(office)
    assert client.get("/admin/players/player/").status_code == 302
    assert client.get("/oficina/personas/").status_code == 200


def test_the_demos_categories_do_not_use_up_the_offices_daily_limit(demo, django_user_model):
    office = django_user_model.objects.get(username="oficina")
    assert count_changes_alone(office, standings.today()) == 0


def test_a_changed_password_is_not_printed(demo, django_user_model, monkeypatch):
    monkeypatch.setenv("BAZA_DEMO_PASSWORD", "another-password-now")
    text = "\n".join(accounts.summary())
    assert "director" in text
    assert "another-password-now" not in text


def test_the_demos_sample_files_can_be_read_and_contain_players_of_the_club(demo, var):
    club = Club.objects.get(roles__kind="director")
    assert sorted(path.name for path in (var / "demo").iterdir()) == sorted([*samples.FILES, *go.FILES])
    for name in samples.FILES:
        assert str(var / "demo" / name) in demo
        result = read_results(name, (var / "demo" / name).read_bytes())
        assert result.issues == ()
        assert len(result.entries) >= 8
        people = [person for entry in result.entries for person in entry.people]
        known = dict(club.players.values_list("number", "pk"))
        unknown = [person.number for person in people if person.number not in known]
        assert unknown == ([samples.UNKNOWN_NUMBER] if name == samples.BROKEN else [])
        names = {p.number: p.full_name for p in club.players.all()}
        renamed = [p.name for p in people if p.number in names and names[p.number] != p.name]
        assert renamed == ([samples.OTHER_NAME] if name == samples.BROKEN else [])


def test_running_the_command_again_adds_nothing(demo):
    before = Tournament.objects.count(), Player.objects.count()
    assert "nothing was added" in acts.create_demo()
    assert (Tournament.objects.count(), Player.objects.count()) == before


def test_rebuild_standings_corrects_wrong_standings_and_reports_them(demo):
    wrong = Standing.objects.order_by("pk").first()
    wanted = wrong.points
    Standing.objects.filter(pk=wrong.pk).update(
        points=wanted + 7, points_in_person=wrong.points_in_person + 7
    )
    out = io.StringIO()
    call_command("rebuild_standings", day=date.fromisoformat(DAYS["until"]), stdout=out)
    line = f"{wrong.player.number}\t12 months up to {DAYS['until']}\t{wanted + 7}\t{wanted}"
    assert out.getvalue() == f"number\tperiod\tstored\tcomputed\n{line}\n1 differences, all repaired.\n"
    wrong.refresh_from_db()
    assert wrong.points == wanted


def test_the_audit_finds_no_difference_in_the_demo(demo):
    out = io.StringIO()
    call_command("verify", stdout=out, stderr=io.StringIO())
    rankings = Revision.objects.count()
    assert out.getvalue().startswith(f"equal: {Tournament.objects.count()} tournaments, ")
    assert f"; not read again: {rankings} without an upload, " in out.getvalue()


def test_the_demo_has_go_tournaments_under_both_rating_systems(demo, var):
    assert set(Rating.objects.values_list("regulation", flat=True)) == {"egf-classic", "egf-2021"}
    assert RatedPlayer.objects.count() == go.PLAYERS
    assert Rating.objects.filter(reset_to__isnull=False).exists()
    assert set(RatingGame.objects.values_list("reason", flat=True)) == {"", "forfeit"}
    assert RatingGame.objects.filter(handicap__gt=0).exists()
    assert list(replays.differences(date.min)) == []


def test_both_go_sample_files_contain_similar_tournaments_in_two_formats(demo, var):
    results = {name: read_go(name, (var / "demo" / name).read_bytes()) for name in go.FILES}
    assert [result.format_name for result in results.values()] == ["egd", "opengotha"]
    for name, result in results.items():
        assert str(var / "demo" / name) in demo
        assert {issue.severity for issue in result.issues} <= {"info"}
        assert (len(result.players), len(result.games)) == (go.PLAYERS, go.PLAYERS // 2 * go.ROUNDS)
        assert [game.reason for game in result.games].count("forfeit") == 1
        assert any(game.handicap for game in result.games)
        assert all(player.pin and player.grade for player in result.players)
    egd, opengotha = results.values()
    assert (egd.tournament_class, opengotha.tournament_class) == ("C", "")
    assert [player.name for player in egd.players] == [player.name for player in opengotha.players]


def test_the_factors_of_the_demo_say_that_they_are_examples(demo):
    factors = ScoringFactor.objects.all()
    assert {factor.name for factor in factors} == set(UNSOURCED)
    assert all("demostración" in factor.source and "no es de la ACBL" in factor.source for factor in factors)
    assert {factor.set_by.username for factor in factors} == {"oficina"}


def test_the_demo_has_a_tournament_with_points_of_each_system(demo):
    rows = LedgerEntry.objects.exclude(family="aeb").values_list("family", "tournament__event_type")
    assert set(rows) == {(event.family, event.kind) for event in other_systems.EVENTS}


@pytest.mark.parametrize(
    ("name", "family", "kind"),
    [
        (samples.CLEAN, "aeb", "pool"),
        (samples.USEBIO, "aeb", "pool"),
        (samples.BRONZE, "sbf-bronze", ""),
        (samples.SILVER, "sbf-silver", ""),
        (samples.AMERICAN, "acbl", "club"),
        (samples.AMERICAN, "acbl", "overall"),
    ],
)
def test_every_sample_file_can_be_uploaded_confirmed_and_scored(
    demo, var, client, settings, name, family, kind
):
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl"]
    client.login(username="director", password=accounts.password())
    start = reverse("upload_start")
    form = client.get(start, {"sistema": family}).context["form"]
    text = {
        "family": form["family"].value(), "club": form.fields["club"].initial.pk, "name": "Prueba",
        "format": "pairs", "venue": "in_person", "end_date": DAYS["until"], "boards": "24", "ranking": "one",
        "rating": "regional", "event_type": kind,
    }  # fmt: skip
    file = SimpleUploadedFile(name, (var / "demo" / name).read_bytes())
    sent = client.post(start, {**text, "file": file})
    assert sent.status_code == 302, sent.context["form"].errors
    upload = ResultUpload.objects.get()
    client.post(sent.url, {"action": "accept", "accept": [issue.code for issue in upload.issues.all()]})
    client.post(reverse("upload_confirm", args=[upload.pk]))
    upload.refresh_from_db()
    waiting = Proposal.objects.filter(key=str(upload.pk))
    assert len(waiting) == (family == "sbf-silver" or kind == "overall")
    for proposal in waiting:
        approve(get_user_model().objects.get(username="oficina2"), proposal)
    runs.score(upload.revision.runs.get().pk)
    page = client.get(reverse("upload_receipt", args=[upload.pk]))
    assert page.context["paid"] > 0 and upload.revision.tournament.family == family
    entry = upload.revision.runs.get().entries.first()
    receipt = client.get(reverse("award", args=[entry.player.number, entry.pk])).context["receipt"]
    assert receipt.agrees
    (batch,) = read.batches(upload.revision.tournament_id)
    assert (batch.counts, batch.differences) == ({"read_again": 1}, [])
    if name == samples.USEBIO:
        # Opponents differ in strength, so that the page of adjusted results shows differences.
        rows = Comparison(upload.revision_id).rows_in_order
        assert len(rows) == 16 and any(row.moved for row in rows)
        assert strength_of(upload.revision_id).warnings == ()


def test_the_demo_has_two_pools_with_results_adjusted_for_strength(demo, client):
    tournaments = Tournament.objects.filter(published__boards_scored="mp")
    assert {item.end_date for item in tournaments} == {date(2025, 12, 15), date.fromisoformat(DAYS["until"])}
    for tournament in tournaments:
        page = client.get(f"{tournament.get_absolute_url()}fuerza/")
        assert page.status_code == 200
        assert page.context["session"].gaps == {}
        assert tournament.published.contestants.filter(adjusted=None).count() == 0
