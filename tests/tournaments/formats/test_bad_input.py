"""Files that must be refused. Each gives a single clear error with its location."""

import io
import zipfile

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import limits, package, read_results, read_table
from tournaments.formats.readers import xlsx_rows
from tournaments.formats.types import Column
from tournaments.formats.wording import describe

BODY = makers.participants(*(pair.xml() for pair in makers.one_winner_pairs()))
GOOD_XML = makers.Event(body=BODY).data()
GOOD_XLSX = makers.xlsx_table(makers.PAIRS_TABLE)


def only_error(name, data):
    """Return the only error of the file. Assert that its text has no unfilled placeholder."""
    result = read_results(name, data)
    errors = [issue for issue in result.issues if issue.severity == "error"]
    assert len(errors) == 1, result.issues
    assert describe(errors[0]).remedy
    return errors[0]


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.xml", "a"])
@pytest.mark.parametrize("data", [b"", b" \r\n\t ", b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_refused(name, data):
    assert only_error(name, data).code == "empty_file"


def test_a_file_above_the_size_limit_is_refused():
    issue = only_error("a.csv", b"puesto;licencia\n" + b"1;2\n" * (limits.UPLOAD_BYTES // 4))
    assert issue.code == "too_large"
    assert issue.params["limit"] == limits.UPLOAD_BYTES


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_truncated_xml_is_refused(share):
    cut = GOOD_XML[: int(len(GOOD_XML) * share)]
    issue = only_error("a.xml", cut)
    assert issue.code == "truncated"
    assert issue.line >= cut.count(b"\n")


@pytest.mark.parametrize("share", [0.3, 0.7, 0.99])
def test_a_truncated_workbook_is_refused(share):
    damaged = GOOD_XLSX[: int(len(GOOD_XLSX) * share)]
    assert only_error("a.xlsx", damaged).code == "damaged_workbook"
    assert xlsx_rows.read_xlsx(damaged, 10).format_name == "xlsx"


@pytest.mark.parametrize("position", [0.2, 0.4, 0.6])
def test_a_workbook_with_overwritten_bytes_is_refused(position):
    data = bytearray(GOOD_XLSX)
    start = int(len(data) * position)
    data[start : start + 40] = bytes(40)
    assert only_error("a.xlsx", bytes(data)).code == "damaged_workbook"


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("result.xlsx", b"%PDF-1.7 ...", "a PDF document"),
        ("result.csv", b"\x89PNG\r\n\x1a\n....", "a picture"),
        ("result.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "an old Office file"),
        ("result.xlsx", b"<html><table><tr><td>1</td></tr></table></html>", "a web page"),
        ("result.xlsx", makers.csv_table(makers.PAIRS_TABLE), "no XLSX workbook"),
        ("result.xml", b"\x7fELF\x02", "a program"),
    ],
)
def test_a_file_of_another_type_is_refused_whatever_its_extension(name, data, kind):
    error = only_error(name, data)
    assert error.code == "wrong_type"
    assert str(error.params["found"]).startswith(kind)


def test_a_zip_file_that_is_no_workbook_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as opened:
        opened.writestr("content.xml", "<office/>")
    error = only_error("a.ods", out.getvalue())
    assert (error.code, "ODS" in str(error.params["found"])) == ("wrong_type", True)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", b"; CL[A]\n; EV[Torneo]\n1 Alguien Nadie 3d ES\n", "H9 / TOU"),
        ("a.xml", b'<?xml version="1.0"?>\n<Tournament dataVersion="201"></Tournament>', "OpenGotha XML"),
        ("a.xml", b'<?xml version="1.0"?>\n<TournamentData></TournamentData>', "MacMahon XML"),
    ],
)
def test_go_files_are_refused_with_a_hint_to_their_own_page(name, data, kind):
    error = only_error(name, data)
    assert (error.code, error.params["found"]) == ("go_file", kind)


def test_xml_of_another_kind_is_refused():
    error = only_error("a.xml", b"<?xml version='1.0'?>\n<invoice><total>3</total></invoice>")
    assert (error.code, error.value, error.line) == ("unknown_xml", "invoice", 2)


def test_a_result_file_with_another_extension_is_read_with_a_warning():
    result = read_results("result.csv", GOOD_XML)
    assert [(issue.code, issue.severity) for issue in result.issues] == [("name_mismatch", "warning")]
    assert len(result.entries) == 6


LAUGHS = (
    '<!DOCTYPE USEBIO [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
    '<!DOCTYPE USEBIO [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE USEBIO [<!ENTITY net SYSTEM "http://127.0.0.1:9/x">]>',
    '<!DOCTYPE USEBIO [<!ENTITY % part SYSTEM "file:///etc/passwd"> %part;]>',
)


@pytest.mark.parametrize("doctype", LAUGHS)
def test_xml_entities_are_refused(doctype):
    assert only_error("a.xml", makers.Event(doctype=doctype, body=BODY).data()).code == "xml_entities"


def test_an_external_dtd_is_not_fetched(tmp_path):
    missing = tmp_path / "missing.dtd"
    result = read_results(
        "a.xml", makers.Event(doctype=f'<!DOCTYPE USEBIO SYSTEM "{missing}">', body=BODY).data()
    )
    assert result.issues == ()


def test_xml_with_too_many_elements_is_refused():
    event = makers.Event(body="<X/>" * limits.XML_ELEMENTS)
    assert only_error("a.xml", event.data()).code == "too_many_elements"


def test_xml_nested_too_deep_is_refused():
    event = makers.Event(body="<X>" * 100_000)
    assert only_error("a.xml", event.data()).code == "too_deep"


def test_texts_above_the_length_limit_are_refused():
    event = makers.Event(body=BODY.replace("Inventada", "I" * 2_000_000, 1))
    error = only_error("a.xml", event.data())
    assert (error.code, error.field, len(error.value)) == ("text_too_long", "PLAYER_NAME", 80)
    error = only_error("a.xml", makers.Event("M" * 501, body=BODY).data())
    assert (error.code, error.field) == ("text_too_long", "EVENT_TYPE")


def test_the_error_for_an_unescaped_ampersand_has_its_line_and_column():
    event = makers.Event(body=BODY)
    event.club = "<CLUB><CLUB_NAME>Naipes & Cía</CLUB_NAME></CLUB>"
    error = only_error("a.xml", event.data())
    assert (error.code, error.line) == ("xml_not_well_formed", 4)
    assert list(error.params) == ["column"]  # the message has no text of the XML parser
    assert error.params["column"] > 10


def test_a_wrong_end_tag_on_the_last_line_is_not_reported_as_truncated():
    error = only_error("a.xml", b"<?xml version='1.0'?>\n<USEBIO>\n</EVENT>")
    assert (error.code, error.line) == ("xml_not_well_formed", 3)


def test_line_numbers_count_blank_lines_before_the_xml():
    error = only_error("a.xml", b"\n\n<USEBIO>\n<EVENT & more>\n</EVENT></USEBIO>\n\n")
    assert (error.code, error.line) == ("xml_not_well_formed", 4)


def test_an_undeclared_entity_is_refused_with_its_line():
    event = makers.Event(body=BODY)
    event.club = "<CLUB><CLUB_NAME>Caf&eacute;</CLUB_NAME></CLUB>"
    assert (only_error("a.xml", event.data()).code, only_error("a.xml", event.data()).line) == (
        "xml_not_well_formed",
        4,
    )


def test_a_control_character_in_xml_is_refused_with_its_line():
    error = only_error("a.xml", GOOD_XML.replace(b"Club Inventado", b"Club \x02Inventado"))
    assert (error.code, error.line) == ("xml_not_well_formed", 4)


def test_text_before_the_xml_is_refused():
    error = only_error("a.xml", b"HTTP/1.1 200 OK\n\n" + GOOD_XML)
    assert (error.code, error.line) == ("xml_junk_before", 1)


@pytest.mark.parametrize("name", ["a.xml", "a.csv"])
def test_nul_bytes_are_refused_with_their_line(name):
    good = GOOD_XML if name == "a.xml" else makers.csv_table(makers.PAIRS_TABLE)
    lines = good.split(b"\n")
    lines[3] = lines[3] + b"\x00"
    error = only_error(name, b"\n".join(lines))
    assert (error.code, error.line) == ("nul_bytes", 4)


def test_binary_data_is_refused():
    assert only_error("a.csv", bytes(range(1, 32)) * 50).code == "binary_file"


def test_bytes_in_no_known_encoding_are_refused_with_their_line():
    error = only_error("a.csv", b"puesto;licencia;nombre\n1;500001;Ana\n2;500002;\x81\x8d\x8f\n")
    assert (error.code, error.line) == ("undecodable", 3)


def test_a_ranking_without_players_is_refused():
    assert only_error("a.xml", makers.Event(body=makers.participants()).data()).code == "no_players"
    assert only_error("a.csv", b"puesto;licencia;nombre\n").code == "no_rows"


def test_a_table_with_too_many_rows_is_refused():
    rows = [["puesto", "licencia", "nombre"]] + [[str(n), str(n), "X"] for n in range(1, 10_001)]
    for name, data in (("a.csv", makers.csv_table(rows)), ("a.xlsx", makers.xlsx_table(rows))):
        error = only_error(name, data)
        assert (error.code, error.line) == ("too_many_rows", limits.RESULT_ENTRIES + 2)


def test_a_list_by_tables_with_too_many_rows_is_refused_as_such():
    rows = [
        ["Mesa", "Norte", "Sur", "Este", "Oeste"],
        *([str(n), "A", "B", "C", "D"] for n in range(1, 5_002)),
    ]
    error = only_error("a.csv", makers.csv_table(rows))
    assert (error.code, error.line) == ("too_many_rows", limits.RESULT_ENTRIES + 2)


def test_xml_with_too_many_contestants_is_refused():
    pair = makers.one_winner_pairs(1)[0].xml()
    error = only_error("a.xml", makers.Event(body=makers.participants(*[pair] * 5001)).data())
    assert error.code == "too_many_entries"


def test_pbn_with_too_many_contestants_is_refused():
    rows = "\n".join(f'{n} "Ana {n} - Blas {n}" 50' for n in range(1, 5_002))
    text = f'% PBN 2.1\n[Event "x"]\n[TotalScoreTable "Rank;Names;TotalPercentage"]\n{rows}\n\n'
    assert only_error("a.pbn", text.encode()).code == "too_many_entries"
    assert read_results("a.pbn", text.encode()).entries == ()


@pytest.mark.parametrize(
    ("teams", "people", "code"),
    [(1, limits.ENTRY_PEOPLE + 1, "too_large_contestant"), (400, 26, "too_many_people")],
)
def test_teams_of_too_many_people_are_refused(teams, people, code):
    player = "<PLAYER><PLAYER_NAME>Ana</PLAYER_NAME></PLAYER>"
    pair = f"<PAIR><PAIR_NUMBER>1</PAIR_NUMBER>{player * people}</PAIR>"
    team = f"<TEAM><PLACE>1</PLACE><TOTAL_SCORE>60</TOTAL_SCORE>{pair}</TEAM>"
    event = makers.Event("TEAMS", winner_type="", body=makers.participants(*[team] * teams))
    assert only_error("a.xml", event.data()).code == code
    assert read_results("a.xml", event.data()).entries == ()


def test_of_many_equal_errors_only_the_first_hundred_are_listed():
    rows = [["licencia", "puntos"]] + [["x", "no"]] * 10_000
    columns = [Column("licence", ("licencia",), "licence"), Column("points", ("puntos",), "decimal")]
    result = read_table("a.csv", makers.csv_table(rows), columns)
    assert len(result.issues) == limits.ISSUES_PER_CODE + 1
    assert result.has_errors
    assert result.issues[-1].params == {"kind": "bad_number", "count": 9_900}


def test_a_table_with_too_many_columns_is_refused():
    assert only_error("a.csv", b";" * 2_000_000 + b"puesto\n1;2\n").code == "too_many_columns"


def test_an_unclosed_quotation_mark_is_refused_with_its_line():
    rows = makers.csv_table(makers.PAIRS_TABLE) + b'\n3;"500005;Ana\n' + b"4;5;6;7\n" * 100_000
    error = only_error("a.csv", rows)
    assert (error.code, error.line) == ("cell_too_long", 6)
    error = only_error("a.csv", makers.csv_table(makers.PAIRS_TABLE) + b'\n3;"500005;Ana\n4;5;6\n')
    assert (error.code, error.line) == ("bad_quotes", 6)


def test_a_cell_above_the_length_limit_is_refused():
    error = only_error("a.csv", b"puesto;licencia;nombre\n1;500001;" + b"A" * 501)
    assert (error.code, error.line, error.field, len(error.value)) == ("cell_too_long", 2, "nombre", 80)


def bomb(members):
    return makers.rezipped(GOOD_XLSX, members)


def test_workbooks_that_unpack_to_too_much_are_refused():
    big = b"<row/>" * 9_000_000
    assert only_error("a.xlsx", bomb({"xl/worksheets/sheet1.xml": big})).code == "zip_bomb"
    many = {f"xl/media/{number}": b"" for number in range(1_100)}
    assert only_error("a.xlsx", bomb(many)).code == "zip_bomb"
    # The size is below the absolute limit, but the compression ratio is a thousand to one.
    assert only_error("a.xlsx", bomb({"xl/media/zeros": bytes(5_000_000)})).code == "zip_bomb"


def test_a_workbook_that_understates_its_unpacked_size_is_refused():
    data = bomb({"xl/media/zeros": bytes(60_000_000)})
    lying = data.replace((60_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    assert lying != data
    assert only_error("a.xlsx", lying).code in ("zip_bomb", "damaged_workbook")


def test_a_workbook_with_xml_entities_is_refused():
    sheet = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>'
    assert only_error("a.xlsx", bomb({"xl/worksheets/sheet1.xml": sheet})).code == "xml_entities"


def test_an_encrypted_workbook_is_refused():
    data = bytearray(GOOD_XLSX)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    assert only_error("a.xlsx", bytes(data)).code == "encrypted_workbook"


def test_a_cell_far_to_the_right_is_refused():
    rows = [["puesto", "licencia"], ["1", "500001"]]
    rows[1] += [None] * 16_000 + ["aquí"]
    assert only_error("a.xlsx", makers.xlsx_table(rows)).code == "too_many_columns"


def test_a_sheet_of_blank_cells_far_to_the_right_is_refused():
    head = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    rows = b"".join(b'<row r="%d"><c r="XFD%d"/></row>' % (line, line) for line in range(1, 1001))
    sheet = head + rows + b"</sheetData></worksheet>"
    error = only_error("a.xlsx", bomb({"xl/worksheets/sheet1.xml": sheet}))
    assert (error.code, error.line) == ("too_many_columns", limits.SHEET_CELLS // 16_384 + 1)


def test_millions_of_blank_lines_are_counted_in_line_numbers():
    data = b"\n" * 5_000_000 + b"puesto;licencia\n1;x"
    assert only_error("a.csv", data).line == 5_000_002


def test_a_formula_without_a_stored_result_is_refused_with_its_cell():
    rows = [["puesto", "licencia", "nombre"], [1, "=A1+500000", "Ana Inventada"]]
    error = only_error("a.xlsx", makers.xlsx_table(rows))
    assert (error.code, error.line, error.field, error.params["cell"]) == (
        "formula_without_value",
        2,
        "licencia",
        "B2",
    )


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x.example")', "@SUM(A1)", "=cmd|' /C calc'!A0", "+A1"])
def test_a_formula_in_csv_is_refused(text):
    rows = [["puesto", "licencia", "nombre"], ["1", "500001", text]]
    error = only_error("a.csv", makers.csv_table(rows))
    assert (error.code, error.line, error.field) == ("formula_in_cell", 2, "nombre")


def test_an_error_value_in_a_sheet_is_refused_with_its_cell():
    rows = [["puesto", "licencia", "nombre"], ["1", "#N/A", "Ana"]]
    error = only_error("a.xlsx", makers.xlsx_table(rows))
    assert (error.code, error.params["cell"], error.value) == ("cell_error", "B2", "#N/A")


@pytest.mark.parametrize("twin", ["500001", "00500001", "500.001", " 500001 "])
def test_the_error_for_a_duplicate_player_has_both_lines(twin):
    rows = [["puesto", "licencia", "nombre"], ["1", "500001", "Ana"], ["2", "7", "B"], ["3", twin, "C"]]
    error = only_error("a.csv", makers.csv_table(rows))
    assert (error.code, error.line, error.field) == ("duplicate_player", 4, "licence")
    assert error.params["first"] == 2


@pytest.mark.parametrize("number", ["12A45", "123456789", "-5", "１２３"])
def test_a_malformed_federation_number_is_refused(number):
    rows = [["puesto", "licencia", "nombre"], ["1", number, "Ana Inventada"]]
    error = only_error("a.csv", makers.csv_table(rows))
    assert (error.code, error.line, error.field) == ("malformed_licence", 2, "licence")
    assert error.value == number
    assert error.params["name"] == "Ana Inventada"


def test_a_percentage_above_100_is_refused():
    rows = [["puesto", "licencia", "%"], ["1", "500001", "161,2"]]
    assert only_error("a.csv", makers.csv_table(rows)).code == "bad_percentage"


def test_a_workbook_with_malformed_xml_is_refused():
    broken = makers.rezipped(GOOD_XLSX, {"xl/worksheets/sheet1.xml": b"<worksheet><sheetData><row"})
    assert only_error("a.xlsx", broken).code == "damaged_workbook"


def test_a_sheet_with_xml_entities_in_utf_16_is_refused():
    """A sheet with XML entities is refused, even in UTF-16, where a search of its bytes finds nothing."""
    sheet = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>'
    hidden = makers.rezipped(GOOD_XLSX, {"xl/worksheets/sheet1.xml": sheet.encode("utf-16")})
    assert only_error("a.xlsx", hidden).code == "damaged_workbook"


def test_a_workbook_without_a_visible_sheet_is_refused():
    with zipfile.ZipFile(io.BytesIO(GOOD_XLSX)) as opened:
        workbook = opened.read("xl/workbook.xml")
    hidden = workbook.replace(b'state="visible"', b'state="hidden"')
    assert hidden != workbook
    assert only_error("a.xlsx", makers.rezipped(GOOD_XLSX, {"xl/workbook.xml": hidden})).code == "no_sheet"


def test_a_zip_member_is_unpacked_only_up_to_the_remaining_limit():
    with zipfile.ZipFile(io.BytesIO(bomb({"xl/media/zeros": bytes(100_000)}))) as opened:
        member = opened.getinfo("xl/media/zeros")
        assert len(package._unpack(opened, member, 100_000)) == 100_000
        with pytest.raises(package.Refused, match="zip_bomb"):
            package._unpack(opened, member, 99_999)


@pytest.mark.parametrize(
    ("members", "unpacked", "packed"),
    [
        (limits.ZIP_MEMBERS, 0, 1),
        (1, limits.UNZIPPED_BYTES, limits.UNZIPPED_BYTES),
        (1, limits.ZIP_RATIO * 10, 10),
    ],
)
def test_a_workbook_at_the_zip_limits_is_accepted_and_one_above_is_refused(members, unpacked, packed):
    def directory(members: int, unpacked: int) -> list[zipfile.ZipInfo]:
        result = [zipfile.ZipInfo(str(number)) for number in range(members)]
        result[0].file_size = unpacked
        return result

    package._check_directory(directory(members, unpacked), packed)
    more = directory(members, unpacked + 1) if unpacked else directory(members + 1, 0)
    with pytest.raises(package.Refused, match="zip_bomb"):
        package._check_directory(more, packed)
