"""The calculator follows its fields as they change, and its address with it."""

import pytest

from .conftest import PHONE, sideways, violations

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_changed_field_changes_the_points(page):
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


def test_a_mistake_is_said_beside_its_field(page):
    page.goto("/calculadora/?participantes=900")
    assert page.locator("#id_participantes").get_attribute("aria-invalid") == "true"
    page.set_viewport_size(PHONE)
    assert violations(page) == []
    assert sideways(page) <= 0


def test_both_regulations_fit_on_a_telephone(page):
    page.set_viewport_size(PHONE)
    page.goto("/calculadora/?comparar=aeb-2022")
    assert violations(page) == []
    assert sideways(page) <= 0
