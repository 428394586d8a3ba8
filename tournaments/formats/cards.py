"""Parse what scoring programs write about a board: hands, dealer, vulnerability, contract, lead and tricks.

Parsed texts have one form whatever the program: seats are N, E, S and W; suits S, H, D and C; the ten is T;
a hand is its four suits from spades to clubs, such as `AQ84.K73.QT5.K92`; a contract is `4S`, `3NX`, `6DXX`
or `PASS`; a card is its suit and rank, such as `DT`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import cast

from .types import Deal, Hands, Seat, Vulnerable

SEATS = "NESW"
SUITS = "SHDC"
RANKS = "AKQJT98765432"
CARDS = frozenset(suit + rank for suit in SUITS for rank in RANKS)
HAND_LENGTH = 13

_VULNERABLE: tuple[Vulnerable, ...] = ("none", "NS", "EW", "both")
_VULNERABLE_WORDS: dict[str, Vulnerable] = {
    **dict.fromkeys(("none", "love", "-", "o", "nobody", "ninguno", "nadie"), "none"),
    **dict.fromkeys(("ns", "n-s", "n/s"), "NS"),
    **dict.fromkeys(("ew", "e-w", "e/w", "eo", "e-o"), "EW"),
    **dict.fromkeys(("all", "both", "todos", "ambos", "b"), "both"),
}
_SEAT_WORDS = {"n": "N", "e": "E", "s": "S", "w": "W", "o": "W", "north": "N", "east": "E", "south": "S"}
_SEAT_WORDS |= {"west": "W", "norte": "N", "este": "E", "sur": "S", "oeste": "W"}
_DEAL = re.compile(r"\s*([NESW])\s*:\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*", re.IGNORECASE)
_SYMBOLS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")
_NO_TRUMPS = ("N", "NT", "SA", "ST")
_CONTRACT = re.compile(r"([1-7])(NT|SA|ST|[SHDCN])(X{0,2}|\*{1,2})")
_CARD = re.compile(r"(?:([SHDC])([AKQJT2-9])|([AKQJT2-9])([SHDC]))")


def standard_dealer(board: int) -> Seat:
    """Return the dealer of a board by law 2 of duplicate bridge: North of board 1, then clockwise."""
    return cast(Seat, SEATS[(board - 1) % 4])


def standard_vulnerable(board: int) -> Vulnerable:
    """Return the vulnerable sides of a board by law 2 of duplicate bridge. They repeat every 16 boards."""
    turn = board - 1
    return _VULNERABLE[(turn + turn // 4) % 4]


def seat_text(text: str) -> Seat | None:
    """Convert an English or Spanish word such as `North` or `o` to a seat: N, E, S or W. Otherwise None."""
    return cast("Seat | None", _SEAT_WORDS.get(text.strip().lower()))


def vulnerable_text(text: str) -> Vulnerable | None:
    """Return the vulnerable sides that a text names, such as `All` or `N-S`, or None."""
    return _VULNERABLE_WORDS.get(text.strip().lower())


def contract_text(text: str) -> str | None:
    """Return a contract such as `4S`, `3NX` or `PASS`; None for a text that is no contract."""
    plain = re.sub(r"\s", "", text.translate(_SYMBOLS)).upper()
    if plain in ("PASS", "PASSED", "ALLPASS", "AP", "PASO"):
        return "PASS"
    match = _CONTRACT.fullmatch(plain)
    if match is None:
        return None
    level, strain, doubled = match.groups()
    return level + ("N" if strain in _NO_TRUMPS else strain) + doubled.replace("*", "X")


def card_text(text: str) -> str | None:
    """Return a card such as `DT`, from `D10`, `10D`, `TD` or `♦10`; None for a text that is no card."""
    plain = re.sub(r"\s", "", text.translate(_SYMBOLS)).upper().replace("10", "T")
    match = _CARD.fullmatch(plain)
    if match is None:
        return None
    suit, rank, other_rank, other_suit = match.groups()
    return suit + rank if suit else other_suit + other_rank


def tricks_number(text: str) -> int | None:
    """Return the number of tricks that declarer took, from 0 to 13; None for any other text."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 3 and int(plain) < 14 else None


def hand_text(suits: Iterable[str]) -> str:
    """Return a hand from its four suits, spades first. Every suit is a text of ranks.

    The ranks may be in any order, and the ten may be written as 10. A text with other characters is not
    refused here: `make_deal` refuses the hand.
    """
    return ".".join(_holding(suit) for suit in suits)


def _holding(text: str) -> str:
    plain = re.sub(r"[\s,]", "", text).upper().replace("10", "T")
    if plain in ("-", "--", "—", "–"):
        return ""
    return "".join(sorted(plain, key=lambda rank: RANKS.find(rank)))


def pbn_hands(text: str) -> dict[Seat, str]:
    """Return {seat: hand} of the value of a PBN tag [Deal], such as `N:KQT6.AJT.T984.65 …`; {} if unreadable.

    A hand that is not known (`-`) is left out.
    """
    match = _DEAL.fullmatch(text)
    if match is None:
        return {}
    first = SEATS.index(match[1].upper())
    hands = ((SEATS[(first + turn) % 4], match[turn + 2]) for turn in range(4))
    return {cast(Seat, seat): hand_text(hand.split(".")) for seat, hand in hands if hand != "-"}


def make_deal(
    board: int,
    hands: Mapping[Seat, str],
    dealer: Seat | None = None,
    vulnerable: Vulnerable | None = None,
    section: str | None = None,
) -> Deal | None:
    """Return the deal of a board; None unless the hands are 52 different cards, 13 each.

    One hand may be missing: it has the cards that are left. Without dealer or vulnerability, use those of the
    board's number.
    """
    known: dict[str, frozenset[str]] = {seat: _cards(hand) for seat, hand in hands.items() if hand}
    if len(known) == 3:
        missing = next(seat for seat in SEATS if seat not in known)
        known[missing] = CARDS - frozenset().union(*known.values())
    if len(known) < 4 or frozenset().union(*known.values()) != CARDS:
        return None
    if any(len(cards) != HAND_LENGTH for cards in known.values()):
        return None
    return Deal(
        board=board,
        section=section,
        dealer=dealer or standard_dealer(board),
        vulnerable=vulnerable or standard_vulnerable(board),
        hands=cast(Hands, tuple(_hand_of(known[seat]) for seat in SEATS)),
    )


def _cards(hand: str) -> frozenset[str]:
    """Return the cards of a hand. Unknown ranks are left out, so that the hand has less than 13 cards."""
    suits = hand.split(".")
    if len(suits) != 4:
        return frozenset()
    return CARDS & {suit + rank for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks}


def _hand_of(cards: frozenset[str]) -> str:
    return ".".join("".join(rank for rank in RANKS if suit + rank in cards) for suit in SUITS)


def unambiguous(deals: Iterable[Deal]) -> tuple[Deal, ...]:
    """Return the deals ordered by section and board, without boards of which the file has different deals.

    Sessions of one event may use the same board numbers. Then nobody can tell which deal a result belongs to.
    """
    by_board: dict[tuple[str, int], set[Deal]] = defaultdict(set)
    for deal in deals:
        by_board[deal.section or "", deal.board].add(deal)
    return tuple(next(iter(same)) for _key, same in sorted(by_board.items()) if len(same) == 1)
