"""Who must approve a tournament before it gives points, by rulings of this project: no document says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PAIRS, TEAMS = frozenset({"pairs"}), frozenset({"teams"})


@dataclass(frozen=True, slots=True)
class Filing:
    """The approval that the tournaments filed by a club need, by event type code of a regulation.

    alone: event types that need no approval
    regional: event types that the administrator of the club's region may approve
    formats: the formats in which an event type can be played; other event types can be played in any format
    """

    alone: frozenset[str]
    regional: frozenset[str] = frozenset()
    formats: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def needs_approval(self, event_type: str) -> bool:
        return event_type not in self.alone

    def fits(self, event_type: str, format_name: str) -> bool:
        """Return whether a tournament of this event type can be played in this format."""
        return format_name in self.formats.get(event_type, {format_name})
