"""Suggest registered players for a written name. `recognition` decides which names leave no doubt."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from itertools import chain

from players.given_names import written_out
from players.models import Club, Player
from players.names import is_abbreviated, names_differ
from ui.text import PARTICLES, words_of

from .candidates import Candidates, candidates_for
from .matching import count_similar_words

MAX_SHOWN = 3  # suggestions per name
MAX_COMPARED = 12  # candidates per name whose letters are compared


@dataclass(frozen=True)
class Suggestion:
    """Registered players who may be meant by a written name, best first.

    clear: the one player to choose, or None if the choice is not clear. These groups are tried in this order:
        members of the club with exactly this name; all players with exactly this name; all players whose name
        agrees in every word; the members among these; members whose name agrees if initials and words that
        are cut off count as agreeing; the same with short forms such as Paco written out. The first group
        with exactly one player decides.
    certain: whether the name leaves no doubt that it is `clear`: the only member of the club with exactly
        this name, or the player that the club remembers for it
    remembered: the player that the club remembers for this name
    usual: the player who usually plays with this person's partner, if that is why the player is suggested
    """

    players: tuple[Player, ...] = ()
    clear: Player | None = None
    certain: bool = False
    remembered: Player | None = None
    usual: Player | None = None

    def with_memory(self, player: Player) -> "Suggestion":
        """Return the suggestion with the player that the club remembers for the name.

        If exactly one member of the club has this very name and is somebody else, nobody is chosen.
        """
        contradicts = self.certain and self.clear != player
        others = (item for item in self.players if item != player)
        first = [self.clear, player] if contradicts else [player]
        return Suggestion(
            tuple(dict.fromkeys([*first, *others]))[:MAX_SHOWN],
            None if contradicts else player,
            not contradicts,
            remembered=player,
        )

    def with_partners(self, name: str, partners: Sequence[Player]) -> "Suggestion":
        """Return the suggestion with players who usually play with this person's partner, if it is not clear.

        The only one of them whose name may be the written one is chosen. If there is none, the most usual
        partner is only shown, after the players whose names are similar.

        partners: the partner's usual partners, most usual first
        """
        if self.clear or not partners:
            return self
        fitting = [player for player in partners if may_be(name, player)]
        clear = fitting[0] if len(fitting) == 1 else None
        usual = (fitting or partners)[0]
        similar = self.players if fitting else self.players[: MAX_SHOWN - 1]
        players = tuple(dict.fromkeys([*fitting, *similar, usual]))[:MAX_SHOWN]
        return Suggestion(players, clear, remembered=self.remembered, usual=usual)


def suggest(names: Iterable[str], club: Club | int, taken: Iterable[int] = ()) -> dict[str, Suggestion]:
    """Return {written name: suggestion} for the names that have one.

    The queries read an index of the words of names, not the register. Their number does not depend on the
    number of names, except for very many (see `candidates_for`).

    The result may name hidden members of the club. Show it only to the club's director, who knows them.
    Hidden players of other clubs are never suggested, because a search by name would reveal them.

    club: the uploading club
    taken: ids of players who already have a seat
    """
    club_id = club.pk if isinstance(club, Club) else club
    full_names = {name: written_out(words_of(name)) for name in names}
    written = list(dict.fromkeys([*full_names, *chain.from_iterable(full_names.values())]))
    return choose(full_names, candidates_for(written, club_id, set(taken)), club_id)


def exact_members(names: Collection[str], club_id: int, taken: Collection[int] = ()) -> dict[str, Suggestion]:
    """Return {written name: suggestion} for the names that are those of exactly one member of the club.

    These are the suggestions of `suggest` that are certain, found in two queries without its index: the first
    reads the members' names, the second the players.

    taken: ids of players who already have a seat
    """
    written = {name: frozenset(words_of(name)) - PARTICLES for name in names}
    asked = frozenset(written.values())
    members = Player.objects.unmerged().filter(club=club_id).exclude(pk__in=taken)
    by_words: dict[frozenset[str], list[int]] = {}
    for pk, given_name, surname in members.values_list("pk", "given_name", "surname"):
        words = frozenset(words_of(f"{given_name} {surname}")) - PARTICLES
        if words in asked:
            by_words.setdefault(words, []).append(pk)
    players = Player.objects.in_bulk(chain.from_iterable(by_words.values())) if by_words else {}
    suggestions = {}
    for name, words in written.items():
        same = [players[pk] for pk in by_words.get(words, ()) if pk in players]
        same = [player for player in same if _agrees(words, list(words), player)]
        same = [player for player in same if not names_differ(name, player)]
        if player := _single(same, words_of(name)):
            suggestions[name] = Suggestion((player,), player, certain=True)
    return suggestions


def choose(
    full_names: Mapping[str, Sequence[str]], candidates: Mapping[str, Candidates], club_id: int
) -> dict[str, Suggestion]:
    """Return {written name: suggestion} for the names that have one.

    full_names: {written name: the names that it stands for if it has a short form}
    candidates: the candidates for all these names
    """
    suggestions = {}
    for name, near in candidates.items():
        if suggestion := _suggestion(name, words_of(name), near, club_id):
            suggestions[name] = suggestion
    for name, others in full_names.items():
        written = suggestions.get(name, Suggestion())
        if not written.clear and (known := list(filter(None, map(suggestions.get, others)))):
            suggestions[name] = _with_full_names(written, known)
    return suggestions


def _with_full_names(written: Suggestion, others: list[Suggestion]) -> Suggestion:
    """Return the suggestion for a name with a short form, which is never certain.

    written: the suggestion for the name as written
    others: those for the names that the short form may stand for
    """
    clear = {other.clear for other in others if other.clear}
    players = dict.fromkeys(chain(clear, *(other.players for other in others), written.players))
    return Suggestion(tuple(players)[:MAX_SHOWN], clear.pop() if len(clear) == 1 else None)


def may_be(name: str, player: Player) -> bool:
    """Return whether a written name may be the player's, also with a short form such as Paco."""
    return any(not names_differ(text, player) for text in [name, *written_out(words_of(name))])


def _suggestion(name: str, words: list[str], near: Candidates, club_id: int) -> Suggestion | None:
    """Return the suggestion for a written name, or None.

    words: the words of the written name
    """
    written = set(words) - PARTICLES
    scored = []
    for player, registered in near.players:
        equal_count = len(set(words) & set(registered))
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
    agreeing = [
        player
        for _count, player, registered in scored
        # María José and José María have the same words.
        if _agrees(written, registered, player) and not names_differ(name, player)
    ]
    equal = [player for player in agreeing if _has_words(player, written)]
    certain = _single([player for player in equal if player.club_id == club_id], words)
    members = [player for player in agreeing if player.club_id == club_id]
    # A player who is not a member is clear only if no other candidate can agree as well.
    others = near.complete and (_single(equal, words) or _single(agreeing, words))
    clear = certain or others or _single(members, words)
    if not (clear or members):
        clear = _abbreviated_member(name, near, club_id)
    shown = [*([clear] if clear else []), *(player for _count, player, _registered in best)]
    return Suggestion(tuple(dict.fromkeys(shown))[:MAX_SHOWN], clear, certain is not None)


def _abbreviated_member(name: str, near: Candidates, club_id: int) -> Player | None:
    """Return the only member of the club whose name a written one abbreviates, as "A. Garrido" does.

    Return None if it may be the name of a second member, also with a spelling mistake.
    """
    members = [player for player, _words in near.players if player.club_id == club_id]
    fitting = [player for player in members if is_abbreviated(name, player)]
    if len(fitting) != 1:
        return None
    others = (player for player in members if player != fitting[0])
    return None if any(not names_differ(name, player) for player in others) else fitting[0]


def _has_words(player: Player, words: Collection[str]) -> bool:
    """Return whether a player's name consists of these words, articles and prepositions left out."""
    return words == frozenset(words_of(player.full_name)) - PARTICLES


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
