"""The page of the open data, with dumps, in a real browser."""

import pytest
from django.urls import reverse

from scoring.ledger.services import queue
from tests.browser.conftest import page_problems
from tests.scoring.dataset.conftest import stored


@pytest.mark.django_db(transaction=True)
def test_the_page_of_the_dumps_fits_and_is_accessible(page, live_url):
    stored()
    stored(withdrawn_at=queue.now())
    page.goto(live_url + reverse("datasets"))
    assert page.locator("tbody tr").count() == 2
    assert page.locator("tbody a").count() == 1
    assert page_problems(page) == []


@pytest.mark.django_db(transaction=True)
def test_the_digest_begins_where_reading_begins_and_the_note_keeps_its_distance(page, live_url):
    stored()
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(live_url + reverse("datasets"))
    digest = page.locator("td:has(.digest)")
    assert digest.evaluate("cell => getComputedStyle(cell).textAlign") in ("start", "left")
    note, columns = (
        page.locator(place).bounding_box() for place in ("main .muted:has(+ .columns)", ".columns")
    )
    assert columns["y"] - note["y"] - note["height"] > 16
