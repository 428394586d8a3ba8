"""A director uploads a ranking in a real browser: file, review, confirmation, receipt; phone and desktop."""

import pytest
from django.urls import reverse

from scoring.ledger.services import runs
from tests import factories
from tests.browser.conftest import check_page, follow, overflow_width, send_files
from tests.scoring.uploads.makers import csv_of, details
from tournaments.models import ResultUpload, Tournament
from tournaments.services import uploads

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_director_corrects_an_unknown_number_and_the_ranking_earns_points(page, live_url, sign_in):
    club = factories.club()
    pairs = factories.pairs(factories.players(8, club=club, category="2P"))
    sign_in(factories.director(club))
    stranger = pairs[0][1]
    data = csv_of(pairs).replace(stranger.number.encode(), b"99999999")

    page.goto(live_url + reverse("upload_start"))
    check_page(page)
    send_files(page, ("martes.csv", data))

    upload = ResultUpload.objects.get()
    assert page.url == live_url + reverse("upload_review", args=[upload.pk])
    check_page(page)
    page.locator("#people input[type=radio]").first.check()
    page.fill("#id_name", "Pool del jueves")
    page.select_option("#id_event_type", "pool")
    page.select_option("#id_format", "pairs")
    page.fill("#id_end_date", "2026-03-14")
    page.fill("#id_boards", "24")
    follow(page.locator("#continue"))

    assert page.url.partition("#")[0] == live_url + reverse("upload_confirm", args=[upload.pk])
    check_page(page)
    follow(page.locator("main form button.btn-primary"))
    assert page.url.partition("#")[0] == live_url + reverse("upload_receipt", args=[upload.pk])
    check_page(page)

    # Run the scoring like a worker; the page notices by itself.
    tournament = Tournament.objects.get()
    assert tournament.name == "Pool del jueves"
    run = tournament.revisions.get().runs.get()
    with page.expect_navigation():
        runs.score(run.pk)
    assert page.locator("table.baza").count() == 1
    check_page(page)


def test_a_file_is_not_sent_while_the_details_are_being_entered(page, live_url, sign_in):
    sign_in(factories.director(factories.club()))
    page.goto(live_url + reverse("upload_start"))
    page.locator("#at-once").wait_for()
    page.locator("details.more summary").click()
    page.fill("#id_name", "Pool del jueves")
    page.locator("#at-once").wait_for(state="hidden")
    data = csv_of(factories.pairs(factories.players(8)))
    page.set_input_files("#id_file", {"name": "martes.csv", "mimeType": "text/csv", "buffer": data})
    follow(page.locator("main form [type=submit]"))
    assert page.input_value("#id_name") == "Pool del jueves"
    assert ResultUpload.objects.get().details["name"] == "Pool del jueves"


# Drop a file with some text on an element, as a mouse does. Chromium lets no script drag a file from outside.
DROP = """([selector, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "martes.csv", { type: "text/csv" }));
    const options = { bubbles: true, cancelable: true, dataTransfer: data };
    const target = document.querySelector(selector);
    const taken = ["dragover", "drop"].map(name => !target.dispatchEvent(new DragEvent(name, options)));
    return taken.every(Boolean);
}"""


@pytest.mark.parametrize("target", ["h1", "aside", "#id_file"])
def test_a_file_can_be_dropped_anywhere_on_the_page(page, live_url, sign_in, target):
    sign_in(factories.director(factories.club()))
    page.goto(live_url + reverse("upload_start"))
    text = csv_of(factories.pairs(factories.players(8))).decode()
    with page.expect_navigation():
        assert page.evaluate(DROP, [target, text])
    upload = ResultUpload.objects.get()
    assert (upload.file_name, page.url) == (
        "martes.csv",
        live_url + reverse("upload_review", args=[upload.pk]),
    )


def test_a_director_of_two_clubs_chooses_the_club_before_sending(page, live_url, sign_in):
    first, second = factories.club(), factories.club()
    director = factories.director(first)
    factories.role(director, "director", club=second)
    sign_in(director)
    page.goto(live_url + reverse("upload_start"))
    data = csv_of(factories.pairs(factories.players(8)))
    page.set_input_files("#id_file", {"name": "martes.csv", "mimeType": "text/csv", "buffer": data})
    page.select_option("#id_club", str(second.pk))
    follow(page.locator("main form [type=submit]"))
    assert ResultUpload.objects.get().club == second


def test_a_director_types_a_ranking_by_hand(page, live_url, sign_in):
    club = factories.club()
    pairs = factories.pairs(factories.players(8, club=club))
    sign_in(factories.director(club))

    page.goto(live_url + reverse("upload_typed"))
    check_page(page)
    page.fill("#id_name", "Pool a mano")
    page.fill("#id_end_date", "2026-03-14")
    page.fill("#id_boards", "24")
    follow(page.locator("main form [type=submit]"))

    check_page(page)
    for row, (player, other) in enumerate(pairs):
        page.fill(f"#id_row-{row}-place", str(row + 1))
        page.fill(f"#id_row-{row}-number_1", player.number)
        page.fill(f"#id_row-{row}-number_2", other.number)
    follow(page.locator("button[name=more]"))
    assert page.input_value("#id_row-3-number_2") == pairs[3][1].number
    assert page.locator("#id_row-19-place").count() == 1
    follow(page.locator(".ranking-form .btn-primary"))
    assert page.url == live_url + reverse("upload_review", args=[ResultUpload.objects.get().pk])
    follow(page.locator("#continue"))
    assert page.url == live_url + reverse("upload_confirm", args=[ResultUpload.objects.get().pk])


def test_the_error_summary_links_to_a_field_that_is_visible_with_its_label(page, live_url, sign_in):
    club = factories.club()
    director = factories.director(club)
    sign_in(director)
    data = csv_of(factories.pairs(factories.players(8, club=club, category="2P")))
    upload = uploads.receive(director, club, "martes.csv", data, {**details(), "boards": 24})
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    page.fill("#id_boards", "veinte")
    follow(page.locator("#continue"))
    check_page(page)
    page.locator(".error-summary a").click()
    page.wait_for_function("document.activeElement.id === 'id_boards' && scrollY > 0")
    assert page.input_value("#id_boards") == "veinte"
    assert page.locator("label[for=id_boards]").bounding_box()["y"] >= 0


def test_the_field_for_a_number_fits_on_a_phone_with_large_text(page, live_url, sign_in):
    club = factories.club()
    pairs = factories.pairs(factories.players(8, club=club, category="2P"))
    director = factories.director(club)
    data = csv_of(pairs).replace(pairs[0][1].number.encode(), b"99999999")
    upload = uploads.receive(director, club, "martes.csv", data, details())
    sign_in(director)

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.locator("#people [id^=number_]").is_visible()
    assert overflow_width(page) == 0


STICKY_HEIGHT = """() => [document.querySelector(".bar"), document.querySelector(".bar .actions")]
    .filter(part => getComputedStyle(part).position == "sticky")
    .filter(part => getComputedStyle(part).display != "contents")
    .map(part => part.getBoundingClientRect().height)"""


@pytest.mark.parametrize(
    ("width", "height"), [(320, 640), (320, 568), (390, 844), (1024, 768), (1280, 900), (1920, 1080)]
)
def test_the_bar_of_the_review_is_low_and_in_sight_from_the_top_of_the_page(
    page, live_url, sign_in, width, height
):
    club = factories.club()
    director = factories.director(club)
    pairs = factories.pairs(factories.players(8, club=club, licensed=False))
    data = csv_of(pairs).replace(pairs[0][1].number.encode(), b"99999999")
    upload = uploads.receive(director, club, "martes.csv", data, details())
    sign_in(director)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(live_url + reverse("upload_review", args=[upload.pk]))
    bar = page.locator(".bar .actions")
    assert bar.bounding_box()["height"] <= 0.12 * height
    for text_size in ("100%", "150%", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", text_size)
        (sticky,) = page.evaluate(STICKY_HEIGHT)
        assert sticky <= 0.15 * height
        assert page.evaluate("scrollY") == 0 and overflow_width(page) == 0
        for button in bar.locator(".btn").all():
            box = button.bounding_box()
            assert box["height"] >= 44 and box["y"] >= 0 and box["y"] + box["height"] <= height
    # The words are not lost: they stand before the buttons, on a telephone at the end of the page.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    words = page.locator(".bar > p").first
    assert words.inner_text().strip()
    if width < 1920:
        assert words.bounding_box()["y"] + words.bounding_box()["height"] <= bar.bounding_box()["y"]
