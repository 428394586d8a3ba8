"""Recognise spreadsheets that are not XLSX. They are not read."""

from tournaments.formats.declaration import Evidence, RawFile, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop

_OLE = b"\xd0\xcf\x11\xe0"
_OPENDOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_SAVE_AS = gettext_noop(
    "Open it in the spreadsheet program, save it as XLSX without a password and upload that."
)


def _sniff_xls(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.data.startswith(_OLE) else Evidence.NONE


def _sniff_ods(file: RawFile) -> Evidence:
    """Return how strongly the file indicates an OpenDocument spreadsheet.

    The first member of such a package states its media type, uncompressed.
    """
    return Evidence.SIGNATURE if file.is_package and _OPENDOCUMENT in file.data[:200] else Evidence.NONE


def _sniff_numbers(file: RawFile) -> Evidence:
    is_numbers = file.is_package and "Index/CalculationEngine.iwa" in (file.members or ())
    return Evidence.SIGNATURE if is_numbers else Evidence.NONE


FORMATS = (
    UnsupportedFormat(
        code="xls",
        name=gettext_noop("an old Excel workbook (.xls) or one with a password"),
        extensions=(".xls",),
        sniff=_sniff_xls,
        instead=_SAVE_AS,
    ),
    UnsupportedFormat(
        code="ods",
        name=gettext_noop("an OpenDocument spreadsheet"),
        extensions=(".ods",),
        sniff=_sniff_ods,
        instead=_SAVE_AS,
    ),
    UnsupportedFormat(
        code="numbers",
        name=gettext_noop("a Numbers spreadsheet"),
        extensions=(".numbers",),
        sniff=_sniff_numbers,
        instead=_SAVE_AS,
    ),
)
