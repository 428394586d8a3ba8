"""The kind of a text is recognised by its content, whatever the file name says.

A file of a known format that is not read is refused by the name of that format. A text that is no table is
refused as a text of an unknown kind.
"""

import pytest

from tests.tournaments.formats import sheets
from tests.tournaments.formats.examples import EXAMPLES
from tournaments.formats import read_results
from tournaments.formats.registry import RESULTS, recognise
from tournaments.formats.wording import describe

PROSE = "Estimados socios:\nel martes, como saben, no hubo torneo.\nUn saludo, la junta.\n"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        (
            "a.csv",
            "qx|o1|pn|Ana,Luis,Eva,Mar|st||md|3S23,H,D,C|rh||ah|Board 1|sv|o|mb|p|\n",
            "no_ranking_inside",
        ),
        ("a.txt", PROSE, "unknown_text"),
        ("a.csv", PROSE, "unknown_text"),
        ("", "hola", "unknown_text"),
        (
            "a.csv",
            "Hola Ana,\nte mando, como quedamos, la lista\nde mesas, sillas, y gente\n",
            "unknown_text",
        ),
        ("manos.dds", "\0\1;,\x8d\n" * 90, "unknown_text"),
        ("a.csv", '[{"a": 1}, {"a": 2}]', "wrong_type"),
        ("a.xsd", '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"></xs:schema>', "wrong_type"),
        ("a.xml", "<!-- x -->\n<!ELEMENT usebio (event)>", "wrong_type"),
        ("a.html", '<html :data="{&quot;pair_summaries&quot;: []}"></html>', "not_yet_supported"),
    ],
)
def test_a_text_is_called_what_it_is_whatever_its_name(name, text, code):
    (refusal,) = read_results(name, text.encode()).issues
    assert refusal.code == code
    assert "CSV" not in describe(refusal).message


@pytest.mark.parametrize(
    "text",
    [
        "puesto|licencia\n1|5\n2|6\n",
        "Torneo del martes\nClub del Faro\npuesto,nombre,%\n1,Ana,61.2\n2,Luis,38.8\n",
        "#Version std1\n#Date 14/03/2026\nRank;Name;Score\n1;Ana;61,25\n",
        "puesto, nombre\n1, Ana\n2, Luis\n",
    ],
)
def test_tables_with_any_separator_title_or_option_lines_are_tables(text):
    file_format, _issues = recognise("", text.encode(), RESULTS)
    assert file_format.code == "csv"


def test_a_json_with_pair_summaries_in_its_middle_is_of_acbl_live():
    data = b'{"a": "' + b"x" * 20_000 + b'", "pair_summaries": []}'
    (refusal,) = read_results("a.json", data).issues
    assert refusal.params["found"] == "a result of ACBL Live for Clubs"


def test_pbn_with_deals_only_says_so():
    (refusal,) = read_results("a.pbn", b'[Event "x"]\n[Deal "N:A.. - - -"]\n').issues
    assert refusal.code == "pbn_no_ranking"


def test_an_ods_whose_media_type_is_compressed_is_read():
    rows = [["Puesto", "Nombre 1", "Nombre 2", "%"], ["1", "Ana", "Luis", "60"], ["2", "Eva", "Max", "40"]]
    parsed = read_results("a.ods", sheets.ods({"x": rows}, compressed=True))
    assert (parsed.format_name, len(parsed.entries)) == ("ods", 2)


@pytest.mark.parametrize("name", ["a.xml", "a.xls"])
def test_an_xml_table_of_excel_is_no_usebio_file(name):
    (refusal,) = read_results(name, EXAMPLES["excel_xml"][1]).issues
    assert refusal.params["found"] == "an XML table of Excel 2003"
    assert "save it as XLSX" in describe(refusal).remedy
