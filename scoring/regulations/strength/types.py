"""Sessions with board results, and the results of their adjustment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of one board at one table, in percent (matchpoints) or IMPs.

    ns, ew: the ids of the contestants
    ew_score: East-West's score; None stands for 100 − ``ns_score`` (matchpoints) or −``ns_score`` (IMPs)
    adjusted: whether the director assigned the score; it then counts officially, but not for the strength
    """

    board: str
    ns: str
    ew: str
    ns_score: Decimal
    ew_score: Decimal | None = None
    adjusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSession:
    """All board results of a session.

    iterations: after how many iterations of the adjustment the result shows values, besides the final ones
    """

    results: tuple[BoardResult, ...]
    iterations: int = 0
    date: date | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of boards and the sum of scores of one contestant.

    ``boards`` and ``total`` include all boards. ``played`` and ``earned`` leave out boards with artificial
    scores.
    """

    boards: int
    total: Fraction
    played: int
    earned: Fraction


@dataclass(frozen=True, slots=True)
class RankedValue:
    """A contestant's mean score per board, and its place. Both are None if all its scores are artificial."""

    value: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class AdjustedContestant:
    """The official and the adjusted result of one contestant.

    official, place: the exact mean score per board, and the place among all contestants
    steps: the result after 0, 1, 2, … iterations of the adjustment, with the place within the component
    adjusted: the final result, which another iteration would not change, with the place within the component
    component: the number, from 1, of the group of contestants who met, directly or through others; None if
    all scores of the contestant are artificial
    """

    id: str
    boards: int
    component: int | None
    official: Decimal
    place: int
    steps: tuple[RankedValue, ...]
    adjusted: RankedValue


@dataclass(frozen=True, slots=True)
class SessionWarning:
    """A warning about the components of a session.

    A component is a group of contestants who met, directly or through others.

    There are three codes. ``disconnected``: there are several components. ``bipartite``: a component consists
    of two groups whose members met only members of the other group. ``unbalanced``: the mean of a component's
    scores is not that of a normal board (50 percent, or 0 IMPs).

    components: the numbers, from 1, of the components that the warning is about
    """

    code: str
    components: tuple[int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class StrengthResult:
    """The result of adjusting a session. Contestants are in the order of their first board result."""

    regulation: str
    components: int
    warnings: tuple[SessionWarning, ...]
    contestants: tuple[AdjustedContestant, ...]
