"""Recognise files of other programs that hold no ranking or that are not read, and texts of no known kind."""

import re

from tournaments.formats.declaration import Evidence, RawFile, UnsupportedFormat
from tournaments.formats.definitions import error, gettext_noop

# Commands of a LIN file, between bars: players, deal, bidding, play, title of a match …
_LIN = re.compile(r"(?:^|[|\s])(?:vg|rs|pn|pg|qx|st|md|rh|ah|sv|mb|an|pc|mc|nt)\|[^|]{0,400}\|")
_LIN_DEAL = re.compile(r"(?:^|[|\s])(?:md|vg|qx|pn)\|")
_FEW = 3  # number of commands from which a text is taken for LIN
_ACBL_PAIRS = re.compile(rb"(?:\"|&quot;)pair_summaries(?:\"|&quot;)")
# The columns of the European Go Database's list of players: PIN, name, … grade, …, rating.
_EGD_PLAYERS = re.compile(r"\bPIN\s+Name\s.*\bGrade\s.*\bGoR\b")
_BEFORE_DTD = re.compile(r"<\?xml[^>]*>|<!--.*?-->|\s+", re.DOTALL)
_JSON_START = re.compile(r"\s*(?:\{\s*(?:\"|\})|\[\s*(?:[\[{\"\]]|-?[0-9]))")
# Members that a tournament saved by Pairgoth has.
_PAIRGOTH = (b'"pairing"', b'"timeSystem"', b'"players"')


def is_acbl_live(file: RawFile) -> bool:
    """Return whether the file is a result of ACBL Live for Clubs: its JSON, or the page that embeds it."""
    return bool(_ACBL_PAIRS.search(file.data))


def _sniff_lin(file: RawFile) -> Evidence:
    commands = sum(1 for _match in zip(_LIN.finditer(file.head), range(_FEW), strict=False))
    if commands >= _FEW and _LIN_DEAL.search(file.head):
        return Evidence.SIGNATURE
    return Evidence.EXTENSION if file.extension == ".lin" else Evidence.NONE


def _sniff_rrn(file: RawFile) -> Evidence:
    return Evidence.EXTENSION if file.extension == ".rrn" else Evidence.NONE


def _sniff_json(file: RawFile) -> Evidence:
    return Evidence.CONTAINER if _JSON_START.match(file.head) else Evidence.NONE


def _sniff_acbl(file: RawFile) -> Evidence:
    is_text = bool(_JSON_START.match(file.head)) or file.is_xml
    return Evidence.SIGNATURE if is_text and is_acbl_live(file) else Evidence.NONE


def _sniff_pairgoth(file: RawFile) -> Evidence:
    is_ours = bool(_JSON_START.match(file.head)) and all(name in file.data for name in _PAIRGOTH)
    if is_ours:
        return Evidence.SIGNATURE
    return Evidence.EXTENSION if file.extension == ".tour" else Evidence.NONE


def is_egd_players(file: RawFile) -> bool:
    """Return whether the file is the European Go Database's list of players, which is a web page."""
    return bool(_EGD_PLAYERS.search(file.head))


def _sniff_egd_players(file: RawFile) -> Evidence:
    return Evidence.SIGNATURE if is_egd_players(file) else Evidence.NONE


def _sniff_xml_definition(file: RawFile) -> Evidence:
    start = _BEFORE_DTD.sub("", file.head)
    is_definition = start.startswith(("<!ELEMENT", "<!ATTLIST")) or file.root.rpartition(":")[2] == "schema"
    return Evidence.SIGNATURE if is_definition else Evidence.NONE


def _sniff_text(file: RawFile) -> Evidence:
    return Evidence.ANY_TEXT if file.is_text else Evidence.NONE


def _sniff_binary(file: RawFile) -> Evidence:
    return Evidence.NONE if file.is_text else Evidence.ANY_TEXT


_COPY_RANKING = gettext_noop(
    "Copy the ranking that the program shows, with places, names and percentages, into a spreadsheet, and "
    "upload that as XLSX or CSV."
)
_EXPORT_OR_COPY = gettext_noop(
    "Upload the file that the scoring program exports as USEBIO XML, PBN, CSV or XLSX; or copy the "
    "ranking into a spreadsheet and upload that."
)

FORMATS = (
    UnsupportedFormat(
        code="lin",
        name=gettext_noop("LIN (hands of Bridge Base Online)"),
        extensions=(".lin",),
        sniff=_sniff_lin,
        why="no_ranking_inside",
        instead=gettext_noop(
            "In Bridge Base Online open the page with the results of the tournament, copy its ranking, with "
            "places, names and percentages, into a spreadsheet, and upload that as XLSX or CSV."
        ),
    ),
    UnsupportedFormat(
        code="rrn",
        name="RRN",
        content=gettext_noop("an RRN file"),
        extensions=(".rrn",),
        sniff=_sniff_rrn,
        why="not_yet_supported",
        instead=_COPY_RANKING,
    ),
    UnsupportedFormat(
        code="acbl_live",
        name="ACBL Live for Clubs",
        content=gettext_noop("a result of ACBL Live for Clubs"),
        extensions=(".json", ".html"),
        sniff=_sniff_acbl,
        why="not_yet_supported",
        instead=gettext_noop(
            "On the results page of ACBL Live mark the ranking of the section, copy it into a spreadsheet "
            "and upload that as XLSX or CSV."
        ),
    ),
    UnsupportedFormat(
        code="pairgoth",
        name="Pairgoth",
        content=gettext_noop("a Pairgoth file"),
        extensions=(".tour",),
        sniff=_sniff_pairgoth,
        of_go=True,
        why="not_yet_supported",
        instead=gettext_noop(
            "In Pairgoth download the standings of the last round for the European Go Federation (.h9) and "
            "upload that."
        ),
    ),
    UnsupportedFormat(
        code="egd_players",
        name=gettext_noop("the list of players of the European Go Database"),
        extensions=(".txt", ".html"),
        sniff=_sniff_egd_players,
        of_go=True,
        instead=gettext_noop("Upload the results of a tournament: ratings are computed from games."),
    ),
    UnsupportedFormat(
        code="xml_definition",
        name=gettext_noop("a description of XML files (XSD or DTD)"),
        extensions=(".xsd", ".dtd"),
        sniff=_sniff_xml_definition,
        instead=gettext_noop("Choose the file of a tournament, not the description of such files."),
    ),
    UnsupportedFormat(
        code="json",
        name=gettext_noop("a JSON file (data for programs)"),
        extensions=(".json",),
        sniff=_sniff_json,
        instead=gettext_noop(
            "In the program that wrote it, export the ranking as USEBIO XML, PBN, CSV or XLSX. "
            "If it cannot, copy the ranking that it shows into a spreadsheet and upload that."
        ),
    ),
    UnsupportedFormat(
        code="unknown_binary",
        name=gettext_noop("a file of an unknown kind"),
        sniff=_sniff_binary,
        why="unknown_text",
        instead=_EXPORT_OR_COPY,
    ),
    UnsupportedFormat(
        code="unknown_text",
        name=gettext_noop("a text of an unknown kind"),
        sniff=_sniff_text,
        why="unknown_text",
        instead=_EXPORT_OR_COPY,
        issues={
            "unknown_text": error(
                gettext_noop("This is %(found)s: neither a table nor XML nor PBN."),
                gettext_noop("Export the result as USEBIO XML, PBN, CSV or XLSX."),
            ),
            "no_ranking_inside": error(
                gettext_noop("This is a file of the type %(found)s: it holds no ranking."),
                gettext_noop("Export the result as USEBIO XML, PBN, CSV or XLSX."),
            ),
        },
    ),
)
