"""Match the people of a ranking with players, by number only, and compare names to detect wrong numbers."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from players.models import Player
from tournaments.formats.licence import normalise
from ui.text import fold

LOOKALIKE = 0.75
MISSPELT = 0.85
MAX_ABBREVIATION = 3  # letters
PARTICLES = frozenset({"de", "del", "la", "las", "los", "el", "y", "i"})
# Given names that are usually followed by a second one.
COMPOUND = frozenset({"maria", "ma", "m", "jose", "j"})


def players_by_number(numbers: Iterable[str | None]) -> dict[str, Player]:
    """Return the existing players by normalised number; for merged ones, the surviving player. One query."""
    normalised = {normalise(number) for number in numbers if number} - {None}
    players = Player.objects.filter(number__in=normalised).select_related("merged_into")
    return {player.number: player.current for player in players}


def words_of(name: str) -> list[str]:
    """Return the words of a name for comparison: folded, without punctuation."""
    return "".join(char if char.isalnum() else " " for char in fold(name)).split()


def _is_similar(first: str, second: str) -> bool:
    """Whether one word begins with the other or their letters are nearly the same."""
    short, long = sorted((first, second), key=len)
    return long.startswith(short) or SequenceMatcher(None, first, second).ratio() >= LOOKALIKE


def count_similar_words(first: list[str], second: list[str]) -> int:
    """Return how many words of the shorter name have a similar word in the longer one."""
    short, long = sorted((first, second), key=len)
    return sum(any(_is_similar(word, candidate) for candidate in long) for word in short)


def names_differ(written: str, player: Player) -> bool:
    """Whether a written name probably belongs to somebody other than the player.

    True if less than half of the shorter name is in the longer one, or if the given names have nothing in
    common, because relatives play together. People often omit a surname or swap the order of the words.
    """
    words, registered = words_of(written), words_of(player.full_name)
    length = min(len(words), len(registered))
    # Count equal words first: most names are equal, and comparing letters is slow.
    if 2 * len(set(words) & set(registered)) < length and 2 * count_similar_words(words, registered) < length:
        return True
    return _given_names_differ(words, words_of(player.given_name), words_of(player.surname))


def _given_names_differ(words: list[str], given_names: list[str], surname: list[str]) -> bool:
    """Whether the written words besides the surname are of another given name. False if there are none."""
    names = [word for word in given_names if word not in PARTICLES]
    rest = [word for word in words if word not in PARTICLES]
    for word in surname:
        if word in rest:
            rest.remove(word)
        elif misspelt := next((c for c in rest if _is_misspelling(word, c) and c not in names), None):
            rest.remove(misspelt)
    if not rest or not names:
        return False
    # Compare second names if both have one: sisters may share the María.
    distinctive = [[word for word in side if word not in COMPOUND] for side in (rest, names)]
    rest, names = distinctive if all(distinctive) else (rest, names)
    return not any(_same_given_name(word, name) for word in rest for name in names)


def _is_misspelling(word: str, candidate: str) -> bool:
    return len(candidate) > 2 and SequenceMatcher(None, word, candidate).ratio() >= LOOKALIKE


def _same_given_name(first: str, second: str) -> bool:
    """Whether two given names are the same, allowing for an abbreviation or a misspelling.

    A difference in the last letter alone is not a misspelling: Luis and Luisa are different names.
    """
    short, long = sorted((first, second), key=len)
    if short == long or (len(short) <= MAX_ABBREVIATION and long.startswith(short)):
        return True
    if short in (long[:-1], long[:-1] + short[-1]):
        return False
    return SequenceMatcher(None, short, long).ratio() >= MISSPELT
