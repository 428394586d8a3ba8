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
    """Whether less than half of the shorter name is found in the other: somebody else's number, probably.

    Half, not all: people write nicknames, leave out a surname and swap the order.
    """
    one, other = words_of(written), words_of(player.full_name)
    enough = min(len(one), len(other))
    # Most names are simply equal, and comparing letters is slow.
    if 2 * len(set(one) & set(other)) >= enough:
        return False
    return 2 * alike_words(one, other) < enough


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
