"""Find the players of a ranking by their numbers, and compare the words of names."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from players.models import Player
from tournaments.formats.licence import normalise
from ui.text import fold

LOOKALIKE = 0.75
PARTICLES = frozenset({"de", "del", "la", "las", "los", "el", "y", "i"})


def players_by_number(numbers: Iterable[str | None]) -> dict[str, Player]:
    """Return {normalised number: player} for the numbers that exist. One query.

    The number of a merged player leads to the surviving player.
    """
    normalised = {normalise(number) for number in numbers if number} - {None}
    players = Player.objects.filter(number__in=normalised).select_related("merged_into")
    return {player.number: player.current for player in players}


def words_of(name: str) -> list[str]:
    """Return the words of a name for comparison, without case, accents and punctuation."""
    return "".join(char if char.isalnum() else " " for char in fold(name)).split()


def _is_similar(first: str, second: str) -> bool:
    """Return whether one word begins with the other or their letters are nearly the same."""
    short, long = sorted((first, second), key=len)
    return long.startswith(short) or SequenceMatcher(None, first, second).ratio() >= LOOKALIKE


def count_similar_words(first: list[str], second: list[str]) -> int:
    """Return how many words of the shorter name have a similar word in the longer one."""
    short, long = sorted((first, second), key=len)
    return sum(any(_is_similar(word, candidate) for candidate in long) for word in short)
