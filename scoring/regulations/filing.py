"""Who answers for a tournament before it gives points. No source says so: rulings of this project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PAIRS, TEAMS = frozenset({"pairs"}), frozenset({"teams"})


@dataclass(frozen=True, slots=True)
class Filing:
    """What a club may file, by the codes of a regulation's event types.

    alone: types whose points count without a second person
    regional: types that the administrator of the club's region may approve
    formats: type -> the formats that it is played in, where its name says so
    """

    alone: frozenset[str]
    regional: frozenset[str] = frozenset()
    formats: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def needs_approval(self, event_type: str) -> bool:
        return event_type not in self.alone

    def fits(self, event_type: str, format_name: str) -> bool:
        """Whether a tournament of this type can be played in this format."""
        return format_name in self.formats.get(event_type, {format_name})
