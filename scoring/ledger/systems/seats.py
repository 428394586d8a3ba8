"""Convert rows of a ranking to seats and contestants of the engine, for every points system."""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from django.conf import settings

from scoring.engine.types import Contestant, Seat
from tournaments.drafts import Header, Row

# Prefix of the ids of players with too few boards to earn points. Stored in a run's inputs, so that a change
# of the setting does not affect it.
SHORT = "short-"


def played_too_few(row: Row, header: Header) -> bool:
    """Return whether a contestant played too few boards to earn points. False if the number is not known."""
    return row.boards is not None and 100 * row.boards < settings.MINIMUM_SHARE * header.boards_scheduled


def seats_of(
    row: Row,
    header: Header,
    category: Callable[[int], str | None],
    licensed: Container[int],
) -> tuple[Seat, ...]:
    """Return the engine's seats of a contestant.

    The id of a seat is the player's id, with the prefix "short-" if the contestant played too few boards to
    earn points. The id of a guest's seat is "guest-…".

    category: function that takes a player's id and returns the code of the player's category, or None
    licensed: ids of the players with a licence
    """
    prefix = SHORT if played_too_few(row, header) else ""
    return tuple(
        Seat(
            # Row and position make a guest's id unique.
            id=f"{prefix}{seat.player_id}" if seat.player_id else f"guest-{row.position}-{index}",
            category=category(seat.player_id) if seat.player_id else None,
            licensed=seat.player_id in licensed,
        )
        for index, seat in enumerate(row.seats, start=1)
    )


def person_of(seat_id: str) -> str:
    """Return the id of a seat without the prefix "short-", which marks players with too few boards."""
    return seat_id.removeprefix(SHORT)


def played_enough(seat_ids: Iterable[str]) -> bool:
    """Return whether a contestant played enough boards to earn points.

    seat_ids: ids of the contestant's seats in a run's inputs. The prefix "short-" marks too few boards.
    """
    return not any(seat_id.startswith(SHORT) for seat_id in seat_ids)


def short_players(inputs: Iterable[Mapping[str, Any]]) -> set[int]:
    """Return the ids of the players who played too few boards to earn points.

    inputs: the stored inputs of a run
    """
    seats = (
        seat["id"]
        for stored in inputs
        for contestant in stored["event"]["contestants"]
        for seat in contestant["players"]
    )
    return {int(person_of(seat)) for seat in seats if seat.startswith(SHORT) and person_of(seat).isdecimal()}


def by_field(contestants: Iterable[tuple[Row, Contestant]]) -> dict[str, tuple[Contestant, ...]]:
    """Return {field: its contestants in ranking order}. North-South comes before East-West."""
    fields: dict[str, list[Contestant]] = {}
    for row, contestant in contestants:
        fields.setdefault(row.field, []).append(contestant)
    return {field: tuple(fields[field]) for field in sorted(fields, reverse=True)}
