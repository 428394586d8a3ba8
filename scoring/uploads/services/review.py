"""What a director sees before confirming: the draft, its evaluation, and the issues of both."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.conf import settings
from django.utils.translation import get_language

from players.models import Player
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.services import approval
from scoring.ledger.services.differences import PointsChange, points_changes
from scoring.ledger.snapshots import digest_of
from scoring.ledger.systems.seats import played_too_few
from scoring.ledger.wording import event_type_name, is_kind_of, regulation_name
from scoring.strength import figures as strength
from tournaments.boards import MATCHPOINTS, locate_results, scoring_of
from tournaments.drafts import Header
from tournaments.formats.issues import IssueList
from tournaments.formats.types import BoardResult, Entry, EventInfo, Issue
from tournaments.models import ResultUpload, Tournament
from tournaments.services.drafts import Draft, draft_of
from tournaments.services.issues import fault_of, issue
from ui.formatting import format_percent, format_share


@dataclass(frozen=True)
class Review:
    """A draft with its evaluation, which is None while the draft cannot be scored.

    `changes` are the players whose points a correction changes; `names` also knows those who drop out.
    `waits`: whether the points wait for a second person once this is confirmed.
    """

    draft: Draft
    evaluation: Evaluation | None
    issues: tuple[Issue, ...]
    changes: tuple[PointsChange, ...]
    names: Mapping[int, Player]
    waits: bool = False

    @property
    def blocking(self) -> bool:
        return any(each.severity == "error" for each in self.issues)

    @property
    def ready(self) -> bool:
        """Nothing is left to mend or to tick."""
        return not self.blocking and not self.draft.unticked

    @property
    def digest(self) -> str:
        """Changes whenever what confirming stores or gives does: what is confirmed is what was looked at."""
        inputs = self.evaluation and digest_of(self.evaluation)
        told = (self.draft.header, self.draft.rows, inputs, self.changes, self.waits)
        return hashlib.sha256(repr(told).encode()).hexdigest()

    @cached_property
    def points_by_player(self) -> dict[int, int]:
        """Hundredths that each registered player would get; guests earn nothing that is stored."""
        return self.evaluation.points_by_player if self.evaluation else {}


def review_of(upload: ResultUpload, draft: Draft | None = None) -> Review:
    """Check and score an upload without storing anything. `draft` saves the reading of a fresh one."""
    draft = draft or draft_of(upload)
    evaluation, refused = None, []
    remarks: list[Issue] = []
    if draft.header and draft.rows:
        evaluation, refused = _evaluate(draft, draft.header)
        remarks += percentages_off(upload, draft)
        remarks += _played_too_little(draft, draft.header)
    found = [*refused, *remarks, *_awaits_approval(upload)]
    changes: list[PointsChange] = []
    names = draft.players
    if evaluation and upload.corrects:
        changes = points_changes(upload.corrects, evaluation)
        gone = {each.player_id for each in changes} - names.keys()
        names = {**names, **Player.objects.in_bulk(gone)}
    waits = evaluation is not None and approval.needed(draft.header, evaluation, upload.corrects)
    return Review(draft, evaluation, (*found, *draft.issues), tuple(changes), names, waits)


def errors_of(upload: ResultUpload, draft: Draft) -> list[Issue]:
    """Return what keeps a draft from being scored besides its own issues: the regulation, or an approval."""
    refused = _evaluate(draft, draft.header)[1] if draft.header and draft.rows else []
    return [*refused, *_awaits_approval(upload)]


def _awaits_approval(upload: ResultUpload) -> list[Issue]:
    run = upload.corrects and approval.waiting_run(upload.corrects)
    if not run:
        return []
    return [issue("awaits_approval", name=upload.corrects.name, upload=str(run.revision.upload.pk))]


def percentages_off(upload: ResultUpload, draft: Draft) -> tuple[Issue, ...]:
    """Contestants whose boards, if the file brought them, give another percentage than the ranking says."""
    read = upload.parsed.get("boards", ())
    stated = {row.position: row.percentage for row in draft.rows if row.percentage is not None}
    if not (read and stated) or draft.known.format != Tournament.Format.PAIRS:
        return ()
    if scoring_of(EventInfo(**upload.parsed["event"])) != MATCHPOINTS:
        return ()
    entries = [each.entry for each in draft.ranked]
    rows = locate_results((BoardResult.from_json(each) for each in read), entries)
    issues = IssueList()
    for position, computed in sorted(strength.percentages_unlike_stated(rows, stated).items()):
        entry, lang = entries[position - 1], get_language() or ""
        issues.extend([issue(
            "percentage_differs", line=entry.line, field="percentage",
            value=format_percent(stated[position], lang), name=_called(entry),
            computed=format_percent(Decimal(computed.numerator) / computed.denominator, lang),
        )])  # fmt: skip
    return issues.done()


def _played_too_little(draft: Draft, header: Header) -> tuple[Issue, ...]:
    """Contestants who keep their place without points, because they played too few of the boards."""
    share = format_share(Decimal(str(settings.MINIMUM_SHARE)), get_language() or "")
    issues = IssueList()
    for row, ranked in zip(draft.rows, draft.ranked, strict=True):
        if played_too_few(row, header):
            said = {"name": _called(ranked.entry), "scheduled": header.boards_scheduled, "share": share}
            issues.extend([issue("too_few_boards_played", line=ranked.entry.line, value=row.boards, **said)])
    return issues.done()


def _called(entry: Entry) -> str:
    """A contestant of a file as its line names it; names in a file are its sender's to read."""
    return " – ".join(person.name or person.number or "?" for person in entry.people)


def _evaluate(draft: Draft, header: Header) -> tuple[Evaluation | None, list[Issue]]:
    try:
        regulation = adapters.regulation_for(header)
    except EngineError:
        return None, [issue("no_regulation", field="end_date", value=header.end_date.isoformat())]
    if not is_kind_of(header.event_type, regulation):
        named = {"regulation": regulation_name(regulation.code), "day": header.end_date.isoformat()}
        return None, [issue("event_type_not_in_force", field="event_type", value=header.event_type, **named)]
    if not regulation.filing.fits(header.event_type, header.format):
        due = ",".join(sorted(regulation.filing.formats[header.event_type]))
        named = {"type": event_type_name(header.event_type, regulation), "due": due}
        return None, [issue("format_not_of_type", field="format", value=header.format, **named)]
    codes = {player: category.code for player, category in draft.categories.items()}
    try:
        events = adapters.build_events(header, draft.rows, codes, draft.licensed)
        return adapters.evaluate_events(regulation, events), []
    except EngineError as error:
        if error.code == "missing_factor":
            factor = error.field.rpartition(".")[2]
            named = {"regulation": regulation_name(regulation.code)}
            return None, [issue("missing_factor", field="factors", value=factor, **named)]
        # Only a draft that is already refused for a better reason gets here silently.
        return None, [] if draft.blocking else [issue("not_scorable", value=fault_of(error.code))]
