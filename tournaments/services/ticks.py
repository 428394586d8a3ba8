"""Ticks, with which a user accepts the warnings of an upload. Every kind of upload uses the same rules.

One tick accepts all warnings with the same code, but each warning about a person has its own tick. An upload
stores digests of the warnings that each tick accepted. If a new warning appears under the same tick, the
tick no longer counts.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from tournaments.formats.types import HasIssues, Issue

from .issues import tick_of

# The value of an upload's `ticks`: digests of the accepted warnings by tick.
Stored = Mapping[str, Collection[str]]


class Ticked(HasIssues):
    """Base class of objects whose warnings have to be ticked.

    accepted: keys of the ticks that count, from `valid_ticks`
    """

    accepted: Collection[str]

    @property
    def by_tick(self) -> dict[str, list[Issue]]:
        """{key of a tick: the warnings that it accepts}."""
        return by_tick(self.issues)

    @property
    def unticked(self) -> list[str]:
        """The keys of the ticks that are still missing, in the order of the issues."""
        return [tick for tick in self.by_tick if tick not in self.accepted]


def by_tick(issues: Iterable[Issue]) -> dict[str, list[Issue]]:
    """Return {key of a tick: the warnings that it accepts}."""
    warnings: dict[str, list[Issue]] = {}
    for item in issues:
        if item.severity == "warning":
            warnings.setdefault(tick_of(item), []).append(item)
    return warnings


def stored_ticks(issues: Iterable[Issue], ticks: Collection[str]) -> dict[str, list[str]]:
    """Return {key of a tick: digests of the warnings that it accepts}, to store with an upload.

    Ticks that accept none of the issues are left out.
    """
    return {
        tick: sorted(map(_digest, warnings)) for tick, warnings in by_tick(issues).items() if tick in ticks
    }


def valid_ticks(issues: Iterable[Issue], stored: Stored) -> tuple[str, ...]:
    """Return the keys of the stored ticks that still count.

    A tick counts if every warning that it would accept now was accepted when it was stored.
    """
    return tuple(
        tick
        for tick, warnings in by_tick(issues).items()
        if tick in stored and set(map(_digest, warnings)) <= set(stored[tick])
    )


def _digest(warning: Issue) -> str:
    params = sorted(warning.params.items())
    subject = repr((warning.line, warning.field, warning.value, params))
    return hashlib.sha256(subject.encode()).hexdigest()[:16]
