"""A club is chosen by typing: the combobox by keyboard and pointer, and the same form without it."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from players.models import Club
from tests import factories as make
from tests.browser.conftest import overflow_width, page_problems, set_look, violations
from ui.choices import MOST_CHOICES

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def many_clubs():
    region = make.region()
    made = (
        Club(code=f"Z{n}", name=f"Club del Faro {n}", city="Villa", region=region)
        for n in range(MOST_CHOICES + 5)
    )
    Club.objects.bulk_create(made)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_club_is_chosen_by_keyboard_while_one_types(many_clubs, page, live_url, width, theme):
    page.goto(live_url + reverse("tournaments"))
    set_look(page, {"width": width, "height": 844}, theme)
    if width < 1000:
        page.locator("summary", has_text="Elige").click()
    box = page.get_by_role("combobox", name="en", exact=True)
    box.press_sequentially("faro vil")
    options = page.locator("#f-club_options [role=option]")
    expect(options).to_have_count(8)
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "f-club_options_1")
    assert violations(page) == [] and overflow_width(page) == 0
    page.keyboard.press("Enter")
    chosen = box.input_value()
    assert chosen.startswith("Club del Faro") and not options.count()
    page.keyboard.press("Enter")
    page.wait_for_url("**club=Club+del+Faro**")
    expect(page.locator("#f-club")).to_have_value(chosen)


def test_a_typed_club_that_is_not_clear_gives_links(many_clubs, page, live_url):
    page.goto(live_url + reverse("tournaments") + "?club=faro")
    links = page.get_by_role("status").get_by_role("link")
    expect(links).to_have_count(8)
    assert page_problems(page) == []
    links.first.click()
    expect(page.locator("#f-club")).not_to_have_value("faro")
