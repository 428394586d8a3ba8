"""Result files as scoring programs export them: the project's own CSV, and USEBIO."""

import csv
import io
from datetime import date
from xml.sax.saxutils import escape

from tournaments.formats.types import Deal

from .session import Entrant, PairsSession, RankedPair, Traveller

HEADING = ["puesto", "licencia", "nombre", "pareja", "porcentaje", "manos"]


def csv_bytes(session: PairsSession) -> bytes:
    """Return a CSV file of the ranking with a row for each player, as Spanish spreadsheets write it.

    It has semicolons and decimal commas, and is encoded in UTF-8 with a BOM.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(HEADING)
    for ranked in session.ranking:
        percentage = str(ranked.percentage).replace(".", ",")
        for player in ranked.players:
            row = [ranked.place, player.number, player.name, ranked.number, percentage, session.boards]
            writer.writerow(row)
    return text.getvalue().encode("utf-8-sig")


def usebio_bytes(
    session: PairsSession, title: str, club: str, club_number: str, day: date, *, identifier: str
) -> bytes:
    """Return a USEBIO 1.2 file of a session with one winner: ranking, travellers in matchpoints, and hands.

    identifier: the file's EVENT_IDENTIFIER
    """
    participants = "".join(_pair(ranked, session) for ranked in session.ranking)
    boards: dict[int, list[str]] = {}
    for line in session.travellers:
        boards.setdefault(line.board, []).append(_traveller(line))
    travellers = "".join(
        f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>\n{''.join(lines)}</BOARD>\n"
        for number, lines in boards.items()
    )
    hands = "".join(map(_deal, session.deals))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<USEBIO Version="1.2">
<CLUB><CLUB_NAME>{escape(club)}</CLUB_NAME><CLUB_ID_NUMBER>{escape(club_number)}</CLUB_ID_NUMBER></CLUB>
<EVENT EVENT_TYPE="MP_PAIRS">
<EVENT_IDENTIFIER>{escape(identifier)}</EVENT_IDENTIFIER>
<EVENT_DESCRIPTION>{escape(title)}</EVENT_DESCRIPTION>
<PROGRAM_NAME>Baza demo</PROGRAM_NAME>
<DATE>{day:%d/%m/%Y}</DATE>
<BOARD_SCORING_METHOD>MATCH_POINTS</BOARD_SCORING_METHOD>
<WINNER_TYPE>1</WINNER_TYPE>
<PAIRS>{len(session.ranking)}</PAIRS>
<BOARDS_PLAYED>{session.boards}</BOARDS_PLAYED>
<SESSION_COUNT>1</SESSION_COUNT>
<SECTION_COUNT>1</SECTION_COUNT>
<PARTICIPANTS>
{participants}</PARTICIPANTS>
{travellers}</EVENT>
<HANDSET>
{hands}</HANDSET>
</USEBIO>
""".encode()


def _pair(ranked: RankedPair, session: PairsSession) -> str:
    tied = sum(pair.place == ranked.place for pair in session.ranking) > 1
    players = "".join(_player(player) for player in ranked.players)
    return (
        f"<PAIR><PAIR_NUMBER>{ranked.number}</PAIR_NUMBER>"
        f"<PERCENTAGE>{ranked.percentage}</PERCENTAGE><PLACE>{ranked.place}{'=' if tied else ''}</PLACE>"
        f"<BOARDS_PLAYED>{session.boards}</BOARDS_PLAYED>{players}</PAIR>\n"
    )


def _player(player: Entrant) -> str:
    return (
        f"<PLAYER><PLAYER_NAME>{escape(player.name)}</PLAYER_NAME>"
        f"<NATIONAL_ID_NUMBER>{escape(player.number)}</NATIONAL_ID_NUMBER></PLAYER>"
    )


def _traveller(line: Traveller) -> str:
    return (
        f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{line.ns}</NS_PAIR_NUMBER>"
        f"<EW_PAIR_NUMBER>{line.ew}</EW_PAIR_NUMBER><CONTRACT>{line.play.contract}</CONTRACT>"
        f"<PLAYED_BY>{line.play.declarer}</PLAYED_BY><LEAD>{line.play.lead}</LEAD>"
        f"<TRICKS>{line.play.tricks}</TRICKS><SCORE>{line.score}</SCORE>"
        f"<NS_MATCH_POINTS>{line.ns_points}</NS_MATCH_POINTS>"
        f"<EW_MATCH_POINTS>{line.ew_points}</EW_MATCH_POINTS></TRAVELLER_LINE>\n"
    )


def _deal(deal: Deal) -> str:
    names = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
    hands = "".join(
        f"<HAND><DIRECTION>{seat}</DIRECTION>"
        + "".join(f"<{name}>{suit}</{name}>" for name, suit in zip(names, hand.split("."), strict=True))
        + "</HAND>"
        for seat, hand in zip(("North", "East", "South", "West"), deal.hands, strict=True)
    )
    return f"<BOARD><BOARD_NUMBER>{deal.board}</BOARD_NUMBER>{hands}</BOARD>\n"
