"""A Go tournament in a real browser: from the upload to the rating list, a player's chart and the receipt.

All pages are checked in all sizes and themes.
"""

import pytest
from django.urls import reverse

from scoring.ratings.models import GoUpload, RatingTournament
from scoring.ratings.services import replays
from tests import factories
from tests.browser.conftest import check_page, follow, send_files, watched_page
from tests.scoring.ratings import makers
from tests.tournaments.formats import test_opengotha as files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OPENGOTHA = (
    '<?xml version="1.0" encoding="UTF-8"?><Tournament dataVersion="201">\n'
    "<Players>{players}</Players><Games>{games}</Games>"
    '<TournamentParameterSet><GeneralParameterSet name="Copa del Molino" beginDate="2026-04-04" '
    'endDate="2026-04-05" size="19"/></TournamentParameterSet></Tournament>'
)


@pytest.fixture(params=["light", "dark"])
def page(request, browser, live_url):
    """A browser page. Every test that uses it runs twice: in the light theme and in the dark one."""
    yield from watched_page(browser, live_url, color_scheme=request.param)


def sent(page, live_url, name: str, data: bytes, kind: str) -> GoUpload:
    """Upload a file with the page of all files. Return the upload, whose review is then open in the browser.

    kind: the file's content type
    """
    page.goto(live_url + reverse("upload_start"))
    send_files(page, (name, data), kind=kind)
    upload = GoUpload.objects.order_by("-created_at").first()
    assert page.url == live_url + upload.get_absolute_url()
    return upload


def test_a_director_uploads_a_go_result_table_and_players_get_ratings(page, live_url, sign_in):
    sign_in(factories.director(factories.club()))
    upload = sent(page, live_url, "torneo.h9", makers.FILE.encode(), "text/plain")
    check_page(page)
    assert page.locator("main table.baza tbody tr").count() == 4

    # Without the tick the review stays and says why.
    follow(page.locator("#continue"))
    check_page(page)
    page.check("#accept-go_no_pin")
    follow(page.locator("#continue"))
    assert page.url == live_url + reverse("go_upload_confirm", args=[upload.pk])
    assert not RatingTournament.objects.exists()
    check_page(page)
    follow(page.locator("main form .btn-primary"))
    assert page.url == live_url + reverse("go_upload_receipt", args=[upload.pk])
    check_page(page)

    # Run the replay like a worker; the page notices by itself.
    upload.refresh_from_db()
    with page.expect_navigation():
        replays.replay(upload.replay_id)
    follow(page.get_by_role("link", name="Ver el torneo"))
    tournament = RatingTournament.objects.get()
    assert page.url == live_url + tournament.get_absolute_url()
    check_page(page)

    follow(page.locator(f'main a[href="{reverse("go_receipt", args=[tournament.pk, 1])}"]').first)
    assert page.locator("main h1").inner_text().startswith("Ana Arroyo")
    check_page(page)


def test_an_opengotha_file_takes_five_clicks_and_no_typing(page, live_url, sign_in):
    """From the page of all files to the receipt; choosing a file counts as two clicks."""
    sign_in(factories.director(factories.club()))
    names = ("Arroyo", "Benitez", "Canas", "Duarte")
    people = [files.player(name, "Ana", egfPin=f"1000000{k}") for k, name in enumerate(names, start=1)]
    games = [files.game("ARROYOANA", "BENITEZANA"), files.game("CANASANA", "DUARTEANA", "RESULT_BLACKWINS")]
    data = OPENGOTHA.format(players="".join(people), games="".join(games)).encode()
    sent(page, live_url, "copa.xml", data, "text/xml")
    clicks = 2  # the file, which is sent at once
    check_page(page)
    assert page.locator("#issue-go_missing").count() == 1
    page.get_by_label("B: medio").check()
    follow(page.locator("#continue"))
    follow(page.locator("main form .btn-primary"))
    clicks += 3
    assert clicks == 5
    assert page.url.endswith("/recibo/")
    assert RatingTournament.objects.get().tournament_class == "B"


def test_rating_lists_and_charts_are_accessible_and_fit_on_a_phone(page, live_url):
    for month, games in (
        (1, [(1, 1, 2, "1")]),
        (2, [(1, 1, 2, "0")]),
        (3, [(1, 2, 1, "1"), (2, 3, 4, "0.5")]),
    ):
        makers.registered(makers.event(f"Copa {month}", makers.date(2026, month, 1), games=games))
    late = makers.event("Copa 1", makers.date(2026, 1, 1), games=[(1, 1, 2, "0")])
    makers.registered(late)  # a correction: the player's page lists the changed ratings
    player = makers.player("Uno 1")
    addresses = [
        reverse("go_ratings"),
        reverse("go_tournaments"),
        player.get_absolute_url(),
        *(tournament.get_absolute_url() for tournament in RatingTournament.objects.all()),
        reverse("go_receipt", args=[RatingTournament.objects.first().pk, 1]),
    ]
    for address in addresses:
        page.goto(live_url + address)
        check_page(page)
    page.goto(live_url + player.get_absolute_url())
    assert page.locator("main svg").count() >= 1
    page.goto(live_url + reverse("go_ratings"))
    page.fill("#f-q", "uno 3")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "q=uno" in page.url
    assert page.locator("main table.baza tbody tr").count() == 1
