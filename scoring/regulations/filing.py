"""Who must approve a tournament before it gives points: rulings of this project, as no document says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PAIRS, TEAMS = frozenset({"pairs"}), frozenset({"teams"})


@dataclass(frozen=True, slots=True)
class Filing:
    """The tournaments that a club may file, by the event type codes of a regulation.

    alone: types that need nobody's approval
    regional: types that the administrator of the club's region may approve
    formats: the formats in which a type can be played; a type that is missing here can be played in any
    """

    alone: frozenset[str]
    regional: frozenset[str] = frozenset()
    formats: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def needs_approval(self, event_type: str) -> bool:
        return event_type not in self.alone

    def fits(self, event_type: str, format_name: str) -> bool:
        """Return whether a tournament of this type can be played in this format."""
        return format_name in self.formats.get(event_type, {format_name})
