"""Who the people of a ranking are: by number only. A name proposes, it never decides."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import reduce
from operator import or_

from django.db.models import Q

from players.models import Player
from players.text import fold
from tournaments.formats.licence import normalise

# People without a match for whom names are looked up, and proposals shown for each.
LOOKED_UP = 20
PROPOSALS = 3
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


def proposals(names: Iterable[str], taken: Iterable[int] = ()) -> dict[str, list[Player]]:
    """Written name -> registered players with a similar name, best first. One query, for a few names.

    `taken` are players who already sit in the ranking. Hidden players are never proposed: a search by
    name would undo their hiding.
    """
    wanted = {name: words_of(name) for name in list(dict.fromkeys(names))[:LOOKED_UP]}
    long_words = {word for words in wanted.values() for word in words if len(word) > 2}
    if not long_words:
        return {}
    conditions = reduce(or_, (Q(search_text__contains=word) for word in sorted(long_words)))
    pool = (
        Player.objects.unmerged()
        .filter(conditions, hidden=False)
        .exclude(pk__in=list(taken))
        .order_by("pk")[:500]
    )
    known = [(words_of(player.full_name), player) for player in pool]
    return {
        name: [player for score, player in best]
        for name, words in wanted.items()
        if (best := _best(words, known))
    }


def _best(words: list[str], known: list[tuple[list[str], Player]]) -> list[tuple[float, Player]]:
    scored = []
    for registered, player in known:
        alike = alike_words(words, registered)
        if alike >= 2 or (alike and len(words) == 1):
            closeness = SequenceMatcher(None, " ".join(sorted(words)), " ".join(sorted(registered))).ratio()
            scored.append((alike + closeness, player))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].pk))[:PROPOSALS]
