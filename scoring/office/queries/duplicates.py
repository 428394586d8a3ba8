"""Find pairs of numbers that are probably one person, and read those that were found."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from players.models import Licence, Player, Proposal
from players.models.names import key_words
from players.names import names_differ
from scoring.office.models import DuplicatePair, Evidence
from scoring.office.queries.merges import KIND as MERGE
from tournaments.models import Seat
from ui.chunks import rows_in

MOST_IN_A_BLOCK = 400  # a larger block has a common word, and other blocks hold its pairs
SURE = 4  # the sum of weights from which a pair is listed
LONG = 3  # words of a name that few people share
WEIGHTS = {Evidence.EMAIL: 3, Evidence.BIRTH_YEAR: 2, Evidence.CLUB: 2, Evidence.SEASONS: 1}


@dataclass(frozen=True, slots=True)
class Found:
    """Two numbers that are probably one person.

    first, second: ids of the players, in ascending order
    evidence: why, as values of `Evidence`, the name first
    weight: how strong the evidence is
    tournaments: the number of tournaments of each
    """

    first: int
    second: int
    evidence: list[str]
    weight: int
    tournaments: tuple[int, int]


def find_pairs() -> list[Found]:
    """Return the pairs of numbers that are probably one person.

    The names have to be the same or spelt alike (`players.names`), and something else has to agree. Two
    numbers that took part in one tournament are two people. So are two with different years of birth, unless
    their e-mail address is the same.

    Pairs are looked for only among players who share an e-mail address, a whole name, a club and a word of
    the name, or a year of birth and two words. So the work grows with the number of players, not with its
    square.
    """
    people, named = _people(), []
    for first, second in sorted(_candidates(people)):
        evidence = _evidence(people[first], people[second])
        if evidence and _weight(people[first], evidence) + WEIGHTS[Evidence.SEASONS] >= SURE:
            named.append((first, second, evidence))
    ids = {pk for first, second, _evidence in named for pk in (first, second)}
    seasons, tournaments = _seasons(ids), _tournaments(ids)
    pairs = []
    for first, second, evidence in named:
        if tournaments[first] & tournaments[second]:
            continue
        if seasons[first] and seasons[second] and not seasons[first] & seasons[second]:
            evidence = [*evidence, Evidence.SEASONS]
        weight = _weight(people[first], evidence)
        if weight >= SURE:
            counts = len(tournaments[first]), len(tournaments[second])
            pairs.append(Found(first, second, [str(item) for item in evidence], weight, counts))
    return pairs


@dataclass(frozen=True, slots=True)
class _Person:
    player: Player
    words: frozenset[str]
    email: str


def _people() -> dict[int, _Person]:
    """Return {id: person} of all numbers that are not merged. One query."""
    columns = ("given_name", "surname", "search_text", "club_id", "birth_year", "email")
    players = Player.objects.unmerged().order_by().only(*columns)
    return {
        player.pk: _Person(player, frozenset(key_words(player.search_text)), player.email.casefold())
        for player in players.iterator()
    }


def _candidates(people: dict[int, _Person]) -> set[tuple[int, int]]:
    """Return the pairs of ids, in ascending order, whose names have to be compared."""
    blocks: dict[tuple, list[int]] = defaultdict(list)
    for pk, person in people.items():
        for key in _keys(person):
            blocks[key].append(pk)
    pairs: set[tuple[int, int]] = set()
    for block in blocks.values():
        if 1 < len(block) <= MOST_IN_A_BLOCK:
            pairs.update(
                (min(pair), max(pair))
                for pair in combinations(block, 2)
                if _are_near(people[pair[0]].words, people[pair[1]].words)
            )
    return pairs


def _keys(person: _Person) -> Iterator[tuple]:
    """Yield the blocks to which a person belongs. Only people of one block are compared."""
    yield ("name", person.words)
    if person.email:
        yield ("email", person.email)
    if person.player.club_id:
        yield from (("club", person.player.club_id, word) for word in person.words)
    if person.player.birth_year:
        for words in combinations(sorted(person.words), 2):
            yield ("year", person.player.birth_year, *words)


def _are_near(first: frozenset[str], second: frozenset[str]) -> bool:
    """Return whether the shorter name has at most one word that the other lacks."""
    return min(len(first), len(second)) - len(first & second) <= 1


def _evidence(first: _Person, second: _Person) -> list[Evidence]:
    """Return what says that two numbers are one person; [] if their names or years of birth differ."""
    a, b = first.player, second.player
    same_email = bool(first.email) and first.email == second.email
    if a.birth_year and b.birth_year and a.birth_year != b.birth_year and not same_email:
        return []
    if first.words == second.words:
        evidence = [Evidence.SAME_NAME]
    elif names_differ(a.full_name, b) or names_differ(b.full_name, a):
        return []
    else:
        evidence = [Evidence.ALIKE]
    if same_email:
        evidence.append(Evidence.EMAIL)
    if a.birth_year and a.birth_year == b.birth_year:
        evidence.append(Evidence.BIRTH_YEAR)
    if a.club_id and a.club_id == b.club_id:
        evidence.append(Evidence.CLUB)
    return evidence


def _weight(person: _Person, evidence: Iterable[Evidence]) -> int:
    """Return how strong the evidence is. A name of three words or more says more than a shorter one."""
    is_long = len(person.words) >= LONG
    names = {Evidence.SAME_NAME: 2 + is_long, Evidence.ALIKE: 1 + is_long}
    return sum((names | WEIGHTS)[item] for item in evidence)


def _seasons(ids: Iterable[int]) -> dict[int, set[int]]:
    """Return {player id: years in which licences of the player begin}."""
    seasons: dict[int, set[int]] = defaultdict(set)
    licences = Licence.objects.counting().order_by().values_list("player_id", "valid_from__year")
    for player, year in rows_in(licences, "player", ids):
        seasons[player].add(year)
    return seasons


def _tournaments(ids: Iterable[int]) -> dict[int, set[int]]:
    """Return {player id: ids of the tournaments in which the player took part}."""
    tournaments: dict[int, set[int]] = defaultdict(set)
    seats = Seat.objects.filter(revision__tournament__published=F("revision"))
    rows = seats.order_by().values_list("player_id", "revision__tournament_id")
    for player, tournament in rows_in(rows, "player", ids):
        tournaments[player].add(tournament)
    return tournaments


# --- Pairs that were found ------------------------------------------------------------------------------
def open_pairs() -> QuerySet[DuplicatePair]:
    """Return the pairs on which the office has not decided, with their players, the strongest evidence first.

    Pairs whose merge waits for a second person, or of which one number was merged meanwhile, are left out.
    """
    first, second = (Cast(OuterRef(name), CharField()) for name in ("first_id", "second_id"))
    waiting = Proposal.objects.filter(
        Q(key=Concat(first, Value(":"), second)) | Q(key=Concat(second, Value(":"), first)),
        kind=MERGE,
        state=Proposal.State.PENDING,
    )
    rows = DuplicatePair.objects.filter(
        ~Exists(waiting), separate_at=None, first__merged_into=None, second__merged_into=None
    )
    return rows.select_related("first__club", "second__club").order_by("-weight", "found_at", "pk")


def separate_pairs() -> QuerySet[DuplicatePair]:
    """Return the pairs that are two people, the latest decision first."""
    rows = DuplicatePair.objects.exclude(separate_at=None)
    return rows.select_related("first", "second", "separate_by").order_by("-separate_at", "-pk")
