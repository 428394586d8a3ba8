"""Recognise the ranking of the whole event beside those of its sessions, if none has results of boards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from tournaments.formats.contestants import match_contestants
from tournaments.formats.types import Entry
from tournaments.formats.values import fold

from .figures import allowed_difference, shown
from .parts import Part

# Words in the name or title of the ranking of a whole event; `fold` has removed case and accents.
NAMES = ("general", "overall", "total", "global", "conjunta", "conjunto", "acumulad")
MAX_SUBSETS_OF = 8  # with more files, a ranking is only compared with all others together


@dataclass(frozen=True, slots=True)
class Combined:
    """A ranking whose results are those of several sessions together.

    differing: contestants with another result: index, result in the ranking, result by the sessions
    """

    part: Part
    sessions: frozenset[Part]
    differing: tuple[tuple[int, str, str], ...]


def combined_rankings(rankings: Sequence[Part]) -> list[Combined]:
    """Return the rankings whose results are, for most contestants, the mean or the sum of several others."""
    result = []
    for part in rankings:
        entries = _entries_of(part, [other for other in rankings if other is not part])
        best = None
        for sessions in _subsets(list(entries)):
            candidate = _combined(part, {other: entries[other] for other in sessions})
            if candidate and (best is None or len(candidate.differing) < len(best.differing)):
                best = candidate
        if best:
            result.append(best)
    return result


def named_overall(rankings: Sequence[Part]) -> Part | None:
    """Return the only ranking with the name or the number of boards of the whole event, if there is one."""
    boards = {part: part.parsed.event.boards or 0 for part in rankings}
    named = [part for part in rankings if any(word in _words(part) for word in NAMES)]
    if len(named) == 1 and boards[named[0]] in (0, max(boards.values())):
        return named[0]
    summed = [part for part in rankings if 0 < 2 * boards[part] == sum(boards.values())]
    return summed[0] if len(summed) == 1 and len(rankings) > 2 and all(boards.values()) else None


def _words(part: Part) -> str:
    return fold(f"{part.name} {part.parsed.event.title or ''}")


def _entries_of(part: Part, others: Sequence[Part]) -> dict[Part, list[Entry]]:
    """Return the entries of other rankings of the same contestants, in the order of this ranking.

    A ranking with the results of another one is left out, because it is a copy.
    """
    result: dict[Part, list[Entry]] = {}
    for other in others:
        match = match_contestants(part.entries, other.entries)
        if match.is_whole:
            here = {there: index for index, there in match.indexes.items()}
            entries = [other.entries[here[index]] for index in range(len(part.entries))]
            known = [list(part.entries), *result.values()]
            if not any(_figures(entries) == _figures(own) for own in known):
                result[other] = entries
    return result


def _figures(entries: Sequence[Entry]) -> list[tuple[str | None, str | None]]:
    return [(entry.percentage, entry.score) for entry in entries]


def _subsets(parts: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """Yield the sets of at least two rankings, largest first."""
    smallest = 2 if len(parts) <= MAX_SUBSETS_OF else len(parts)
    for size in range(len(parts), max(smallest, 2) - 1, -1):
        yield from combinations(parts, size)


def _combined(part: Part, sessions: Mapping[Part, Sequence[Entry]]) -> Combined | None:
    """Return how a ranking follows from these sessions; None if it does not for most contestants."""
    boards = [other.parsed.event.boards for other in sessions]
    weights = [Decimal(count or 0) for count in boards] if all(boards) else [Decimal(1)] * len(boards)
    rows = list(zip(*sessions.values(), strict=True))
    shares = [[entry.percentage for entry in row] for row in rows]
    scores = [[entry.score for entry in row] for row in rows]
    own_shares = [entry.percentage for entry in part.entries]
    own_scores = [entry.score for entry in part.entries]
    even, once = [Decimal(1) / len(boards)] * len(boards), [Decimal(1)] * len(boards)
    by_boards = [weight / sum(weights) for weight in weights]
    ways = (
        (own_shares, shares, by_boards),
        (own_shares, shares, even),
        (own_scores, shares, once),
        (own_scores, scores, once),
    )
    for own, figures, factors in ways:
        differing = _differing(own, figures, factors)
        if differing is not None and 2 * len(differing) < len(own):
            is_share = own is own_shares
            texts = ((index, shown(one, is_share), shown(two, is_share)) for index, one, two in differing)
            return Combined(part, frozenset(sessions), tuple(texts))
    return None


def _differing(
    own: Sequence[str | None], figures: Sequence[Sequence[str | None]], factors: Sequence[Decimal]
) -> list[tuple[int, str, str]] | None:
    """Return the contestants whose result is not the weighted sum; None if a result is missing."""
    texts = [text for text in own if text]
    if len(texts) < len(own) or not all(text for row in figures for text in row):
        return None
    allowed = allowed_difference(texts, *([row[k] or "" for row in figures] for k in range(len(factors))))
    result = []
    for index, (text, row) in enumerate(zip(texts, figures, strict=True)):
        total = sum(
            (Decimal(item or 0) * factor for item, factor in zip(row, factors, strict=True)), Decimal(0)
        )
        if abs(Decimal(text) - total) > allowed:
            result.append((index, text, f"{total:.2f}"))
    return result
