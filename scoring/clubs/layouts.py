"""Lists of members as files that scoring programs import; docs/clubs.md describes them.

No layout is named after a program of which there is neither a file nor a specification. `PlayerNames` is a
table of Bridgemate's database: ID, Name, strID.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from ui.exports import attached, csv_lines

WINDOWS = "cp1252"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of the member list.

    label: what the page calls it
    file_name: without the extension
    heads: the headings, the same in every language
    row: function that returns the cells of a member
    encoding: "utf-8-sig" or "cp1252"
    lang: decides the separator: `es` a semicolon, `en` a comma
    """

    label: Any
    file_name: str
    heads: Sequence[str]
    row: Callable[[Record, str], Sequence[Any]]
    encoding: str = "utf-8-sig"
    lang: str = "es"

    def response(self, records: Iterable[Record], club: str) -> HttpResponse:
        """Return the file with these members as a download.

        records: as `scoring.clubs.queries.members.for_file` yields
        club: the name of the club
        """
        rows = (self.row(record, club) for record in records)
        content = b"".join(csv_lines(self.heads, rows, self.lang))
        charset = "utf-8"
        if self.encoding == WINDOWS:
            content, charset = to_windows(content.decode("utf-8-sig")), "windows-1252"
        response = HttpResponse(content, content_type=f"text/csv; charset={charset}")
        return attached(response, f"{self.file_name}.csv")  # type: ignore[return-value]


def to_windows(text: str) -> bytes:
    """Encode a text in Windows-1252. Letters that it lacks lose their marks, or become question marks."""
    return b"".join(_encoded(character) for character in text)


def _encoded(character: str) -> bytes:
    try:
        return character.encode(WINDOWS)
    except UnicodeEncodeError:
        return unicodedata.normalize("NFKD", character).encode(WINDOWS, "ignore") or b"?"


def _list_row(record: Record, club: str) -> Sequence[Any]:
    until: date | None = record["until"]
    surname, given_name = record["surname"], record["given_name"]
    if record["hidden"]:
        surname, given_name = record["public_name"], ""
    return int(record["number"]), surname, given_name, club, until


def _names_row(record: Record, club: str) -> Sequence[Any]:
    return int(record["number"]), record["public_name"], int(record["number"])


LIST_HEADS = ("Número", "Apellidos", "Nombre", "Club", "Licencia")
LAYOUTS = {
    "utf-8": Layout(_("CSV in UTF-8, for recent programs"), "socios", LIST_HEADS, _list_row),
    "windows": Layout(
        _("CSV in Windows-1252, for old programs"), "socios-windows", LIST_HEADS, _list_row, WINDOWS
    ),
    "playernames": Layout(
        _("CSV with the columns of Bridgemate's table PlayerNames"),
        "PlayerNames",
        ("ID", "Name", "strID"),
        _names_row,
        WINDOWS,
        "en",
    ),
}
