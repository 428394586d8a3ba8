"""A director says in a real browser what the columns of a sheet mean; the second week nothing is asked."""

import pytest
from django.urls import reverse

from tests import factories
from tests.browser.conftest import DESKTOP, PHONE, check_page, follow, send_files
from tests.tournaments.formats import sheets
from tournaments.models import ResultUpload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST = ["1", "Ana Inventada Larga 1 - Luis Inventado Largo 1", "60.5", "–"]
LABEL = """cell => {
    const label = getComputedStyle(cell, "::before");
    return label.display == "none" ? "none" : label.content;
}"""


def week(first):
    """Return an ODS workbook with a title, headings that nobody declared, eight pairs and totals."""
    rows = [["Club del Faro"], [], ["Pto", "Componentes de la pareja", "Porc.", "Premio"]]
    rows += [
        [n, f"{first} Inventada Larga {n} - Luis Inventado Largo {n}", 60.5 - 3 * (n - 1), ""]
        for n in range(1, 9)
    ]
    return sheets.ods({"Notas": [["Buen ambiente"]], "Martes": [*rows, [], ["Media", "", 50]]})


def choose_file(page, data):
    send_files(page, ("martes.ods", data))


def test_the_columns_of_a_sheet_are_accepted_once_with_one_click(page, live_url, sign_in):
    club = factories.club()
    sign_in(factories.director(club))

    page.goto(live_url + reverse("upload_start"))
    choose_file(page, week("Ana"))
    first = ResultUpload.objects.get()
    assert page.url == live_url + reverse("upload_columns", args=[first.pk])
    check_page(page)
    assert "Ana Inventada Larga 1" in page.locator("main").inner_text()

    row = page.locator("table.sample tbody tr").first
    assert row.locator("td").all_inner_texts() == FIRST
    page.set_viewport_size(PHONE)
    assert row.locator("td").first.evaluate(LABEL) == '"Pto"'
    page.set_viewport_size(DESKTOP)
    assert row.locator("td").first.evaluate(LABEL) == "none"

    page.select_option("#id_column_3", "name")
    follow(page.locator("main [type=submit]"))
    check_page(page)
    assert page.locator(".error-summary a[href='#id_column_3']").count() == 1
    page.select_option("#id_column_3", "")
    follow(page.locator("main [type=submit]"))
    assert page.url == live_url + reverse("upload_review", args=[first.pk])
    check_page(page)

    page.goto(live_url + reverse("upload_start"))
    choose_file(page, week("Eva"))
    second = ResultUpload.objects.order_by("created_at").last()
    assert page.url == live_url + reverse("upload_review", args=[second.pk])
    assert len(second.parsed["entries"]) == 8
