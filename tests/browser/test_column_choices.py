"""The page of the columns is a table on a desktop, and its choices show whole words in every width."""

import pytest
from django.urls import reverse

from tests import factories
from tests.browser.conftest import send_files
from tournaments.models import ResultUpload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The chosen texts that are wider than the room for them in their box.
CUT = """() => {
    const context = document.createElement("canvas").getContext("2d");
    return [...document.querySelectorAll("select")].filter(box => {
        const style = getComputedStyle(box);
        context.font = style.font;
        const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return context.measureText(box.selectedOptions[0].text).width > room;
    }).map(box => box.selectedOptions[0].text);
}"""
# How many lines the cells of each row begin in, and whether anything is wider than its place.
ROWS = """() => [...document.querySelectorAll("table.sample tr")].map(
    row => new Set([...row.cells].map(cell => cell.getBoundingClientRect().top)).size
)"""
IS_WIDER = """() => [document.documentElement, document.querySelector(".columns-form")].some(
    box => box.scrollWidth > box.clientWidth
)"""
HEADINGS = {
    4: "Pto;Nr;Componente 1;Componente 2",
    6: "Pto;Nr;Componente 1;Lic;Componente 2;Porc",
    7: "Pto;Nr;Componente 1;Lic;Componente 2;Lic 2;Porc",
    9: "Pto;Nr;Componente 1;Lic;Componente 2;Lic 2;Porc;Manos jugadas;Sec",
}
MEANINGS = {
    4: ["place", "number", "name_1", "name_2"],
    6: ["place", "number", "name_1", "licence_1", "name_2", "percentage"],
    7: ["place", "number", "name_1", "licence_1", "name_2", "licence_2", "percentage"],
    9: ["place", "number", "name_1", "licence_1", "name_2", "licence_2", "percentage", "boards", "section"],
}


@pytest.mark.parametrize("count", HEADINGS)
def test_columns_stand_side_by_side_with_their_choices_in_whole_words(page, live_url, sign_in, count):
    sign_in(factories.director(factories.club()))
    page.goto(live_url + reverse("upload_start"))
    rows = [
        f"{n};{n};Ana Inventada {'ABCD'[n]};2004{n};Luis Inventado {'ABCD'[n]};2005{n};{60 - 5 * n};24;A"
        for n in range(1, 4)
    ]
    rows = [";".join(row.split(";")[:count]) for row in rows]
    send_files(page, ("martes.csv", "\n".join([HEADINGS[count], *rows]).encode()))
    assert page.url == live_url + reverse("upload_columns", args=[ResultUpload.objects.get().pk])
    for column, meaning in enumerate(MEANINGS[count]):
        page.select_option(f"#id_column_{column}", meaning)
    for width in (1600, 1280, 1024, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(CUT) == [], width
        assert not page.evaluate(IS_WIDER), width
        if width >= 1280:
            assert set(page.evaluate(ROWS)) == {1}, width
