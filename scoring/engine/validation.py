"""Checks of an event that are the same for all schemes."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from .errors import EngineError
from .types import FORMATS, PLACE_RULES, TIES, Event, ListedEvent, Seat

Number = int | Decimal

# These limits are far above any real event. They catch mistakes such as a licence number in the wrong column.
MOST_BOARDS = 10_000
MOST_CONTESTANTS = 1_000_000
# At least 0.01, so that in AEB 2022 the last place's points do not exceed the winner's. At most 1000, so that
# 60 digits suffice for all values.
LOWEST_C4 = Decimal("0.01")
HIGHEST_C4 = Decimal(1000)


def check_event(event: Event) -> None:
    """Check an event by the rules that all regulations of the AEB share.

    Raise EngineError for the first fault.
    """
    if event.format not in FORMATS:
        raise EngineError("unknown_format", "format", f"{event.format!r} is not one of {', '.join(FORMATS)}")
    if event.ties not in TIES:
        raise EngineError("unknown_ties", "ties", f"{event.ties!r} is not one of {', '.join(TIES)}")
    if event.place_rule not in PLACE_RULES:
        known = ", ".join(PLACE_RULES)
        raise EngineError("unknown_place_rule", "place_rule", f"{event.place_rule!r} is not one of {known}")
    in_range("boards", event.boards, 1, MOST_BOARDS)
    if event.boards_scheduled is not None:
        in_range("boards_scheduled", event.boards_scheduled, 1, MOST_BOARDS)
    if event.c4 is not None:
        in_range("c4", event.c4, LOWEST_C4, HIGHEST_C4)
    check_contestants(event)


def check_contestants(event: ListedEvent) -> None:
    """Raise EngineError for the first fault of the contestants, such as a duplicate id or a missing place."""
    if not event.contestants:
        raise EngineError("no_contestants", "contestants", "at least one contestant must be listed")
    if event.contestant_count is not None:
        in_range("contestant_count", event.contestant_count, 1, MOST_CONTESTANTS)
        if event.contestant_count < len(event.contestants):
            message = f"{event.contestant_count} declared but {len(event.contestants)} listed"
            raise EngineError("contestant_count", "contestant_count", message)
    _unique((f"contestants[{k}].id", c.id) for k, c in enumerate(event.contestants))
    _unique((f"{path}.id", seat.id) for path, seat in listed_seats(event))
    if event.session_seats is not None:
        _unique((f"session_players[{k}].id", seat.id) for k, seat in enumerate(event.session_seats))
    for k, contestant in enumerate(event.contestants):
        _check_position(f"contestants[{k}]", contestant.place, contestant.i)


def _check_position(path: str, place: int | None, i: Decimal | None) -> None:
    if place is None and i is None:
        raise EngineError("missing_field", f"{path}.place", "a contestant needs a place or a position i")
    if place is not None and i is not None:
        raise EngineError("conflicting_fields", f"{path}.i", "place and i exclude each other")
    if i is not None:
        in_range(f"{path}.i", i, 1, 2 * MOST_CONTESTANTS)


def listed_seats(event: ListedEvent) -> Iterable[tuple[str, Seat]]:
    """Yield (path, seat) for every seat of the listed contestants.

    The path, such as ``contestants[3].players[0]``, names the seat in error messages.
    """
    for k, contestant in enumerate(event.contestants):
        for s, seat in enumerate(contestant.seats):
            yield f"contestants[{k}].players[{s}]", seat


def seats_with_paths(event: ListedEvent) -> Iterable[tuple[str, Seat]]:
    """Yield (path, seat) for every seat from which the strength of the field (C4) is computed.

    The path says where the seat is in the event, for error messages: ``contestants[3].players[0]``.
    """
    yield from listed_seats(event)
    for k, seat in enumerate(event.session_seats or ()):
        yield f"session_players[{k}]", seat


def in_range(field: str, value: Number, lowest: Number, highest: Number) -> None:
    """Raise EngineError ``out_of_range`` for the field unless lowest <= value <= highest."""
    if not lowest <= value <= highest:
        raise EngineError("out_of_range", field, f"{value} is not between {lowest} and {highest}")


def _unique(ids: Iterable[tuple[str, str]]) -> None:
    seen = set()
    for field, value in ids:
        if value in seen:
            raise EngineError("duplicate_id", field, f"the id {value!r} is used twice")
        seen.add(value)
