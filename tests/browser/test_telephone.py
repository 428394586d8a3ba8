"""Lists, steps and the front page on a telephone."""

import pytest

from players.models import Role
from tests import factories as make
from tests.browser.conftest import overflow_width
from tests.scoring.office.test_home import waiting_upload

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(page):
    page.set_viewport_size(PHONE)
    return page


def test_an_upload_takes_two_lines_until_it_is_opened(phone, live_url, sign_in, transactional_db):
    upload = waiting_upload()
    sign_in(upload.created_by)
    phone.goto(f"{live_url}/resultados/")
    row = phone.locator("table.fold tbody tr")
    assert row.bounding_box()["height"] < 90
    assert row.locator("input[type=checkbox]").is_visible()
    club = row.get_by_text(upload.club.name)
    assert club.bounding_box()["height"] == 1  # its place alone, for screen readers
    row.locator("summary").click()
    assert club.bounding_box()["height"] > 20


def test_the_steps_of_an_upload_stand_on_one_line(phone, live_url, sign_in, transactional_db):
    sign_in(make.director(make.club()))
    phone.goto(f"{live_url}/resultados/subir/")
    tops = phone.locator(".steps li").evaluate_all("items => items.map(item => item.offsetTop)")
    assert len(tops) >= 3
    assert len(set(tops)) == 1


def test_the_work_that_waits_comes_before_the_standings(phone, live_url, sign_in, transactional_db):
    phone.goto(live_url)
    assert phone.locator("h1").inner_text() == "¿En qué puesto estás?"
    sign_in(make.director(make.club()))
    phone.goto(f"{live_url}/inicio/")
    assert phone.locator("h1").inner_text() == "No te espera nada"
    assert phone.locator(".hero").count() == 0


def test_a_folded_result_shows_its_day(phone, live_url, sign_in, transactional_db):
    player = make.player(given_name="Lola")
    make.scored((player, make.player()), name="Pool de los lunes")
    player.user = make.user()
    player.save()
    sign_in(player.user)
    for address in ("/", "/mi/resultados/"):
        phone.goto(f"{live_url}{address}")
        day = phone.locator("tr", has_text="Pool de los lunes").locator(".date:first-child")
        assert day.is_visible() and day.bounding_box()["x"] < 40
    phone.get_by_role("button", name="Menú").click()
    assert phone.locator(".reader summary").inner_text() == "Lola"


GAPS = """() => [...document.querySelectorAll(".filters .field")].map(field => {
  return field.getBoundingClientRect().right - field.lastElementChild.getBoundingClientRect().right;
})"""


def test_filters_with_long_names_fit_and_leave_no_gap(page, live_url, transactional_db):
    name = "Real Sociedad Deportiva, Cultural y de Bridge de los Aficionados del Valle de Arán y Ribagorza"
    for at in range(2):
        make.announcement(make.club(name=f"{name} {at}"), end_date=make.today())
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_url}/calendario/")
    assert max(page.evaluate(GAPS)) <= 1
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        for size in ("100%", "200%"):
            page.evaluate("size => document.documentElement.style.fontSize = size", size)
            page.evaluate("document.querySelector('.filters-fold').open = true")
            assert overflow_width(page) == 0


def test_the_pages_of_a_section_fold_into_one_button_that_names_the_open_one(
    page, live_url, sign_in, transactional_db
):
    club = make.club()
    account = make.user()
    make.role(account, Role.Kind.CLUB_ADMIN, club=club)
    sign_in(account)
    for path, name in (
        ("/mi/avisos/", "Mis páginas: Avisos"),
        (f"/gestion/clubes/{club.slug}/socios/", "Páginas de la gestión del club: Socios"),
    ):
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto(live_url + path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        button = page.locator(".tabs-button")
        assert " ".join(button.inner_text().split()) == name
        assert page.locator(".tabs").bounding_box()["height"] < 320
        button.click()
        assert page.locator(".tabs a[aria-current=page]").is_visible()
        assert overflow_width(page) == 0
        page.locator(".tabs-close").click()
        assert not page.locator(".tabs li").first.is_visible()
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size({"width": 1280, "height": 900})
        assert page.locator(".tabs li").first.is_visible()
        assert not button.is_visible()
