"""The pages of imported lists on a telephone and on a desk."""

import pytest
from django.urls import reverse

from tests import factories as make
from tests.browser.conftest import DESKTOP, PHONE, check_page
from tests.scoring.office.lists import sent

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_list_under_review_reads_from_left_to_right(page, live_url, sign_in, client):
    account = make.office()
    client.force_login(account)
    batch = sent(client, "players", "701;Ana;Prado Gil;;;ana@example.org;1950")
    sign_in(account)
    page.goto(live_url + reverse("office_import_review", args=[batch.pk]))
    check_page(page)
    page.set_viewport_size(DESKTOP)
    tops = {item.bounding_box()["y"] for item in page.locator("main .actions .btn").all()}
    assert len(tops) == 1
    page.set_viewport_size(PHONE)
    details = page.locator("td[data-label='Qué']").first
    assert details.evaluate("cell => getComputedStyle(cell).textAlign") == "start"
    heads = page.locator("main thead tr").first
    assert heads.evaluate("row => getComputedStyle(row).alignItems") == "baseline"
