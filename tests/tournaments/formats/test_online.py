"""Files that say that the tournament was played online."""

import pytest

from tests.tournaments.formats.test_pbn import BOARD, HEADING, RANKING, SECOND
from tournaments.formats import read_results
from tournaments.formats.online import names_online
from tournaments.formats.types import ParsedResult

USEBIO = """<USEBIO Version="1.2"><CLUB><CLUB_NAME>{club}</CLUB_NAME></CLUB><EVENT EVENT_TYPE="MP_PAIRS">
<EVENT_DESCRIPTION>{title}</EVENT_DESCRIPTION><PROGRAM_NAME>{program}</PROGRAM_NAME><DATE>14/03/2026</DATE>
<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PLACE>1</PLACE><PERCENTAGE>60</PERCENTAGE>
<PLAYER><PLAYER_NAME>Ana Uno</PLAYER_NAME></PLAYER><PLAYER><PLAYER_NAME>Luis Dos</PLAYER_NAME></PLAYER></PAIR>
</PARTICIPANTS></EVENT></USEBIO>"""
TABLE = """{title}
Puesto;Nombre 1;Nombre 2;%
1;Ana Uno;Luis Dos;60
2;Eva Tres;Mar Seis;50
3;Iris Sol;Leo Mar;40
"""


def usebio(title: str = "Pool", program: str = "", club: str = "") -> bytes:
    return USEBIO.format(title=title, program=program, club=club).encode()


def pbn(line: str, ranking: str = RANKING) -> bytes:
    text = HEADING.replace("% EXPORT\n", f"% EXPORT\n% {line}\n") + ranking + BOARD + SECOND
    return text.encode("latin-1")


def notes(result: ParsedResult) -> list[str]:
    return [issue.value for issue in result.issues if issue.code == "played_online"]


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.xml", usebio(program="RealBridge"), "RealBridge"),
        ("a.xml", usebio(program="BBO Portal"), "BBO Portal"),
        ("a.xml", usebio(title="Pool online del jueves"), "Pool online del jueves"),
        ("a.xml", usebio(club="Bridge Base Online"), "Bridge Base Online"),
        ("bbo_jueves.xml", usebio(), "bbo_jueves.xml"),
        ("a.pbn", pbn("Played at http://www.okbridge.com"), "Played at http://www.okbridge.com"),
        ("a.pbn", pbn("Played at OKBridge", ranking=""), "Played at OKBridge"),
        ("a.csv", TABLE.format(title="Torneo por Internet").encode(), "Torneo por Internet"),
        ("a.csv", TABLE.format(title="Resultados de RealBridge").encode(), "Resultados de RealBridge"),
    ],
)
def test_a_file_that_says_so_was_played_online(name, data, text):
    result = read_results(name, data)
    assert (result.event.venue, notes(result)) == ("online", [text])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xml", usebio(program="BridgeWebs Online 2.1", club="Real Bridge Club")),
        ("a.pbn", pbn("Made for the club")),
        ("a.csv", TABLE.format(title="Pool del jueves;Resultados online en www.club.example").encode()),
    ],
)
def test_another_file_states_no_venue(name, data):
    result = read_results(name, data)
    assert (result.event.venue, notes(result)) == (None, [])


@pytest.mark.parametrize(
    ("name", "is_online"),
    [
        ("Pool on-line", True),
        ("Pool en línea de los lunes", True),
        ("Liga virtual", True),
        ("BBO 12", True),
        ("Pool en línea N-S", False),
        ("Copa de la línea", False),
        ("Torneo Bobo", False),
    ],
)
def test_the_name_of_a_tournament_says_whether_it_was_online(name, is_online):
    assert names_online(name) is is_online
