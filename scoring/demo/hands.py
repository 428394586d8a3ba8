"""Random deals, and plausible contracts on them, for the demo's board results."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tournaments.formats import cards
from tournaments.formats.contracts import score_of
from tournaments.formats.types import Deal, Seat

HONOURS = {"A": 4, "K": 3, "Q": 2, "J": 1}
SEATS: tuple[Seat, ...] = ("N", "E", "S", "W")
PACK = [suit + rank for suit in cards.SUITS for rank in cards.RANKS]
EDGE_OF_A_TRICK = 12.0  # how much stronger a pair must be to make one more trick


@dataclass(frozen=True, slots=True)
class Play:
    """What happened on a board at one table, in the forms of `tournaments.formats.cards`.

    score: points for North-South
    """

    contract: str
    declarer: Seat
    lead: str
    tricks: int
    score: int


def random_deal(board: int, rng: Random) -> Deal:
    """Return a shuffled deal of a board."""
    pack = rng.sample(PACK, len(PACK))
    hands = {seat: _text(pack[13 * k : 13 * k + 13]) for k, seat in enumerate(SEATS)}
    deal = cards.make_deal(board, hands)
    assert deal is not None  # 52 different cards
    return deal


def _text(hand: Sequence[str]) -> str:
    return cards.hand_text("".join(card[1] for card in hand if card[0] == suit) for suit in cards.SUITS)


def play(deal: Deal, edge: float, rng: Random) -> Play:
    """Return a plausible result of a deal at one table.

    edge: how much stronger North-South is than East-West
    """
    hands = [hand.split(".") for hand in deal.hands]
    strength = [sum(HONOURS.get(card, 0) for suit in hand for card in suit) for hand in hands]
    ns_declares = strength[0] + strength[2] + rng.choice((-1, 0, 0, 1)) >= 20
    seats = (0, 2) if ns_declares else (1, 3)
    points = sum(strength[seat] for seat in seats)
    lengths = [sum(len(hands[seat][suit]) for seat in seats) for suit in range(4)]
    strain, fit = _strain(lengths, rng)
    expected = 6.6 + (points - 20) * 0.36 + (fit - 8) * 0.45 if strain != "N" else 6.4 + (points - 20) * 0.4
    advantage = (edge if ns_declares else -edge) / EDGE_OF_A_TRICK
    tricks = min(13, max(0, round(expected + advantage + rng.gauss(0, 0.8))))
    level = _level(strain, expected + rng.gauss(0, 0.5))
    doubled = "X" if tricks < level + 5 and rng.random() < 0.5 else ""
    declarer = _declarer(seats, hands, strain, rng)
    contract = f"{level}{strain}{doubled}"
    vulnerable = deal.vulnerable in ("both", "NS" if ns_declares else "EW")
    score = score_of(contract, tricks - level - 6, vulnerable)
    leader = hands[(declarer + 1) % 4]
    return Play(
        contract,
        SEATS[declarer],
        _lead(leader, strain, rng),
        tricks,
        score if ns_declares else -score,
    )


def _strain(lengths: Sequence[int], rng: Random) -> tuple[str, int]:
    """Return the strain that a side plays and the length of its fit: its longest suit, majors first."""
    best = max(range(4), key=lambda suit: (lengths[suit], -suit))
    if lengths[best] < 8 or (best > 1 and rng.random() < 0.6):
        return "N", lengths[best]
    return cards.SUITS[best], lengths[best]


def _level(strain: str, expected: float) -> int:
    """Return the level bid by a side that expects this many tricks: a game or a slam if it is near."""
    game = {"N": 3, "S": 4, "H": 4}.get(strain, 5)
    reachable = max(1, min(7, round(expected) - 6))
    if reachable >= 6:
        return reachable
    return game if game - 1 <= reachable else min(reachable, max(1, game - 2))


def _declarer(seats: Sequence[int], hands: Sequence[Sequence[str]], strain: str, rng: Random) -> int:
    """Return the seat of the partner with more cards in the strain; either of them in no trumps."""
    if strain == "N":
        return rng.choice(list(seats))
    suit = cards.SUITS.index(strain)
    return max(seats, key=lambda seat: len(hands[seat][suit]))


def _lead(hand: Sequence[str], strain: str, rng: Random) -> str:
    """Return the lead: of a sequence its top card, otherwise the fourth best of the longest suit."""
    suits = sorted(range(4), key=lambda suit: -len(hand[suit]) - rng.random())
    suit = next(suit for suit in suits if cards.SUITS[suit] != strain and hand[suit])
    ranks = hand[suit]
    top = ranks[:2] in ("AK", "KQ", "QJ", "JT")
    return cards.SUITS[suit] + ranks[0 if top or len(ranks) == 2 else min(3, len(ranks) - 1)]
