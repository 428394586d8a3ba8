"""The ways to score boards of files without a ranking, such as those of Bridgemates.

`scoring` computes the ranking and registers its function here (see `register_scorer`), because this package
must not import `scoring`. The codes of the ways are stored in `ResultUpload.details` and `EventInfo.scoring`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.boards import APART
from tournaments.formats import registry
from tournaments.formats.declaration import ResultsFormat
from tournaments.formats.issues import issue
from tournaments.formats.joining.figures import contradiction
from tournaments.formats.types import BoardResult, Entry, Hands, ParsedResult, Stated
from tournaments.models import ResultUpload

MATCHPOINTS, CROSS_IMPS, BUTLER = "match_points", "cross_imps", "butler"
TEAMS, TEAMS_VP = "team_imps", "team_vps"
OF_TEAMS = (TEAMS, TEAMS_VP)
SECTIONS_APART = tuple(f"{method}{APART}" for method in (MATCHPOINTS, CROSS_IMPS, BUTLER))
OF_PAIRS = (MATCHPOINTS, CROSS_IMPS, BUTLER, *SECTIONS_APART)
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

    If another file has the ranking, that counts unless a way of scoring is chosen; a warning says how the two
    differ.

    details: the director's input, with the chosen way of scoring
    """
    method = details.get("scoring")
    if parsed.stated and parsed.boards:
        parsed = _as_stated(parsed, parsed.stated)
        return _computed(parsed, method) if method in OF_PAIRS else _compared(parsed, parsed.stated)
    if not parsed.boards or not is_scored_here(parsed.format_name):
        return parsed
    for scorer in _SCORERS:
        parsed = scorer(parsed, method if method in SCORINGS else proposed(parsed))
    return parsed


def is_computed(upload: ResultUpload) -> bool:
    """Return whether the ranking of an upload is computed from its boards."""
    stated = upload.parsed.get("stated")
    return bool(stated["method"]) if stated else is_scored_here(upload.file_format)


def _as_stated(parsed: ParsedResult, stated: Stated) -> ParsedResult:
    """Return a ranking with the results that its file states, and without the warning about them."""
    entries = tuple(
        replace(entry, place=place, percentage=percentage, score=score, boards=boards)
        for entry, (place, percentage, score, boards) in zip(parsed.entries, stated.figures, strict=True)
    )
    event = replace(parsed.event, scoring=stated.scoring, unit=stated.unit, boards=stated.boards)
    issues = tuple(item for item in parsed.issues if item.code != "joined_other_computed")
    boards = tuple(replace(result, ns_points=None, ew_points=None) for result in parsed.boards)
    stated = replace(stated, method="")
    return replace(parsed, entries=entries, event=event, boards=boards, issues=issues, stated=stated)


def _computed(parsed: ParsedResult, method: str) -> ParsedResult:
    """Return a ranking with the results that its boards give, instead of those that its file states."""
    blank = (replace(entry, place=None, percentage=None, score=None) for entry in parsed.entries)
    stated = replace(parsed.stated, method=method) if parsed.stated else None
    parsed = replace(parsed, entries=tuple(blank), stated=stated)
    for scorer in _SCORERS:
        parsed = scorer(parsed, method)
    return parsed


def _compared(parsed: ParsedResult, stated: Stated) -> ParsedResult:
    """Add a warning if the boards give other results than the ranking, in each way of scoring."""
    differing = [
        contradiction(list(zip(parsed.entries, entries, strict=True)))
        for entries in _ways_computed(parsed, stated)
    ]
    if not differing or not all(differing):
        return parsed
    least = min(filter(None, differing), key=lambda way: way.count)
    warning = issue(
        "joined_other_computed",
        value=parsed.entries[least.index].number or "?",
        name=stated.name,
        other=stated.other,
        first=least.first,
        second=least.second,
        count=least.count,
    )
    return replace(parsed, issues=(*parsed.issues, warning))


def _ways_computed(parsed: ParsedResult, stated: Stated) -> Iterator[tuple[Entry, ...]]:
    """Yield the contestants with the results of each way of scoring that the ranking may have used.

    Results in IMPs are means or sums. Victory points and sums of matchpoints are not computed.
    """
    is_share = any(entry.percentage for entry in parsed.entries)
    if not is_share and stated.unit in ("vp", "mp"):
        return
    methods = (MATCHPOINTS,) if is_share else (CROSS_IMPS, BUTLER)
    several = len({entry.section for entry in parsed.entries}) > 1
    for method in (*methods, *(f"{method}{APART}" for method in methods if several)):
        entries = _computed(parsed, method).entries
        yield entries
        if not is_share:
            yield tuple(replace(entry, score=_sum_text(entry)) for entry in entries)


def _sum_text(entry: Entry) -> str | None:
    """Return the sum of a contestant's results whose mean is its score."""
    return str(Decimal(entry.score) * entry.boards) if entry.score and entry.boards else None


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
