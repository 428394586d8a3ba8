"""Bad input: a clear issue or a message beside the field, nothing partly stored, and no error page."""

import io
import random
import re
import zipfile
from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from players.models import Player
from tests import factories
from tests.examples import examples
from tests.languages import speak
from tests.pages import Page
from tests.scoring.uploads.makers import codes, csv_of, details, post_file, sent, usebio_of
from tournaments.formats.types import Issue
from tournaments.models import Contestant, ResultUpload, Revision, Seat, StoredFile, Tournament
from tournaments.services import uploads
from tournaments.services.issues import CATALOGUE, describe

pytestmark = pytest.mark.django_db

ENTITY_BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE USEBIO [<!ENTITY a "aaaaaaaaaa">'
    b'<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><USEBIO><EVENT>&b;</EVENT></USEBIO>'
)
EXTERNAL_ENTITY = (
    b'<?xml version="1.0"?><!DOCTYPE USEBIO [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    b"<USEBIO><EVENT><TITLE>&x;</TITLE></EVENT></USEBIO>"
)


def workbook(rows, **cells) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    for address, value in cells.items():
        book.active[address] = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zip_bomb() -> bytes:
    """Return a workbook with a part that unpacks to 60 MB of zeros."""
    plain = workbook([["puesto", "licencia"], [1, 2]])
    out = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(plain))
    with source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
        target.writestr("xl/media/big.bin", bytes(60 * 1024 * 1024))
    return out.getvalue()


def rows_of(*lines: str) -> bytes:
    return "\n".join(["puesto;licencia;nombre;pareja", *lines]).encode()


# description: (file name, bytes, a code that must be among the issues)
BAD_FILES = {
    "truncated XML": ("a.xml", b'<?xml version="1.0"?><USEBIO><EVENT EVENT_TYPE="PAIRS">', "truncated"),
    "truncated workbook": ("a.xlsx", workbook([["puesto"], [1]])[:900], "damaged_workbook"),
    "a picture called CSV": ("a.csv", b"\x89PNG\r\n\x1a\n" + bytes(200), "wrong_type"),
    "a PDF called XML": ("a.xml", b"%PDF-1.7\n%\xe2\xe3", "wrong_type"),
    "entity bomb": ("a.xml", ENTITY_BOMB, "xml_entities"),
    "external entity": ("a.xml", EXTERNAL_ENTITY, "xml_entities"),
    "zip bomb": ("a.xlsx", zip_bomb(), "zip_bomb"),
    "formula without value": (
        "a.xlsx", workbook([["puesto", "licencia", "nombre"], [1, 2, "x"]], B2="=1+1"),
        "formula_without_value",
    ),
    "NUL bytes": ("a.csv", b"puesto;licencia\n1;\x0012\n", "nul_bytes"),
    "unknown encoding": (
        "a.xml", b'<?xml version="1.0" encoding="klingon"?><USEBIO><EVENT/></USEBIO>', "unknown_encoding",
    ),
    "10,000 rows": ("a.csv", rows_of(*(f"{n};{n};x;{n}" for n in range(1, 10_001))), "too_many_rows"),
    "malformed number": ("a.csv", rows_of("1;12A4;Ana;1", "1;5;Eva;1"), "malformed_licence"),
    "unknown number": ("a.csv", rows_of("1;99999991;Ana;1", "1;99999992;Eva;1"), "unknown_player"),
    "the same number twice": ("a.csv", rows_of("1;5;Ana;1", "1;005;Eva;1"), "duplicate_player"),
    "place zero": ("a.csv", rows_of("0;5;Ana;1", "0;6;Eva;1", "1;7;Lía;2", "1;8;Noa;2"), "place_zero"),
    "a gap": ("a.csv", rows_of("1;5;Ana;1", "1;6;Eva;1", "9;7;Lía;2", "9;8;Noa;2"), "place_gap"),
    "a place in words": ("a.csv", rows_of("uno;5;Ana;1", "uno;6;Eva;1"), "place_text"),
    "no players": ("a.csv", b"puesto;licencia;nombre\n", "no_rows"),
    "no known heading": ("a.csv", b"uno;dos\n1;2\n", "no_headings"),
    "three players": ("a.csv", rows_of("1;5;Ana;1", "1;6;Eva;1", "2;7;Noa;2"), "too_few_players"),
    "XML of something else": ("a.xml", b"<?xml version='1.0'?><html/>", "unknown_xml"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_gets_a_clear_issue_and_stores_no_ranking(signed_in, club, case):
    file_name, data, code = BAD_FILES[case]
    upload = sent(signed_in, club, data, file_name)
    assert code in codes(upload)
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert page.status_code == 200
    assert file_name in Page(page).text
    assert Page(page).all(id=f"issue-{code}")
    assert bytes(StoredFile.objects.get(resultupload=upload).content) == data
    signed_in.post(
        reverse("upload_review", args=[upload.pk]), {"action": "accept", "accept": list(CATALOGUE)}
    )
    signed_in.post(reverse("upload_confirm", args=[upload.pk]))
    for model in (Tournament, Revision, Contestant, Seat, Player):
        assert not model.objects.exists()
    upload.refresh_from_db()
    assert upload.state in {ResultUpload.State.REFUSED, ResultUpload.State.REVIEW}


def test_an_issue_about_a_row_names_its_line_and_field(signed_in, club):
    upload = sent(signed_in, club, rows_of("1;5;Ana;1", "1;12A4;Eva;1"))
    issue = upload.issues.get(code="malformed_licence")
    assert (issue.line, issue.value) == (3, "12A4")
    assert issue.field


@pytest.mark.parametrize(("size", "word"), [(0, "empty"), (settings.UPLOAD_LIMIT + 1, "larger")])
def test_an_empty_or_huge_file_is_an_error_at_its_field(signed_in, club, size, word):
    with translation.override("en"):
        speak(signed_in, "en")
        page = post_file(signed_in, club, b"x" * size, file_name="martes.csv")
    assert page.status_code == 200
    (message,) = page.context["form"].errors["file"]
    assert "martes.csv" in message
    assert word in message
    # The other fields keep what the user entered.
    assert page.context["form"]["name"].value() == "Pool"
    assert not ResultUpload.objects.exists()


def test_a_file_of_exactly_the_maximum_size_is_read(signed_in, club):
    data = b"puesto;licencia;nombre\n" + b"\n" * settings.UPLOAD_LIMIT
    upload = sent(signed_in, club, data[: settings.UPLOAD_LIMIT])
    assert upload.size == settings.UPLOAD_LIMIT


def test_a_form_without_a_file_is_refused(signed_in, club):
    page = signed_in.post(reverse("upload_start"), {**details(), "club": club.pk})
    assert "file" in page.context["form"].errors


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("end_date", "31/02/2026"), ("end_date", "mañana"), ("end_date", "2019-05-01"),
        ("end_date", "0000-00-00"), ("start_date", "2026-03-15"), ("boards", "0"), ("boards", "-3"),
        ("boards", "1000"), ("boards", "x"), ("boards", "9" * 30), ("boards_scheduled", "20"),
        ("event_type", "nonsense"), ("format", "triples"), ("venue", "moon"), ("ranking", "three"),
        ("club", "0"), ("club", "x"), ("name", "x" * 151), ("name", "a\x00b"),
    ],
)  # fmt: skip
def test_bad_values_of_the_form_are_errors_at_their_fields(signed_in, club, pairs, field, value):
    form = {**details(), "club": club.pk, "file": io.BytesIO(csv_of(pairs)), field: value}
    form["file"].name = "a.csv"
    page = signed_in.post(reverse("upload_start"), form)
    assert page.status_code == 200
    # If the two numbers of boards contradict each other, either field may have the message.
    wrong = {"boards", "boards_scheduled"} if field.startswith("boards") else {field}
    assert wrong & set(page.context["form"].errors)
    assert not ResultUpload.objects.exists()


def test_a_future_date_is_refused_in_the_form_and_in_the_file(signed_in, club, pairs):
    tomorrow = timezone.localdate() + timedelta(days=1)
    page = post_file(signed_in, club, csv_of(pairs), end_date=tomorrow.isoformat())
    assert "end_date" in page.context["form"].errors
    in_file = usebio_of(pairs, date=tomorrow.strftime("%d/%m/%Y"))
    upload = sent(signed_in, club, in_file, "a.xml", end_date="")
    assert upload.issues.get(code="date_in_future").severity == "error"
    assert sent(
        signed_in, club, csv_of(pairs), end_date=timezone.localdate().isoformat()
    ).pk  # today is not in the future


def test_an_unreadable_date_has_to_be_typed(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs, date="3rd of May"), "a.xml", end_date="")
    assert {"bad_date", "missing_date"} <= codes(upload)
    data = {"action": "details", "club": club.pk, **details(end_date="2026-05-03")}
    signed_in.post(reverse("upload_review", args=[upload.pk]), data)
    assert not upload.issues.filter(severity="error").exists()


def test_a_typed_date_that_differs_from_the_files_raises_a_warning(signed_in, club, pairs):
    upload = sent(signed_in, club, usebio_of(pairs, date="13/03/2026"), "a.xml", end_date="2026-03-14")
    assert upload.issues.get(code="date_differs").severity == "warning"
    several_days = sent(
        signed_in,
        club,
        usebio_of(pairs[:3], date="13/03/2026"),
        "b.xml",
        start_date="2026-03-12",
        end_date="2026-03-14",
    )
    assert "date_differs" not in codes(several_days)


def test_markup_in_names_is_shown_as_text(signed_in, club, pairs):
    evil = '<script>alert("x")</script>'
    data = csv_of(pairs).replace(pairs[0][0].full_name.encode(), evil.encode())
    data = data.replace(pairs[0][0].number.encode(), b"").replace(pairs[1][0].number.encode(), evil.encode())
    upload = sent(signed_in, club, data, f"{evil}.csv".replace("/", ""), name=evil)
    for name in ("upload_review", "upload_edit"):
        text = signed_in.get(reverse(name, args=[upload.pk])).content.decode()
        assert "<script>alert" not in text
    assert "<script>alert" not in signed_in.get(reverse("uploads")).content.decode()


def test_a_name_that_is_too_long_is_cut_or_refused(signed_in, club, pairs):
    data = csv_of(pairs).replace(pairs[0][0].full_name.encode(), b"x" * 400)
    data = data.replace(pairs[0][0].number.encode(), b"")
    upload = sent(signed_in, club, data, "y" * 250 + ".csv")
    page = signed_in.get(reverse("upload_review", args=[upload.pk]))
    assert len(page.context["review"].draft.rows[0].seats[0].guest_name) == 120


@pytest.mark.parametrize("score", ["9999999999", "-9999999999"])
def test_an_impossible_score_is_an_error(signed_in, club, pairs, score):
    data = csv_of(pairs, "puesto;licencia;nombre;pareja;puntos").replace(b"69,75", score.encode())
    upload = sent(signed_in, club, data.replace(b"puntos", "puntuación".encode()))
    assert "score_too_large" in codes(upload)
    assert signed_in.get(reverse("upload_review", args=[upload.pk])).status_code == 200


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_copy_of_a_good_file_never_breaks_a_page(signed_in, club, pairs, seed):
    chance = random.Random(seed)
    file_name, good = [("a.csv", csv_of(pairs)), ("a.xml", usebio_of(pairs))][seed % 2]
    data = bytearray(good)
    for _change in range(chance.randint(1, 30)):
        at = chance.randrange(len(data))
        data[at : at + chance.randint(0, 4)] = bytes(chance.randrange(256) for _byte in range(3))
    response = post_file(signed_in, club, bytes(data), file_name, end_date="", boards="", format="")
    assert response.status_code == 302
    assert signed_in.get(response.url, follow=True).status_code == 200
    edit = reverse("upload_edit", args=[ResultUpload.objects.get().pk])
    assert signed_in.get(edit).status_code in (200, 302)


text = st.text(max_size=12)
cell = st.one_of(text, st.integers(-5, 12).map(str), st.sampled_from(["1=", "3-4", "N-S", "60,5", "=1+1"]))


@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "place": cell,
                "percentage": cell,
                "score": cell,
                "label": text,
                "direction": cell,
                "number_1": cell,
                "name_1": text,
                "number_2": cell,
                "name_2": text,
            },
        ),
        max_size=6,
    )
)
def test_any_input_in_the_ranking_form_gives_a_page(signed_in, director, club, rows):
    upload = uploads.receive_typed(director, club, {"event_type": "pool", "venue": "in_person"})
    data = {"row-TOTAL_FORMS": str(len(rows)), "row-INITIAL_FORMS": "0"}
    for index, row in enumerate(rows):
        data |= {f"row-{index}-{name}": value for name, value in row.items()}
    url = reverse("upload_edit", args=[upload.pk])
    assert signed_in.post(url, data).status_code in (200, 302)
    assert signed_in.get(reverse("upload_review", args=[upload.pk])).status_code == 200
    assert signed_in.get(url).status_code == 200


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_issue_has_a_text(language):
    for code, definition in CATALOGUE.items():
        names = re.findall(r"%\((\w+)\)s", definition.message + definition.remedy)
        issue = Issue(code, definition.severity, 3, "x", "v", dict.fromkeys(names, "7"))
        with translation.override(language):
            words = describe(issue)
        assert words.message, code
        assert "%(" not in words.message + words.remedy, code


def test_a_file_of_players_who_exist_is_not_refused(signed_in, club):
    """A good file is accepted, so the bad files of this module are refused for their own faults."""
    upload = sent(signed_in, club, csv_of(factories.pairs(factories.players(4, club=club))))
    assert not upload.issues.filter(severity="error").exists()


@pytest.mark.parametrize("mark", ["\u202e", "&#x202E;"], ids=["character", "reference"])
def test_nothing_of_a_file_or_a_form_turns_the_direction_of_a_text(signed_in, club, pairs, mark):
    data = usebio_of(pairs).decode().replace("Martes", f"Mar{mark}tes")
    data = data.replace("<PLAYER_NAME>", f"<PLAYER_NAME>{mark}")
    upload = sent(signed_in, club, data.encode(), "r\u202elmx.xml", **details())
    stored = upload.parsed
    assert (stored["event"]["title"], upload.file_name) == ("Martes", "rlmx.xml")
    names = [person["name"] for entry in stored["entries"] for person in entry["people"]]
    assert names == [player.full_name for pair in pairs for player in pair]
    other = sent(signed_in, club, csv_of(pairs), **details(name="Pool \u2067de\u2069 copas\u202e"))
    assert other.details["name"] == "Pool de copas"
