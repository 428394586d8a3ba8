"""Several files of one event are one upload; others are refused as a whole, with ways to go on."""

import io
import zipfile
from decimal import Decimal

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from scoring.uploads.services.review import review_of
from tests import factories
from tests.pages import open_page
from tests.scoring.audit.acts import run_audit
from tests.scoring.uploads.makers import codes, csv_of, details, sent, tick_and_confirm, usebio_of
from tests.tournaments.formats.bridgemates import mitchell
from tournaments.models import FurtherFile, ResultUpload, StoredFile
from tournaments.services import pipeline, uploads
from tournaments.services.drafts import draft_of
from tournaments.services.issues import describe as describe_issue

State = ResultUpload.State


def names_of(pairs) -> bytes:
    return "\n".join(
        f"{number};{first.number};{second.number}" for number, (first, second) in enumerate(pairs, start=1)
    ).encode()


def post(client, club, *files, **values):
    """Send several files, as (name, content), on the start page. Return the response."""
    form = {**details(**values), "club": club.pk, "file": [SimpleUploadedFile(*file) for file in files]}
    return client.post(reverse("upload_start"), form)


def together(client, club, *files, **values) -> ResultUpload:
    known = set(ResultUpload.objects.values_list("pk", flat=True))
    response = post(client, club, *files, **values)
    assert response.status_code == 302, response.context["form"].errors
    return ResultUpload.objects.exclude(pk__in=known).get()


def press(client, upload, **values):
    """Submit the review page of an upload, with files, and return the response after redirects."""
    page = client.get(upload.get_absolute_url())
    form = {"seen": page.context["seen"], "rows": page.context["rows"], **values}
    response = client.post(upload.get_absolute_url(), form, follow=True)
    upload.refresh_from_db()
    return response


@pytest.fixture
def evening() -> bytes:
    return mitchell(2, 12).data()


def test_a_database_and_its_list_of_names_are_confirmed_and_audited(signed_in, club, pairs, evening):
    upload = together(signed_in, club, ("lista.csv", names_of(pairs)), ("martes.bws", evening))
    assert (upload.file_name, upload.file_format) == ("martes.bws", "bws")
    assert [part["role"] for part in upload.parsed["files"]] == ["ranking", "names"]
    assert review_of(upload).ready, review_of(upload).issues
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    assert upload.state == State.CONFIRMED
    receipt = signed_in.get(reverse("upload_receipt", args=[upload.pk])).content.decode()
    assert "lista.csv" in receipt and "martes.bws" in receipt
    assert FurtherFile.objects.get().sha256 in receipt
    lines, text = run_audit()
    assert text == "equal" and "; 2 files; " in lines[0]
    StoredFile.objects.filter(further_file__upload=upload).update(content=b"x")
    assert run_audit()[1].startswith("1: ")


def test_an_issue_names_file_line_and_field(signed_in, club, pairs, evening):
    listed = names_of(pairs).replace(pairs[2][0].number.encode(), b"999999")
    upload = together(signed_in, club, ("lista.csv", listed), ("martes.bws", evening))
    stored = upload.issues.get(code="unknown_player")
    assert (stored.line, stored.params["file"], stored.field) == (3, "lista.csv", "licence")
    page = signed_in.get(upload.get_absolute_url()).content.decode()
    assert "lista.csv, L" in page and "30000003" not in page and "20000003" not in page


def test_sessions_are_one_ranking_with_all_boards(signed_in, club, pairs):
    files = [(f"{day}.xml", usebio_of(pairs, f"{day}/03/2026", event_id=str(day))) for day in (13, 14)]
    upload = together(signed_in, club, *files, boards="", end_date="")
    draft = draft_of(upload)
    assert (draft.known.boards, str(draft.known.start_date)) == (48, "2026-03-13")
    assert {item["board"] for item in upload.parsed["boards"]} == {*range(1, 25), *range(33, 57)}
    assert "joined_sessions" in codes(upload)


def test_files_of_two_events_are_refused_and_parted_by_a_button(signed_in, club, pairs):
    others = factories.pairs(factories.players(8, club=club))
    files = [("lunes.xml", usebio_of(pairs, "07/03/2026")), ("martes.xml", usebio_of(others, event_id="9"))]
    upload = together(signed_in, club, *files)
    assert (upload.state, codes(upload)) == (State.REFUSED, {"joined_other_day"})
    text = signed_in.get(upload.get_absolute_url()).content.decode()
    assert "Estos archivos se conservan, pero no se han unido" in text and "leer nada" not in text
    page = press(signed_in, upload, part="1")
    assert {item.file_name for item in ResultUpload.objects.filter(state=State.REVIEW)} == {
        "lunes.xml",
        "martes.xml",
    }
    assert upload.state == State.DISCARDED and page.redirect_chain


def test_people_of_both_files_are_counted_where_they_differ(signed_in, club, pairs):
    others = [*pairs[:3], *factories.pairs(factories.players(2, club=club))]
    upload = together(signed_in, club, ("1.xml", usebio_of(pairs)), ("2.xml", usebio_of(others, boards=12)))
    assert upload.issues.get().params["common"] == 6


def test_a_refused_file_does_not_lose_the_others(signed_in, club, pairs, evening):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/workbook.xml", b"0" * 60_000_000)
    files = [("bomba.xlsx", bomb.getvalue()), ("martes.bws", evening), ("lista.csv", names_of(pairs))]
    upload = together(signed_in, club, *files)
    assert upload.state == State.REFUSED and "joined_unreadable" in codes(upload)
    assert "bomba.xlsx" in signed_in.get(upload.get_absolute_url()).content.decode()
    position = [item.name for item in uploads.files.files_of(upload)].index("bomba.xlsx") + 1
    press(signed_in, upload, remove_file=str(position))
    assert upload.state == State.REVIEW and review_of(upload).ready
    assert not StoredFile.objects.filter(content=bomb.getvalue()).exists()


def test_the_same_file_twice_is_said_and_counted_once(signed_in, club, pairs):
    data = usebio_of(pairs)
    response = post(signed_in, club, ("a.xml", data), ("b.xml", data))
    upload = ResultUpload.objects.get()
    assert (upload.file_name, upload.further_files.count()) == ("a.xml", 0)
    page = signed_in.get(response.url)
    assert any("b.xml" in str(message) for message in page.context["messages"])


@pytest.mark.parametrize(
    "files",
    [
        [(f"{number}.csv", b"x%d" % number) for number in range(50)],
        [("a.xml", b""), ("b.xml", b"<USEBIO/>")],
    ],
    ids=["fifty", "empty"],
)
def test_too_many_or_empty_files_are_refused_on_the_form(signed_in, club, files):
    response = post(signed_in, club, *files)
    assert response.status_code == 200 and response.context["form"].errors["file"]
    assert not ResultUpload.objects.exists()


def test_files_that_are_too_large_together_are_refused_on_the_form(signed_in, club, settings):
    settings.UPLOAD_SUM_LIMIT = 1000
    response = post(signed_in, club, ("a.xml", b"x" * 600), ("b.xml", b"y" * 600))
    assert response.context["form"].errors["file"]
    assert django_settings.UPLOAD_LIMIT <= 2 * django_settings.UPLOAD_LIMIT


def test_a_list_added_on_the_review_is_a_file_and_decisions_stay(signed_in, club, pairs, evening):
    upload = sent(signed_in, club, evening, "martes.bws")
    first = SimpleUploadedFile("lista.csv", names_of(pairs[:2]))
    press(signed_in, upload, more_files=first, action="files")
    assert upload.further_files.get().file_name == "lista.csv"
    press(
        signed_in, upload, more_files=SimpleUploadedFile("más.csv", b"3;Ana Roble;Luis Haya"), action="files"
    )
    seat = next(seat for seat, person in seats(upload).items() if person.name == "Ana Roble")
    uploads.save(upload, uploads.Answers(seats={seat: pairs[2][0].number}))
    upload.refresh_from_db()
    press(signed_in, upload, more_files=SimpleUploadedFile("4.csv", b"4;Sol Mar;Luz Rio"), action="files")
    assert seats(upload)[seat].number == pairs[2][0].number
    names = [item.name for item in uploads.files.files_of(upload)]
    press(signed_in, upload, remove_file=str(names.index("lista.csv") + 1))
    assert seats(upload)[seat].number == pairs[2][0].number
    assert seats(upload)[0, 0].number is None


def seats(upload) -> dict:
    return {
        (row, place): person
        for row, entry in enumerate(draft_of(upload).entries)
        for place, person in enumerate(entry.people)
    }


def test_a_file_of_another_event_is_not_added_to_a_draft(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs), "martes.xml")
    others = usebio_of(factories.pairs(factories.players(8, club=club)), "07/03/2026")
    response = press(signed_in, upload, more_files=SimpleUploadedFile("otro.xml", others), action="files")
    assert upload.further_files.count() == 0 and len(draft_of(upload).rows) == 4
    assert any("otro.xml" in str(message) for message in response.context["messages"])


def test_a_session_uploaded_alone_is_recognised_among_others(signed_in, club, pairs):
    data = usebio_of(pairs, "13/03/2026", event_id="1")
    tick_and_confirm(signed_in, sent(signed_in, club, data, "1.xml", end_date="2026-03-13"))
    upload = together(signed_in, club, ("2.xml", usebio_of(pairs, event_id="2")), ("uno.xml", data))
    assert "same_file" in codes(upload)


def test_the_same_list_of_names_with_another_evening_is_no_repetition(signed_in, club, pairs, evening):
    names = ("lista.csv", names_of(pairs))
    tick_and_confirm(signed_in, together(signed_in, club, names, ("martes.bws", evening)))
    other = together(signed_in, club, names, ("jueves.bws", mitchell(2, 6).data()))
    assert "same_file" not in codes(other)


def test_all_files_are_deleted_and_downloaded_together(signed_in, client, club, pairs, evening):
    upload = together(signed_in, club, ("lista.csv", names_of(pairs)), ("martes.bws", evening))
    client.force_login(factories.office())
    url = reverse("upload_file", args=[upload.pk])
    assert client.get(url).content == evening and client.get(f"{url}?n=2").content == names_of(pairs)
    assert client.get(f"{url}?n=3").status_code == 404
    assert pipeline.delete_files(ResultUpload.objects.filter(pk=upload.pk)) == 2
    assert not StoredFile.objects.exists()
    assert "lista.csv" in client.get(upload.get_absolute_url()).content.decode()


def test_a_ranking_as_a_sheet_takes_the_results_of_a_database(signed_in, club, pairs, evening):
    upload = together(signed_in, club, ("martes.bws", evening), ("orden.csv", csv_of(pairs)))
    assert upload.parsed["format_name"] == "csv" and len(upload.parsed["boards"]) == 48
    assert [row.percentage for row in draft_of(upload).rows][0] == 69.75


# --- A ranking beside the results of its boards ---------------------------------------------------------
def shares(upload) -> dict:
    upload.refresh_from_db()
    return {entry["number"]: entry["percentage"] for entry in upload.parsed["entries"]}


def warnings_of(upload) -> list:
    return [item for item in draft_of(upload).issues if item.code == "joined_other_computed"]


def test_the_director_decides_whether_the_ranking_or_its_boards_count(signed_in, club, pairs, evening):
    alone = together(signed_in, club, ("alone.bws", evening))
    computed = shares(alone)
    uploads.pipeline.discard(alone)
    upload = together(signed_in, club, ("martes.bws", evening), ("orden.csv", csv_of(pairs)))
    stated = shares(upload)
    (warning,) = warnings_of(upload)
    assert (warning.severity, warning.value, warning.params["count"]) == ("warning", "1", 4)
    figures = [f"{Decimal(share['1']):.2f}" for share in (stated, computed)]
    assert [warning.params[name] for name in ("first", "second")] == [f"{figure}%" for figure in figures]
    text = describe_issue(warning).message
    assert all(f"{figure.replace('.', ',')}\N{NO-BREAK SPACE}%" in text for figure in figures)
    page = signed_in.get(upload.get_absolute_url()).content.decode()
    assert "Como en la clasificación de «orden.csv»" in page
    press(signed_in, upload, club=club.pk, **details(), scoring="match_points", action="details")
    assert shares(upload) == computed and warnings_of(upload) == []
    assert all(person["number"] for entry in upload.parsed["entries"] for person in entry["people"])
    press(signed_in, upload, club=club.pk, **details(), scoring="", action="details")
    assert shares(upload) == stated and warnings_of(upload) == [warning]
    press(signed_in, upload, club=club.pk, **details(), scoring="match_points", action="details")
    tick_and_confirm(signed_in, upload)
    upload.refresh_from_db()
    assert upload.state == State.CONFIRMED and run_audit()[1] == "equal"


def test_a_ranking_added_to_a_scored_evening_counts_and_a_removed_one_does_not(
    signed_in, club, pairs, evening
):
    upload = together(signed_in, club, ("martes.bws", evening))
    computed = shares(upload)
    press(signed_in, upload, club=club.pk, **details(), scoring="match_points", action="details")
    sheet = SimpleUploadedFile("orden.csv", csv_of(pairs))
    press(signed_in, upload, more_files=sheet, action="files")
    assert shares(upload)["1"] == "69.75" and len(warnings_of(upload)) == 1
    position = [item.name for item in uploads.files.files_of(upload)].index("orden.csv") + 1
    press(signed_in, upload, remove_file=str(position))
    assert shares(upload) == computed and upload.parsed["stated"] is None


def test_a_ranking_edited_by_hand_is_compared_no_more(signed_in, club, pairs, evening):
    upload = together(signed_in, club, ("martes.bws", evening), ("orden.csv", csv_of(pairs)))
    uploads.replace_entries(upload, draft_of(upload).entries)
    upload.refresh_from_db()
    assert upload.parsed["stated"] is None and warnings_of(upload) == []


def test_files_that_are_not_joined_have_one_primary_button_and_no_dangling_point(signed_in, club, pairs):
    upload = together(signed_in, club, ("a.csv", csv_of(pairs)), ("x.pdf", b"%PDF-1.4 x"))
    assert upload.state == State.REFUSED
    page = open_page(signed_in, upload.get_absolute_url())
    assert sum("btn-primary" in element.classes for element in page.main.walk()) == 1
    assert not any(element.text.endswith("·") for element in page.main.all("p"))


# --- Sheets whose columns are not known -----------------------------------------------------------------
def unknown_of(pairs, *headings: str, less: int = 0) -> bytes:
    """Return a ranking of the pairs with place, number, names and percentage under these headings."""
    lines = [";".join(headings)]
    lines += [
        f"{number};{number};{first.full_name} - {second.full_name};{70 - less - number}"
        for number, (first, second) in enumerate(pairs, start=1)
    ]
    return "\n".join(lines).encode()


HEADINGS = ("Pto", "Nr", "Componentes", "Porc")
MEANINGS = {f"column_{k}": name for k, name in enumerate(["place", "number", "name", "percentage"])}


def test_a_sheet_is_given_its_columns_among_several_files_and_they_are_joined(
    signed_in, club, pairs, evening
):
    files = [("orden.csv", unknown_of(pairs, *HEADINGS)), ("martes.bws", evening)]
    upload = together(signed_in, club, *files)
    assert (upload.state, "joined_columns" in codes(upload)) == (State.REFUSED, True)
    columns = reverse("upload_columns", args=[upload.pk])
    assert (
        f'class="btn btn-primary" href="{columns}"'
        in signed_in.get(upload.get_absolute_url()).content.decode()
    )
    assert "orden.csv" in signed_in.get(columns).context["name"]
    response = signed_in.post(columns, MEANINGS)
    assert response.url == upload.get_absolute_url()
    upload.refresh_from_db()
    assert (upload.state, len(upload.parsed["boards"])) == (State.REVIEW, 48)
    assert [entry["percentage"] for entry in upload.parsed["entries"]] == ["69", "68", "67", "66"]
    assert {item.name for item in uploads.files.files_of(upload)} == {"orden.csv", "martes.bws"}
    tick_and_confirm(signed_in, upload)
    assert run_audit()[1] == "equal"
    # The next such files are joined at once, and keep what was chosen for them.
    again = together(
        signed_in, club, ("otra.csv", unknown_of(pairs, *HEADINGS, less=3)), ("otra.bws", evening)
    )
    assert again.state == State.REVIEW and "columns_remembered" in codes(again)
    assert [choice["is_remembered"] for choice in again.columns.values()] == [True]


def test_numbers_of_pairs_under_an_unknown_heading_are_asked_about_and_the_files_are_joined(
    signed_in, club, pairs, evening
):
    sheet = unknown_of(pairs, "Puesto", "Inicial", "Nombre", "%")
    upload = together(signed_in, club, ("orden.csv", sheet), ("martes.bws", evening))
    assert (upload.state, "joined_no_numbers" in codes(upload)) == (State.REFUSED, True)
    columns = reverse("upload_columns", args=[upload.pk])
    text = signed_in.get(upload.get_absolute_url()).content.decode()
    assert "Inicial" in text and f'class="btn btn-primary" href="{columns}"' in text
    (layout,) = upload.parsed["layouts"]
    assert list(layout["meanings"]) == ["place", "", "name", "percentage"]
    signed_in.post(columns, MEANINGS)
    upload.refresh_from_db()
    assert (upload.state, len(upload.parsed["boards"])) == (State.REVIEW, 48)
    assert [entry["number"] for entry in upload.parsed["entries"]] == ["1", "2", "3", "4"]


def test_percentages_under_an_unknown_heading_are_compared_with_the_boards(signed_in, club, pairs, evening):
    sheet = unknown_of(pairs, "Puesto", "Pareja", "Nombre", "% Total")
    upload = together(signed_in, club, ("orden.csv", sheet), ("martes.bws", evening))
    assert (upload.state, "columns_to_choose" in codes(upload)) == (State.REFUSED, True)
    signed_in.post(reverse("upload_columns", args=[upload.pk]), MEANINGS)
    assert shares(upload) == {"1": "69", "2": "68", "3": "67", "4": "66"}
    assert len(warnings_of(upload)) == 1


def test_sheets_with_other_headings_are_asked_about_one_after_the_other(signed_in, club, pairs):
    others = ("Clasif", "Dorsal", "Integrantes", "Pct")
    files = [("1.csv", unknown_of(pairs, *HEADINGS)), ("2.csv", unknown_of(pairs, *others, less=9))]
    upload = together(signed_in, club, *files)
    columns = reverse("upload_columns", args=[upload.pk])
    names = []
    for _ in files:
        names.append(signed_in.get(columns).context["name"])
        response = signed_in.post(columns, MEANINGS)
    assert sorted(names) == ["1.csv", "2.csv"] and response.url == upload.get_absolute_url()
    upload.refresh_from_db()
    assert upload.state == State.REVIEW and len(upload.columns) == 2
    assert {entry["percentage"] for entry in upload.parsed["entries"]} == {"64.5", "63.5", "62.5", "61.5"}


def test_one_choice_reads_all_sheets_with_the_same_headings(signed_in, club, pairs):
    files = [(f"{k}.csv", unknown_of(pairs, *HEADINGS, less=k)) for k in range(3)]
    upload = together(signed_in, club, *files)
    signed_in.post(reverse("upload_columns", args=[upload.pk]), MEANINGS)
    upload.refresh_from_db()
    assert upload.state == State.REVIEW and len(upload.parsed["files"]) == 3


def test_a_sheet_with_unknown_columns_can_be_left_out_or_wait_for_another_file(
    signed_in, club, pairs, evening
):
    files = [("orden.csv", unknown_of(pairs, *HEADINGS)), ("martes.bws", evening), ("x.pdf", b"%PDF-1.4 x")]
    upload = together(signed_in, club, *files)
    assert {"joined_unreadable"} <= codes(upload) and "joined_columns" not in codes(upload)
    for name, state in (("x.pdf", State.REFUSED), ("orden.csv", State.REVIEW)):
        position = [item.name for item in uploads.files.files_of(upload)].index(name) + 1
        press(signed_in, upload, remove_file=str(position))
        assert upload.state == state
    assert upload.parsed["layouts"] == []


def test_a_sheet_with_unknown_columns_is_added_to_a_draft_and_decisions_stay(signed_in, club, pairs, evening):
    listed = b"1;Ana Roble;Luis Haya\n" + names_of(pairs).partition(b"\n")[2]
    upload = together(signed_in, club, ("lista.csv", listed), ("martes.bws", evening))
    seat = next(seat for seat, person in seats(upload).items() if person.name == "Ana Roble")
    uploads.save(upload, uploads.Answers(seats={seat: pairs[0][0].number}))
    sheet = SimpleUploadedFile("orden.csv", unknown_of(pairs, *HEADINGS))
    press(signed_in, upload, more_files=sheet, action="files")
    assert (upload.state, draft_of(upload).entries) == (State.REFUSED, ())
    signed_in.post(reverse("upload_columns", args=[upload.pk]), MEANINGS)
    upload.refresh_from_db()
    assert (upload.state, "waiting" in upload.parsed) == (State.REVIEW, False)
    assert upload.parsed["entries"][0]["percentage"] == "69"
    assert seats(upload)[seat].number == pairs[0][0].number and seat in draft_of(upload).choices


def test_a_sheet_with_unknown_columns_is_removed_from_a_draft_and_decisions_stay(
    signed_in, club, pairs, evening
):
    listed = b"1;Ana Roble;Luis Haya\n" + names_of(pairs).partition(b"\n")[2]
    upload = together(signed_in, club, ("lista.csv", listed), ("martes.bws", evening))
    uploads.save(upload, uploads.Answers(seats={(0, 0): pairs[0][0].number}))
    before = uploads.people_version_of(ResultUpload.objects.get(pk=upload.pk))
    sheet = SimpleUploadedFile("orden.csv", unknown_of(pairs, *HEADINGS))
    press(signed_in, upload, more_files=sheet, action="files")
    position = [item.name for item in uploads.files.files_of(upload)].index("orden.csv") + 1
    press(signed_in, upload, remove_file=str(position))
    assert upload.state == State.REVIEW and "waiting" not in upload.parsed
    assert seats(upload)[0, 0].number == pairs[0][0].number
    assert uploads.people_version_of(upload) == before
