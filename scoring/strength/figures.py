"""Adjust the results of a session for the strength of the opponents.

The adjusted results are computed from the board results that are stored with the session's ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import NamedTuple

from scoring import regulations
from scoring.engine.board_changes import likely_percentages
from scoring.engine.boards import SideResults, TravellerLine, discrepancies, imp_results, percentages
from scoring.regulations.strength.types import (
    AdjustedContestant,
    BoardResult,
    BoardSession,
    SessionWarning,
)
from tournaments import models
from tournaments.boards import IMPS, MATCHPOINTS, BoardRow
from ui.memo import per_version

ITERATIONS = 2  # as in the Polish document's example
SCHEMES = {MATCHPOINTS: "strength-mp", IMPS: "strength-imp"}
GRID = Decimal("1e-12")
STORED = Decimal("1e-4")
# Prefix of the ids that the engine is given for opponents who are not in the ranking. Each id is used only
# once.
UNKNOWN = "?"


class StoredResult(NamedTuple):
    """A row of the model `BoardResult`, with the columns that the computation needs."""

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
    """The adjusted results of a session, and the facts about the session that its page mentions.

    mean: the mean score of a board, 50 percent or 0 IMPs
    figures: the official and adjusted result of each contestant, by contestant id
    components: the number of components, which are groups of contestants who met, directly or indirectly
    artificial: the number of board results with an artificial score
    unknown: the number of board results against opponents who are not in the ranking
    gaps: the computed percentage minus the file's, by id of the contestants for whom they differ

    Artificial and unknown results count for the official result, but not for the adjustment.
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
    """Return the adjusted results of a published revision, or None if it has no boards of pairs. Cached."""
    return compute_strength(revision_id)


def compute_strength(revision_id: int) -> Strength | None:
    """Compute the adjusted results of a revision. Return None if it has no board results of pairs.

    Three queries.
    """
    scored = models.Revision.objects.values_list("boards_scored", flat=True).get(pk=revision_id)
    if scored not in SCHEMES:
        return None
    rows = [
        StoredResult(*row)
        for row in models.BoardResult.objects.filter(revision=revision_id)
        .order_by("pk")
        .values_list(*StoredResult._fields)
    ]
    stated = models.Contestant.objects.filter(revision=revision_id, percentage__isnull=False)
    return adjust_session(scored, rows, dict(stated.values_list("pk", "percentage")))


def adjust_session(scored: str, rows: Sequence[StoredResult], stated: dict[int, Decimal]) -> Strength:
    """Compute the result of every board, and from them the adjusted result of every contestant.

    scored: how the boards were scored, in matchpoints or IMPs
    rows: the board results
    stated: the percentages in the file, by contestant id
    """
    earned = earned_results(scored, rows)
    session = _session(rows, earned)
    scheme = regulations.get(SCHEMES[scored])
    adjustment = scheme.adjust(session)
    figures = {
        int(contestant.id): contestant
        for contestant in adjustment.contestants
        if not contestant.id.startswith(UNKNOWN)
    }
    official = {pk: Fraction(figure.official) for pk, figure in figures.items()}
    comparable = stated if scored == MATCHPOINTS else {}
    return Strength(
        scored=scored,
        mean=scheme.mean,
        figures=figures,
        components=adjustment.components,
        warnings=adjustment.warnings,
        results=len(rows),
        artificial=sum(row.score is None for row in rows),
        unknown=sum((row.ns_id is None) != (row.ew_id is None) for row in rows),
        gaps=discrepancies({pk: Fraction(percentage) for pk, percentage in comparable.items()}, official),
    )


def earned_results(scored: str, rows: Sequence[StoredResult]) -> list[SideResults | None]:
    """Compute the result of each board result, in percent or IMPs. It is None for a result without a score.

    scored: how the boards were scored, in matchpoints or IMPs
    """
    return (imp_results if scored == IMPS else percentages)([_line(row) for row in rows])


def percentages_unlike_stated(rows: Sequence[BoardRow], stated: dict[int, Decimal]) -> dict[int, Fraction]:
    """Compute percentages from board results, and return those that differ from the file's.

    A difference of at most 0.05 is ignored. This is for sessions scored in matchpoints. Both dictionaries
    have the contestants' positions in the ranking as keys.

    stated: the percentages in the file
    """
    lines = [TravellerLine(row.board, row.score, _fractions(row.adjusted)) for row in rows]
    sides = [tuple(() if seat is None else (seat,) for seat in (row.ns, row.ew)) for row in rows]
    _results, computed = likely_percentages(lines, sides, stated)
    differences = discrepancies({position: Fraction(value) for position, value in stated.items()}, computed)
    return {position: computed[position] for position in differences}


def _line(row: StoredResult) -> TravellerLine:
    # The section is left out on purpose: all sections play the same deals, so their results are compared.
    artificial = None if row.adjusted_ns is None else _fractions((row.adjusted_ns, row.adjusted_ew or 0))
    stated = (_fraction(row.ns_points), _fraction(row.ew_points))
    return TravellerLine(row.board, row.score, artificial, stated)


def _fractions(percentages: tuple[int, int] | None) -> tuple[Fraction, Fraction] | None:
    return None if percentages is None else (Fraction(percentages[0]), Fraction(percentages[1]))


def _fraction(value: Decimal | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _session(rows: Sequence[StoredResult], earned: Sequence[SideResults | None]) -> BoardSession:
    results = []
    for k, (row, result) in enumerate(zip(rows, earned, strict=True)):
        # A result of two unknown opponents is only there for the others of its board to be compared with.
        if result is None or row.ns_id is row.ew_id is None:
            continue
        ns, ew = _rounded(result.ns), _rounded(result.ew)
        # Pass only North-South's score of a played result. The engine then uses the exact complement for
        # East-West.
        complementary = not result.artificial and result.ns + result.ew in (0, 100)
        results.append(
            BoardResult(
                board=str(k),
                ns=str(row.ns_id or f"{UNKNOWN}{k}"),
                ew=str(row.ew_id or f"{UNKNOWN}{k}"),
                ns_score=ns,
                ew_score=None if complementary else ew,
                adjusted=result.artificial or row.ns_id is None or row.ew_id is None,
            )
        )
    return BoardSession(results=tuple(results), iterations=ITERATIONS)


def _rounded(value: Fraction) -> Decimal:
    """Round to 12 decimals, which is precise enough for every number shown and makes adding fast."""
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(GRID, ROUND_HALF_EVEN)


def database_figures(strength: Strength) -> dict[int, tuple[int, Decimal | None]]:
    """Return {contestant id: (number of boards, adjusted result)}, rounded as the database stores them."""
    return {pk: (figure.boards, _database_figure(figure)) for pk, figure in strength.figures.items()}


def _database_figure(figure: AdjustedContestant) -> Decimal | None:
    value = figure.adjusted.value
    return None if value is None else Decimal(repr(value)).quantize(STORED, ROUND_HALF_EVEN)
