"""Convert tournaments to events, the input of the scoring engine, and score them.

The engine does not import models. This module converts between the two.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings

from players.categories import categories_on
from players.models import Licence
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.types import Reason, Result, Seat
from scoring.ledger import systems
from scoring.ledger.systems.aeb import FAMILY, category_code
from scoring.ledger.systems.seats import played_enough
from tournaments.drafts import Header, Row

__all__ = [
    "FAMILY",
    "Evaluation",
    "FieldResult",
    "build_events",
    "category_code",
    "evaluate",
    "evaluate_events",
    "events",
    "regulation_for",
]


@dataclass(frozen=True, slots=True)
class FieldResult:
    """The engine's result for one field of a session.

    field: "NS" or "EW" if the session ranks North-South and East-West separately, otherwise ""
    """

    field: str
    event: Any  # of the regulation's own event class
    result: Result


@dataclass(frozen=True)
class Evaluation:
    """The result of scoring a tournament under a regulation, not stored."""

    regulation: Any
    fields: tuple[FieldResult, ...]

    @property
    def family(self) -> str:
        """The family of the points, for example "aeb"."""
        return systems.of_regulation(self.regulation).family

    @property
    def eligible(self) -> bool:
        return self.fields[0].result.eligible

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return self.fields[0].result.reasons

    @property
    def persons(self) -> int:
        """Number of persons who played, guests included."""
        return len(self.seats)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the session; those of both fields if there are two."""
        first = self.fields[0].event
        if first.session_seats is not None:
            return first.seats
        return tuple(seat for scored in self.fields for seat in scored.event.seats)

    @cached_property
    def points_by_position(self) -> dict[int, int]:
        """The contestants that earn points, as {`Row.position`: points in hundredths}.

        Empty if the tournament does not count.
        """
        return {
            int(award.contestant): award.points
            for scored in self.fields
            for award in scored.result.awards
            if award.points and played_enough(award.seats)
        }

    @cached_property
    def points_by_player(self) -> dict[int, int]:
        """The players who receive points, as {player id: points in hundredths}.

        Excludes guests and players with too few boards. Excludes players without a licence unless the setting
        `UNLICENSED_EARN` is on.
        """
        licensed = {seat.id for seat in self.seats if seat.licensed}
        return {
            int(seat): award.points
            for scored in self.fields
            for award in scored.result.awards
            for seat in award.seats
            if award.points and seat.isdecimal() and (settings.UNLICENSED_EARN or seat in licensed)
        }

    @property
    def too_few_boards(self) -> int:
        """Number of contestants that played too few boards to earn points."""
        return sum(
            not played_enough(seat.id for seat in contestant.seats)
            for scored in self.fields
            for contestant in scored.event.contestants
        )

    @cached_property
    def _field_by_contestant(self) -> dict[str, FieldResult]:
        return {contestant.id: scored for scored in self.fields for contestant in scored.event.contestants}

    def field_of(self, position: int) -> FieldResult:
        """Return the result of the field in which the ranking's row with this `position` played."""
        return self._field_by_contestant[str(position)]


def regulation_for(header: Header) -> Any:
    """Return the regulation that scores a tournament.

    This is the regulation that the office chose for the tournament or, by default, the one in force on its
    last day.

    An EngineError is raised with the code `no_regulation` if none was in force. Its code is
    `unknown_regulation` if the chosen one does not exist or belongs to another family of points.
    """
    system = systems.of(header.family)
    if not header.regulation_override:
        return system.regulation_for(header)
    regulation = regulations.get(header.regulation_override)
    if regulation.family != system.engine_family:
        message = f"{regulation.code} gives no points of the family {header.family}"
        raise EngineError("unknown_regulation", "regulation", message)
    return regulation


def events(header: Header, rows: Sequence[Row]) -> list[tuple[str, Any]]:
    """Return (field, event) pairs: the engine's input for each field of a ranking.

    Two queries read the players' categories and licences.
    """
    ids = {seat.player_id for row in rows for seat in row.seats if seat.player_id}
    codes = {player: category.code for player, category in categories_on(header.end_date, ids).items()}
    return build_events(header, rows, codes, Licence.objects.holders(header.end_date, ids))


def build_events(
    header: Header, rows: Sequence[Row], codes: Mapping[int, str], licensed: Container[int]
) -> list[tuple[str, Any]]:
    """Return (field, event) pairs: the engine's input for each field of a ranking.

    For callers that have already read the players' categories and licences on the tournament's last day.

    codes: {player id: category code}
    licensed: ids of the players with a licence
    """
    return systems.of(header.family).build(regulation_for(header), header, rows, codes, licensed)


def evaluate(header: Header, rows: Sequence[Row]) -> Evaluation:
    """Score a ranking without storing anything.

    Raise EngineError if the regulation refuses a value, for example an event type that it does not have.
    """
    return evaluate_events(regulation_for(header), events(header, rows))


def evaluate_events(regulation: Any, pairs: Iterable[tuple[str, Any]]) -> Evaluation:
    """Score a ranking under a regulation.

    pairs: (field, the engine's event of this field) for each field of the ranking
    """
    scored = (FieldResult(field, event, regulation.score(event)) for field, event in pairs)
    return Evaluation(regulation, tuple(scored))
