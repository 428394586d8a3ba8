"""How public pages show an annulled tournament: the list, its own page, and the pages of its players."""

import re
from datetime import date

import pytest
from django.urls import reverse

from players.models import Proposal
from players.services import proposals
from scoring.annulments import services as annul
from scoring.ledger.models import LedgerEntry
from scoring.ledger.services import runs
from scoring.ratings.services import replays
from scoring.uploads.services import confirm
from tests import factories as make
from tests.languages import speak
from tests.pages import open_page
from tests.scoring.pages.test_queries import query_count
from tests.scoring.ratings import makers
from tests.scoring.uploads.makers import csv_of, details
from tournaments.models import Tournament
from tournaments.services import uploads

pytestmark = pytest.mark.django_db
REASON = "Uploaded by mistake"


@pytest.fixture(autouse=True)
def english(client):
    speak(client, "en")


@pytest.fixture
def players(db):
    return make.players(8, category="2P")


@pytest.fixture
def tournament(players):
    return make.scored(*make.pairs(players))


def annulled(tournament, by=None) -> None:
    runs.score(annul.annul(tournament.pk, REASON, by or make.office()).pk)
    tournament.refresh_from_db()


def annulment_address(tournament) -> str:
    return f"{tournament.get_absolute_url()}anular/"


def test_a_director_annuls_and_restores_on_the_page(client, tournament):
    client.force_login(make.director(tournament.club))
    assert annulment_address(tournament) in open_page(client, tournament.get_absolute_url(), yo="1").addresses
    assert "8 players would lose" in open_page(client, annulment_address(tournament)).text
    for _ in range(2):  # a double click does not restore it
        client.post(annulment_address(tournament), {"reason": REASON, "act": "annulled"})
    tournament.refresh_from_db()
    assert tournament.annulled_at
    assert client.post(annulment_address(tournament), {"reason": "", "act": "restored"}).status_code == 422
    assert "nobody has points" in open_page(client, annulment_address(tournament)).text
    client.post(annulment_address(tournament), {"reason": "No mistake", "act": "restored"})
    tournament.refresh_from_db()
    assert tournament.annulled_at is None
    assert {"Uploaded by mistake", "No mistake"} <= {
        annulment.reason for annulment in tournament.annulments.all()
    }


def test_a_director_cannot_restore_what_the_office_annulled(client, tournament):
    annulled(tournament)
    client.force_login(make.director(tournament.club))
    assert open_page(client, annulment_address(tournament)).main.forms == []
    assert client.post(annulment_address(tournament), {"reason": "x", "act": "restored"}).status_code == 403


def test_a_tournament_whose_correction_waits_cannot_be_annulled(client, tournament, players):
    """A tournament cannot be annulled while a correction of it waits for approval.

    The page explains this instead of showing its form, and links to the correction if the reader may see it,
    otherwise to the tournament. The service refuses too.
    """
    director, colleague = (make.director(tournament.club) for _ in range(2))
    form = {**uploads.details_of(tournament), "event_type": "regional"}
    ranking = csv_of(make.pairs(players[::-1]))
    upload = uploads.receive(director, tournament.club, "otra.csv", ranking, form, tournament, "Regional")
    confirm.confirm(upload, director)
    waiting = Proposal.objects.get().get_absolute_url()
    for user, link in ((director, True), (make.office(), True), (colleague, False)):
        client.force_login(user)
        main = open_page(client, annulment_address(tournament)).main
        assert "A correction of it waits for approval" in main.text
        assert (main.forms, waiting in main.addresses) == ([], link)
    posted = client.post(annulment_address(tournament), {"reason": REASON, "act": "annulled"})
    assert (posted.status_code, "A correction of it waits" in posted.content.decode()) == (422, True)
    tournament.refresh_from_db()
    assert tournament.annulled_at is None
    proposals.withdraw(Proposal.objects.get().pk, director)
    assert open_page(client, annulment_address(tournament)).main.forms


def test_the_page_offers_no_restoring_if_the_file_was_uploaded_again(client, players):
    club = players[0].club
    director = make.director(club)

    def confirmed(name: str) -> Tournament:
        form = details(name=name, boards=24)
        upload = uploads.receive(director, club, "pool.csv", csv_of(make.pairs(players)), form)
        return confirm.confirm(upload, director).tournament

    first = confirmed("Martes")
    annul.annul(first.pk, REASON, director)
    client.force_login(director)
    assert open_page(client, annulment_address(first)).main.forms
    second = confirmed("Miércoles")
    main = open_page(client, annulment_address(first)).main
    assert "uploaded again and counts as “Miércoles”" in main.text
    assert (main.forms, second.get_absolute_url() in main.addresses) == ([], True)
    posted = client.post(annulment_address(first), {"reason": "Both", "act": "restored"})
    assert posted.status_code == 422
    first.refresh_from_db()
    assert first.annulled_at


def test_the_page_offers_no_restoring_if_a_go_tournament_was_registered_again(client):
    office = make.office()
    first = makers.confirmed(makers.upload(office), office, {"go_no_pin"}).tournament
    annul.annul_go(first.pk, REASON, office)
    client.force_login(office)
    assert open_page(client, annulment_address(first)).main.forms
    again = makers.upload(office, name="Copa del Faro")
    second = makers.confirmed(again, office, {"go_no_pin", "same_event", "same_games"}).tournament
    main = open_page(client, annulment_address(first)).main
    assert "uploaded again and counts as “Copa del Faro”" in main.text
    assert (main.forms, second.get_absolute_url() in main.addresses) == ([], True)


def test_everybody_sees_that_a_tournament_is_annulled_and_why(client, tournament, players):
    award = LedgerEntry.objects.get(player=players[0], kind="award")
    assert "annulled" not in open_page(client, tournament.get_absolute_url()).text
    annulled(tournament)
    page = open_page(client, tournament.get_absolute_url())
    assert REASON in page.text
    assert "Points" not in page.table().heads
    assert "annulled" in open_page(client, reverse("tournaments")).text
    listed = {
        kind: tournament.name in open_page(client, reverse("tournaments"), puntua=kind).text
        for kind in ("si", "no")
    }
    assert listed == {"si": False, "no": True}
    overview, results = (
        open_page(client, f"{players[0].get_absolute_url()}{part}").main.text for part in ("", "resultados/")
    )
    assert re.search(rf"Annulled on [^:]*: {REASON}", overview)
    assert f"annulled: {REASON}" in results
    receipts = [reverse("award", args=[players[0].number, pk]) for pk in (award.pk, award.reversed_by.pk)]
    assert all(
        "was annulled" in open_page(client, receipt).text and REASON in open_page(client, receipt).text
        for receipt in receipts
    )


def test_an_annulled_ineligible_tournament_is_listed_once_on_the_players_page(client):
    few = make.players(4, licensed=False)
    tournament = make.scored(*make.pairs(few))
    annulled(tournament)
    own = open_page(client, few[0].get_absolute_url())
    assert own.addresses.count(tournament.get_absolute_url()) == 1
    assert REASON in own.text


def test_the_log_of_annulments_needs_few_queries(client, tournament, players):
    office = make.office()
    client.force_login(office)
    annulled(tournament, office)
    count = query_count(client, reverse("annulments"))
    annulled(make.scored(*make.pairs(players)), office)
    annul.annul_go(makers.registered(makers.event()).pk, REASON, office)
    assert query_count(client, reverse("annulments")) == count
    assert open_page(client, reverse("annulments")).text.count(REASON) == 3


def test_pages_of_go_show_an_annulled_tournament_and_the_reason(client):
    event = makers.registered(makers.event(end=date(2026, 3, 1)))
    replays.replay(annul.annul_go(event.pk, REASON, make.office()).pk)
    pages = [event.get_absolute_url(), makers.player("Uno 1").get_absolute_url(), reverse("go_tournaments")]
    assert [("annulled" in open_page(client, page).text) for page in pages] == [True, True, True]
    assert REASON in open_page(client, pages[0]).text
    assert REASON in open_page(client, pages[1]).text
