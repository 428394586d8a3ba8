"""Synthetic result files like those of scoring programs. All names and numbers are fictitious."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from openpyxl import Workbook

DTD = '<!DOCTYPE USEBIO SYSTEM "http://results.example/usebio_v1_2.dtd">'


@dataclass
class Player:
    number: str
    name: str

    def xml(self, extra: str = "") -> str:
        number = f"<NATIONAL_ID_NUMBER>{self.number}</NATIONAL_ID_NUMBER>" if self.number else ""
        return f"<PLAYER>{extra}<PLAYER_NAME>{escape(self.name)}</PLAYER_NAME>{number}</PLAYER>"


def players(count: int, start: int = 500001) -> list[Player]:
    return [Player(str(start + index), f"Jugadora Inventada {start + index}") for index in range(count)]


@dataclass
class Pair:
    number: str
    place: str
    people: list[Player]
    percentage: str = ""
    score: str = ""
    direction: str = ""

    def xml(self) -> str:
        parts = [f"<PAIR_NUMBER>{self.number}</PAIR_NUMBER>", f"<DIRECTION>{self.direction}</DIRECTION>"]
        if self.score:
            parts.append(f"<TOTAL_SCORE>{self.score}</TOTAL_SCORE>")
        if self.percentage:
            parts.append(f"<PERCENTAGE>{self.percentage}</PERCENTAGE>")
        parts.append(f"<PLACE>{self.place}</PLACE>")
        parts += [player.xml() for player in self.people]
        return f"<PAIR>{''.join(parts)}</PAIR>\n"


@dataclass
class Event:
    """The parts of a USEBIO file. `body` is everything after the beginning of EVENT."""

    event_type: str = "MP_PAIRS"
    date: str = "14/03/2026"
    body: str = ""
    winner_type: str = "1"
    heading: str = ""
    declaration: str = '<?xml version="1.0"?>'
    doctype: str = DTD
    club: str = "<CLUB><CLUB_NAME>Club Inventado</CLUB_NAME><CLUB_ID_NUMBER>77</CLUB_ID_NUMBER></CLUB>"
    tail: str = field(default="")

    def text(self) -> str:
        return (
            f'{self.declaration}\n{self.doctype}\n<USEBIO Version="1.2">\n{self.club}\n'
            f'<EVENT EVENT_TYPE="{self.event_type}">\n'
            "<EVENT_IDENTIFIER>4711</EVENT_IDENTIFIER>\n"
            "<EVENT_DESCRIPTION>Torneo de prueba</EVENT_DESCRIPTION>\n"
            "<PROGRAM_NAME>Contador</PROGRAM_NAME>\n"
            f"<DATE>{self.date}</DATE>\n<WINNER_TYPE>{self.winner_type}</WINNER_TYPE>\n"
            "<SESSION_COUNT>1</SESSION_COUNT>\n"
            f"{self.heading}\n{self.body}\n</EVENT>\n{self.tail}</USEBIO>\n"
        )

    def data(self, encoding: str = "utf-8") -> bytes:
        return self.text().encode(encoding)


def participants(*items: str) -> str:
    return f"<PARTICIPANTS>\n{''.join(items)}</PARTICIPANTS>\n"


def line(
    ns: str, ew: str, score: str = "420", ns_points: str = "4", ew_points: str = "2", extra: str = ""
) -> str:
    return (
        f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
        f"<CONTRACT>4S</CONTRACT><PLAYED_BY>N</PLAYED_BY><LEAD>D10</LEAD><TRICKS>10</TRICKS>"
        f"<SCORE>{score}</SCORE><NS_MATCH_POINTS>4</NS_MATCH_POINTS>"
        f"<EW_MATCH_POINTS>2</EW_MATCH_POINTS>{extra}</TRAVELLER_LINE>\n"
    )


def board(number: int, *lines: str) -> str:
    return f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>\n{''.join(lines)}</BOARD>\n"


def one_winner_pairs(pairs: int = 6, boards: int = 24) -> list[Pair]:
    people = players(2 * pairs)
    return [
        Pair(str(index + 1), str(index + 1), people[2 * index : 2 * index + 2], f"{65 - index}.25")
        for index in range(pairs)
    ]


def mitchell(tables: int, boards: int, suffix: bool = True) -> Event:
    """Make an event of pairs in two fields, North-South and East-West, each with its own winner.

    BOARD elements are directly under EVENT, without a session.

    suffix: number the pairs 1NS, 1EW, …; otherwise both fields have a pair 1, a pair 2, …
    """
    people = players(4 * tables)
    pairs = []
    for index in range(tables):
        for offset, direction in enumerate(("NS", "EW")):
            seat = 4 * index + 2 * offset
            number = f"{index + 1}{direction if suffix else ''}"
            percentage = f"{60 - index - offset / 2:.2f}"
            pair = Pair(number, str(index + 1), people[seat : seat + 2], percentage, "", direction)
            pairs.append(pair.xml())
    mark = ("NS", "EW") if suffix else ("", "")
    travellers = [
        board(
            number,
            *(
                line(f"{ns + 1}{mark[0]}", f"{(ns + number) % tables + 1}{mark[1]}", extra=LIN)
                for ns in range(tables)
            ),
        )
        for number in range(1, boards + 1)
    ]
    return Event(winner_type="2", body=participants(*pairs) + "".join(travellers))


def national(pairs: int, boards: int, people: list[Player] | None = None) -> Event:
    """Make a simultaneous tournament of pairs with one winner, whose results are as long as EBUScore's.

    Its results take 588 bytes and 18 elements each.

    people: the players, two for each pair; by default invented ones
    """
    people = people or players(2 * pairs)
    ranking = [
        Pair(str(n), str(n), people[2 * n - 2 : 2 * n], f"{70 - 40 * n / pairs:.4f}").xml()
        for n in range(1, pairs + 1)
    ]
    meant = "".join(f"<X{number}>0</X{number}>" for number in range(8))
    travellers = []
    for number in range(1, boards + 1):
        first, turn = range(1, pairs, 2), 2 * ((number - 1) // 2)
        rows = [line(str(ns), str((ns + turn) % pairs + 1), extra=meant) for ns in first]
        travellers.append(board(number, *(f"{row:<588}" for row in rows)))
    return Event(body=participants(*ranking) + "".join(travellers))


LIN = "<LIN_DATA>pn|Persona Secreta,Otra Persona,Tercera,Cuarta|</LIN_DATA>"


def in_session(body: str, section: str = "A") -> str:
    return f'<SESSION SESSION_ID="1"><SECTION SECTION_ID="{section}">{body}</SECTION></SESSION>'


def individual(places: list[tuple[str, str]]) -> Event:
    """Make an event of individuals, with PLAYER elements directly under PARTICIPANTS.

    places: (place, percentage) of each player
    """
    items = [
        player.xml(
            f"<PLAYER_NUMBER>{index + 1}</PLAYER_NUMBER><PLACE>{place}</PLACE>"
            f"<PERCENTAGE>{percent}</PERCENTAGE>"
        )
        for index, (player, (place, percent)) in enumerate(zip(players(len(places)), places, strict=True))
    ]
    traveller = (
        "<TRAVELLER_LINE><N_PLAYER_NUMBER>1</N_PLAYER_NUMBER><S_PLAYER_NUMBER>101</S_PLAYER_NUMBER>"
        "<E_PLAYER_NUMBER>2</E_PLAYER_NUMBER><W_PLAYER_NUMBER>82</W_PLAYER_NUMBER><SCORE>80</SCORE>"
        "<NS_MATCH_POINTS>2</NS_MATCH_POINTS><EW_MATCH_POINTS>2</EW_MATCH_POINTS></TRAVELLER_LINE>"
    )
    boards = "".join(board(number, traveller) for number in range(1, 23))
    return Event("INDIVIDUAL", winner_type="", body=participants(*items) + boards)


def teams(count: int = 4, boards: int = 6) -> Event:
    """Make an event of teams of two pairs, with PLACE and TOTAL_SCORE in each TEAM.

    In each of two rounds, the first team plays against the second, the third against the fourth, and so on.
    """
    people = players(4 * count)
    items = []
    for index in range(count):
        four = people[4 * index : 4 * index + 4]
        pairs = "".join(
            f"<PAIR><PAIR_NUMBER>{index + 1}-{number}</PAIR_NUMBER><PAIR_IMPS>-3.5</PAIR_IMPS>"
            f"{''.join(player.xml() for player in four[start : start + 2])}</PAIR>"
            for number, start in (("1-2", 0), ("3-4", 2))
        )
        items.append(
            f'<TEAM TEAM_ID = "{index + 1}" TEAM_NAME = "Equipo {index + 1}" ><TOTAL_SCORE>{60 - index}'
            f"</TOTAL_SCORE><PLACE>{index + 1}</PLACE>{pairs}</TEAM>\n"
        )
    matches = []
    for round_number in (1, 2):
        for first in range(1, count, 2):
            lines = "".join(
                board(
                    number,
                    "<TRAVELLER_LINE><DIRECTION>NS</DIRECTION><SCORE>420</SCORE></TRAVELLER_LINE>",
                    "<TRAVELLER_LINE><DIRECTION>EW</DIRECTION><SCORE>-50</SCORE></TRAVELLER_LINE>",
                )
                for number in range(1, boards + 1)
            )
            matches.append(
                f"<MATCH><ROUND_NUMBER>{round_number}</ROUND_NUMBER><TEAM>{first}</TEAM>"
                f"<OPPOSING_TEAM>{first + 1}</OPPOSING_TEAM>{lines}</MATCH>"
            )
    body = f'<SESSION SESSION_ID="1">{participants(*items)}{"".join(matches)}</SESSION>'
    heading = (
        "<BOARD_SCORING_METHOD>IMPS</BOARD_SCORING_METHOD><MATCH_SCORING_METHOD>VPS</MATCH_SCORING_METHOD>"
    )
    return Event("TEAMS", winner_type="", heading=heading, body=body)


def csv_table(
    rows: list[list[str]], separator: str = ";", encoding: str = "utf-8", newline: str = "\n"
) -> bytes:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if separator in cell or '"' in cell else cell

    return newline.join(separator.join(map(quoted, row)) for row in rows).encode(encoding)


def xlsx_table(rows: list[list[object]], formats: dict[str, str] | None = None) -> bytes:
    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    for cell, number_format in (formats or {}).items():
        workbook.active[cell].number_format = number_format
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def rezipped(data: bytes, replace: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return the zip file with members replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", compression) as new:
        for name in old.namelist():
            if name not in replace:
                new.writestr(name, old.read(name))
        for name, content in replace.items():
            new.writestr(name, content)
    return out.getvalue()


PAIRS_TABLE = [
    ["puesto", "licencia", "nombre", "pareja", "porcentaje"],
    ["1", "00500001", "Ana Inventada", "3", "61,25"],
    ["1", "500002", "Luis Núñez Inventado", "3", "61,25"],
    ["2", "500003", "Eva Inventada", "1", "54,5"],
    ["2", "500004", "Iñaki Inventado", "1", "54,5"],
]
