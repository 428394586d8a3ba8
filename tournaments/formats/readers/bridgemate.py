"""Recognise the databases of Bridgemate terminals. They are not read yet."""

from tournaments.formats.declaration import Evidence, RawFile, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop

_ACCESS = (b"\x00\x01\x00\x00Standard Jet DB", b"\x00\x01\x00\x00Standard ACE DB")
# A table that every database of Bridgemates has, in the two ways in which Access writes names.
_TABLES = (b"ReceivedData", "ReceivedData".encode("utf-16-le"))


def _is_bridgemate(file: RawFile) -> bool:
    return file.extension == ".bws" or any(table in file.data for table in _TABLES)


def _sniff(file: RawFile) -> Evidence:
    is_ours = file.data.startswith(_ACCESS) and _is_bridgemate(file)
    return Evidence.SIGNATURE if is_ours else Evidence.NONE


def _sniff_access(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if file.data.startswith(_ACCESS) else Evidence.NONE


FORMATS = (
    UnsupportedFormat(
        code="bws",
        name="Bridgemate (BWS)",
        extensions=(".bws",),
        sniff=_sniff,
        why="not_yet_supported",
        instead=gettext_noop(
            "Open the evening in the scoring program that the Bridgemates report to, and export the result "
            "from there: as USEBIO XML, PBN, CSV or XLSX."
        ),
    ),
    UnsupportedFormat(
        code="access",
        name=gettext_noop("an Access database"),
        extensions=(".mdb", ".accdb"),
        sniff=_sniff_access,
        instead=gettext_noop("Open it in the program that made it, and export the table as CSV or XLSX."),
    ),
)
