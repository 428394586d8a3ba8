"""Results of announced tournaments: proposing and linking them, and the announcement as approval."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from players.inbox import waiting_for
from players.models import AccountEvent, Proposal, Role
from players.services import proposals
from players.services.journal import note
from scoring.annulments import services as annulments
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import runs
from scoring.uploads.services.confirm import NotConfirmable, confirm
from scoring.uploads.services.review import review_of
from tests import factories as make
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from tests.scoring.uploads.makers import csv_of, usebio_of
from tests.scoring.uploads.test_approval import region_admin
from tournaments.models import Announcement
from tournaments.services import pipeline, uploads

pytestmark = pytest.mark.django_db


@pytest.fixture
def pairs(club):
    return make.pairs(make.players(12, club=club, category="2P"))


@pytest.fixture
def day(today):
    return today - timedelta(days=1)


def sent(director, club, pairs, day, announcement=None, **fields):
    """Send a CSV file, which states no date, with the day and these fields in the form."""
    details = {"end_date": day.isoformat(), "boards": 24, "format": "pairs", **fields}
    values = {name: value for name, value in details.items() if value is not None}
    return uploads.receive(director, club, "lista.csv", csv_of(pairs), values, announcement=announcement)


def regional(club, by, day, **fields):
    values = {"event_type": "regional", "boards": 24, "end_date": day, **fields}
    return make.announcement(club, by=by, **values)


# --- Proposing and linking ------------------------------------------------------------------------------
def codes(upload) -> list[str]:
    return [item.code for item in review_of(upload).issues if item.code.startswith("announced")]


def test_the_announced_tournament_that_fits_fills_in_the_data(director, club, pairs, day):
    announced = make.announcement(club, end_date=day, venue="online", name="Pool X")
    upload = sent(director, club, pairs, day)
    assert upload.announcement == announced
    known = review_of(upload).draft.known
    assert (known.name, known.event_type, known.venue, known.end_date) == ("Pool X", "pool", "online", day)
    assert codes(upload) == ["announced"]
    run = confirm(upload, director)
    announced.refresh_from_db()
    assert announced.tournament == run.tournament


@pytest.mark.parametrize(
    "shift, name, linked, asked",
    [
        (0, "POOL x!", True, False),
        (0, "Copa Navidad", False, True),
        (-1, None, False, True),
        (-1, "Pool X", False, True),
        (1, None, False, False),
        (1, "Copa Navidad", False, False),
        (1, "pool x", False, True),
    ],
)
def test_another_day_or_name_is_asked_about(director, club, pairs, day, shift, name, linked, asked):
    announced = make.announcement(club, end_date=day + timedelta(days=shift), name="Pool X", venue="online")
    upload = sent(director, club, pairs, day, event_type="pool", name=name)
    assert (upload.announcement == announced, codes(upload)) == (
        linked,
        ["announced"] if linked else ["announced_perhaps"] * asked,
    )
    proposed = upload.details.get("proposed")
    assert upload.details.get("name") == ("POOL x!" if linked else name or proposed)
    assert (proposed is None) == bool(name)
    if asked:
        assert "announced_perhaps" in review_of(upload).draft.unticked
        uploads.choose_announcement(upload, None)
        upload.refresh_from_db()
        assert "announced_perhaps" not in review_of(upload).draft.unticked
        uploads.choose_announcement(upload, announced)
        upload.refresh_from_db()
        known = review_of(upload).draft.known
        assert (known.name, known.end_date, known.venue) == (name or "Pool X", day, "online")
        assert codes(upload) == ["announced"]


def bbo(day) -> bytes:
    """Return a file of Bridge Base Online of a day."""
    text = f"#BoardCount,24\n#Tournament,77,https://www.bridgebase.com/x\n#Date,{day:%d/%m/%Y}\n"
    text += "#Rank,Name1,Name2,Score\n1,Ana Uno,Luis Dos,61\n2,Eva Tres,Mar Seis,50\n3,Eva Sol,Mar Mas,39\n"
    return text.encode()


def test_a_file_played_online_is_not_taken_for_a_tournament_in_person(director, club, day):
    announced = make.announcement(club, end_date=day, name="Pool X", venue="in_person")
    upload = uploads.receive(director, club, "bbo.csv", bbo(day), {})
    assert (upload.announcement, codes(upload)) == (None, ["announced_perhaps"])
    for choice in (announced, None):
        uploads.choose_announcement(upload, choice)
        upload.refresh_from_db()
        assert review_of(upload).draft.known.venue == "online"
    upload.details["venue"] = "in_person"
    assert "venue_differs" in review_of(upload).draft.unticked


def errors(upload):
    return {item.code for item in review_of(upload).issues if item.severity == "error"}


def test_what_the_answer_about_an_announced_tournament_fills_in_is_no_error(director, club, day):
    make.announcement(club, end_date=day, name="Pool X", venue="in_person")
    upload = uploads.receive(director, club, "bbo.csv", bbo(day), {})
    assert (upload.details.get("name"), errors(upload), review_of(upload).ready) == (None, set(), False)
    with pytest.raises(NotConfirmable):
        confirm(upload, director)
    upload.details["start_date"] = (day - timedelta(days=1)).isoformat()
    upload.save()
    uploads.choose_announcement(upload, None)
    upload.refresh_from_db()
    assert errors(upload) == {"missing_name", "missing_event_type"}


@pytest.mark.parametrize("venue", ["online", "online_supervised"])
def test_a_file_played_online_is_taken_for_an_announced_tournament_online(director, club, day, venue):
    announced = make.announcement(club, end_date=day, name="Pool X", venue=venue)
    upload = uploads.receive(director, club, "bbo.csv", bbo(day), {})
    assert (upload.announcement, upload.details["venue"]) == (announced, venue)
    assert "venue_differs" not in review_of(upload).draft.unticked


@pytest.mark.parametrize("event_type", ["pool", "regional"])
def test_a_tournament_of_the_day_before_does_not_take_away_the_usual_pool(
    signed_in, director, club, pairs, day, event_type
):
    near = make.announcement(
        club, end_date=day - timedelta(days=1), name="Copa", event_type=event_type, venue="online"
    )
    upload = sent(director, club, pairs, day)
    assert codes(upload) == ["announced_perhaps"]
    assert ("proposed" in upload.details) == (event_type == "pool")
    uploads.save(upload, uploads.Answers(ticks=["announced_perhaps"]))
    upload.refresh_from_db()
    known = review_of(upload).draft.known
    assert (known.name, known.event_type, known.venue) == (upload.details["proposed"], "pool", "in_person")
    uploads.choose_announcement(upload, near)
    upload.refresh_from_db()
    known = review_of(upload).draft.known
    assert (known.name, known.event_type, known.venue) == ("Copa", event_type, "online")


def test_the_name_in_the_file_is_not_replaced_unasked(director, club, pairs, day):
    make.announcement(club, end_date=day, name="Pool X")
    data = usebio_of(pairs, day.strftime("%d/%m/%Y"))
    upload = uploads.receive(director, club, "pool.xml", data, {"event_type": "pool"})
    written = upload.parsed["event"]["title"]
    assert written
    assert (upload.announcement, review_of(upload).draft.known.name) == (None, written)
    assert codes(upload) == ["announced_perhaps"]


def test_what_begins_in_the_future_has_no_result(director, club, pairs):
    """A file sent today is not the result of what is announced for tomorrow, even under its name."""
    today = timezone.localdate()
    tomorrow = make.announcement(club, end_date=today + timedelta(days=1), name="Pool X")
    upload = sent(director, club, pairs, today, name="Pool X", event_type="pool", venue="in_person")
    assert (upload.announcement, codes(upload)) == (None, [])
    uploads.choose_announcement(upload, tomorrow)
    confirm(upload, director)
    tomorrow.refresh_from_db()
    assert tomorrow.tournament is None


def test_the_usual_pool_does_not_hide_a_regional_tournament(client, director, club, pairs, day):
    make.tournament(club, event_type="pool", end_date=day - timedelta(days=7))
    regional(club, make.office(), day - timedelta(days=1))
    upload = sent(director, club, pairs, day)
    assert codes(upload) == ["announced_perhaps"]
    assert not {"event_type", "venue", "name"} & upload.details.keys()
    client.force_login(director)
    announced = Announcement.objects.get()
    client.post(reverse("upload_review", args=[upload.pk]), {"announced": str(announced.pk)})
    upload.refresh_from_db()
    assert (upload.announcement, upload.details["event_type"]) == (announced, "regional")


@pytest.mark.parametrize(
    "changes",
    [
        {"shift": 2},
        {"shift": -2},
        {"event_type": "regional"},
        {"format": "teams"},
        {"cancelled_at": "2026-01-01T00:00Z"},
        {"elsewhere": True},
    ],
)
def test_what_does_not_fit_is_not_proposed(director, club, pairs, day, changes):
    values = {"end_date": day + timedelta(days=changes.pop("shift", 0)), "event_type": "pool"}
    make.announcement(make.club() if changes.pop("elsewhere", False) else club, **{**values, **changes})
    upload = sent(director, club, pairs, day, event_type="pool", name="Otra")
    assert (upload.announcement, codes(upload)) == (None, [])
    confirm(upload, director)
    assert not Announcement.objects.exclude(tournament=None).exists()


def test_of_two_days_the_uploads_own_is_chosen_and_of_two_the_same_day_none(director, club, pairs, day):
    near = make.announcement(club, end_date=day - timedelta(days=1))
    same = make.announcement(club, end_date=day)
    upload = sent(director, club, pairs, day)
    assert upload.announcement == same
    uploads.choose_announcement(upload, near)
    make.announcement(club, end_date=day)
    assert sent(director, club, pairs, day).announcement is None


def test_without_anything_but_the_file_the_announced_day_and_boards_are_taken(director, club, pairs, day):
    announced = make.announcement(club, end_date=day, boards=26)
    upload = sent(director, club, pairs, day, announced, end_date=None, boards=None, format=None)
    known = review_of(upload).draft.known
    assert (known.end_date, known.boards, known.format, known.event_type) == (day, 26, "pairs", "pool")


def test_an_announced_tournament_gets_one_result(director, club, pairs, day):
    announced = make.announcement(club, end_date=day)
    first = sent(director, club, pairs, day)
    second = sent(director, club, make.pairs(make.players(8)), day)
    assert first.announcement == second.announcement == announced
    won, late = confirm(first, director), confirm(second, director)
    announced.refresh_from_db()
    assert announced.tournament == won.tournament
    with pytest.raises(IntegrityError), transaction.atomic():
        make.announcement(club, tournament=won.tournament)
    assert late.tournament != won.tournament


def test_the_review_proposes_and_the_director_chooses(client, director, club, pairs, day):
    announced = [make.announcement(club, end_date=day, name=f"Pool {n}") for n in range(2)]
    upload = sent(director, club, pairs, day, event_type="pool", venue="in_person")
    client.force_login(director)
    address = reverse("upload_review", args=[upload.pk])
    assert client.get(address).context["proposed"] == tuple(announced)
    client.post(address, {"announced": str(announced[1].pk)})
    upload.refresh_from_db()
    assert upload.announcement == announced[1]
    assert client.get(address).context["review"].announced == announced[1]
    client.post(address, {"announced": ""})
    upload.refresh_from_db()
    assert upload.announcement is None


@pytest.mark.parametrize("text", ["x", "0", "99999999999999999999999"])
def test_a_button_cannot_name_another_announcement(client, director, club, pairs, day, text):
    upload = sent(director, club, pairs, day, event_type="pool")
    elsewhere = make.announcement(end_date=day)
    client.force_login(director)
    for value in (text, str(elsewhere.pk)):
        client.post(reverse("upload_review", args=[upload.pk]), {"announced": value})
    upload.refresh_from_db()
    assert upload.announcement is None


def test_what_no_longer_fits_is_not_linked(director, club, pairs, day):
    announced = make.announcement(club, end_date=day)
    upload = sent(director, club, pairs, day)
    uploads.save(upload, uploads.Answers(details={"end_date": (day - timedelta(days=9)).isoformat()}))
    upload.refresh_from_db()
    assert review_of(upload).announced is None
    confirm(upload, director)
    announced.refresh_from_db()
    assert announced.tournament is None


def test_the_page_of_the_announcement_leads_to_the_form(client, director, club, pairs, day):
    announced = make.announcement(club, end_date=day, boards=26, name="Pool X")
    client.force_login(director)
    page = client.get(announced.get_absolute_url(), {"yo": "1"}).content.decode()
    address = f"{reverse('upload_start')}?anunciado={announced.pk}"
    assert address in page
    assert client.get(address).context["announced"] == announced
    typed = client.get(f"{reverse('upload_typed')}?anunciado={announced.pk}").context["form"]
    assert (typed["name"].value(), typed["boards"].value(), typed["end_date"].value()) == ("Pool X", 26, day)
    data = {"club": club.pk, "name": "Pool X", "event_type": "pool", "format": "pairs", "venue": "in_person"}
    form = {**data, "end_date": day.isoformat(), "boards": "26"}
    client.post(f"{reverse('upload_typed')}?anunciado={announced.pk}", form)
    assert announced.uploads.count() == 1


@pytest.mark.parametrize("text, status", [("x", 404), ("999999", 404), ("9" * 30, 404)])
def test_strange_announcements_in_the_address(client, director, text, status):
    client.force_login(director)
    assert client.get(reverse("upload_start"), {"anunciado": text}).status_code == status


def test_the_announcement_of_another_club_is_refused(client, director):
    client.force_login(director)
    query = {"anunciado": make.announcement().pk}
    assert client.get(reverse("upload_start"), query).status_code == 403


# --- The announcement as approval -----------------------------------------------------------------------
@pytest.mark.parametrize("announcer", [lambda club: make.office(), lambda club: region_admin(club.region)])
def test_an_announced_regional_tournament_waits_for_nobody(client, director, club, pairs, day, announcer):
    announced = regional(club, announcer(club), day)
    upload = sent(director, club, pairs, day)
    assert (upload.announcement, review_of(upload).needs_approval) == (announced, False)
    client.force_login(director)
    assert client.get(reverse("upload_confirm", args=[upload.pk])).context["approvers"] == ""
    run = confirm(upload, director)
    assert run.state == ScoringRun.State.PENDING
    runs.score(run.pk)
    run.refresh_from_db()
    assert run.state == ScoringRun.State.DONE
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [{"boards": 22}, {"boards": None}, {"venue": "online"}],
)
def test_what_was_played_otherwise_than_announced_waits(director, club, pairs, day, changes):
    regional(club, make.office(), day, **changes)
    upload = sent(director, club, pairs, day, venue="in_person")
    assert upload.announcement is not None
    assert review_of(upload).needs_approval
    assert confirm(upload, director).state == ScoringRun.State.WAITING


def test_one_person_does_not_announce_and_confirm(club, pairs, day):
    office, other = make.office(), make.office()
    regional(club, office, day)
    upload = sent(office, club, pairs, day)
    assert review_of(upload, other).needs_approval
    assert confirm(upload, office).state == ScoringRun.State.WAITING


def test_the_announcer_does_not_confirm_what_another_uploaded(director, club, pairs, day):
    office = make.office()
    regional(club, office, day)
    upload = sent(director, club, pairs, day)
    assert not review_of(upload, director).needs_approval
    assert review_of(upload, office).needs_approval
    assert confirm(upload, office).state == ScoringRun.State.WAITING


@pytest.mark.parametrize("event_type", ["national", "regional"])
def test_an_announcer_without_the_role_approves_nothing(director, club, pairs, day, event_type):
    """A region's administrator does not approve national tournaments, and nobody who lost the role."""
    account = region_admin(club.region)
    regional(club, account, day, event_type=event_type)
    if event_type == "regional":
        account.roles.all().delete()
    upload = sent(director, club, pairs, day)
    assert confirm(upload, director).state == ScoringRun.State.WAITING


def test_a_closed_account_approves_nothing(director, club, pairs, day):
    office = make.office()
    regional(club, office, day)
    office.is_active = False
    office.save()
    assert review_of(sent(director, club, pairs, day)).needs_approval


@pytest.mark.parametrize("about", ["announcer", "director"])
def test_waiting_days_hold_for_announcements(director, club, pairs, day, about):
    """Nobody approves anything on the first days with a role, or the work of an account that they created."""
    office, other = make.office(), make.office()
    if about == "announcer":
        note(office, AccountEvent.Kind.ROLE_GIVEN, other, holds=True)
    else:
        note(director, AccountEvent.Kind.CREATED, office)
    regional(club, office, day)
    assert review_of(sent(director, club, pairs, day)).needs_approval


def test_a_cancelled_announcement_approves_nothing(director, club, pairs, day):
    announced = regional(club, make.office(), day)
    upload = sent(director, club, pairs, day)
    Announcement.objects.filter(pk=announced.pk).update(cancelled_at="2026-01-01T00:00Z")
    assert confirm(upload, director).state == ScoringRun.State.WAITING


def test_a_correction_waits_although_the_tournament_was_announced(director, club, pairs, day):
    regional(club, make.office(), day)
    run = confirm(sent(director, club, pairs, day), director)
    runs.score(run.pk)
    details = uploads.details_of(run.tournament)
    again = uploads.receive(
        director, club, "otra.csv", csv_of(pairs[::-1]), details, run.tournament, "Un error"
    )
    assert confirm(again, director).state == ScoringRun.State.WAITING


def test_a_returned_result_makes_the_announcement_free_again(director, club, pairs, day):
    announced = regional(club, make.office(), day, venue="online")
    upload = sent(director, club, pairs, day, venue="in_person")
    run = confirm(upload, director)
    announced.refresh_from_db()
    assert announced.tournament == run.tournament
    proposals.give_back(Proposal.objects.get().pk, make.office(), "Falta la firma")
    announced.refresh_from_db()
    assert announced.tournament is None


# --- Annulled results -----------------------------------------------------------------------------------
def scored(upload, director):
    run = confirm(upload, director)
    runs.score(run.pk)
    return run.tournament


def test_annulling_frees_the_announcement_and_restoring_links_it_again(client, director, club, pairs, day):
    announced = make.announcement(club, end_date=day)
    tournament = scored(sent(director, club, pairs, day), director)
    runs.score(annulments.annul(tournament.pk, "Repetido", director).pk)
    announced.refresh_from_db()
    assert announced.tournament is None
    client.force_login(director)
    assert client.get(announced.get_absolute_url(), {"yo": "1"}).context["may_change"]
    runs.score(annulments.restore(tournament.pk, "Un error", director).pk)
    announced.refresh_from_db()
    assert announced.tournament == tournament


def test_restoring_leaves_an_announcement_with_another_result(director, club, pairs, day):
    announced = make.announcement(club, end_date=day)
    first = scored(sent(director, club, pairs, day), director)
    runs.score(annulments.annul(first.pk, "Otra gente", director).pk)
    others = make.pairs(make.players(12, club=club, category="2P"))
    second = scored(sent(director, club, others, day), director)
    annulments.restore(first.pk, "Un error", director)
    announced.refresh_from_db()
    assert announced.tournament == second


def test_an_announcement_approves_one_result(director, club, pairs, day):
    """Else a club could annul an approved result and upload another in its place."""
    announced = regional(club, make.office(), day)
    tournament = scored(sent(director, club, pairs, day), director)
    runs.score(annulments.annul(tournament.pk, "Otra gente", make.office()).pk)
    again = sent(director, club, make.pairs(make.players(12, club=club, category="2P")), day)
    assert again.announcement == announced
    assert review_of(again).needs_approval


# --- "The result is missing" ----------------------------------------------------------------------------
def test_directors_are_reminded_of_missing_results(client, director, club, pairs, day):
    announced = make.announcement(club, end_date=day, name="Pool X")
    make.announcement(club, name="Pool de hoy")
    make.announcement(club, end_date=day, cancelled_at="2026-01-01T00:00Z", name="Suspendida")
    make.announcement(club, end_date=day - timedelta(days=90), name="Antigua")
    make.announcement(end_date=day, name="De otro club")
    client.force_login(director)
    assert [item.name for item in client.get(reverse("uploads")).context["missing"]] == ["Pool X"]
    tasks = [matter for matter in waiting_for(director).matters if "Pool X" in matter.title]
    assert [task.url for task in tasks] == [f"{reverse('upload_start')}?anunciado={announced.pk}"]
    upload = sent(director, club, pairs, day)
    assert list(client.get(reverse("uploads")).context["missing"]) == []
    pipeline.discard(upload)
    assert len(client.get(reverse("uploads")).context["missing"]) == 1


def test_an_administrator_is_reminded_and_others_are_not(club, day):
    announced = make.announcement(club, end_date=day, name="Pool X")
    administrator = make.user()
    make.role(administrator, Role.Kind.CLUB_ADMIN, club=club)
    assert announced.get_absolute_url() in [matter.url for matter in waiting_for(administrator).matters]
    for account in (make.director(make.club()), make.office(), make.user()):
        assert not [matter for matter in waiting_for(account).matters if "Pool X" in matter.title]


def test_missing_results_are_listed_with_the_longest_wait_first(director, club, day):
    for days in (0, 3, 1):
        make.announcement(club, end_date=day - timedelta(days=days))
    inbox = waiting_for(director, number=2)
    assert [matter.since for matter in inbox.matters] == [day - timedelta(days=3), day - timedelta(days=1)]
    assert inbox.count == 3


def test_only_those_who_may_cancel_a_tournament_are_asked_whether_it_was_played(client, director, club, day):
    pool = make.announcement(club, end_date=day)
    larger = make.announcement(club, end_date=day, event_type="regional")
    auditor = make.user()
    make.role(auditor, Role.Kind.AUDITOR)
    cancels = {item.pk: reverse("announcement_cancel", args=[item.pk]) for item in (pool, larger)}
    for account, offered in ((make.office(), {pool, larger}), (director, {pool}), (auditor, set())):
        client.force_login(account)
        addresses = open_page(client, reverse("uploads")).addresses
        assert {pk for pk, address in cancels.items() if address in addresses} == {
            item.pk for item in offered
        }


@pytest.mark.parametrize("address", ["uploads", "home"])
def test_the_queries_do_not_grow_with_missing_results(client, director, club, day, address):
    client.force_login(director)
    make.announcement(club, end_date=day)
    count = query_count(client, reverse(address))
    for _number in range(2):
        make.announcement(club, end_date=day)
    assert query_count(client, reverse(address)) == count
