"""The page on which the office says what the columns of a list mean, and what is remembered of it."""

import io

import pytest
from django.urls import reverse
from openpyxl import Workbook

from players.models import Player
from scoring.office.lists.imports import KINDS
from scoring.office.models import ListLayout, OfficeImport
from tests import factories
from tests.pages import Page, open_page
from tests.scoring.office.lists import HEADINGS, apply, send, table
from tests.scoring.pages.test_queries import query_count
from tournaments.formats.lists import propose
from tournaments.services import pipeline

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
OTHER = ["Nº socio", "Nombre", "Primer apellido", "Apodo", "Correo particular"]
ROWS = ("901;Ana;Prado Gil;Anita;ana@example.org", "902;Luis;Soto Rey;;", "903;Eva;Sanz;;", "904;Leo;Paz;;")


def chosen(*meanings: str) -> dict[str, str]:
    return {f"column_{index}": meaning for index, meaning in enumerate(meanings)}


def other_list() -> bytes:
    return table("players", *ROWS, headings=OTHER)


def latest() -> OfficeImport:
    return OfficeImport.objects.latest("created_at")


def test_a_list_with_other_headings_is_read_as_chosen_and_so_is_the_next(office):
    response = send(office, "players", other_list())
    page = reverse("office_import_columns", args=[latest().pk])
    assert response.url == page and latest().state == OfficeImport.State.REVIEW
    opened = open_page(office, page)
    proposed = [field.value() for field in opened.context["form"]]
    assert proposed == ["number", "given_name", "surname", "", "email"]
    assert [head.the("label").text for head in opened.the("thead").all("th")] == OTHER
    assert len(opened.the("tbody").all("tr")) == 3
    assert "Not recognised, and not read unless you choose: “Apodo”." in opened.text

    wrong = office.post(page, chosen("number", "number", "", "hidden", "email"))
    assert wrong.status_code == 422
    form = Page(wrong)
    assert "is already column Nº socio" in form.text
    assert [field.value() for field in wrong.context["form"]] == ["number", "number", "", "hidden", "email"]
    missing = Page(office.post(page, chosen("number", "given_name", "", "", "email")))
    assert "Choose the column of: Surname." in missing.text

    right = office.post(page, chosen("number", "given_name", "surname", "", "email"))
    assert right.url == latest().get_absolute_url()
    assert apply(office, latest()).status_code == 302
    assert Player.objects.get(number="901").email == "ana@example.org"

    again = send(office, "players", other_list())
    assert again.url == latest().get_absolute_url()
    review = open_page(office, again.url)
    assert review.context["plan"].counts == {"added": 0, "changed": 0, "same": 4}
    assert "as you chose for an earlier file of this layout" in review.text
    assert ListLayout.objects.get().updated_by == office.account
    # What was chosen for players says nothing about another kind of list with the same headings.
    assert send(office, "licences", other_list()).url.endswith("/columnas/")


def test_every_wrong_line_is_named_at_once_whether_reading_or_comparing_notices_it(office):
    data = table("players", "901;Ana;", "902;Eva;Sanz;No such club", "90x;Leo;Paz", "904;Luis;Soto")
    response = send(office, "players", data)
    issues = {(issue["code"], issue["line"]) for issue in latest().parsed["issues"]}
    assert issues == {("missing_value", 2), ("unknown_club", 3), ("bad_federation_number", 4)}
    assert latest().state == OfficeImport.State.REFUSED and latest().parsed["rows"] == []
    text = open_page(office, response.url).text
    assert "No such club" in text and "drafts" not in text


def test_ambiguous_and_missing_columns_are_named(office):
    data = table("players", "1;2;Ana;Prado", headings=["Número", "Nº licencia", "Nombre", "Familia"])
    page = open_page(office, send(office, "players", data).url)
    assert [field.value() for field in page.context["form"]] == ["number", "", "given_name", ""]
    assert "“Número” and “Nº licencia” may all be the column Number (required)" in page.text
    assert "Choose the column of: Surname." in page.text
    assert "“Familia”" in page.text


def test_a_list_without_headings_and_a_workbook_with_sheets(office):
    send(office, "licences", b"901;2026\r\n902;2026\r\n")
    page = open_page(office, reverse("office_import_columns", args=[latest().pk]))
    assert [head.the("label").text for head in page.the("thead").all("th")] == ["Column A", "Column B"]
    for number in ("901", "902"):
        factories.player(number=number)
    office.post(reverse("office_import_columns", args=[latest().pk]), chosen("number", "season"))
    plan = open_page(office, latest().get_absolute_url()).context["plan"]
    assert not plan.has_errors and sum(plan.counts.values()) == 2
    # No heading shows that the columns of the next list are the same: they are proposed, and asked again.
    again = send(office, "licences", b"903;2026\r\n904;2026\r\n")
    assert again.url == reverse("office_import_columns", args=[latest().pk])
    assert [field.value() for field in open_page(office, again.url).context["form"]] == ["number", "season"]

    book, data = Workbook(), io.BytesIO()
    book.active.title = "Notas"
    book.active.append(["Hecho por", "Oficina"])
    book.active.append(["Fecha", "hoy"])
    sheet = book.create_sheet("Socios")
    for row in (["Socio", "Nombre", "Apellidos", "Sexo"], ["905", "Ana", "Prado", "M"]):
        sheet.append(row)
    book.save(data)
    page = open_page(office, send(office, "players", data.getvalue(), "socios.xlsx").url, hoja="2")
    assert page.link("Notas") == "?hoja=1"
    url = reverse("office_import_columns", args=[latest().pk]) + "?hoja=2"
    office.post(url, chosen("number", "given_name", "surname", ""))
    assert open_page(office, latest().get_absolute_url()).context["plan"].counts["added"] == 1


def test_known_headings_ask_nothing_and_a_file_that_is_gone_cannot_be_read_as_chosen(office):
    response = send(office, "players", table("players", "901;Ana;Prado"))
    assert response.url == latest().get_absolute_url()
    page = reverse("office_import_columns", args=[latest().pk])
    assert office.get(page).url == latest().get_absolute_url()
    send(office, "players", other_list())
    pipeline.delete_files(OfficeImport.objects.filter(pk=latest().pk))
    page = reverse("office_import_columns", args=[latest().pk])
    assert office.post(page, chosen("number", "given_name", "surname", "", "")).status_code == 302
    assert not ListLayout.objects.exists()


def test_the_page_takes_the_same_queries_for_one_remembered_layout_and_three(office):
    counts = []
    for number in (1, 3):
        for extra in range(number):
            ListLayout.objects.update_or_create(
                kind="players", digest=f"{extra}", defaults={"meanings": [], "updated_by": office.account}
            )
        send(office, "players", other_list())
        counts.append(query_count(office, reverse("office_import_columns", args=[latest().pk])))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("kind", HEADINGS)
def test_headings_of_the_template_are_proposed(kind):
    columns = KINDS[kind].columns
    assert propose(HEADINGS[kind], columns) == [column.key for column in columns]
