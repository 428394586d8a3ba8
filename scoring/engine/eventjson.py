"""Convert an Event to JSON and back, as `manage.py score` reads it and as a scoring run stores it."""

from __future__ import annotations

from typing import Any

from .points import plain
from .strictjson import Fields, as_date, as_decimal, as_flag, as_id, as_integer, as_text
from .types import Contestant, Event, Seat

EVENT_FIELDS = (
    "event_type",
    "format",
    "boards",
    "boards_scheduled",
    "venue",
    "c4",
    "contestant_count",
    "ties",
    "place_rule",
    "date",
    "contestants",
    "session_players",
)


def read_event(fields: Fields) -> Event:
    """Return the event that a JSON object describes. The caller has checked the object's field names.

    Contestants must have the field ``players``, unless the event gives ``c4`` itself or lists the seats in
    ``session_players``. Raise EngineError, which names the faulty field, if a value is invalid.
    """
    c4 = fields.read("c4", as_decimal, default=None)
    session = fields.objects("session_players", default=None)
    need_players = c4 is None and session is None
    return Event(
        event_type=fields.read("event_type", as_text),
        format=fields.read("format", as_text),
        boards=fields.read("boards", as_integer),
        boards_scheduled=fields.read("boards_scheduled", as_integer, default=None),
        venue=fields.read("venue", as_text),
        c4=c4,
        contestant_count=fields.read("contestant_count", as_integer, default=None),
        ties=fields.read("ties", as_text, default="mean"),
        place_rule=fields.read("place_rule", as_text, default="text"),
        date=fields.read("date", as_date, default=None),
        contestants=tuple(read_contestant(entry, need_players) for entry in fields.objects("contestants")),
        session_seats=None if session is None else tuple(_seat(entry) for entry in session),
    )


def read_contestant(fields: Fields, need_players: bool, position: bool = True) -> Contestant:
    """Return the contestant that a JSON object describes.

    need_players: whether the object must have the field ``players``
    position: whether the object may have the field ``i``, a position, instead of the field ``place``
    """
    fields.only(("id", "place", "i", "players") if position else ("id", "place", "players"))
    players = fields.objects("players") if need_players else fields.objects("players", default=[])
    return Contestant(
        id=fields.read("id", as_id),
        place=fields.read("place", as_integer, default=None),
        i=fields.read("i", as_decimal, default=None),
        seats=tuple(_seat(entry) for entry in players),
    )


def _category(value: Any, path: str) -> str | None:
    return None if value is None else as_text(value, path)


def _seat(fields: Fields) -> Seat:
    fields.only(("id", "category", "licensed"))
    return Seat(
        id=fields.read("id", as_id),
        category=fields.read("category", _category, default=None),
        # If the input does not say who is licensed, the rule about licences must not exclude the event.
        licensed=fields.read("licensed", as_flag, default=True),
    )


def event_from_json(value: Any) -> Event:
    """Return the event that ``event_to_json`` converted to JSON.

    Raise EngineError, which names the faulty field, if the value is invalid.
    """
    fields = Fields.of(value)
    fields.only(EVENT_FIELDS)
    return read_event(fields)


def event_to_json(event: Event) -> dict[str, Any]:
    """Return the event as an object of JSON values, without the fields that have their default value."""
    optional = {
        "boards_scheduled": event.boards_scheduled,
        "contestant_count": event.contestant_count,
        "c4": None if event.c4 is None else plain(event.c4, digits=60),
        "place_rule": None if event.place_rule == "text" else event.place_rule,
        "date": None if event.date is None else event.date.isoformat(),
        "session_players": None
        if event.session_seats is None
        else [_seat_json(s) for s in event.session_seats],
    }
    return {
        "event_type": event.event_type,
        "format": event.format,
        "boards": event.boards,
        "venue": event.venue,
        "ties": event.ties,
        "contestants": [contestant_json(contestant) for contestant in event.contestants],
        **{name: value for name, value in optional.items() if value is not None},
    }


def contestant_json(contestant: Contestant) -> dict[str, Any]:
    """Return a contestant as the JSON object that ``read_contestant`` reads."""
    position: dict[str, int | str | None]
    if contestant.i is None:
        position = {"place": contestant.place}
    else:
        position = {"i": plain(contestant.i, digits=60)}
    return {"id": contestant.id, **position, "players": [_seat_json(seat) for seat in contestant.seats]}


def _seat_json(seat: Seat) -> dict[str, Any]:
    return {"id": seat.id, "category": seat.category, "licensed": seat.licensed}
