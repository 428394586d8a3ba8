"""Files as large as the limits allow: the honest one is read, and the hostile ones are refused, each within
the memory and the time of the reader's process.
"""

import pytest

from tests.tournaments.formats import makers
from tournaments.formats import limits
from tournaments.formats.sandbox import read_results_safely
from tournaments.uploadhandler import BoundedUploadHandler


def test_a_national_simultaneous_with_a_quarter_to_spare_is_read_within_the_memory_of_the_reader():
    event = makers.national(2_500, 27)
    # One letter outside the basic plane makes Python keep four bytes for each character of the text.
    event.club = "<CLUB><CLUB_NAME>Club 🂡 Inventado</CLUB_NAME></CLUB>"
    data = event.data()
    assert 0.95 * limits.UPLOAD_BYTES < len(data) <= limits.UPLOAD_BYTES
    result = read_results_safely("nacional.xml", data)
    assert result.issues == ()
    assert (len(result.entries), len(result.boards)) == (2_500, 33_750)


def filled(start: bytes, piece: bytes, end: bytes = b"") -> bytes:
    """Return as many pieces between `start` and `end` as the limit of bytes allows."""
    return start + piece * ((limits.UPLOAD_BYTES - len(start) - len(end)) // len(piece)) + end


XML = b'<?xml version="1.0"?><USEBIO><EVENT EVENT_TYPE="MP_PAIRS">'
END = b"</EVENT></USEBIO>"
HEADINGS = b"puesto;licencia;nombre\n"
PBN = b'% PBN 2.1\n[Event "x"]\n[TotalScoreTable "Rank;Name"]\n'
WIDE = "🂡".encode()
# By title: file name, arguments of `filled`, code of the error. The tests fill them one at a time, because
# all together take 300 MB of each test process.
HOSTILE = {
    "elements": ("a.xml", (XML, b'<X a="1" b="2" c="3">1</X>', END), "too_many_elements"),
    "elements in elements": ("a.xml", (XML, b"<X>"), "too_deep"),
    "a text": ("a.xml", (XML + b"<X>", WIDE, b"</X>" + END), "text_too_long"),
    "an attribute": ("a.xml", (XML + b'<X a="', b"text", b'"/>' + END), "text_too_long"),
    "a comment": ("a.xml", (XML + b"<!--", b"text", b"-->" + END), "no_players"),
    "no end": ("a.xml", (XML + b"<X>1</X>", b" "), "truncated"),
    "control characters": ("a.csv", (HEADINGS, b"\x01"), "binary_file"),
    "separators": ("a.csv", (HEADINGS, b";", b"x"), "too_many_columns"),
    "a row": ("a.csv", (HEADINGS, WIDE + b";"), "too_many_columns"),
    "a row of several lines": ("a.csv", (HEADINGS, b'"\n";x;'), "too_many_columns"),
    "a cell": ("a.csv", (HEADINGS + b'1;2;"', b"x\n"), "cell_too_long"),
    "rows": ("a.csv", (HEADINGS, b"1;2;x\n"), "too_many_rows"),
    "a section of PBN": ("a.pbn", (PBN, b"1 x\n"), "too_many_rows"),
    "a database": ("a.bws", (b"\0\1\0\0Standard Jet DB\0", b"\0"), "bws_unreadable"),
    "a workbook": ("a.xlsx", (makers.xlsx_table(makers.PAIRS_TABLE), b"PK\1\2"), "damaged_workbook"),
}


@pytest.mark.parametrize(("file_name", "parts", "code"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_of_the_largest_size_is_refused_with_its_reason(file_name, parts, code):
    result = read_results_safely(file_name, filled(*parts))
    assert [issue.code for issue in result.issues if issue.severity == "error"] == [code]


def test_of_a_file_of_two_hundred_megabytes_only_the_limit_is_kept(settings):
    handler = BoundedUploadHandler()
    handler.new_file("file", "martes.bws", "application/octet-stream", 200 * limits.MIB, None, None)
    for number in range(200):
        handler.receive_data_chunk(bytes(limits.MIB), number * limits.MIB)
    assert handler.file_complete(200 * limits.MIB).size == settings.UPLOAD_LIMIT + 1
