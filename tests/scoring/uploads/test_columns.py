"""The page on which a director says what the columns of a table mean, and what is remembered of it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tests.pages import Page
from tests.scoring.pages.test_queries import query_count
from tournaments.formats import layouts
from tournaments.models import ColumnLayout, ResultUpload
from tournaments.services import columns, pipeline

pytestmark = pytest.mark.django_db
SHEET = (
    "Torneo\n\nPto;Componentes;Porc\n1;{0} Uno - {0} Dos;61,25\n2;{0} Tres - {0} Seis;38,75\n\nMedia;;50\n"
)


def send(client, club, text, name="martes.csv"):
    data = {
        "club": club.pk, "event_type": "pool", "format": "pairs", "venue": "in_person", "name": "Martes",
        "end_date": timezone.localdate().isoformat(), "boards": 24,
        "file": SimpleUploadedFile(name, text.encode()),
    }  # fmt: skip
    return client.post(reverse("upload_start"), data, follow=True)


def upload_of():
    return ResultUpload.objects.order_by("-created_at").first()


def page(upload):
    return reverse("upload_columns", args=[upload.pk])


def chosen(*meanings):
    return {f"column_{index}": meaning for index, meaning in enumerate(meanings)}


@pytest.fixture
def first(signed_in, club):
    """Return the upload of a sheet whose headings are not known."""
    response = send(signed_in, club, SHEET.format("Ana"))
    upload = upload_of()
    assert response.redirect_chain[-1][0] == page(upload)
    return upload


def test_the_page_proposes_what_each_column_means_above_the_first_rows(signed_in, first):
    response = signed_in.get(page(first))
    assert [field.value() for field in response.context["form"]] == ["place", "name", "percentage"]
    table = Page(response).the("table")
    heads = table.the("thead").all("th")
    assert [head.the("label").text for head in heads] == ["Pto", "Componentes", "Porc"]
    assert [head.the("select")["name"] for head in heads] == ["column_0", "column_1", "column_2"]
    assert first.state == ResultUpload.State.REVIEW


def test_each_row_of_the_table_is_a_row_of_the_page(signed_in, club):
    rows = "".join(f"{n};Ana {n}x - Luis {n}y;{63 - 2 * n},5\n" for n in range(1, 13))
    send(signed_in, club, f"Pto;Componentes;Porc\n{rows}")
    table = Page(signed_in.get(page(upload_of()))).the("table")
    shown = [[cell.text for cell in row.all("td")] for row in table.the("tbody").all("tr")]
    assert shown == [[str(n), f"Ana {n}x - Luis {n}y", f"{63 - 2 * n},5"] for n in range(1, 11)]
    assert [cell["data-label"] for cell in table.all("td")[:3]] == ["Pto", "Componentes", "Porc"]


def test_one_click_reads_the_table(signed_in, first):
    response = signed_in.post(page(first), chosen("place", "name", "percentage"), follow=True)
    assert response.redirect_chain[-1][0] == reverse("upload_review", args=[first.pk])
    first.refresh_from_db()
    people = [[person["name"] for person in entry["people"]] for entry in first.parsed["entries"]]
    assert people == [["Ana Uno", "Ana Dos"], ["Ana Tres", "Ana Seis"]]


def test_the_second_week_of_the_club_needs_no_page(signed_in, first, club):
    signed_in.post(page(first), chosen("place", "name", "percentage"))
    response = send(signed_in, club, "Otro titulo\n" + SHEET.format("Eva"))
    second = upload_of()
    assert response.redirect_chain[-1][0] == reverse("upload_review", args=[second.pk])
    assert len(second.parsed["entries"]) == 2
    assert "columns_remembered" in {item["code"] for item in second.parsed["issues"]}


def test_what_a_club_chooses_later_changes_nothing_about_an_earlier_file(signed_in, first, club):
    signed_in.post(page(first), chosen("place", "name", "percentage"))
    send(signed_in, club, "Otro titulo\n" + SHEET.format("Eva"))
    second = upload_of()
    signed_in.post(page(first), chosen("place", "name", "score"))
    assert columns.choices_of(second)[0].meanings == ("place", "name", "percentage")


def test_another_club_is_asked(signed_in, first):
    signed_in.post(page(first), chosen("place", "name", "percentage"))
    other = factories.club()
    signed_in.force_login(factories.director(other))
    response = send(signed_in, other, SHEET.format("Ana"))
    assert response.redirect_chain[-1][0] == page(upload_of())


def test_what_is_remembered_can_be_chosen_anew(signed_in, first, club):
    signed_in.post(page(first), chosen("place", "name", "percentage"))
    signed_in.post(page(first), chosen("place", "name", "score"))
    first.refresh_from_db()
    assert [entry["score"] for entry in first.parsed["entries"]] == ["61.25", "38.75"]
    (layout,) = ColumnLayout.objects.all()
    assert layout.meanings == ["place", "name", "score"]


@pytest.mark.parametrize(
    ("meanings", "text"),
    [
        (("place", "name", "name"), "Las columnas de nombres"),
        (("place", "place", "name"), "ya es la columna"),
        (("place", "", "percentage"), "Elige la columna con los nombres o las licencias"),
        (("", "name", ""), "Elige el puesto, el porcentaje o la puntuación"),
        (("name", "name_1", "percentage"), "Elige o una columna por jugador"),
        (("place", "name", "bomba"), "bomba"),
        (("place", "name", "__class__"), "__class__"),
    ],
)
def test_columns_that_contradict_each_other_or_are_forged_are_refused(signed_in, first, meanings, text):
    response = signed_in.post(page(first), chosen(*meanings))
    assert response.status_code == 200
    assert text in response.content.decode()
    first.refresh_from_db()
    assert (first.columns, ColumnLayout.objects.count()) == ({}, 0)


def test_the_players_of_a_team_are_chosen_one_by_one(signed_in, club):
    rows = "".join(f"{n};Mar {n};Ana {n}a;Luis {n}b;Eva {n}c;Paco {n}d;{90 - n}\n" for n in range(1, 5))
    send(signed_in, club, f"Puesto;Equipo;J1;J2;J3;J4;PV\n{rows}")
    upload = upload_of()
    meanings = ["place", "team", "name_1", "name_2", "name_3", "name_4", "score"]
    signed_in.post(page(upload), chosen(*meanings))
    upload.refresh_from_db()
    assert [len(entry["people"]) for entry in upload.parsed["entries"]] == [4] * 4


def test_forged_columns_and_sheets_beyond_the_table_change_nothing(signed_in, first):
    data = chosen("place", "name", "percentage") | {"column_3": "score", "column_900": "place", "digest": "x"}
    signed_in.post(page(first) + "?hoja=99", data)
    first.refresh_from_db()
    (choice,) = first.columns.values()
    assert choice["meanings"] == ["place", "name", "percentage"]
    for number in ("0", "-1", "a", "²", "999999"):
        assert signed_in.get(page(first) + f"?hoja={number}").status_code == 200


def test_a_wrong_choice_says_what_is_wrong_and_is_not_remembered(signed_in, first):
    response = signed_in.post(page(first), chosen("percentage", "place", "name"), follow=True)
    first.refresh_from_db()
    assert ColumnLayout.objects.count() == (1 if first.parsed["entries"] else 0)
    assert response.status_code == 200


def test_a_start_list_is_called_so_and_may_still_be_read(signed_in, club):
    rows = "".join(f"{n};Ana {n}x;50000{n};N-S\n" for n in range(1, 5))
    response = send(signed_in, club, "PairNumber;Name;ABF No;Eje\n" + rows)
    upload = upload_of()
    assert upload.state == ResultUpload.State.REFUSED
    assert page(upload) in response.content.decode()
    assert "lista de inscritos" in response.content.decode()


def test_a_gone_file_leads_back_to_the_review(signed_in, first):
    pipeline.delete_files(ResultUpload.objects.filter(pk=first.pk))
    response = signed_in.get(page(first))
    assert response.status_code == 302


def test_the_page_takes_as_many_queries_for_three_columns_as_for_ten(signed_in, club):
    def count(columns):
        heads = ";".join(f"c{n}" for n in range(columns - 2))
        cells = ";".join("x" for _ in range(columns - 2))
        send(signed_in, club, f"Pto;Componentes;{heads}\n1;Ana - Luis;{cells}\n2;Eva - Mar;{cells}\n")
        return query_count(signed_in, page(upload_of()))

    assert count(3) == count(10)


# --- Several tables of one sheet ------------------------------------------------------------------------
TABLES = (
    "puesto;nombre;%\n1;{0} Uno - {0} Dos;61\n2;{0} Tres - {0} Seis;39\n"
    "puesto;nombre;%\n1;{0} Siete - {0} Ocho;55\n2;{0} Nueve - {0} Diez;45\n"
)


@pytest.fixture
def tables(signed_in, club):
    """Return the upload of a sheet with two tables whose lines of play nothing names."""
    response = send(signed_in, club, TABLES.format("Ana"))
    upload = upload_of()
    assert response.redirect_chain[-1][0] == page(upload)
    return upload


def test_the_page_asks_what_two_tables_are_and_nothing_is_preselected(signed_in, tables):
    response = signed_in.get(page(tables))
    field = response.context["form"]["column_3"]
    assert (field.label, field.value()) == ("Qué son las tablas de la hoja", "")
    assert [code for code, _label in field.field.choices if code] == list(layouts.TABLES)
    rows = [[text for _label, text in cells] for cells in response.context["form"].sample()]
    assert [row[-1] for row in rows] == ["Tabla 1"] * 2 + ["Tabla 2"] * 2
    response = signed_in.post(page(tables), chosen("place", "name", "percentage", ""))
    assert set(response.context["form"].errors) == {"column_3"}


def test_the_lines_of_two_tables_are_remembered_for_the_next_week(signed_in, tables, club):
    signed_in.post(page(tables), chosen("place", "name", "percentage", "tables_lines"))
    response = send(signed_in, club, TABLES.format("Eva"))
    second = upload_of()
    assert response.redirect_chain[-1][0] == reverse("upload_review", args=[second.pk])
    assert [entry["direction"] for entry in second.parsed["entries"]] == ["NS", "NS", "EW", "EW"]
    assert "Norte-Sur" in signed_in.get(reverse("upload_memory", args=[club.slug])).content.decode()


@pytest.mark.parametrize(
    ("meanings", "text"),
    [
        (("place", "name", "", "tables_one"), "Los puestos empiezan de nuevo en cada tabla"),
        (("place", "name", "direction", "tables_lines"), "ya es la columna"),
        (("place", "name", "percentage", "direction"), "direction"),
    ],
)
def test_tables_and_columns_that_contradict_each_other_are_refused(signed_in, tables, meanings, text):
    response = signed_in.post(page(tables), chosen(*meanings))
    assert text in response.content.decode()
    tables.refresh_from_db()
    assert tables.columns == {}
