"""Who the people of a ranking are: by number only. A name proposes, it never decides."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from players.models import Player
from tournaments.formats.licence import normalise
from ui.text import fold

LOOKALIKE = 0.75
MISSPELT = 0.85
ABBREVIATION = 3  # letters
PARTICLES = frozenset({"de", "del", "la", "las", "los", "el", "y", "i"})
SHARED = frozenset({"maria", "ma", "m", "jose", "j"})


def players_by_number(numbers: Iterable[str | None]) -> dict[str, Player]:
    """Normalised number -> player, for those that exist; of a merged number the player kept. One query."""
    normal = {found for number in numbers if number and (found := normalise(number))}
    players = Player.objects.filter(number__in=normal).select_related("merged_into")
    return {player.number: player.current for player in players}


def words_of(name: str) -> list[str]:
    """The words of a name as they are compared: folded, without punctuation."""
    return "".join(c if c.isalnum() else " " for c in fold(name)).split()


def _alike(one: str, other: str) -> bool:
    """Equal, an initial of the other, or nearly the same letters."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or SequenceMatcher(None, one, other).ratio() >= LOOKALIKE


def alike_words(one: list[str], other: list[str]) -> int:
    """How many words of the shorter name have their like in the other."""
    short, long = sorted((one, other), key=len)
    return sum(any(_alike(word, each) for each in long) for word in short)


def names_differ(written: str, player: Player) -> bool:
    """Whether a written name is probably somebody else's than the player's.

    It is where less than half of the shorter name is in the other, or where the given names have nothing in
    common: families play together. Not all words are needed: people leave out a surname and swap the order.
    """
    words, registered = words_of(written), words_of(player.full_name)
    enough = min(len(words), len(registered))
    # Most names are simply equal, and comparing letters is slow.
    if 2 * len(set(words) & set(registered)) < enough and 2 * alike_words(words, registered) < enough:
        return True
    return _given_names_differ(words, words_of(player.given_name), words_of(player.surname))


def _given_names_differ(words: list[str], given: list[str], surname: list[str]) -> bool:
    """Whether what is written beside the surname names somebody else; nothing beside it names nobody."""
    given = [word for word in given if word not in PARTICLES]
    rest = [word for word in words if word not in PARTICLES]
    for word in surname:
        if word in rest:
            rest.remove(word)
        elif like := next((other for other in rest if _misspelt(word, other) and other not in given), None):
            rest.remove(like)
    if not rest or not given:
        return False
    # Where both have more than María or José, that decides: sisters share the María.
    telling = [[word for word in side if word not in SHARED] for side in (rest, given)]
    rest, given = telling if all(telling) else (rest, given)
    return not any(_same_given_name(word, other) for word in rest for other in given)


def _misspelt(word: str, other: str) -> bool:
    return len(other) > 2 and SequenceMatcher(None, word, other).ratio() >= LOOKALIKE


def _same_given_name(word: str, other: str) -> bool:
    """Equal, an abbreviation, or misspelt; another ending is another person: Luis and Luisa."""
    short, long = sorted((word, other), key=len)
    if short == long or (len(short) <= ABBREVIATION and long.startswith(short)):
        return True
    if short in (long[:-1], long[:-1] + short[-1]):
        return False
    return SequenceMatcher(None, short, long).ratio() >= MISSPELT
