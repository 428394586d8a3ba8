"""A director says in a real browser who the people of a file of names are; the clicks are counted."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.services import runs
from tests import factories
from tests.browser.conftest import PHONE, check_page, follow, overflow_width, send_files, violations
from tests.scoring.uploads.makers import csv_of, details
from tournaments.models import RememberedName, ResultUpload
from tournaments.services import uploads

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHORT = {"Francisco": "Paco", "Dolores": "Lola", "José": "Pepe", "Rosario": "Charo"}
GIVEN = [*SHORT, "Ignacio", "Mercedes", "Ángel", "Pilar"]
SURNAMES = ["Abad Roble", "Bosch Olmo", "Calvo Haya", "Duque Tejo"]


class Hand:
    """Clicks like a director, and counts. Choosing a file takes two: to open the dialogue, and there."""

    def __init__(self, page, live_url):
        self.page, self.live_url, self.clicks = page, live_url, 0

    def follow(self, selector: str) -> None:
        self.clicks += 1
        follow(self.page.locator(selector))

    def upload(self, names: list[str], day: date) -> None:
        """Choose a file of these names without numbers. Its results depend on the day."""
        lines = [f"#Date {day:%d/%m/%Y}", "puesto;pareja;nombre;porcentaje"]
        best = 60 + day.day % 10
        lines += [f"{at // 2 + 1};{at // 2 + 1};{name};{best - at // 2}" for at, name in enumerate(names)]
        data = "\n".join(lines).encode()
        self.page.goto(self.live_url + reverse("upload_start"))
        self.clicks += 2
        send_files(self.page, ("martes.csv", data))

    def confirm(self) -> None:
        """Go from the review to the points."""
        self.follow("#continue")
        self.follow("main form button.btn-primary")
        runs.score(ScoringRun.objects.latest("pk").pk)


def written(people) -> list[str]:
    """Return the names as a club writes them: short forms, one surname, surnames first, no accents."""
    names = []
    for at, person in enumerate(people):
        first, second = person.surname.split()
        given_name = SHORT.get(person.given_name, person.given_name) if at % 2 else person.given_name
        names.append(f"{first} {second}, {given_name}".upper() if at % 3 else f"{given_name} {first}")
    return names


def test_names_without_numbers_come_to_points_in_few_clicks_and_fewer_in_the_second_week(
    page, live_url, sign_in
):
    club = factories.club()
    director = factories.director(club)
    people = [
        factories.player(club=club, category="2P", given_name=given_name, surname=surname)
        for surname in SURNAMES
        for given_name in GIVEN
    ]
    names = [*written(people[:31]), "Jean Dupont"]
    days = [factories.today() - timedelta(days=days) for days in (14, 7)]
    for day in days:
        factories.announcement(club, by=director, end_date=day, boards=24)
    sign_in(director)

    first = Hand(page, live_url)
    first.upload(names, days[0])
    check_page(page)
    first.follow("button[value=proposals]")
    first.follow("button[value=guests]")
    first.confirm()
    assert RememberedName.objects.filter(written__startswith="Lola").exists()

    second = Hand(page, live_url)
    second.upload(names, days[1])  # in which the guest is one as in the week before
    second.confirm()
    assert (first.clicks, second.clicks) == (6, 4)
    assert ResultUpload.objects.filter(state="confirmed").count() == 2
    assert LedgerEntry.objects.filter(player=people[0]).count() == 2


def test_a_player_is_found_while_typing_and_the_counts_follow(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    people = factories.players(14, club=club, category="2P") + factories.players(2, club=club, licensed=False)
    pairs = factories.pairs(people)
    teresa = factories.player(club=club, given_name="Teresa", surname="Lafuente Gil")
    lapsed = factories.player(given_name="Teodoro", surname="Lafuente Mas", licensed=False)
    data = csv_of(pairs).replace(f"{pairs[0][1].number};{pairs[0][1].full_name}".encode(), b";La de siempre")
    upload = uploads.receive(director, club, "martes.csv", data, details(boards=24))
    sign_in(director)
    page.set_viewport_size(PHONE)
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    counted = page.locator("#licences strong")
    before = counted.inner_text()
    assert before == "13 de 16 con licencia, 81,25\xa0%"

    page.locator(".pending a").first.click()
    page.wait_for_function("document.activeElement.id === 'number_0-1'")
    page.keyboard.type("lafuente t")
    options = page.locator("#people [role=option]")
    options.nth(2).wait_for()
    texts = options.all_inner_texts()
    assert [teresa.number in texts[0], lapsed.number in texts[1]] == [True, True]
    assert "vigente" in texts[0] and "sin licencia" in texts[1] and "invitado" in texts[2]
    assert violations(page) == [] and overflow_width(page) == 0
    page.keyboard.press("Escape")
    assert options.count() == 0
    page.keyboard.press("ArrowDown")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator(f"[name='who_0-1'][value='{lapsed.number}']").is_checked()
    assert counted.inner_text().startswith("13 de 16")
    assert page.locator("#seat_0-1 [data-shown-light]").inner_text() == "sin licencia"

    page.fill("#number_0-1", "")
    page.keyboard.type("lafuente t")
    options.first.click()
    assert page.locator(f"[name='who_0-1'][value='{teresa.number}']").is_checked()
    assert counted.inner_text().startswith("14 de 16")
    assert page.locator(".bar [data-meter]").inner_text().startswith("14 de 16")
    follow(page.locator("button[value=people]"))
    assert page.locator("#seat_0-1 th").inner_text() == "Teresa Lafuente Gil"
    assert counted.inner_text().startswith("14 de 16")

    follow(page.locator("#change_0-1"))
    page.wait_for_function("document.activeElement.id === 'number_0-1'")
    page.locator("#people input[value=guest]").check()
    assert counted.inner_text() == before


def test_a_player_chosen_twice_counts_once_and_the_page_says_so(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    pairs = factories.pairs(factories.players(8, club=club, category="2P"))
    teresa = factories.player(club=club, given_name="Teresa", surname="Lafuente Gil")
    data = csv_of(pairs)
    for at, player in enumerate(pairs[0]):
        data = data.replace(f"{player.number};{player.full_name}".encode(), f";Alguien {at}".encode())
    upload = uploads.receive(director, club, "martes.csv", data, details(boards=24))
    sign_in(director)
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    counted, pending = page.locator("#licences strong"), page.locator("[data-pending]")
    assert counted.inner_text().startswith("6 de 8") and pending.inner_text().endswith(": 2")
    for key, count in (("0-0", 0), ("0-1", 2)):
        page.locator(f"#number_{key}").press_sequentially("lafuente t")
        page.keyboard.press("Enter")  # asks at once instead of sending the page
        page.locator("#people [role=option]").nth(1).wait_for()
        page.keyboard.press("Enter")
        assert page.locator(f"[name='who_{key}'][value='{teresa.number}']").is_checked()
        assert counted.inner_text().startswith("7 de 8")
        assert page.locator(".twice").count() == count
    assert pending.inner_text().endswith(": 2") and page.locator(".pending [data-seat]:visible").count() == 2
    page.locator("#seat_0-1 input[value=guest]").check()
    assert page.locator(".twice").count() == 0 and not page.locator("[data-seat]:visible").count()
    assert pending.inner_text().endswith(": 0") and page.locator(".pending ul:visible").count() == 0


def test_a_late_answer_does_not_open_the_list_again_after_a_choice(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    pairs = factories.pairs(factories.players(4, club=club, category="2P"))
    factories.player(club=club, given_name="Teresa", surname="Lafuente Gil")
    person = pairs[0][0]
    data = csv_of(pairs).replace(f"{person.number};{person.full_name}".encode(), b";Alguien")
    upload = uploads.receive(director, club, "martes.csv", data, details(boards=24))
    sign_in(director)
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    address, late = live_url + reverse("upload_people", args=[upload.pk]), []
    box, options = page.locator("#number_0-0"), page.locator("#people [role=option]")
    with page.expect_response(address):
        box.press_sequentially("lafuente")
    options.first.wait_for()
    page.route(address, lambda route: late.append(route))
    with page.expect_request(address):
        box.press_sequentially(" t")
    page.keyboard.press("Enter")
    assert options.count() == 0
    with page.expect_event("requestfinished"):
        late[0].continue_()
    page.wait_for_timeout(100)  # the answer is handled after it has arrived
    assert options.count() == 0


def test_the_button_is_a_few_tabs_from_the_list_and_from_a_row(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    names = [f"Persona {letter}{other}" for letter in "ABCD" for other in "ABCDEFGH"]
    lines = ["puesto;pareja;nombre;porcentaje"]
    lines += [f"{at // 2 + 1};{at // 2 + 1};{name};{60 - at // 2}" for at, name in enumerate(names)]
    upload = uploads.receive(director, club, "martes.csv", "\n".join(lines).encode(), details(boards=24))
    sign_in(director)
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    assert violations(page) == [] and overflow_width(page) == 0
    assert page.evaluate("document.activeElement.tagName") == "H1"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#continue"
    for start, most in ((".pending a", 15), ("#number_3-1", 4)):
        page.locator(start).first.focus()
        tabs = 0
        while page.evaluate("document.activeElement.getAttribute('href')") != "#continue":
            page.keyboard.press("Tab")
            tabs += 1
            assert tabs <= most
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.id === 'continue'")
