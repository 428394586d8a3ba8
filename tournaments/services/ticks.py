"""Ticks, with which a user accepts the warnings of an upload: the same rule for every kind of upload.

There is one tick for all warnings of a code, and a separate one for each warning about a person. An upload
stores each tick with the warnings that it accepted. A tick no longer counts once it would cover a new
warning.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from tournaments.formats.types import HasIssues, Issue

from .issues import tick_of

# The value of an upload's `ticks`: digests of the accepted warnings by tick.
Stored = Mapping[str, Collection[str]]


class Ticked(HasIssues):
    """Base class of objects whose warnings have to be ticked.

    accepted: the ticks that count, from `valid_ticks`
    """

    accepted: Collection[str]

    @property
    def by_tick(self) -> dict[str, list[Issue]]:
        """The warnings by the tick that accepts them."""
        return by_tick(self.issues)

    @property
    def unticked(self) -> list[str]:
        """The ticks that are missing, in the order of the issues."""
        return [tick for tick in self.by_tick if tick not in self.accepted]


def by_tick(issues: Iterable[Issue]) -> dict[str, list[Issue]]:
    """Return the warnings, grouped by the tick that accepts them."""
    warnings: dict[str, list[Issue]] = {}
    for item in issues:
        if item.severity == "warning":
            warnings.setdefault(tick_of(item), []).append(item)
    return warnings


def stored_ticks(issues: Iterable[Issue], ticks: Collection[str]) -> dict[str, list[str]]:
    """Return the ticks as JSON for an upload, as {tick: digests of its warnings}, without unneeded ones."""
    return {
        tick: sorted(map(_digest, warnings)) for tick, warnings in by_tick(issues).items() if tick in ticks
    }


def valid_ticks(issues: Iterable[Issue], stored: Stored) -> tuple[str, ...]:
    """Return the stored ticks that still cover only warnings that they accepted."""
    return tuple(
        tick
        for tick, warnings in by_tick(issues).items()
        if tick in stored and set(map(_digest, warnings)) <= set(stored[tick])
    )


def _digest(warning: Issue) -> str:
    params = sorted(warning.params.items())
    subject = repr((warning.line, warning.field, warning.value, params))
    return hashlib.sha256(subject.encode()).hexdigest()[:16]
