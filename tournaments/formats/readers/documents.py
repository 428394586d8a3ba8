"""Recognise files that are not read: text documents, pictures, web pages, programs …"""

import re

from tournaments.formats.declaration import Evidence, RawFile, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop
from tournaments.formats.readers.known import is_acbl_live, is_egd_players

_HTML = re.compile(r"\s*(?:<!doctype\s+html|<html|<head|<body|<table)", re.IGNORECASE)
_RTF = b"{\\rtf"
_OLE, _OLE_WORD = b"\xd0\xcf\x11\xe0", "WordDocument".encode("utf-16-le")
_OPEN_TEXT = b"mimetypeapplication/vnd.oasis.opendocument.text"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*")
_PHOTOS = (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif")
_COMPRESSED = (b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf")
_PROGRAMS = (b"MZ", b"\x7fELF")


def _signature(is_found: bool) -> Evidence:
    return Evidence.SIGNATURE if is_found else Evidence.NONE


def _sniff_pdf(file: RawFile) -> Evidence:
    return _signature(file.data.startswith(b"%PDF"))


def _sniff_text_document(file: RawFile) -> Evidence:
    is_word = file.is_package and "word/document.xml" in (file.members or ())
    is_writer = file.is_package and _OPEN_TEXT in file.data[:200]
    is_old_word = file.data.startswith(_OLE) and _OLE_WORD in file.data
    return _signature(is_word or is_writer or is_old_word or file.data.startswith(_RTF))


def _sniff_ole(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.data.startswith(_OLE) else Evidence.NONE


def _sniff_numbers(file: RawFile) -> Evidence:
    return _signature(file.is_package and "Index/CalculationEngine.iwa" in (file.members or ()))


def _sniff_picture(file: RawFile) -> Evidence:
    data = file.data
    is_webp = data.startswith(b"RIFF") and data[8:12] == b"WEBP"
    is_bitmap = data.startswith(b"BM") and data[6:10] == bytes(4)
    return _signature(data.startswith(_PICTURES) or data[4:12] in _PHOTOS or is_webp or is_bitmap)


def _sniff_web_page(file: RawFile) -> Evidence:
    is_named = is_acbl_live(file) or is_egd_players(file)
    return _signature(bool(_HTML.match(file.head)) and not is_named)


def _sniff_compressed(file: RawFile) -> Evidence:
    return _signature(file.data.startswith(_COMPRESSED))


def _sniff_zip(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.is_package and file.members is not None else Evidence.NONE


def _sniff_program(file: RawFile) -> Evidence:
    return _signature(file.data.startswith(_PROGRAMS))


_FROM_SOURCE = gettext_noop(
    "Upload the file that it was made from: the export of the scoring program, or the table as CSV or XLSX."
)
_SAVE_AS = gettext_noop(
    "Open it in the spreadsheet program, save it as XLSX without a password and upload that."
)
_COPY_TABLE = gettext_noop("Copy its table into a spreadsheet, save that as XLSX and upload it.")
_UNPACK = gettext_noop("Unpack it and upload the file that is inside.")

FORMATS = (
    UnsupportedFormat(
        code="pdf",
        name=gettext_noop("a PDF document"),
        extensions=(".pdf",),
        sniff=_sniff_pdf,
        instead=_FROM_SOURCE,
    ),
    UnsupportedFormat(
        code="text_document",
        name=gettext_noop("a text document"),
        extensions=(".docx", ".doc", ".odt", ".rtf"),
        sniff=_sniff_text_document,
        instead=_COPY_TABLE,
    ),
    UnsupportedFormat(
        code="ole",
        name=gettext_noop("an old Office file that is no workbook"),
        sniff=_sniff_ole,
        instead=gettext_noop(
            "Open it in the program that made it, and copy its table into an XLSX workbook."
        ),
    ),
    UnsupportedFormat(
        code="numbers",
        name=gettext_noop("a Numbers spreadsheet"),
        extensions=(".numbers",),
        sniff=_sniff_numbers,
        instead=_SAVE_AS,
    ),
    UnsupportedFormat(
        code="picture",
        name=gettext_noop("a picture"),
        extensions=(".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".tif", ".bmp"),
        sniff=_sniff_picture,
        instead=_FROM_SOURCE,
    ),
    UnsupportedFormat(
        code="html",
        name=gettext_noop("a web page"),
        extensions=(".html", ".htm"),
        sniff=_sniff_web_page,
        instead=gettext_noop(
            "Upload the export of the program that made the page; or open it in a spreadsheet program, save "
            "it as XLSX and upload that."
        ),
    ),
    UnsupportedFormat(
        code="compressed",
        name=gettext_noop("a compressed file"),
        extensions=(".rar", ".7z", ".gz"),
        sniff=_sniff_compressed,
        instead=_UNPACK,
    ),
    UnsupportedFormat(
        code="zip",
        name=gettext_noop("a compressed file that is no XLSX or ODS workbook"),
        extensions=(".zip",),
        sniff=_sniff_zip,
        instead=_UNPACK,
    ),
    UnsupportedFormat(
        code="program",
        name=gettext_noop("a program"),
        sniff=_sniff_program,
        instead=gettext_noop("Choose the file that the scoring program exports, not the program itself."),
    ),
)
