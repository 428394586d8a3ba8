"""Files of every declared format are recognised, then read or refused with a message.

Uploads store the code of their format.
"""

import json

import pytest

from tests.tournaments.formats.examples import EXAMPLES, example_of, package
from tests.tournaments.formats.sample_rows import DOCUMENT, row_of
from tournaments.formats import read_go, read_results, read_table, registry
from tournaments.formats.declaration import (
    Evidence,
    GoFormat,
    RawFile,
    ResultsFormat,
    TableFormat,
    UnsupportedFormat,
)
from tournaments.formats.limits import ISSUE_VALUE_LENGTH
from tournaments.formats.registry import FORMATS, GO, RESULTS, TABLES, recognise
from tournaments.formats.types import Column
from tournaments.formats.wording import describe

COLUMNS = (Column("licence", ("licencia",), "licence"), Column("name", ("nombre",)))
READERS = {
    RESULTS: read_results,
    GO: read_go,
    TABLES: lambda name, data: read_table(name, data, COLUMNS),
}
PAGES = pytest.mark.parametrize("wanted", READERS, ids=["results", "go", "tables"])
READABLE = [item for item in FORMATS if not isinstance(item, UnsupportedFormat)]
UNSUPPORTED = [item for item in FORMATS if isinstance(item, UnsupportedFormat)]


def parametrize(formats):
    return pytest.mark.parametrize("declared", formats, ids=lambda declared: declared.code)


def own_page(declared):
    return next(wanted for wanted in READERS if isinstance(declared, wanted))


def test_the_codes_under_which_uploads_are_stored_do_not_change():
    stored = {
        "usebio": ResultsFormat, "pbn": ResultsFormat, "csv": TableFormat, "xlsx": TableFormat,
        "egd": GoFormat, "opengotha": GoFormat,
    }  # fmt: skip
    assert stored.items() <= {item.code: type(item) for item in READABLE}.items()
    assert [registry.get(code).code for code in ("csv", "egd")] == ["csv", "egd"]
    assert registry.get("typed") is None


def test_no_two_formats_share_a_code_or_a_name():
    for field in ("code", "name"):
        values = [getattr(item, field) for item in FORMATS]
        assert len(values) == len(set(values))


@parametrize(FORMATS)
def test_the_texts_of_a_format_declaration_can_be_shown(declared):
    # Issues store the name, truncated to this length, and insert it into messages.
    assert len(declared.name) <= ISSUE_VALUE_LENGTH
    assert all(extension == f".{extension[1:].lower()}" for extension in declared.extensions)
    words = declared.instead if isinstance(declared, UnsupportedFormat) else declared.reads
    assert words.endswith(".") and "%" not in words + declared.name


@parametrize(FORMATS)
def test_a_file_is_recognised_by_its_content_whatever_its_name(declared):
    name, data = example_of(declared)
    evidence = {item.code: item.sniff(RawFile(name, data)) for item in FORMATS}
    strongest = max(evidence.values())
    winners = [code for code in evidence if evidence[code] == strongest]
    assert winners == [declared.code] or (
        strongest == Evidence.ANY_TEXT and declared.code in ("csv", "unknown_text")
    )
    if strongest > Evidence.EXTENSION:
        for other in ("", "a", "a.xml", "a.csv", "a.xlsx", "a.h9", "a.pbn", "a.dat"):
            winner = max(FORMATS, key=lambda item, other=other: item.sniff(RawFile(other, data)))
            assert winner is declared


@parametrize(READABLE)
def test_a_file_is_read_on_the_page_for_its_format(declared):
    name, data = example_of(declared)
    result = READERS[own_page(declared)](name, data)
    assert not result.has_errors, result.issues
    assert result.format_name == declared.code
    assert type(result).from_json(json.loads(json.dumps(result.to_json()))) == result


# Any text may be a handmade Go table, so the Go page does not refuse a CSV file for its format.
ELSEWHERE = [
    (wanted, item)
    for wanted in READERS
    for item in READABLE
    if not isinstance(item, wanted) and item.code != "csv"
]


@pytest.mark.parametrize(("wanted", "declared"), ELSEWHERE)
def test_other_pages_refuse_a_file_and_name_its_format(wanted, declared):
    name, data = example_of(declared)
    result = READERS[wanted](name, data)
    (refusal,) = result.issues
    code = "go_file" if isinstance(declared, GoFormat) else "not_go" if wanted == GO else "wrong_type"
    assert (refusal.code, result.format_name) == (code, "unknown")
    assert refusal.params["found"] in (declared.name, declared.content)


@pytest.mark.parametrize(
    ("wanted", "declared"),
    [
        (wanted, item)
        for wanted in READERS
        for item in UNSUPPORTED
        if wanted != GO or not item.code.startswith("unknown")
    ],
)
def test_an_unsupported_format_is_refused_by_name_with_advice(wanted, declared):
    result = READERS[wanted](*example_of(declared))
    (refusal,) = result.issues
    is_elsewhere = declared.of_go and wanted != GO
    is_no_list = wanted == TABLES and declared.why in ("unknown_text", "no_ranking_inside")
    code = "go_file" if is_elsewhere else "not_a_list" if is_no_list else declared.why
    name = declared.name if is_elsewhere else declared.content_name
    assert (refusal.code, refusal.params["found"]) == (code, name)
    described = describe(refusal, lambda text: f"[{text}]")
    assert is_elsewhere or is_no_list or described.remedy == f"[{declared.instead}]"
    assert not is_no_list or "ranking" not in described.remedy
    assert f"[{name}]" in described.message or declared.why == "damaged_workbook"


@pytest.mark.parametrize("name", ["pbn", "usebio"])
def test_a_file_for_another_page_is_refused_with_the_formats_of_this_page(name):
    (refusal,) = read_table("a", EXAMPLES[name][1], COLUMNS).issues
    remedy = describe(refusal).remedy
    assert remedy.startswith("Upload a file in one of these formats: ")
    assert "CSV" in remedy and "XLSX" in remedy and "USEBIO" not in remedy


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.mdb", b"\x00\x01\x00\x00Standard Jet DB\xff\xfeReceivedData", "bws"),
        ("a.mdb", b"\x00\x01\x00\x00Standard ACE DB" + "ReceivedData".encode("utf-16-le"), "bws"),
        ("a.bws", b"\x00\x01\x00\x00Standard Jet DB", "bws"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le"), "text_document"),
        ("a.rtf", b"{\\rtf1 x", "text_document"),
        ("a.odt", package(mimetype="application/vnd.oasis.opendocument.text"), "text_document"),
        ("a.png", b"\x89PNG\r\n", "picture"),
        ("a.gif", b"GIF89a", "picture"),
        ("a.tif", b"II*\x00", "picture"),
        ("a.webp", b"RIFF\x10\x00\x00\x00WEBPVP8 ", "picture"),
        ("a.bmp", b"BM\x36\x00\x0c\x00" + bytes(4), "picture"),
        ("a.heic", b"\x00\x00\x00\x18ftypheic", "picture"),
        ("a.csv", b"BMW;Ana;licencia\n", "csv"),
        ("a.csv", b"RIFF;Ana;licencia\n", "csv"),
        ("a.gz", b"\x1f\x8b\x08\x00", "compressed"),
        ("a.rar", b"Rar!\x1a\x07", "compressed"),
        ("a.out", b"\x7fELF\x02", "program"),
        ("a.xml", "<!-- <html> -->\n<usebio/>".encode("utf-16"), "usebio"),
        ("a.xml", b"<?xml version='1.0'?><x:Tournament/>", "usebio"),
        ("a.xml", b"; EV[Copa]\n1 Arroyo Ana 2d ES 2+\n", "egd"),
        ("a.tou", b"1 Arroyo Ana 2d ES 2+\n", "egd"),
        ("a.pbn", b"puesto;licencia", "pbn"),
        ("a.xml", b"puesto;licencia", "usebio"),
        (".xml", b"puesto;licencia", "csv"),
        ("carpeta.xml/a.b.PBN", b"puesto;licencia", "pbn"),
        ("carpeta.xml/martes", b"puesto;licencia", "csv"),
    ],
)
def test_variants_of_a_format_are_recognised_as_that_format(name, data, code):
    file = RawFile(name, data)
    assert max(FORMATS, key=lambda item: item.sniff(file)).code == code


@PAGES
def test_each_page_offers_the_extensions_of_the_formats_it_reads(wanted):
    expected = {
        RESULTS: {".bws", ".mdb", ".pbn", ".txt", ".xml", ".usebio", ".csv", ".tsv", ".xlsx", ".xlsm"},
        TABLES: {".csv", ".txt", ".tsv", ".xlsx", ".xlsm"},
        GO: {".h9", ".tou", ".txt", ".xml"},
    }
    offered = registry.extensions(wanted)
    assert expected[wanted] <= set(offered)
    assert len(offered) == len(set(offered))
    assert {item.code for item in registry.readable(wanted)} == {
        item.code for item in READABLE if isinstance(item, wanted)
    }


def test_an_unusual_extension_is_reported():
    _format, issues = recognise("martes.dat", EXAMPLES["usebio"][1], RESULTS)
    assert [(item.code, item.params) for item in issues] == [
        ("name_mismatch", {"extension": ".dat", "found": "XML"})
    ]
    assert [recognise(name, EXAMPLES["usebio"][1], RESULTS)[1] for name in ("martes", "a.USEBIO")] == [(), ()]


@pytest.mark.parametrize("declared", FORMATS, ids=lambda item: item.code)
def test_the_document_says_what_happens_to_a_file_of_every_kind(declared):
    name, data = example_of(declared)
    assert row_of(name, name, data) in DOCUMENT.read_text(encoding="utf-8").splitlines()
