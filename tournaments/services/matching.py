"""Find the players of a ranking by their numbers, and compare the words of names."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from players.models import Player
from tournaments.formats.licence import normalise

LOOKALIKE = 0.75


def players_by_number(numbers: Iterable[str | None]) -> dict[str, Player]:
    """Return {normalised number: player} for the numbers that exist. One query.

    The number of a merged player leads to the surviving player.
    """
    normalised = {normalise(number) for number in numbers if number} - {None}
    players = Player.objects.filter(number__in=normalised).select_related("merged_into")
    return {player.number: player.current for player in players}


@lru_cache(maxsize=50_000)
def is_similar(first: str, second: str) -> bool:
    """Return whether one word begins with the other or their letters are nearly the same."""
    short, long = sorted((first, second), key=len)
    if long.startswith(short):
        return True
    matcher = SequenceMatcher(None, first, second)
    # The first two are upper bounds of the third, and much faster.
    ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
    return all(ratio() >= LOOKALIKE for ratio in ratios)


def count_similar_words(first: list[str], second: list[str]) -> int:
    """Return how many words of the shorter name have a similar word in the longer one."""
    short, long = sorted((first, second), key=len)
    return sum(any(is_similar(word, candidate) for candidate in long) for word in short)
