"""The approval that a tournament needs before it gives points.

No document says who approves; the rules are rulings of this project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PAIRS, TEAMS = frozenset({"pairs"}), frozenset({"teams"})


@dataclass(frozen=True, slots=True)
class Filing:
    """The approvals needed for the tournaments that a club submits, by the regulation's event type codes.

    alone: event types that need no approval; all others need one
    regional: event types whose approval the administrator of the club's region may give
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
