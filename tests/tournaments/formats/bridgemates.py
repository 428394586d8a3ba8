"""Synthetic Bridgemate databases: what the players of an invented evening entered. All people are made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.tournaments.formats.jet import BOOLEAN, DATE, INTEGER, LONG, TEXT, Cell, Columns, database

START = datetime(2026, 3, 14, 19, 30)
RECEIVED: Columns = {
    **dict.fromkeys(("ID",), LONG),
    **dict.fromkeys(("Section", "Table", "Round", "Board", "PairNS", "PairEW", "Declarer"), INTEGER),
    **dict.fromkeys(("NS/EW", "Contract", "Result", "LeadCard", "Remarks"), TEXT),
    **dict.fromkeys(("DateLog", "TimeLog"), DATE),
    "Erased": BOOLEAN,
}
SECTION: Columns = {
    "ID": INTEGER,
    "Letter": TEXT,
    **dict.fromkeys(("Tables", "MissingPair", "EWMoveBeforePlay"), INTEGER),
}
ROUNDS: Columns = dict.fromkeys(
    ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard"), INTEGER
)
NUMBERS: Columns = {
    **dict.fromkeys(("Section", "Table"), INTEGER),
    **dict.fromkeys(("Direction", "Number", "Name"), TEXT),
    "Round": INTEGER,
}
NAMES: Columns = {"ID": LONG, "Name": TEXT, "strID": TEXT}
HANDS: Columns = {
    **dict.fromkeys(("Section", "Board"), INTEGER),
    **{
        f"{seat}{suit}": TEXT
        for seat in ("North", "East", "South", "West")
        for suit in ("Spades", "Hearts", "Diamonds", "Clubs")
    },
}
CONTRACTS = ("3 NT", "4 S", "2 H", "5 D x", "1 NT", "6 C")
RESULTS = ("=", "+1", "-1", "-2", "+2")

Rows = list[dict[str, Cell]]


@dataclass
class Evening:
    """The tables of a database. Add rows and write it with `data`."""

    sections: Rows = field(default_factory=list)
    rounds: Rows = field(default_factory=list)
    received: Rows = field(default_factory=list)
    numbers: Rows = field(default_factory=list)
    names: Rows = field(default_factory=list)
    hands: Rows = field(default_factory=list)

    def enter(self, **values: Cell) -> None:
        """Add a row of ReceivedData. Without other values: board 1, table 1, 3 NT made by North."""
        order = len(self.received) + 1
        first: dict[str, Cell] = {
            "ID": order,
            "Section": 1,
            "Table": 1,
            "Round": 1,
            "Board": 1,
            "PairNS": 1,
            "PairEW": 2,
            "Declarer": 1,
            "NS/EW": "N",
            "Contract": "3 NT",
            "Result": "=",
            "DateLog": START.replace(hour=0, minute=0),
            "TimeLog": START + timedelta(minutes=order),
        }
        self.received.append(first | values)

    def data(self, **more: tuple[Columns, Sequence[Mapping[str, Cell]]]) -> bytes:
        """Return the bytes of the database. More tables may be added: name=(columns, rows)."""
        return database(
            {
                "Section": (SECTION, self.sections),
                "RoundData": (ROUNDS, self.rounds),
                "ReceivedData": (RECEIVED, self.received),
                "PlayerNumbers": (NUMBERS, self.numbers),
                "PlayerNames": (NAMES, self.names),
                "HandRecord": (HANDS, self.hands),
                **more,
            }
        )


def mitchell(tables: int, boards: int = 2, doubled: bool = False, section: int = 1) -> Evening:
    """Return an evening in which East-West move a table up each round. All tables play the same boards.

    boards: boards of a round
    doubled: whether East-West have the numbers of North-South, instead of those after them
    """
    evening = Evening(sections=[{"ID": section, "Letter": "ABC"[section - 1], "Tables": tables}])
    for turn in range(tables):
        for table in range(tables):
            east = (table - turn) % tables + 1 + (0 if doubled else tables)
            seats = {"Section": section, "Table": table + 1, "Round": turn + 1}
            of_round = range(turn * boards + 1, turn * boards + boards + 1)
            limits = {"LowBoard": of_round[0], "HighBoard": of_round[-1]}
            evening.rounds.append({**seats, "NSPair": table + 1, "EWPair": east, **limits})
            for board in of_round:
                mix = board * 7 + table * 5 + turn * 3
                seat = "NESW"[mix % 4]
                evening.enter(
                    **seats,
                    **{"Board": board, "PairNS": table + 1, "PairEW": east, "NS/EW": seat},
                    Declarer=table + 1 if seat in "NS" else east,
                    Contract=CONTRACTS[mix % 6],
                    Result=RESULTS[mix % 5] if CONTRACTS[mix % 6] != "6 C" else "-1",
                    LeadCard="D10",
                )
    return evening
