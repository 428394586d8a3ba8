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
