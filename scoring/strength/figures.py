"""A session adjusted for the strength of the opponents, out of the results of its boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import NamedTuple

from scoring import regulations
from scoring.engine.boards import SideResults, TravellerLine, discrepancies, imp_results, means, percentages
from scoring.regulations.strength.types import (
    AdjustedContestant,
    BoardResult,
    BoardSession,
    SessionWarning,
)
from tournaments import models
from tournaments.boards import IMPS, MATCHPOINTS, BoardRow
from ui.memo import per_version

ITERATIONS = 2  # as many as the Polish document prints
SCHEMES = {MATCHPOINTS: "strength-mp", IMPS: "strength-imp"}
GRID = Decimal("1e-12")
STORED = Decimal("1e-4")
# Opponents that are in no ranking: the engine must not take two of them for one.
UNKNOWN = "?"


class Stored(NamedTuple):
    """A row of BoardResult, as far as it matters here."""

    section: str
    board: int
    ns_id: int | None
    ew_id: int | None
    score: int | None
    adjusted_ns: int | None
    adjusted_ew: int | None
    ns_points: Decimal | None
    ew_points: Decimal | None


@dataclass(frozen=True, slots=True)
class Strength:
    """A session's figures by contestant id, and what its reader must know.

    `mean` is that of a board, 50 or 0. `artificial` counts results that were not played, `unknown` those
    against somebody outside the ranking: both are official but no evidence. `gaps` are our percentage less
    the stated one, of whom they differ.
    """

    scored: str
    mean: int
    figures: dict[int, AdjustedContestant]
    components: int
    warnings: tuple[SessionWarning, ...]
    results: int
    artificial: int
    unknown: int
    gaps: dict[int, Fraction]


@per_version(64)
def strength_of(revision_id: int) -> Strength | None:
    """The session of a published revision, None where no boards came with it. Remembered."""
    return computed(revision_id)


def computed(revision_id: int) -> Strength | None:
    """The same, worked out anew. Three queries."""
    scored = models.Revision.objects.values_list("boards_scored", flat=True).get(pk=revision_id)
    if not scored:
        return None
    rows = [
        Stored(*row)
        for row in models.BoardResult.objects.filter(revision=revision_id)
        .order_by("pk")
        .values_list(*Stored._fields)
    ]
    stated = models.Contestant.objects.filter(revision=revision_id, percentage__isnull=False)
    return adjusted(scored, rows, dict(stated.values_list("pk", "percentage")))


def adjusted(scored: str, rows: Sequence[Stored], stated: dict[int, Decimal]) -> Strength:
    """Score the boards and adjust the results. `stated` are the file's percentages by contestant."""
    earned = (imp_results if scored == IMPS else percentages)([_line(row) for row in rows])
    session = _session(rows, earned)
    scheme = regulations.get(SCHEMES[scored])
    found = scheme.adjust(session)
    figures = {int(each.id): each for each in found.contestants if not each.id.startswith(UNKNOWN)}
    official = {who: Fraction(each.official) for who, each in figures.items()}
    comparable = stated if scored == MATCHPOINTS else {}
    return Strength(
        scored=scored,
        mean=scheme.mean,
        figures=figures,
        components=found.components,
        warnings=found.warnings,
        results=len(rows),
        artificial=sum(row.score is None for row in rows),
        unknown=sum(row.ns_id is None or row.ew_id is None for row in rows),
        gaps=discrepancies({who: Fraction(value) for who, value in comparable.items()}, official),
    )


def unlike_stated(rows: Sequence[BoardRow], stated: dict[int, Decimal]) -> dict[int, Fraction]:
    """The percentage that the boards give, of those whose stated one is more than 0.05 away.

    `stated` by position in the ranking; of a session in matchpoints, stored or not.
    """
    earned = percentages([TravellerLine(row.board, row.score, _given(row.adjusted)) for row in rows])
    sides = [
        side
        for row, got in zip(rows, earned, strict=True)
        if got is not None
        for side in ((row.ns, got.ns), (row.ew, got.ew))
    ]
    computed = means(sides)
    apart = discrepancies({position: Fraction(value) for position, value in stated.items()}, computed)
    return {position: computed[position] for position in apart}


def _line(row: Stored) -> TravellerLine:
    # Sections of one event are compared with each other: their boards are the same deals.
    given = None if row.adjusted_ns is None else _given((row.adjusted_ns, row.adjusted_ew or 0))
    return TravellerLine(row.board, row.score, given, (_exact(row.ns_points), _exact(row.ew_points)))


def _given(adjusted: tuple[int, int] | None) -> tuple[Fraction, Fraction] | None:
    return None if adjusted is None else (Fraction(adjusted[0]), Fraction(adjusted[1]))


def _exact(value: Decimal | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _session(rows: Sequence[Stored], earned: Sequence[SideResults | None]) -> BoardSession:
    results = []
    for k, (row, got) in enumerate(zip(rows, earned, strict=True)):
        if got is None:
            continue
        ns, ew = _rounded(got.ns), _rounded(got.ew)
        # A played result of which only the complement is known keeps the sum exact.
        plain = not got.artificial and got.ns + got.ew in (0, 100)
        results.append(
            BoardResult(
                board=str(k),
                ns=str(row.ns_id or f"{UNKNOWN}{k}"),
                ew=str(row.ew_id or f"{UNKNOWN}{k}"),
                ns_score=ns,
                ew_score=None if plain else ew,
                adjusted=got.artificial or row.ns_id is None or row.ew_id is None,
            )
        )
    return BoardSession(results=tuple(results), iterations=ITERATIONS)


def _rounded(value: Fraction) -> Decimal:
    """Far finer than any figure is shown, and short enough to add up quickly."""
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(GRID, ROUND_HALF_EVEN)


def stored_figures(found: Strength) -> dict[int, tuple[int, Decimal | None]]:
    """Contestant id -> boards played and the adjusted result, as the database keeps them."""
    return {who: (figure.boards, _stored_figure(figure)) for who, figure in found.figures.items()}


def _stored_figure(figure: AdjustedContestant) -> Decimal | None:
    value = figure.adjusted.value
    return None if value is None else Decimal(repr(value)).quantize(STORED, ROUND_HALF_EVEN)
