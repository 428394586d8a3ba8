"""Find which of several columns of percentages is that of the ranking: the one that its places follow."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from . import values

# The line of play and section, the place, and the result of a row.
Figure = tuple[tuple[str, ...], int, float]

# Words of headings of the result of a whole tournament, beside those of its sessions or without handicaps.
_FINAL = frozenset(
    [
        "total", "final", "neto", "neta", "net", "media", "mean", "average", "promedio", "resultado",
        "result", "general", "acumulado", "definitivo",
    ]
)  # fmt: skip
# Words of headings of points that are awarded for a result, such as "Puntos AEB".
_AWARDS = frozenset(["aeb", "maestro", "maestros", "master", "masterpoint", "masterpoints", "masters"])


def are_percentages(texts: Sequence[str]) -> bool:
    """Return whether the texts of a column look like the percentages of a ranking, whose mean is about 50."""
    numbers = [values.decimal_text(text) for text in texts]
    if len(texts) < 3 or not all(numbers):
        return False
    figures = [float(number) for number in numbers if number]
    scaled = [figure * 100 for figure in figures] if max(figures) <= 1 else figures
    mean = sum(scaled) / len(scaled)
    return 44 <= mean <= 56 and min(scaled) >= 10 and max(scaled) <= 90 and len(set(scaled)) > 2


def are_parts_of_one(texts: Sequence[str]) -> bool:
    """Return whether figures look like percentages written as parts of one, whose median is about 0.5.

    Some may be 0 or 1: the results of contestants who played few boards.
    """
    figures = sorted(float(number) for number in map(values.decimal_text, texts) if number)
    is_varied = len(set(figures)) > 2 and 0 <= figures[0] < figures[-1] <= 1
    return is_varied and 0.4 <= figures[len(figures) // 2] <= 0.6


def names_award(heading: str) -> bool:
    """Return whether a heading names the points that a federation or club awards, which are no result."""
    return not _AWARDS.isdisjoint(words_of_heading(heading))


def names_final(heading: str) -> bool:
    """Return whether a heading names the result of the whole tournament, after handicaps."""
    return not _FINAL.isdisjoint(words_of_heading(heading))


def words_of_heading(heading: str) -> set[str]:
    """Return the words of a heading, folded; `%Total` has two."""
    return set(values.fold(heading).replace("%", " % ").split())


def may_be_percentages(texts: Sequence[str]) -> bool:
    """Return whether most texts are figures around 50, even if these are not the results of a whole field."""
    numbers = [float(number) for text in texts if (number := values.decimal_text(text))]
    scale = 100 if max(numbers, default=0) <= 1 else 1
    return 2 * sum(20 <= scale * number <= 80 for number in numbers) > len(texts)


def follow_places(figures: Sequence[Figure]) -> bool:
    """Return whether the results fall from place to place, in each line of play and section."""
    groups: dict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    for group, place, result in figures:
        groups[group].append((place, result))
    return all(
        first >= second
        for results in groups.values()
        for (before, first), (after, second) in pairwise(sorted(results, key=lambda result: result[0]))
        if before < after
    )
