"""A category's list as a document: canonical JSON that is frozen, compared and put under a digest. Pure.

The same list always gives the same text, byte for byte. There are no names in it, only the keys of players:
whoever asks to be hidden is hidden in every list that was ever frozen.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from .averages import METHODS, NONE, PLAIN, SessionLine, Sessions, Whole
from .selection import Entrant, Place, Rule, Selection, State

FORMAT = 1  # raised when the shape of the texts changes
COLUMNS = (*Entrant._fields, "rank", "shared", "state", "margin")
TRUTH = {True: "true", False: "false"}
SESSIONS = {"format": FORMAT, "columns": SessionLine._fields}


@dataclass(frozen=True, slots=True)
class ListDocument:
    """The list of one category; `target` and `demotion` are codes of categories, None where nobody moves."""

    category: str
    target: str | None
    demotion: str | None
    rule: Rule
    selection: Selection


def to_text(document: ListDocument) -> str:
    """The list as canonical JSON: one array a player, in the order of `columns`, decimals as text."""
    selection = document.selection
    value = {
        "format": FORMAT,
        "category": document.category,
        "target": document.target,
        "demotion": document.demotion,
        "rule": asdict(document.rule),
        "quota": selection.quota,
        "cut": selection.cut,
        "columns": COLUMNS,
    }
    return _with_players(value, map(_place_text, selection.places))


def from_text(text: str) -> ListDocument:
    """The list that `to_text` wrote. Raises ValueError for anything else."""
    value = json.loads(text)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError("not a list of this format")
    places = tuple(_place(row) for row in value["players"])
    return ListDocument(
        category=value["category"],
        target=value["target"],
        demotion=value["demotion"],
        rule=_rule(value["rule"]),
        selection=Selection(value["quota"], value["cut"], places),
    )


def lines_texts(sessions: Sessions) -> list[str]:
    """Each player's session lines of the modified average as canonical JSON."""
    heads = [
        f'[{tournament},"{day}"'
        for tournament, day in zip(sessions.events.tournament.tolist(), sessions.events.day, strict=True)
    ]
    # A ranking states thousandths, and so does a plain value.
    raw = _decimals(np.where(sessions.raw == NONE, NONE, sessions.raw // 10), 3)
    value = np.where(sessions.method == PLAIN, raw, _decimals(sessions.value, 4))
    lines = (
        f"{head},{boards},{raw},{value},{method},{field_c4},{shift}]"
        for head, boards, raw, value, method, field_c4, shift in zip(
            _taken(heads, sessions.event), sessions.boards.tolist(), raw, value,
            _taken([f'"{each}"' for each in METHODS], sessions.method),
            _decimals(sessions.field_c4, 4), _decimals(sessions.shift, 4), strict=True,
        )
    )  # fmt: skip
    return [f"[{','.join(islice(lines, many))}]" for many in np.diff(sessions.starts).tolist()]


def sessions_text(sessions: Mapping[int, str]) -> str:
    """The `lines_texts` of many players as one canonical JSON, by player."""
    # The keys are sorted, not the items: comparing numbers takes a third of comparing pairs.
    return _with_players(SESSIONS, (f"[{player},{sessions[player]}]" for player in sorted(sessions)))


def sessions_of(text: str, player: int) -> tuple[SessionLine, ...]:
    """One player's lines of what `sessions_text` wrote, without reading those of thousands of others.

    Raises ValueError for any other text.
    """
    if not text.startswith(_canonical({**SESSIONS, "players": []}).removesuffix("]}")):
        raise ValueError("not session lines of this format")
    # Each player's row begins with the id and a bracket, and nothing else looks so.
    row = f"[{player},["
    at = text.find(row)
    if at < 0:
        return ()
    lines, _end = json.JSONDecoder().raw_decode(text, at + len(row) - 1)
    return tuple(map(_line, lines))


def digest(parts: Iterable[str]) -> str:
    """SHA-256 of texts in their order, as hexadecimal. Each comes with its length."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode()
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> str:
    """What JSON knows no word for."""
    if isinstance(value, (Decimal, Fraction)):
        return str(value)
    raise TypeError(f"no place in a document: {value!r}")


def _with_players(value: dict[str, Any], players: Iterable[str]) -> str:
    """The canonical text of `value` with a list "players" of texts that are canonical already.

    Put together by hand: there are millions of figures, and the encoder would ask about each decimal.
    """
    before, after = _canonical({**value, "players": []}).split('"players":[]')
    return f'{before}"players":[{",".join(players)}]{after}'


def _place_text(place: Place) -> str:
    entrant, rank, shared, state, margin = place
    player, points, in_person, online, tournaments, boards, licensed, deceased, club, average = entrant
    return (
        f"[{player},{points},{in_person},{online},{tournaments},{boards},{TRUTH[licensed]},{TRUTH[deceased]},"
        f'{_number(club)},{_quoted(average)},{_number(rank)},{TRUTH[shared]},"{state}",{_number(margin)}]'
    )


def _number(value: int | None) -> int | str:
    return "null" if value is None else value


def _place(row: list) -> Place:
    *figures, average, rank, shared, state, margin = row
    entrant = Entrant(*figures, average=_decimal(average))
    return Place(entrant, rank, shared, State(state), margin)


def _rule(value: dict[str, Any]) -> Rule:
    share = value["share"] and Fraction(value["share"])
    return Rule(**{**value, "share": share, "average": _decimal(value["average"])})


def _decimals(units: Whole, places: int) -> np.ndarray:
    """Numbers of units of the last of so many places, as JSON: each different one is written once."""
    different, at = np.unique(units, return_inverse=True)
    numbers = (None if each == NONE else Decimal(each).scaleb(-places) for each in different.tolist())
    return _taken([_quoted(each) for each in numbers], at)


def _taken(texts: list[str], at: Whole) -> np.ndarray:
    return np.array(texts, object)[at]


def _quoted(value: Decimal | None) -> str:
    return "null" if value is None else f'"{value!s}"'  # !s: to format a decimal takes three times as long


def _line(row: list) -> SessionLine:
    tournament, day, boards, raw, value, method, field_c4, shift = row
    return SessionLine(
        tournament, date.fromisoformat(day), boards, _decimal(raw), Decimal(value), method,
        _decimal(field_c4), _decimal(shift),
    )  # fmt: skip


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
