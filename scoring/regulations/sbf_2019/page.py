"""Blocks shared by the pages on Swedish bronze and silver points: piecewise formulas and awards by place.

The awards form a chain: a place's award is computed from the award of the place above. The awards of the
chain are called links.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scoring.engine.types import Contestant
from scoring.regulations.page import Block, Bullets, Column, Formula, Grid, Line, Plot, Working
from scoring.regulations.places.receipt import exact_text
from scoring.regulations.texts import (
    Citation,
    Text,
    Words,
    _,
    counted,
    fixed,
    joined,
    points,
    short,
    verbatim,
    whole,
)

from .rules import PLACES, Sbf2019, SbfEvent
from .tables import Piece

DOCUMENT = "Nya mästarpoäng vid DTL-träffen 2019"
FIRST = (Contestant("1", place=1),)


def event_of(pairs: int, decimals: int, place: int = 1, **own: Any) -> SbfEvent:
    """Return an example event of ``pairs`` pairs, which lists only the contestant at ``place``.

    own: further fields of the event
    """
    contestants = (Contestant("1", place=place),) if place > 1 else FIRST
    return SbfEvent(contestants=contestants, contestant_count=pairs, decimals=decimals, **own)


def domain_text(piece: Piece, letter: str) -> str:
    """Return the range of numbers for which one piece of a piecewise formula applies: "250 < n ≤ 500".

    letter: the letter of the variable, here n
    """
    if piece.last is None:
        return f"{letter} > {piece.first}"
    return f"{letter} ≤ {piece.last}" if not piece.first else f"{piece.first} < {letter} ≤ {piece.last}"


def line_text(piece: Piece, letter: str) -> str:
    """Return a piece's formula as the document prints formulas of points, such as "175 + n/2".

    letter: the letter of the variable, here n
    """
    intercept = piece.start - piece.slope * piece.first
    slope = piece.slope
    if not slope:
        return str(piece.start)
    if slope == 1:
        term = letter
    elif slope.numerator == 1:
        term = f"{letter}/{slope.denominator}"
    else:
        term = f"{exact_text(slope)}·{letter}" if slope.denominator > 1 else f"{slope}·{letter}"
    return f"{exact_text(intercept)} + {term}" if intercept else term


def quotient_text(piece: Piece, letter: str) -> str:
    """Return a piece's formula as the document prints formulas of factors, such as "(n + 1450)/2000".

    letter: the letter of the variable, here n
    """
    if not piece.slope:
        return str(piece.start)
    shift = piece.start / piece.slope - piece.first
    return f"({letter} + {shift})/{1 / piece.slope}"


def chain_blocks(source: Words) -> list[Block]:
    """Return the formulas and sentences that explain how each place's award follows from the place above."""
    return [
        Formula("A(1) = W", source),
        Formula("A(k) = max(A(k−1)·f, W/k)", source),
        Formula("K = ⌈n/4⌉", source),
        Bullets(
            [
                _("Each place gets the place above times f, rounded half up to two decimals."),
                _("From the place where W/k is more, W/k holds: the chain never comes back."),
                _("A quarter of the field earns points, rounded up: places 1 to K."),
                _("The winner’s W is not rounded before the chain; the award is rounded once, half up."),
            ]
        ),
    ]


def ladder_plot(scheme: Sbf2019, title: Text, events: list[tuple[Words, SbfEvent]], last: int) -> Plot:
    """Return the chart of the awards of places 1 to ``last``, with one curve per event.

    events: pairs of a curve's label and its event
    """
    lines = []
    for label, event in events:
        ladder = scheme.ladder(event)
        places = range(1, min(ladder.paid, last) + 1)
        lines.append(Line(label, [(k, Fraction(ladder.points(ladder.at(k)), 100)) for k in places]))
    firsts = joined(
        verbatim("%(field)s: %(points)s") % {"field": line.label, "points": short(line.points[0][1])}
        for line in lines
    )
    desc = _("Points of the first: %(firsts)s.") % {"firsts": firsts}
    return Plot(title, desc, (_("Place"), _("Points")), lines, whole_x=True)


def first_floor_place(scheme: Sbf2019, event: SbfEvent) -> int | None:
    """Return the first paid place whose award is the minimum W/k and not a link of the chain, or None.

    W is the winner's award and k the place.
    """
    for place in range(2, scheme.paid(event) + 1):
        if scheme.place_step(event, place).code == "floor":
            return place
    return None


def floor_grid(scheme: Sbf2019, events: list[SbfEvent]) -> Grid:
    """Return the table that shows, for each event, from which place on the award is the minimum W/k.

    W is the winner's award and k the place. A row has the event's pairs, paid places and this place.
    """
    rows = []
    for event in events:
        place = first_floor_place(scheme, event)
        paid = scheme.paid(event)
        rows.append((whole(event.count), whole(paid), whole(place) if place else _("never")))
    columns = (
        Column(_("Pairs"), number=True),
        Column(_("Places paid"), number=True),
        Column(_("W/k from place"), number=True),
    )
    return Grid(_("Where W/k takes over"), columns, rows, Citation(scheme.code, PLACES), "narrow stays")


def decimals_grid(scheme: Sbf2019, pairs: int) -> Grid:
    """Return the table of an event's awards by place, rounded to 0, 1 and 2 decimals in three columns.

    pairs: the number of pairs of the event
    """
    events = [event_of(pairs, decimals) for decimals in (0, 1, 2)]
    ladders = [scheme.ladder(event) for event in events]
    rows = [
        (
            whole(place),
            *(
                points(ladder.points(ladder.at(place)), event.decimals)
                for ladder, event in zip(ladders, events, strict=True)
            ),
        )
        for place in range(1, ladders[0].paid + 1)
    ]
    columns = (
        Column(_("Place"), number=True),
        *(Column(str(event.decimals), number=True) for event in events),
    )
    caption = _("Awards of %(pairs)s with 0, 1 and 2 decimals") % {"pairs": counted(pairs, "pair")}
    return Grid(caption, columns, rows, look="narrow stays")


def working(scheme: Sbf2019, event: SbfEvent, caption: Text) -> Working:
    """Return the page block that shows the receipt of the only contestant that the event lists."""
    return Working(caption, scheme.explain(event, scheme.score(event), "1"))


def links_grid(scheme: Sbf2019, event: SbfEvent, last: int) -> Grid:
    """Return the table that shows how the awards of places 1 to ``last`` are computed.

    The row of a place k has the award of the place above times the factor, the minimum W/k (W is the winner's
    award), the larger of both, and the points.
    """
    ladder = scheme.ladder(event)
    winner, factor = scheme.winner(event), scheme.factor(event)
    rows = []
    for place in range(1, min(ladder.paid, last) + 1):
        exact = ladder.at(place)
        product = fixed(ladder.at(place - 1) * factor, 4) if place > 1 else "—"
        rows.append(
            (
                whole(place),
                product,
                fixed(winner / place, 4),
                fixed(exact, 4 if scheme.place_step(event, place).code == "floor" else 2),
                points(ladder.points(exact), event.decimals),
            )
        )
    columns = (
        Column(_("Place"), number=True),
        Column("A(k−1)·f", number=True),
        Column("W/k", number=True),
        Column("A(k)", number=True),
        Column(_("Points"), number=True),
    )
    caption = _("The chain of %(pairs)s, link by link") % {"pairs": counted(event.count, "pair")}
    return Grid(caption, columns, rows)
