"""The calculator in a real browser: it reacts to input, fits a phone, prints, and works without scripts."""

import pytest

from tests.browser.conftest import PHONE, follow, overflow_width, violations, watched_page

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def all_families(settings) -> None:
    """Offer every system of points, as an installation that uses them all does."""
    settings.FAMILIES = ["aeb", "sbf-bronze", "sbf-silver", "acbl", "go"]


def test_changing_a_field_updates_the_points_and_the_url(page):
    page.goto("/calculadora/")
    lead = page.locator("main .lead")
    before = lead.inner_text()
    page.locator("#id_manos").fill("60")
    page.keyboard.press("Tab")
    page.wait_for_function("before => document.querySelector('main .lead').innerText !== before", arg=before)
    assert "manos=60" in page.url
    assert page.locator("#id_lugar").evaluate("field => field === document.activeElement")
    page.locator("#id_comparar").select_option("aeb-2022")
    page.locator("#id_tipo_otro").wait_for()
    assert "AEB 2022" in lead.inner_text()
    after = lead.inner_text()
    page.goto(page.url)
    assert lead.inner_text() == after
    assert violations(page) == []


def test_an_invalid_value_is_marked_at_its_field(page):
    page.goto("/calculadora/?participantes=9000")
    assert page.locator("#id_participantes").get_attribute("aria-invalid") == "true"
    page.set_viewport_size(PHONE)
    assert violations(page) == []
    assert overflow_width(page) <= 0


def test_comparing_two_regulations_fits_on_a_phone(page):
    page.set_viewport_size(PHONE)
    page.goto("/calculadora/?comparar=aeb-2022")
    assert violations(page) == []
    assert overflow_width(page) <= 0


@pytest.mark.usefixtures("all_families")
def test_choosing_a_regulation_shows_its_fields_and_keeps_common_values(page):
    page.goto("/calculadora/")
    page.locator("#id_reglamento").select_option("sbf-2019-silver")
    page.locator("#id_decimales").wait_for()
    assert page.locator("#id_tipo").count() == 0
    # Fields that both regulations have keep their values.
    assert page.locator("#id_participantes").input_value() == "20"
    assert "reglamento=sbf-2019-silver" in page.url
    page.locator("#id_reglamento").select_option("egf-2021")
    page.locator("#id_rival_1").wait_for()
    assert page.locator("#id_rival_4").count() == 0
    page.locator("#id_rival_3").fill("2d")
    page.keyboard.press("Tab")
    page.locator("#id_rival_4").wait_for()


@pytest.mark.usefixtures("all_families")
def test_the_calculator_works_without_javascript(browser, live_url):
    for page in watched_page(browser, live_url, java_script_enabled=False):
        page.goto("/calculadora/")
        page.locator("#id_reglamento").select_option("acbl-club")
        follow(page.locator(".calculator-choice button"))
        page.locator("#id_participantes").fill("30")
        follow(page.locator(".calculator .btn-primary"))
        assert page.locator(".table-block tbody tr").count() == 12
        assert "reglamento=acbl-club" in page.url and "participantes=30" in page.url


LONGEST = {
    "bronze": "reglamento=sbf-2019-bronze&participantes=525",
    "both tables": "reglamento=sbf-2019-bronze&participantes=5000&comparar=A",
    "silver": "reglamento=sbf-2019-silver",
    "missing": "reglamento=acbl-overall",
    "overall and club": "reglamento=acbl-overall&comparar=acbl-club&factor_m=1&factor_t=1&profundidad=0.4",
    "go": "reglamento=egf-2021",
    "many games": "reglamento=egf-2021&comparar=egf-classic&puntos=1850"
    + "".join(f"&rival_{k}=2015&piedras_{k}=9" for k in range(1, 11)),
    "mistakes": "reglamento=egf-classic&puntos=9d9&rival_1=zz&piedras_1=-1&clase=Z",
    "strength": "reglamento=strength-imp",
}


@pytest.mark.parametrize("name", LONGEST)
def test_every_result_of_the_calculator_fits_on_a_desktop_and_on_a_phone(page, name):
    page.goto(f"/calculadora/?{LONGEST[name]}")
    assert overflow_width(page) <= 0
    page.set_viewport_size(PHONE)
    assert violations(page) == []
    assert overflow_width(page) <= 0


def test_the_printed_calculation_has_neither_form_nor_navigation(page):
    page.goto("/calculadora/?reglamento=sbf-2019-bronze")
    page.emulate_media(media="print")
    assert page.locator(".table-block tbody tr").first.is_visible()
    assert page.locator("#calculation > .print-only").is_visible()
    for hidden in (".calculator", ".top", ".breadcrumbs", "section.screen-only", ".calculator-links"):
        assert page.locator(hidden).count() == 1 and not page.locator(hidden).is_visible(), hidden
