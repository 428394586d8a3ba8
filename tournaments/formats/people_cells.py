"""Split the cells of a column that hold the names of both people of a pair, or of a team.

A dash between blanks, `/`, `;`, `&` and `+` separate people in any cell. A hyphen, a comma and the words "y",
"e" and "and" may also be a part of a name (García-Lomas; Pérez, Ana; Ortega y Gasset), so they separate
people only if nearly all cells of the column have them.
"""

import re
from collections.abc import Callable, Sequence

from . import values

_CERTAIN = re.compile(r"\s+[-–—]\s+|\s*[/;&+]\s*")
_WORDS = re.compile(r"\s+(?:y|e|i|and|et|und)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_HYPHEN = re.compile(r"\s?[-–—]\s?")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_PARTICLES = frozenset(
    ["y", "e", "i", "de", "del", "la", "las", "los", "san", "van", "von", "da", "do", "dos"]
)
# Words in the heading of a column of numbers that say that each number is that of a pair.
_PAIRS = frozenset(["pareja", "parejas", "pair", "pairs", "par", "dupla", "duplas", "pairnumber"])
_TEAMS = frozenset(["equipo", "equipos", "team", "teams"])
_FEWEST = 3  # number of cells that show a separator, if nothing else says that the column holds pairs


def split_people(text: str) -> list[str]:
    """Return the people in a cell: "Ana - Luis", "Ana / Luis" and "Ana; Luis" are two."""
    return [part for part in _CERTAIN.split(text.strip()) if part]


def splitter(
    texts: Sequence[str], is_of_pairs: bool = False, is_of_teams: bool = False
) -> Callable[[str], list[str]]:
    """Return the function that splits the cells of a column into people.

    texts: the cells of the column that are not blank
    is_of_pairs: whether something else, such as a number for each row, says that the cells hold pairs
    is_of_teams: whether something else, such as a name for each row, says that the cells hold teams
    """
    if 2 * sum(len(split_people(text)) > 1 for text in texts) > len(texts):
        return _splitter_of_couples(texts, is_of_teams) or split_people
    teams = [split_team(text) for text in texts]
    if sum(map(bool, teams)) >= max(2, 4 * len(texts) / 5):
        return lambda text: split_team(text) or [text]
    patterns = (_WORDS, _COMMA, _HYPHEN) if is_of_pairs else (_WORDS,)
    for pattern in patterns:
        if _is_agreed([_halves(text, pattern) for text in texts], pattern, is_of_pairs):
            return lambda text: _halves(text, pattern)
    return split_people


def _splitter_of_couples(texts: Sequence[str], is_of_teams: bool) -> Callable[[str], list[str]] | None:
    """Return the function that splits "Ana Uno-Luis Dos / Eva Tres-Mar Seis" into four people.

    Return None if most cells are not such teams of two pairs. Only in cells that hold teams, the people of a
    pair may have a comma between them: "Uno, Ana / Dos, Luis" is one pair.
    """
    cells = [split_people(text) for text in texts]
    pairs = [pair for cell in cells if len(cell) == 2 for pair in cell]
    if 5 * len(pairs) < 2 * 4 * len(texts):
        return None
    for pattern in (_WORDS, _HYPHEN, *([_COMMA] if is_of_teams else [])):
        if _is_agreed([_halves(pair, pattern) for pair in pairs], pattern, is_of_pairs=False):
            return lambda text: [person for pair in split_people(text) for person in _halves(pair, pattern)]
    return None


def hold_several(names: Sequence[str]) -> bool:
    """Return whether most names, read as one person's, look like the names of two or more people."""
    return any(
        _is_agreed([_halves(name, pattern) for name in names], pattern, is_of_pairs=False)
        for pattern in (_WORDS, _COMMA, _HYPHEN)
    )


def split_team(text: str) -> list[str]:
    """Return the people of a team in a cell: "Ana Uno, Luis Dos, Eva Tres y Mar Seis" are four.

    Return [] if there are fewer than three, or any has no surname: "Uno, Ana, Dos, Luis" may be two.
    """
    people: list[str] = []
    for part in _COMMA.split(text.strip()):
        couple = _WORDS.split(part)
        people += couple if all(_size(person) > 1 for person in couple) else [part]
    return people if len(people) > 2 and all(_size(person) > 1 for person in people) else []


def are_pairs(texts: Sequence[str], is_of_pairs: bool = False) -> bool:
    """Return whether most cells of a column hold the names of several people."""
    split = splitter(texts, is_of_pairs)
    two = sum(len(split(text)) > 1 and bool(_LETTERS.search(text)) for text in texts)
    return 2 * two > len(texts)


def names_pairs(heading: str) -> bool:
    """Return whether a heading speaks of pairs: "Pareja", "N.º pareja", "Pair number"."""
    return not _PAIRS.isdisjoint(values.fold(heading).split())


def names_teams(heading: str) -> bool:
    """Return whether a heading speaks of teams."""
    return not _TEAMS.isdisjoint(values.fold(heading).split())


def _is_agreed(cells: Sequence[Sequence[str]], pattern: re.Pattern[str], is_of_pairs: bool) -> bool:
    """Return whether at least four of five cells have two people.

    Unless the cells are known to hold pairs, both people need given name and surname; with commas always.
    With hyphens both or none need them: "Ana García-Lomas" is one person.
    """
    pairs = [people for people in cells if len(people) == 2]
    if pattern is _COMMA or not is_of_pairs:
        pairs = [people for people in pairs if all(_size(person) > 1 for person in people)]
    elif pattern is _HYPHEN:
        pairs = [people for people in pairs if len({_size(person) > 1 for person in people}) == 1]
    return len(pairs) >= (1 if is_of_pairs else _FEWEST) and 5 * len(pairs) >= 4 * len(cells)


def _halves(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Split a cell at the separator between two people; nowhere if that is in doubt.

    If there are several separators, as in "Ana Ortega y Gasset y Luis Roble", a single word after one of them
    ("Gasset") begins no person, and the names have about the same length.
    """
    text = text.strip()
    marks = list(pattern.finditer(text))
    ends = [*(match.start() for match in marks[1:]), len(text)]
    halves, doubts = [], []
    for match, end in zip(marks, ends, strict=False):
        parts = [text[: match.start()], text[match.end() :]]
        if all(map(_LETTERS.search, parts)):
            first, second = map(_size, parts)
            halves.append(parts)
            doubts.append((_size(text[match.end() : end]) < 2, min(first, second) < 2, abs(first - second)))
    if not halves:
        return [text]
    best = min(doubts)
    return halves[doubts.index(best)] if doubts.count(best) == 1 else [text]


def _size(name: str) -> int:
    """Return the number of words of a name, without particles."""
    return len([word for word in re.split(r"[\s–—-]+", name.casefold()) if word and word not in _PARTICLES])
