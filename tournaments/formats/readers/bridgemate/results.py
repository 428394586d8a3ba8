"""Convert the rows of the table ReceivedData to results, and say which of them are in doubt.

ReceivedData has a row for every time that somebody entered a result at a table, also to correct one.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.formats import cards, values
from tournaments.formats.contracts import score_of
from tournaments.formats.issues import IssueList
from tournaments.formats.mdb import Table
from tournaments.formats.types import BoardResult, Doubt, Found

_PERCENTAGES = re.compile(r"([0-9]{2})\s*%?\s*-\s*([0-9]{2})\s*%?")
# Law 12C2 by its letters: average plus, average minus and average, for North-South and East-West.
_AVERAGES = re.compile(r"A(?:VE?)?([+=-]?)\s*/\s*A(?:VE?)?([+=-]?)", re.IGNORECASE)
_SHARES = {"+": 60, "-": 40, "=": 50, "": 50}
_OVER = re.compile(r"=|[+-][0-9]{1,2}")
_CLOCK = re.compile(r"\b[0-2]?[0-9]:[0-5][0-9]\b")
_SIDES = {"N": "NS", "S": "NS", "NS": "NS", "E": "EW", "W": "EW", "EW": "EW"}
_MOST = 9999
Seating = tuple[str, int, int]  # section, table and round
# Remarks, as `values.fold` leaves them.
NOT_PLAYED, WRONG_DIRECTION = "not played", "wrong direction"
_NO_SCORE = {NOT_PLAYED: "bws_not_played", "arbitral score": "bws_arbitral"}
# Issues about a single result that the director decides.
DOUBTFUL = frozenset({"bws_arbitral", "bws_wrong_direction", "bws_result_unreadable", "bws_remark_unknown"})


@dataclass(frozen=True, slots=True)
class Entered:
    """A row of ReceivedData: a result as the players or the director entered it.

    section: the ID of the section
    declarer: the number of the declarer's pair
    seat: the declarer's seat, N, E, S or W; NS or EW if only the declarer's side is known
    """

    order: int
    section: str
    table: int
    round: int
    board: int
    ns: int
    ew: int
    declarer: int
    seat: str
    contract: str
    result: str
    lead: str
    remarks: str
    erased: bool
    day: str
    time: str

    @property
    def text(self) -> str:
        """The result as messages show it."""
        parts = (self.contract, self.seat, self.result, self.remarks)
        return " ".join(part for part in parts if part) or "–"

    @property
    def where(self) -> dict[str, Any]:
        """The parameters of an issue about this result."""
        return {"board": self.board, "ns": self.ns, "ew": self.ew, "place": self.place}

    @property
    def remark(self) -> str:
        """The remarks without case and punctuation."""
        return values.fold(self.remarks)

    @property
    def seating(self) -> Seating:
        return self.section, self.table, self.round

    @property
    def place(self) -> str:
        """Section, table and round: two sections, or two rounds, may have the same board and pairs."""
        return f"{self.section}.{self.table}.{self.round}"


def entered_of(rows: Table) -> list[Entered]:
    """Return the rows of the table in the order of entry. Rows without a board or a pair are left out."""
    entered = [_entered(row) for row in rows]
    return sorted((row for row in entered if row.board and row.ns and row.ew), key=lambda row: row.order)


def whole_number(text: str) -> int:
    """Return a whole number from 1 to 9,999; 0 for any other text."""
    number = values.integer_text(text)
    return int(number) if number and 0 < int(number) <= _MOST else 0


def _entered(row: Mapping[str, str]) -> Entered:
    order = values.integer_text(row.get("ID", ""))
    return Entered(
        order=int(order or 0),
        section=row.get("Section", ""),
        table=whole_number(row.get("Table", "")),
        round=whole_number(row.get("Round", "")),
        board=whole_number(row.get("Board", "")),
        ns=whole_number(row.get("PairNS", "")),
        ew=whole_number(row.get("PairEW", "")),
        declarer=whole_number(row.get("Declarer", "")),
        seat=row.get("NS/EW", "").strip().upper(),
        contract=row.get("Contract", "").strip(),
        result=row.get("Result", "").strip(),
        lead=row.get("LeadCard", "").strip(),
        remarks=row.get("Remarks", "").strip(),
        erased=row.get("Erased", "0") == "1",
        day=row.get("DateLog", "")[:10],
        time=clock[0] if (clock := _CLOCK.search(row.get("TimeLog", ""))) else "",
    )


@dataclass(frozen=True, slots=True)
class Place:
    """A board at a table in a round, with everything that was entered there.

    row: the entry that counts: the last that is not erased, or the last if all are
    rows: all entries, in the order of entry
    codes: the codes of the issues about it
    alternatives: results that were not entered, but that the director may choose
    """

    row: Entered
    rows: tuple[Entered, ...]
    codes: tuple[str, ...] = ()
    alternatives: tuple[Entered, ...] = ()


def places_of(entered: Iterable[Entered], issues: IssueList) -> list[Place]:
    """Return the places where something was entered.

    Add issues for erased results, and for different entries of the same result.
    """
    by_place: dict[tuple[str, int, int, int], list[Entered]] = defaultdict(list)
    for row in entered:
        by_place[row.section, row.table, row.round, row.board].append(row)
    places = []
    for rows in by_place.values():
        valid = [row for row in rows if not row.erased]
        codes: tuple[str, ...] = ()
        if not valid:
            issues.add("bws_erased", value=rows[-1].text, **rows[-1].where)
            codes = ("bws_erased",)
        elif len({(row.text, row.ns, row.ew) for row in valid}) > 1:
            issues.add("bws_double", value=valid[-1].text, first=valid[0].text, **valid[-1].where)
            codes = ("bws_double",)
        places.append(Place((valid or rows)[-1], tuple(rows), codes))
    return places


def lines_of_play(rows: Iterable[Entered]) -> dict[str, bool | None]:
    """Return {ID of a section: whether each of its pairs always sat North-South or always East-West}.

    The value is None if North-South and East-West pairs of the section have, as a rule, the same numbers. A
    pair is then identified by its number and its side.
    """
    sides: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    at_once: dict[tuple[str, int], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for row in rows:
        for seated in (sides[row.section], at_once[row.section, row.round]):
            seated[0].add(row.ns)
            seated[1].add(row.ew)
    shared, most = Counter[str](), Counter[str]()
    for (section, _round), (ns, ew) in at_once.items():
        shared[section] += len(ns & ew)
        most[section] += min(len(ns), len(ew))
    doubled = {section for section in sides if 2 * shared[section] > most[section]}
    return {section: None if section in doubled else not ns & ew for section, (ns, ew) in sides.items()}


def in_order(places: Iterable[Place], lines: Mapping[str, bool | None], issues: IssueList) -> list[Place]:
    """Return the places in the order of sections, boards and pairs.

    Add an issue for a pair with two results of the same board, and its code to the second place.

    lines: what `lines_of_play` returns
    """
    places = sorted(
        places, key=lambda place: (place.row.section, place.row.board, place.row.ns, place.row.ew)
    )
    seen: set[tuple[str, int, str, int]] = set()
    checked = []
    for place in places:
        row, codes = place.row, place.codes
        for side, number in (("NS", row.ns), ("EW", row.ew)) if not row.erased else ():
            key = (row.section, row.board, side if lines[row.section] is None else "", number)
            if key in seen:
                issues.add("bws_played_twice", value=number, board=row.board, place=row.place)
                codes = (*codes, "bws_played_twice")
            seen.add(key)
        checked.append(replace(place, codes=codes))
    return checked


def board_results(
    places: Iterable[Place], letters: Mapping[str, str | None], issues: IssueList
) -> Iterator[tuple[BoardResult, Doubt | None]]:
    """Yield the results with their scores, and for each the doubt about it, if there is one.

    Results without a score are issues. They are yielded with a blank score, so that the director can decide
    about them; boards that were not played are left out.

    letters: {ID of a section: its letter}; None if the letter is not needed
    """
    not_played = 0
    for place in places:
        row, section = place.row, letters.get(place.row.section, place.row.section)
        result, code = _result_of(row, section)
        if row.erased:
            result = replace(result, score=None)
        elif code == "bws_not_played":
            not_played += 1
            continue
        elif code:
            issues.add(code, value=row.remarks if code == "bws_adjusted" else row.text, **row.where)
        codes = (*place.codes, *((code,) if code in DOUBTFUL and not row.erased else ()))
        yield result, _doubt(place, codes, section) if codes else None
    if not_played:
        issues.add("bws_not_played", count=not_played)


def _doubt(place: Place, codes: tuple[str, ...], section: str | None) -> Doubt:
    """Return a doubt with the entries of a place that have a score, latest first, without repetitions.

    Its alternatives follow.
    """
    entries: dict[BoardResult, Found] = {}
    for row in (*reversed(place.rows), *place.alternatives):
        for result in dict.fromkeys(_result_of(row, section, as_entered=plain)[0] for plain in (False, True)):
            if result.score is not None and result.ns != result.ew:
                entries.setdefault(result, Found(row.time, row.remarks, row.erased, result))
    row = place.row
    return Doubt(0, codes, row.board, row.ns, row.ew, tuple(entries.values()), row.place)


def _result_of(row: Entered, section: str | None, as_entered: bool = False) -> tuple[BoardResult, str]:
    """Return the result of an entry, and the code of the issue about it; "" if it is plain.

    as_entered: whether the contract counts as entered, whatever the remark says
    """
    remark = "" if as_entered else row.remark
    if not as_entered and (adjusted := _adjusted(row.remarks)):
        return _result(row, section, adjusted), "bws_adjusted"
    if remark in _NO_SCORE:
        return _result(row, section, None), _NO_SCORE[remark]
    code = "bws_remark_unknown" if row.remarks and not as_entered else ""
    if remark == WRONG_DIRECTION:
        row, code = _exchanged(row), "bws_wrong_direction"
    played = _played(row, section)
    return (played, code) if played else (_result(row, section, None), "bws_result_unreadable")


def _adjusted(remark: str) -> str:
    """Return the adjusted score that a remark states, as board results have it; "" if it states none."""
    if match := _PERCENTAGES.fullmatch(remark):
        return f"A{match[1]}{match[2]}"
    match = _AVERAGES.fullmatch(remark)
    return f"A{_SHARES[match[1]]}{_SHARES[match[2]]}" if match else ""


def _exchanged(row: Entered) -> Entered:
    """Exchange the two pairs of a result that was played in the wrong direction.

    If the declarer's pair is already the pair on the declarer's side, somebody has corrected the entry. Then
    return it unchanged.
    """
    side = _SIDES.get(row.seat)
    if row.declarer and row.declarer == {"NS": row.ns, "EW": row.ew}.get(side or ""):
        return row
    return replace(row, ns=row.ew, ew=row.ns)


def _played(row: Entered, section: str | None) -> BoardResult | None:
    """Return a result with the score of its contract. Return None if there is no contract or no result."""
    contract = cards.contract_text(row.contract)
    if contract == "PASS":
        return _result(row, section, "0", contract=contract)
    side = _SIDES.get(row.seat)
    if contract is None or side is None or not _OVER.fullmatch(row.result):
        return None
    over = 0 if row.result == "=" else int(row.result)
    tricks = int(contract[0]) + 6 + over
    if not 0 <= tricks <= 13:
        return None
    vulnerable = cards.standard_vulnerable(row.board) in ("both", side)
    points = score_of(contract, over, vulnerable)
    return _result(
        row,
        section,
        str(points if side == "NS" else -points),
        contract=contract,
        declarer=row.seat if len(row.seat) == 1 else None,
        tricks=str(tricks),
        lead=cards.card_text(row.lead),
    )


def _result(row: Entered, section: str | None, score: str | None, **played: str | None) -> BoardResult:
    return BoardResult(
        board=row.board, section=section, ns=(str(row.ns),), ew=(str(row.ew),), score=score, **played
    )
