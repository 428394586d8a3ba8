"""Registered players that a written name may mean. A name proposes, it never decides."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest

from django.db.models import Q

from players.models import Club, Player

from .matching import PARTICLES, alike_words, words_of

SHOWN = 3  # for each name
COMPARED = 12  # candidates whose letters are compared


@dataclass(frozen=True)
class Suggestion:
    """Whom a name may mean, best first.

    clear: the only player whose name agrees with it in every word, if there is just one; of several those of
    the club do not count more. certain: that the name is exactly one member's of the club.
    """

    players: tuple[Player, ...] = ()
    clear: Player | None = None
    certain: bool = False


def suggest(names: Iterable[str], club: Club | int, taken: Iterable[int] = ()) -> dict[str, Suggestion]:
    """Written name -> its suggestion, for names that have one. One query for any number of names.

    club: the uploading club. Its hidden members are suggested too, because its director knows them: show the
    result to nobody else. Hidden players of other clubs never are: a search by name would undo their hiding.
    taken: players who have a seat already
    """
    wanted = {name: words_of(name) for name in names}
    telling = {word for words in wanted.values() for word in words if len(word) > 2} - PARTICLES
    if not telling:
        return {}
    club_id = club.pk if isinstance(club, Club) else club
    known = _candidates(telling, club_id, set(taken))
    by_word: dict[str, list[int]] = defaultdict(list)
    for at, (_player, words) in enumerate(known):
        for word in telling & set(words):
            by_word[word].append(at)
    result = {}
    for name, words in wanted.items():
        equal = Counter(at for word in set(words) for at in by_word.get(word, ()))
        near = [(*known[at], count) for at, count in equal.items()]
        if suggestion := _suggestion(words, near, club_id):
            result[name] = suggestion
    return result


def _candidates(telling: set[str], club_id: int, taken: set[int]) -> list[tuple[Player, list[str]]]:
    """Players who share a word with any of the names.

    All players are read: a condition for every word of a long ranking costs the database more.
    """
    players = Player.objects.unmerged().filter(Q(hidden=False) | Q(club=club_id)).order_by("pk")
    fields = ("pk", "number", "given_name", "surname", "club_id", "hidden", "search_text")
    candidates = []
    # Plain rows: a model object for every player of the federation would take longer than the comparison.
    for values in players.values_list(*fields).iterator():
        if values[0] not in taken and not telling.isdisjoint(words := words_of(values[-1])):
            candidates.append((Player(**dict(zip(fields, values, strict=True))), words))
    return candidates


def _suggestion(
    words: list[str], near: list[tuple[Player, list[str], int]], club_id: int
) -> Suggestion | None:
    scored = []
    for player, registered, equal in near:
        if equal < 2 and len(words) > 1 and not _may_be_alike(words, registered):
            continue
        alike = alike_words(words, registered)
        if alike >= 2 or (alike and len(words) == 1):
            scored.append((alike, player, registered))
    best = sorted(
        nlargest(COMPARED, scored, key=lambda each: (each[0], -each[1].pk)),
        key=lambda each: (-each[0] - _closeness(words, each[2]), each[1].pk),
    )
    if not best:
        return None
    written = set(words) - PARTICLES
    agreeing = [player for _alike, player, registered in scored if _agrees(written, registered, player)]
    equal = [player for player in agreeing if written == set(words_of(player.full_name)) - PARTICLES]
    certain = _single([player for player in equal if player.club_id == club_id], words)
    clear = certain or _single(equal, words) or _single(agreeing, words)
    shown = [player for _alike, player, _registered in best[:SHOWN]]
    if clear and clear not in shown:
        shown = [clear, *shown[: SHOWN - 1]]
    return Suggestion(tuple(shown), clear, certain is not None)


def _single(players: list[Player], words: list[str]) -> Player | None:
    """The only one, or the only one whose name begins so: cousins may have their surnames swapped."""
    if len(players) > 1:
        players = [
            player for player in players if any(order[: len(words)] == words for order in _orders(player))
        ]
    return players[0] if len(players) == 1 else None


def _orders(player: Player) -> list[list[str]]:
    given, surname = words_of(player.given_name), words_of(player.surname)
    return [given + surname, surname + given]


def _may_be_alike(words: list[str], registered: list[str]) -> bool:
    """Whether a second word may have its like, by first letters alone, which is quick."""
    rest, others = set(words) - set(registered), set(registered) - set(words)
    return not {word[0] for word in rest}.isdisjoint(word[0] for word in others)


def _closeness(words: list[str], registered: list[str]) -> float:
    return SequenceMatcher(None, " ".join(sorted(words)), " ".join(sorted(registered))).ratio()


def _agrees(written: set[str], registered: list[str], player: Player) -> bool:
    """Whether every word of the shorter name is in the longer one, first name and surname among them."""
    full = set(registered) - PARTICLES
    if len(written) < 2 or not (written <= full or full <= written):
        return False
    return all(written & set(words_of(name)) for name in (player.given_name, player.surname))
