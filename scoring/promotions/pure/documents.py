"""Serialize a category's list as canonical JSON, which is stored, compared and hashed. Uses no database.

The same list always gives the same text, byte for byte. Lists contain player ids, not names. If a player asks
to be hidden, their name therefore disappears from lists frozen earlier too.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from .averages import METHODS, NONE, PLAIN, SessionLine, Sessions, Whole
from .selection import Entrant, Place, PlaceState, Rule, Selection

FORMAT = 1  # to be increased when the structure of the texts changes
COLUMNS = (*Entrant._fields, "rank", "shared", "state", "margin")
TRUTH = {True: "true", False: "false"}
SESSIONS = {"format": FORMAT, "columns": SessionLine._fields}


@dataclass(frozen=True, slots=True)
class ListDocument:
    """The list of one category, with the rule by which it was made.

    category: the category's code
    target: code of the category that players move up to, None if nobody moves up
    demotion: code of the category that players move down to, None if nobody moves down
    """

    category: str
    target: str | None
    demotion: str | None
    rule: Rule
    selection: Selection


def to_text(document: ListDocument) -> str:
    """Serialize a list as canonical JSON.

    Each player is an array of figures in the order of COLUMNS. Decimals are written as strings.
    """
    selection = document.selection
    value = {
        "format": FORMAT,
        "category": document.category,
        "target": document.target,
        "demotion": document.demotion,
        "rule": _rule_values(document.rule),
        "quota": selection.quota,
        "cut": selection.cut,
        "columns": COLUMNS,
    }
    return _with_players(value, map(_place_text, selection.places))


def from_text(text: str) -> ListDocument:
    """Parse a list written by `to_text`. Raises ValueError for anything else."""
    value = json.loads(text)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError("not a list of this format")
    places = tuple(place_of(row) for row in value["players"])
    return ListDocument(
        category=value["category"],
        target=value["target"],
        demotion=value["demotion"],
        rule=_rule(value["rule"]),
        selection=Selection(value["quota"], value["cut"], places),
    )


def lines_texts(sessions: Sessions) -> list[str]:
    """Serialize session lines as canonical JSON. Return one text per player, in the players' order.

    A text is that of an array without its brackets; "" if the player has no session.
    """
    heads = [
        f'[{tournament},"{day}"'
        for tournament, day in zip(sessions.events.tournament.tolist(), sessions.events.day, strict=True)
    ]
    # Rankings state percentages in thousandths, and so do plain values.
    raw = _decimals(np.where(sessions.raw == NONE, NONE, sessions.raw // 10), 3)
    value = np.where(sessions.method == PLAIN, raw, _decimals(sessions.value, 4))
    columns = zip(
        _take(heads, sessions.event),
        sessions.boards.tolist(),
        raw,
        value,
        _take([f'"{method}"' for method in METHODS], sessions.method),
        _decimals(sessions.field_c4, 4),
        _decimals(sessions.shift, 4),
        strict=True,
    )
    lines = (
        f"{head},{boards},{raw},{value},{method},{field_c4},{shift}]"
        for head, boards, raw, value, method, field_c4, shift in columns
    )
    return [",".join(islice(lines, count)) for count in np.diff(sessions.starts).tolist()]


def lines_text(parts: Iterable[str]) -> str:
    """Return one player's session lines as canonical JSON, from the texts of consecutive parts of a year."""
    return f"[{','.join(filter(None, parts))}]"


def sessions_text(sessions: Mapping[int, str]) -> str:
    """Serialize the session lines of many players as one canonical JSON text.

    sessions: texts of `lines_text`, by player id
    """
    # Sort the keys, not the items: comparing numbers takes a third of the time of comparing pairs.
    return _with_players(SESSIONS, (f"[{player},{sessions[player]}]" for player in sorted(sessions)))


def sessions_of(text: str, player: int) -> tuple[SessionLine, ...]:
    """Return one player's session lines from the result of `sessions_text`; () if there are none.

    The lines of other players are not parsed. Raises ValueError for a text of another format.
    """
    if not text.startswith(_canonical({**SESSIONS, "players": []}).removesuffix("]}")):
        raise ValueError("not session lines of this format")
    # Only the start of a player's row looks like this.
    prefix = f"[{player},["
    start = text.find(prefix)
    if start < 0:
        return ()
    lines, _end = json.JSONDecoder().raw_decode(text, start + len(prefix) - 1)
    return tuple(map(_line, lines))


def digest(parts: Iterable[str]) -> str:
    """Return the SHA-256 of the texts, as hexadecimal.

    The digest depends on the order of the texts. It includes each text's length, so that it also depends on
    where one text ends and the next begins.
    """
    sha256 = hashlib.sha256()
    for part in parts:
        data = part.encode()
        sha256.update(b"%d:" % len(data))
        sha256.update(data)
    return sha256.hexdigest()


def version_digest(rules: Mapping[str, Any], bodies: Iterable[str], sessions: Iterable[str]) -> str:
    """Return the digest of a frozen version of the lists: a SHA-256 of its rules, lists and session lines.

    rules: plain JSON values
    bodies: the lists, as texts of `to_text`, lowest category first
    sessions: the session lines of each list, as texts of `sessions_text`, in the same order
    """
    return digest([_canonical(rules), *bodies, *sessions])


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> str:
    """Convert a Decimal or Fraction to text for JSON. Raises TypeError for other types."""
    if isinstance(value, (Decimal, Fraction)):
        return str(value)
    raise TypeError(f"no place in a document: {value!r}")


def _with_players(value: dict[str, Any], players: Iterable[str]) -> str:
    """Serialize `value` with an added key "players", a list of texts that are canonical JSON already.

    The text is joined by hand: there are millions of figures, and the encoder would call `_plain` for each
    decimal.
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


def place_values(place: Place) -> list[Any]:
    """Return the figures of a player's row as plain JSON values, in the order of COLUMNS."""
    *figures, average = place.entrant
    return [
        *figures,
        None if average is None else str(average),
        place.rank,
        place.shared,
        place.state,
        place.margin,
    ]


def place_of(row: list[Any]) -> Place:
    """Return the row with these figures, which stand in the order of COLUMNS."""
    *figures, average, rank, shared, state, margin = row
    entrant = Entrant._make((*figures, _decimal(average)))
    return Place(entrant, rank, shared, PlaceState(state), margin)


def _rule_values(rule: Rule) -> dict[str, Any]:
    """Return the rule's figures by name, except those that equal their default.

    A new criterion with a default therefore does not change the text of lists that do not use it.
    """
    return {
        field.name: getattr(rule, field.name)
        for field in fields(rule)
        if getattr(rule, field.name) != field.default
    }


def _rule(value: dict[str, Any]) -> Rule:
    share = value["share"] and Fraction(value["share"])
    return Rule(**{**value, "share": share, "average": _decimal(value["average"])})


def _decimals(units: Whole, places: int) -> np.ndarray:
    """Return each integer, divided by 10 ** `places`, as a JSON text. NONE becomes null.

    Each distinct value is formatted only once.
    """
    distinct, positions = np.unique(units, return_inverse=True)
    numbers = (None if unit == NONE else Decimal(unit).scaleb(-places) for unit in distinct.tolist())
    return _take([_quoted(number) for number in numbers], positions)


def _take(texts: list[str], positions: Whole) -> np.ndarray:
    return np.array(texts, object)[positions]


def _quoted(value: Decimal | None) -> str:
    return "null" if value is None else f'"{value!s}"'  # !s: formatting a Decimal takes three times as long


def _line(row: list[Any]) -> SessionLine:
    tournament, day, boards, raw, value, method, field_c4, shift = row
    return SessionLine(
        tournament,
        date.fromisoformat(day),
        boards,
        _decimal(raw),
        Decimal(value),
        method,
        _decimal(field_c4),
        _decimal(shift),
    )


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
