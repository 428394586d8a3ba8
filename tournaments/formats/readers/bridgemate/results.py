"""Convert the rows of the table ReceivedData to the results that count.

ReceivedData has a row for every time that somebody entered a result at a table, also to correct one.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.formats import cards, values
from tournaments.formats.contracts import score_of
from tournaments.formats.issues import IssueList
from tournaments.formats.mdb import Table
from tournaments.formats.types import BoardResult

_PERCENTAGES = re.compile(r"([0-9]{2})\s*%?\s*-\s*([0-9]{2})\s*%?")
_OVER = re.compile(r"=|[+-][0-9]{1,2}")
_SIDES = {"N": "NS", "S": "NS", "NS": "NS", "E": "EW", "W": "EW", "EW": "EW"}
_MOST = 9999


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

    @property
    def text(self) -> str:
        """The result as messages show it."""
        parts = (self.contract, self.seat, self.result, self.remarks)
        return " ".join(part for part in parts if part) or "–"

    @property
    def where(self) -> dict[str, Any]:
        """The parameters of an issue about this result."""
        return {"board": self.board, "ns": self.ns, "ew": self.ew}


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
    )


def counting(entered: Iterable[Entered], issues: IssueList) -> list[Entered]:
    """Return the last entry of every board at every table that is not erased.

    Add issues for erased results, and for different entries of the same result.
    """
    by_place: dict[tuple[str, int, int, int], list[Entered]] = defaultdict(list)
    for row in entered:
        by_place[row.section, row.table, row.round, row.board].append(row)
    chosen = []
    for rows in by_place.values():
        valid = [row for row in rows if not row.erased]
        if not valid:
            issues.add("bws_erased", value=rows[-1].text, **rows[-1].where)
            continue
        chosen.append(valid[-1])
        if len({(row.text, row.ns, row.ew) for row in valid}) > 1:
            issues.add("bws_double", value=valid[-1].text, first=valid[0].text, **valid[-1].where)
    _check_repeated(chosen, issues)
    return sorted(chosen, key=lambda row: (row.section, row.board, row.ns, row.ew))


def _check_repeated(rows: Iterable[Entered], issues: IssueList) -> None:
    """Add an issue for a pair with two results of the same board."""
    seen: set[tuple[str, int, str, int]] = set()
    for row in rows:
        for side, number in (("NS", row.ns), ("EW", row.ew)):
            key = (row.section, row.board, side, number)
            if key in seen:
                issues.add("bws_played_twice", value=number, board=row.board)
            seen.add(key)


def board_results(
    rows: Iterable[Entered], letters: Mapping[str, str | None], issues: IssueList
) -> Iterator[BoardResult]:
    """Yield the results with their scores. Results without a score are left out, with an issue.

    letters: {ID of a section: its letter}; None if the letter is not needed
    """
    not_played = 0
    for row in rows:
        remark = values.fold(row.remarks)
        adjusted = _PERCENTAGES.fullmatch(row.remarks)
        section = letters.get(row.section, row.section)
        if adjusted:
            issues.add("bws_adjusted", value=row.remarks, **row.where)
            yield _result(row, section, f"A{adjusted[1]}{adjusted[2]}")
        elif remark == "not played":
            not_played += 1
        elif remark == "arbitral score":
            issues.add("bws_arbitral", value=row.text, **row.where)
        else:
            if remark == "wrong direction":
                issues.add("bws_wrong_direction", value=row.text, **row.where)
                row = _exchanged(row)
            played = _played(row, section)
            if played is None:
                issues.add("bws_result_unreadable", value=row.text, **row.where)
            else:
                yield played
    if not_played:
        issues.add("bws_not_played", count=not_played)


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


def _result(row: Entered, section: str | None, score: str, **played: str | None) -> BoardResult:
    return BoardResult(
        board=row.board, section=section, ns=(str(row.ns),), ew=(str(row.ew),), score=score, **played
    )
