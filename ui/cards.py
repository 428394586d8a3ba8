"""Contracts, cards and hands as pages show them: symbols for the eye, words for screen readers.

The texts have the forms of `tournaments.formats.cards`: a contract is `4SX`, a card `DT`, a hand
`AQ84.K73.QT5.K92`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

SUITS = "SHDC"
GLYPHS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CLASSES = {"S": "suit-p", "H": "suit-c", "D": "suit-d", "C": "suit-t"}
STRAINS = {
    "S": pgettext_lazy("suit", "spades"),
    "H": pgettext_lazy("suit", "hearts"),
    "D": pgettext_lazy("suit", "diamonds"),
    "C": pgettext_lazy("suit", "clubs"),
    "N": pgettext_lazy("suit", "no trumps"),
}
STRAINS_OF_ONE = {  # as in "1 spade"
    "S": pgettext_lazy("contract", "spade"),
    "H": pgettext_lazy("contract", "heart"),
    "D": pgettext_lazy("contract", "diamond"),
    "C": pgettext_lazy("contract", "club"),
    "N": pgettext_lazy("contract", "no trump"),
}
SEATS = {
    "N": pgettext_lazy("seat", "North"),
    "E": pgettext_lazy("seat", "East"),
    "S": pgettext_lazy("seat", "South"),
    "W": pgettext_lazy("seat", "West"),
}
SEAT_LETTERS = {
    "N": pgettext_lazy("letter of North", "N"),
    "E": pgettext_lazy("letter of East", "E"),
    "S": pgettext_lazy("letter of South", "S"),
    "W": pgettext_lazy("letter of West", "W"),
}
VULNERABLE = {
    "none": _("nobody vulnerable"),
    "NS": _("North-South vulnerable"),
    "EW": _("East-West vulnerable"),
    "both": _("all vulnerable"),
}
_RANKS = {
    "A": pgettext_lazy("card", "ace"),
    "K": pgettext_lazy("card", "king"),
    "Q": pgettext_lazy("card", "queen"),
    "J": pgettext_lazy("card", "jack"),
}
_DOUBLED = {"": "", "X": _("doubled"), "XX": _("redoubled")}
_BOTH = '<span class="play"><span aria-hidden="true">{}</span><span class="visually-hidden">{}</span></span>'


def suit_html(suit: str) -> SafeString:
    """Return the symbol of a suit in its colour."""
    return format_html('<span class="suit {}">{}</span>', CLASSES[suit], GLYPHS[suit])


def contract_html(contract: str, declarer: str = "") -> SafeString:
    """Return a contract and its declarer: `4♠× S`, read aloud as "4 spades doubled by South"."""
    if contract == "PASS":
        return format_html("{}", pgettext("contract", "Pass"))
    level, strain, doubled = contract[0], contract[1], contract[2:]
    symbol = suit_html(strain) if strain in GLYPHS else pgettext("no trumps", "NT")
    shown = format_html(
        "<strong>{}{}{}</strong> {}", level, symbol, "×" * len(doubled), SEAT_LETTERS.get(declarer, "")
    )
    name = (STRAINS_OF_ONE if level == "1" else STRAINS)[strain]
    spoken = " ".join(filter(None, (level, str(name), str(_DOUBLED[doubled]))))
    if declarer:
        spoken = gettext("%(contract)s by %(seat)s") % {"contract": spoken, "seat": SEATS[declarer]}
    return format_html(_BOTH, shown, spoken)


def card_html(card: str) -> SafeString:
    """Return a card: `♦10`, read aloud as "10 of diamonds"."""
    suit, rank = card
    rank = rank.replace("T", "10")
    spoken = gettext("%(rank)s of %(suit)s") % {"rank": _RANKS.get(rank, rank), "suit": STRAINS[suit]}
    return format_html(_BOTH, format_html("{}{}", suit_html(suit), rank), spoken)


@dataclass(frozen=True, slots=True)
class Holding:
    """The cards of one suit in a hand: the ranks, separated by blanks, or a dash if there is none."""

    suit: str
    symbol: SafeString
    cards: str
    void: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a diagram: its seat as a letter and as a word, and its four suits."""

    seat: str
    name: str
    holdings: tuple[Holding, ...]


def hand(seat: str, text: str) -> Hand:
    """Return a hand as its diagram shows it."""
    holdings = tuple(
        Holding(
            str(STRAINS[suit]),
            suit_html(suit),
            " ".join(ranks.replace("T", "x")).replace("x", "10") or "—",
            not ranks,
        )
        for suit, ranks in zip(SUITS, text.split("."), strict=True)
    )
    return Hand(seat, str(SEATS[seat]), holdings)


def diagram(hands: Sequence[str], dealer: str, vulnerable: str, section: str = "") -> dict[str, Any]:
    """Return the context of `ui/_deal.html`, the diagram of a deal.

    hands: those of North, East, South and West
    vulnerable: a key of VULNERABLE
    section: the section that played these cards; blank if all did
    """
    return {
        "section": section,
        "hands": [hand(seat, text) for seat, text in zip(SEATS, hands, strict=True)],
        "dealer": SEATS[dealer],
        "vulnerable": VULNERABLE[vulnerable],
        "ns": vulnerable in ("NS", "both"),
        "ew": vulnerable in ("EW", "both"),
    }
