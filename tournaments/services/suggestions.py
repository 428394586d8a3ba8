"""Suggest registered players for a written name. A name alone never decides who somebody is."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest

from django.db.models import Q

from players.models import Club, Player

from .matching import PARTICLES, count_similar_words, words_of
from .names import names_differ

MAX_SHOWN = 3  # suggestions per name
MAX_COMPARED = 12  # candidates per name whose letters are compared


@dataclass(frozen=True)
class Suggestion:
    """Registered players who may be meant by a written name, best first.

    clear: the one player to choose, or None if the choice is not clear. Three groups are tried in this order:
        members of the club with exactly this name; all players with exactly this name; all players whose name
        agrees in every word. The first group with exactly one player decides.
    certain: whether `clear` is the only member of the club with exactly this name
    """

    players: tuple[Player, ...] = ()
    clear: Player | None = None
    certain: bool = False


def suggest(names: Iterable[str], club: Club | int, taken: Iterable[int] = ()) -> dict[str, Suggestion]:
    """Return {written name: suggestion} for the names that have one. One query for any number of names.

    The result may name hidden members of the club. Show it only to the club's director, who knows them.
    Hidden players of other clubs are never suggested, because a search by name would reveal them.

    club: the uploading club
    taken: ids of players who already have a seat
    """
    words_by_name = {name: words_of(name) for name in names}
    all_words = {word for words in words_by_name.values() for word in words if len(word) > 2} - PARTICLES
    if not all_words:
        return {}
    club_id = club.pk if isinstance(club, Club) else club
    candidates = _candidates(all_words, club_id, set(taken))
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, (_player, words) in enumerate(candidates):
        for word in all_words & set(words):
            by_word[word].append(index)
    suggestions = {}
    for name, words in words_by_name.items():
        equal_words = Counter(index for word in set(words) for index in by_word.get(word, ()))
        near = [(*candidates[index], count) for index, count in equal_words.items()]
        if suggestion := _suggestion(name, words, near, club_id):
            suggestions[name] = suggestion
    return suggestions


def _candidates(all_words: set[str], club_id: int, taken: set[int]) -> list[tuple[Player, list[str]]]:
    """Return the players who share a word with any of the names, each with the words of the player's name.

    Reads all players, which is faster than a query with a condition for every word of a long ranking.

    taken: ids of players to leave out
    """
    players = Player.objects.unmerged().filter(Q(hidden=False) | Q(club=club_id)).order_by("pk")
    fields = ("pk", "number", "given_name", "surname", "club_id", "hidden", "search_text")
    candidates = []
    # Read plain rows: creating a model object for every player would take longer than the comparison.
    for values in players.values_list(*fields).iterator():
        if values[0] not in taken and not all_words.isdisjoint(words := words_of(values[-1])):
            candidates.append((Player(**dict(zip(fields, values, strict=True))), words))
    return candidates


def _suggestion(
    name: str, words: list[str], near: list[tuple[Player, list[str], int]], club_id: int
) -> Suggestion | None:
    """Return the suggestion for a written name, or None.

    words: the words of the written name
    near: candidates as (player, words of the player's name, number of words equal to one in `words`)
    """
    scored = []
    for player, registered, equal_count in near:
        if equal_count < 2 and len(words) > 1 and not _may_have_similar_word(words, registered):
            continue
        similar_count = count_similar_words(words, registered)
        if similar_count >= 2 or (similar_count and len(words) == 1):
            scored.append((similar_count, player, registered))
    best = sorted(
        nlargest(MAX_COMPARED, scored, key=lambda row: (row[0], -row[1].pk)),
        key=lambda row: (-row[0] - _closeness(words, row[2]), row[1].pk),
    )
    if not best:
        return None
    written = set(words) - PARTICLES
    agreeing = [
        player
        for _count, player, registered in scored
        # María José and José María have the same words.
        if _agrees(written, registered, player) and not names_differ(name, player)
    ]
    equal = [player for player in agreeing if written == set(words_of(player.full_name)) - PARTICLES]
    certain = _single([player for player in equal if player.club_id == club_id], words)
    clear = certain or _single(equal, words) or _single(agreeing, words)
    shown = [player for _count, player, _registered in best[:MAX_SHOWN]]
    if clear and clear not in shown:
        shown = [clear, *shown[: MAX_SHOWN - 1]]
    return Suggestion(tuple(shown), clear, certain is not None)


def _single(players: list[Player], words: list[str]) -> Player | None:
    """Return the only player of the list, or the only one whose name has its words in this order.

    The order matters because cousins may have the same two surnames in opposite order. Return None if the
    list is empty, or if not exactly one of several players has this order.

    words: the words of the written name
    """
    if len(players) > 1:
        players = [
            player for player in players if any(order[: len(words)] == words for order in _orders(player))
        ]
    return players[0] if len(players) == 1 else None


def _orders(player: Player) -> list[list[str]]:
    given_names, surnames = words_of(player.given_name), words_of(player.surname)
    return [given_names + surnames, surnames + given_names]


def _may_have_similar_word(words: list[str], registered: list[str]) -> bool:
    """Return whether two names may have similar words: some of their words begin with the same letter.

    Words that are in both names are ignored. This quick test makes it unnecessary to compare most names
    letter by letter.

    words: words of the written name
    registered: words of the player's name
    """
    only_written, only_registered = set(words) - set(registered), set(registered) - set(words)
    return not {word[0] for word in only_written}.isdisjoint(word[0] for word in only_registered)


def _closeness(words: list[str], registered: list[str]) -> float:
    return SequenceMatcher(None, " ".join(sorted(words)), " ".join(sorted(registered))).ratio()


def _agrees(written: set[str], registered: list[str], player: Player) -> bool:
    """Return whether one of two names contains every word of the other.

    The written name must also have a word of the player's given name and a word of the surname.

    written: words of the written name
    registered: words of the player's name
    """
    full = set(registered) - PARTICLES
    if len(written) < 2 or not (written <= full or full <= written):
        return False
    return all(written & set(words_of(name)) for name in (player.given_name, player.surname))
