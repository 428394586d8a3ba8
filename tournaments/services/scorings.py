"""The ways to score boards of files without a ranking, such as those of Bridgemates.

`scoring` computes the ranking and registers its function here (see `register_scorer`), because this package
must not import `scoring`. The codes of the ways are stored in `ResultUpload.details` and `EventInfo.scoring`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.boards import APART
from tournaments.formats import registry
from tournaments.formats.declaration import ResultsFormat
from tournaments.formats.types import BoardResult, Hands, ParsedResult

MATCHPOINTS, CROSS_IMPS, BUTLER = "match_points", "cross_imps", "butler"
TEAMS, TEAMS_VP = "team_imps", "team_vps"
OF_TEAMS = (TEAMS, TEAMS_VP)
SECTIONS_APART = tuple(f"{method}{APART}" for method in (MATCHPOINTS, CROSS_IMPS, BUTLER))
SCORINGS = {
    MATCHPOINTS: _("Matchpoints"),
    CROSS_IMPS: _("Cross-IMPs"),
    BUTLER: _("Butler (IMPs against the mean)"),
    SECTIONS_APART[0]: _("Matchpoints, each section apart"),
    SECTIONS_APART[1]: _("Cross-IMPs, each section apart"),
    SECTIONS_APART[2]: _("Butler, each section apart"),
    TEAMS: _("Teams (IMPs of both rooms)"),
    TEAMS_VP: _("Teams (victory points of each match, WBF scale)"),
}
Scorer = Callable[[ParsedResult, str], ParsedResult]
# Place, percentage and score of an entry as printed in the ranking to correct.
Printed = tuple[str | None, str | None, str | None]
Recounter = Callable[[ParsedResult, Mapping[int, BoardResult], Sequence[Printed]], ParsedResult]
_SCORERS: list[Scorer] = []
_RECOUNTERS: list[Recounter] = []


class NotRecountable(Exception):
    """The printed results of a ranking do not follow from its boards in any known way."""


def register_scorer(scorer: Scorer, recounter: Recounter) -> None:
    """Register the functions behind `scored` and `recounted`. Call it from `AppConfig.ready`."""
    _SCORERS[:], _RECOUNTERS[:] = [scorer], [recounter]


def is_scored_here(format_code: str) -> bool:
    """Return whether files of this format have results of boards but no ranking."""
    file_format = registry.get(format_code)
    return isinstance(file_format, ResultsFormat) and file_format.is_scored_here


def scored(parsed: ParsedResult, details: Mapping[str, Any]) -> ParsedResult:
    """Return a file's data with the ranking computed from its boards, if files of its format have none.

    details: the director's input, with the chosen way of scoring
    """
    if not parsed.boards or not is_scored_here(parsed.format_name):
        return parsed
    method = details.get("scoring")
    for scorer in _SCORERS:
        parsed = scorer(parsed, method if method in SCORINGS else proposed(parsed))
    return parsed


def proposed(parsed: ParsedResult) -> str:
    """Return the way to score that is proposed: matchpoints, apart if sections played other deals."""
    hands: dict[int, set[Hands]] = defaultdict(set)
    for deal in parsed.deals:
        hands[deal.board].add(deal.hands)
    return SECTIONS_APART[0] if any(len(different) > 1 for different in hands.values()) else MATCHPOINTS


def recounted(
    parsed: ParsedResult, before: Mapping[int, BoardResult], printed: Sequence[Printed]
) -> ParsedResult:
    """Return a printed ranking after a change of some of its boards. Raises NotRecountable.

    before: {index of a changed board result: the result before the change}
    printed: what the ranking printed of each entry before the change
    """
    for recounter in _RECOUNTERS:
        parsed = recounter(parsed, before, printed)
    return parsed
