"""A director sends several files of one event in a real browser; the clicks are counted."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.browser.conftest import PHONE, check_page, follow, send_files
from tests.scoring.uploads.makers import usebio_of
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.models import ResultUpload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Open the dialogue, click the first file, the second with Ctrl held, and the button of the dialogue.
CLICKS_TO_CHOOSE_TWO = 4


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "the club's first file"])
def test_a_database_and_a_list_of_names_come_to_points_in_six_clicks(page, live_url, sign_in, announced):
    club = factories.club()
    director = factories.director(club)
    pairs = factories.pairs(factories.players(24, club=club, category="2P"))
    if announced:
        factories.announcement(club, by=director, end_date=date(2026, 3, 14), boards=24)
    lines = (f"{at};{one.full_name};{two.full_name}" for at, (one, two) in enumerate(pairs, start=1))
    names = "\n".join(lines).encode()
    sign_in(director)

    page.goto(live_url + reverse("upload_start"))
    send_files(page, ("lista.csv", names), ("martes.bws", mitchell(6, 4).data()))
    clicks = CLICKS_TO_CHOOSE_TWO
    check_page(page)
    for button in ("#continue", "main form button.btn-primary"):
        follow(page.locator(button))
        clicks += 1
    runs.score(ScoringRun.objects.latest("pk").pk)
    assert ResultUpload.objects.get().state == "confirmed"
    assert LedgerEntry.objects.filter(player=pairs[0][0]).exists()
    assert clicks == 6
    page.reload()
    check_page(page)
    assert "lista.csv" in page.locator("main").inner_text()


def test_the_second_week_with_a_database_a_list_and_a_guest_takes_six_clicks(page, live_url, sign_in):
    club = factories.club()
    pairs = factories.pairs(factories.players(24, club=club, category="2P"))
    names = [person.full_name for pair in pairs for person in pair]
    names[5] = "Jean Dupont"
    lines = (f"{at // 2 + 1};{names[at]};{names[at + 1]}" for at in range(0, 24, 2))
    start_list = ("lista.csv", "\n".join(lines).encode())
    sign_in(factories.director(club))
    clicks = []
    for evening, buttons in ((mitchell(6, 4), ["button[value=guests]"]), (mitchell(6, 5), [])):
        for row in evening.received:
            row["DateLog"] += timedelta(weeks=len(clicks))
            row["TimeLog"] += timedelta(weeks=len(clicks))
        page.goto(live_url + reverse("upload_start"))
        send_files(page, start_list, ("martes.bws", evening.data()))
        clicks.append(CLICKS_TO_CHOOSE_TWO)
        for button in (*buttons, "#continue", "main form button.btn-primary"):
            follow(page.locator(button))
            clicks[-1] += 1
        check_page(page)
    assert clicks == [7, 6]
    assert ResultUpload.objects.filter(state="confirmed").count() == 2


def test_files_of_two_events_are_named_and_parted(page, live_url, sign_in):
    club = factories.club()
    first, second = (factories.pairs(factories.players(8, club=club)) for _ in range(2))
    sign_in(factories.director(club))
    page.set_viewport_size(PHONE)
    page.goto(live_url + reverse("upload_start"))
    send_files(page, ("lunes.xml", usebio_of(first, "07/03/2026")), ("martes.xml", usebio_of(second)))
    check_page(page)
    assert "lunes.xml" in page.locator("main").inner_text()
    follow(page.locator("main button[name=part]"))
    check_page(page)
    assert ResultUpload.objects.filter(state="review").count() == 2
