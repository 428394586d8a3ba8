"""Where are my points? Every state of a tournament, with results that went through the pipeline."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Proposal
from scoring.annulments import services as annulments
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign
from scoring.uploads.services.confirm import confirm
from tests import factories as make
from tests.pages import client_of, open_page
from tests.scoring.pages.test_queries import query_count
from tests.scoring.uploads.makers import approve, csv_of, sent, tick_and_confirm
from tests.scoring.uploads.test_approval import received
from tournaments.models import ResultUpload, Tournament
from ui.clock import today

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
REPORT = "Did you play? Report the missing result"


@pytest.fixture
def club():
    return make.club(name="Club Faro")


@pytest.fixture
def director(club):
    return make.director(club)


@pytest.fixture
def players(club):
    """Return eight licensed players of the club. The first has an account."""
    players = make.players(8, club=club, category="2P")
    players[0].user = make.user()
    players[0].save()
    return players


@pytest.fixture
def of_director(director):
    return client_of(director)


@pytest.fixture
def tracks(client, players):
    """Return a function that opens the page as the first player, and returns {title: track}."""

    def look(**query):
        client.force_login(players[0].user)
        page = open_page(client, reverse("where_points"), **query)
        return {track.title: track for track in page.context["tracks"]}

    return look


def yesterday():
    return today() - timedelta(days=1)


def uploaded(client, club, players, **values) -> ResultUpload:
    """Upload a pool of yesterday."""
    fields = {"end_date": yesterday().isoformat(), "name": "Pool del martes", **values}
    return sent(client, club, csv_of(make.pairs(players)), **fields)


def scored(upload: ResultUpload) -> Tournament:
    upload.refresh_from_db()
    runs.score(upload.revision.runs.latest("pk").pk)
    return Tournament.objects.get(pk=upload.revision.tournament_id)


def marks(track) -> list[str]:
    return [step.mark for step in track.steps]


def test_an_announced_tournament_waits_for_its_result(club, director, tracks):
    make.announcement(club, by=director, name="Pool anunciada", end_date=yesterday())
    track = tracks()["Pool anunciada"]
    assert marks(track) == ["done", "current", "todo", "todo", "todo"]
    assert track.next == "Next: the result is uploaded by a tournament director of Club Faro."


def test_the_usual_days_of_the_club_are_named(of_director, club, director, players, tracks):
    upload = uploaded(of_director, club, players, end_date=(today() - timedelta(days=9)).isoformat())
    tick_and_confirm(of_director, upload)
    ResultUpload.objects.update(created_at=timezone.now() - timedelta(days=6))
    make.announcement(club, by=director, name="Pool anunciada", end_date=yesterday())
    track = tracks()["Pool anunciada"]
    assert track.usual == "The results of this club usually arrive 3 days after play."


def test_a_cancelled_tournament_is_named_on_its_day_alone(club, director, tracks):
    make.announcement(
        club,
        by=director,
        name="Pool anunciada",
        end_date=yesterday(),
        cancelled_at=timezone.now(),
        cancel_reason="Lluvia",
    )
    assert tracks() == {}
    track = tracks(dia=yesterday().isoformat())["Pool anunciada"]
    assert (marks(track)[0], track.steps[0].text) == ("stopped", "Cancelled: Lluvia")


def test_an_upload_waits_for_its_review(of_director, club, players, tracks):
    uploaded(of_director, club, players)
    track = tracks()["Pool del martes"]
    assert marks(track) == ["none", "done", "current", "todo", "todo"]
    assert (track.status, track.steps[2].text) == (
        "Uploaded, the director is reviewing it",
        "Your number is in the file.",
    )


def test_a_file_without_the_players_number_is_listed_on_its_day_alone(of_director, club, players, tracks):
    others = make.players(8, club=club, category="2P")
    uploaded(of_director, club, others)
    assert tracks() == {}
    track = tracks(dia=yesterday().isoformat())["Pool del martes"]
    assert track.steps[2].text == "Your number is not in the file."


def test_a_confirmed_tournament_is_computed_and_then_counts(of_director, club, players, tracks):
    upload = uploaded(of_director, club, players)
    tick_and_confirm(of_director, upload)
    track = tracks()["Pool del martes"]
    assert marks(track) == ["none", "done", "done", "current", "todo"]
    tournament = scored(upload)
    entry = players[0].entries.get()
    track = tracks()["Pool del martes"]
    assert marks(track) == ["none", "done", "done", "done", "done"]
    assert track.receipt == reverse("award", args=[players[0].number, entry.pk])
    assert track.url == tournament.get_absolute_url()
    assert track.report.endswith(f"?torneo={tournament.pk}")


def test_a_computation_that_stopped_is_the_offices(of_director, club, players, tracks):
    upload = uploaded(of_director, club, players)
    tick_and_confirm(of_director, upload)
    ScoringRun.objects.update(state="failed")
    track = tracks()["Pool del martes"]
    assert (marks(track)[3], track.next) == ("stopped", "Next: the federation's office looks into it.")


def test_a_national_tournament_waits_for_approval(of_director, club, director, players, tracks):
    upload = uploaded(of_director, club, players, event_type="national")
    tick_and_confirm(of_director, upload)
    track = tracks()["Pool del martes"]
    assert (marks(track)[3:], track.status) == (["current", "todo"], "Waiting for approval")
    assert track.next == "Next: the points are approved by the federation's office or the committee."
    approve(make.office(), Proposal.objects.get(state="pending"))
    scored(upload)
    assert tracks()["Pool del martes"].mark == "done"


def test_a_tournament_that_is_not_eligible_says_why(of_director, club, players, tracks):
    upload = uploaded(of_director, club, players, boards="18")
    tick_and_confirm(of_director, upload)
    scored(upload)
    track = tracks()["Pool del martes"]
    assert (track.mark, track.status) == ("stopped", "The tournament does not count")
    assert track.steps[-1].text.startswith("Boards: 18; the minimum is 20")


def test_an_annulled_tournament_says_why(of_director, club, director, players, tracks):
    upload = uploaded(of_director, club, players)
    tick_and_confirm(of_director, upload)
    tournament = scored(upload)
    office = make.office()
    annulments.annul(tournament.pk, "Wrong deals", office)
    runs.score(ScoringRun.objects.latest("pk").pk)
    track = tracks()["Pool del martes"]
    assert (track.mark, track.status) == ("stopped", "Annulled")
    assert track.steps[-1].text.endswith(": Wrong deals")


def test_a_corrected_tournament_names_the_correction(of_director, club, director, players, tracks):
    upload = uploaded(of_director, club, players)
    tick_and_confirm(of_director, upload)
    tournament = scored(upload)
    pairs = make.pairs(players)
    correction = received(
        director,
        club,
        [pairs[1], pairs[0], *pairs[2:]],
        corrects=tournament,
        reason="Two pairs exchanged",
        end_date=yesterday().isoformat(),
    )
    assert tracks()["Pool del martes"].notes == [
        "A correction has been uploaded, and the director is reviewing it."
    ]
    confirm(correction, director)
    scored(correction)
    (track,) = tracks().values()
    assert track.mark == "done"
    assert track.notes[0].endswith(": Two pairs exchanged")


def test_who_is_not_in_the_ranking_is_told_on_the_day(club, players, tracks):
    others = make.pairs(make.players(8, category="2P"))
    make.scored(*others, of=club, end_date=yesterday(), name="Pool del martes")
    assert tracks() == {}
    track = tracks(dia=yesterday().isoformat())["Pool del martes"]
    assert (track.mark, track.status) == ("stopped", "Your number is not in the ranking")
    assert "tipo=number" in track.report


def test_a_guest_with_the_players_name_is_pointed_out(club, players, tracks):
    first, *others = make.pairs(players)
    ranking = [(players[0].full_name, first[1]), *others]
    make.scored(*ranking, of=club, end_date=yesterday(), name="Pool del martes")
    track = tracks(dia=yesterday().isoformat())["Pool del martes"]
    assert track.status == "You are in it without your number"
    assert players[0].full_name in track.steps[-1].text


def test_points_after_the_year_was_closed_say_so(club, players, tracks):
    office = make.office()
    rules_of = PromotionCampaign._meta.get_field("rule_set").related_model.objects.latest("valid_from")
    campaign = PromotionCampaign.objects.create(
        year=yesterday().year,
        rule_set=rules_of,
        intake_until=today(),
        effective_on=today() + timedelta(days=60),
        opened_by=office,
    )
    snapshot = CampaignSnapshot.objects.create(
        campaign=campaign, version=1, taken_by=office, rules={}, players=0, digest="0" * 64
    )
    PromotionCampaign.objects.filter(pk=campaign.pk).update(
        snapshot=snapshot, frozen_by=office, state="frozen"
    )
    make.scored(*make.pairs(players), of=club, end_date=yesterday(), name="Pool del martes")
    track = tracks()["Pool del martes"]
    assert track.mark == "done"
    assert "were closed on" in track.notes[0]


def test_a_tournament_of_another_club_is_found_by_day_and_club(players, tracks):
    far = make.club(name="Club Lejano")
    make.scored(*make.pairs(make.players(8, category="2P")), of=far, end_date=yesterday(), name="Lejos")
    day = yesterday().isoformat()
    assert tracks(dia=day) == {}
    assert list(tracks(dia=day, club=far.slug)) == ["Lejos"]


def test_a_draft_of_another_club_is_not_shown_to_strangers(players, tracks):
    far = make.club()
    uploaded(client_of(make.director(far)), far, make.players(8, club=far, category="2P"))
    assert tracks() == {}


@pytest.mark.parametrize(
    ("asked", "message"), [("31/12/2025", "Write the day"), ("2999-01-01", "still to come"), ("x", "Write")]
)
def test_a_day_that_is_none_is_refused_and_kept(asked, message, client, players):
    client.force_login(players[0].user)
    page = open_page(client, reverse("where_points"), dia=asked)
    assert message in page.text
    assert page.values("dia") == [asked]


def test_an_account_without_a_player_is_told_so(client):
    client.force_login(make.user())
    page = open_page(client, reverse("where_points"))
    assert "not linked with a player" in page.text


def test_three_tournaments_take_as_many_queries_as_one(club, director, players, of_director):
    def one_of_each(number: int) -> None:
        day = yesterday() - timedelta(days=number)
        make.scored(*make.pairs(players), of=club, end_date=day, name=f"Contada {number}")
        make.announcement(club, by=director, name=f"Anunciada {number}", end_date=day)
        guests = make.pairs([*players[:2], *make.players(6, category="2P")])
        sent(of_director, club, csv_of(guests), end_date=day.isoformat(), name=f"Borrador {number}")

    one_of_each(0)
    client, page = client_of(players[0].user), reverse("where_points")
    count = query_count(client, page)
    one_of_each(1), one_of_each(2)
    assert query_count(client, page) == count
    assert count <= 22


def test_the_report_of_a_missing_tournament_begins_with_the_day_and_the_club(client, club, players):
    client.force_login(players[0].user)
    query = {"dia": yesterday().isoformat(), "club": club.slug}
    page = open_page(client, reverse("where_points"), **query)
    form = open_page(client, page.link("A tournament is missing"))
    assert (form.values("day"), form.values("club")) == ([query["dia"]], [club.slug])
    announced = make.announcement(club, end_date=yesterday())
    form = open_page(client, open_page(client, announced.get_absolute_url()).link(REPORT))
    assert (form.values("day"), form.values("club")) == ([query["dia"]], [club.slug])
