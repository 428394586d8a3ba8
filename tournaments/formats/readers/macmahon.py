"""Recognise Go tournaments saved by Gerlach's MacMahon. They are not read yet."""

from tournaments.formats.declaration import Evidence, RawFile, UnsupportedFormat
from tournaments.formats.definitions import gettext_noop


def _sniff(file: RawFile) -> Evidence:
    return Evidence.SIGNATURE if file.root == "TournamentData" else Evidence.NONE


FORMATS = (
    UnsupportedFormat(
        code="macmahon",
        name="MacMahon",
        extensions=(".xml",),
        sniff=_sniff,
        why="not_yet_supported",
        instead=gettext_noop(
            "Export the result table for the European Go Database (.h9) and upload that as a Go tournament."
        ),
    ),
)
