"""Review an upload before it is confirmed: build its draft, compute its points, and find all issues."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import get_language

from players.models import Player
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.queries.awards import PointsChange, points_changes
from scoring.ledger.services import approval
from scoring.ledger.snapshots import digest_of
from scoring.ledger.systems.seats import played_too_few
from scoring.ledger.wording import event_type_name, is_kind_of, regulation_name
from scoring.strength import figures as strength
from scoring.uploads.unchanged import nothing_corrected
from tournaments.boards import MATCHPOINTS, locate_results, scoring_of
from tournaments.drafts import Header
from tournaments.formats.issues import IssueList
from tournaments.formats.types import BoardResult, Entry, EventInfo, HasIssues, Issue
from tournaments.models import Announcement, ResultUpload, Tournament
from tournaments.services import board_rebase
from tournaments.services.drafts import Draft, draft_of
from tournaments.services.issues import fault_of, issue
from ui.formatting import format_percent, format_share


@dataclass(frozen=True)
class Review(HasIssues):
    """A draft with its points.

    evaluation: the computed points; None while the draft cannot be scored
    changes: for a correction, the players whose points change
    players: {player id: player} of the players in the draft and in `changes`
    needs_approval: whether a second person has to approve the points after confirmation
    approved_beforehand: whether its announcement stands for the approval
    """

    draft: Draft
    evaluation: Evaluation | None
    issues: tuple[Issue, ...]
    changes: tuple[PointsChange, ...]
    players: Mapping[int, Player]
    needs_approval: bool = False
    approved_beforehand: bool = False

    @property
    def announced(self) -> Announcement | None:
        """The announced tournament that the upload will be linked with, if any."""
        return self.draft.announced

    @property
    def ready(self) -> bool:
        """Whether the upload can be confirmed: it has no errors and no unticked warnings."""
        return not self.has_errors and not self.draft.unticked

    @property
    def digest(self) -> str:
        """A digest of what confirming would store and award, to detect changes since the user saw it."""
        inputs = self.evaluation and digest_of(self.evaluation)
        state = (self.draft.header, self.draft.rows, inputs, self.changes, self.needs_approval)
        return hashlib.sha256(repr(state).encode()).hexdigest()

    @cached_property
    def points_by_player(self) -> dict[int, int]:
        """{player id: points in hundredths} that each registered player would get."""
        return self.evaluation.points_by_player if self.evaluation else {}


def review_of(upload: ResultUpload, by: User | None = None) -> Review:
    """Check an upload and compute its points, without storing anything.

    by: the account that would confirm it; by default the one that uploaded it
    """
    draft = draft_of(upload)
    evaluation, errors = None, []
    notes: list[Issue] = []
    if draft.header and draft.rows:
        evaluation, errors = _evaluate(draft, draft.header)
        notes += _differing_percentages(upload, draft)
        notes += _too_few_boards(draft, draft.header)
    changes: list[PointsChange] = []
    players, refused = draft.players, _state_errors(upload)
    if evaluation and upload.corrects:
        changes = points_changes(upload.corrects, evaluation)
        refused = refused or nothing_corrected(upload, draft, changes)
        removed = {change.player_id for change in changes} - players.keys()
        players = {**players, **Player.objects.in_bulk(removed)}
    issues = (*errors, *notes, *refused, *draft.issues)
    needed = evaluation is not None and approval.needed(draft.header, evaluation, upload.corrects)
    beforehand = bool(
        needed
        and draft.announced
        and approval.given_beforehand(
            draft.announced, draft.header, evaluation, [upload.created_by, by or upload.created_by]
        )
    )
    return Review(
        draft,
        evaluation,
        issues,
        tuple(changes),
        players,
        needs_approval=needed and not beforehand,
        approved_beforehand=beforehand,
    )


def errors_of(upload: ResultUpload, draft: Draft) -> list[Issue]:
    """Return the errors that are not issues of the draft itself.

    They come from the regulation, or from the tournament that the upload corrects: it waits for approval or
    annulment, or the correction would change nothing.
    """
    evaluation, errors = _evaluate(draft, draft.header) if draft.header and draft.rows else (None, [])
    refused = _state_errors(upload)
    if evaluation and upload.corrects and not refused:
        refused = nothing_corrected(upload, draft, points_changes(upload.corrects, evaluation))
    return [*errors, *refused]


def _state_errors(upload: ResultUpload) -> list[Issue]:
    """Return an error if the tournament that the upload corrects cannot be corrected by it now.

    It waits for approval or for its annulment: the correction would be lost with the annulment, or the second
    person would annul another ranking than the one that the proposal was about. Or boards of the upload
    cannot be corrected in the newest ranking.
    """
    corrected = upload.corrects
    if corrected is None:
        return []
    if run := approval.waiting_run(corrected):
        return [issue("awaits_approval", name=corrected.name, upload=str(run.revision.upload.pk))]
    proposal = None if corrected.annulled_at else approval.waiting_annulment(corrected)
    if proposal:
        return [issue("awaits_annulment", name=corrected.name, proposal=proposal.pk)]
    newer = board_rebase.newer_revision(upload) if upload.state == ResultUpload.State.REVIEW else None
    return [issue("correction_outdated", value=newer.reason)] if newer else []


def _differing_percentages(upload: ResultUpload, draft: Draft) -> tuple[Issue, ...]:
    """Return notes about contestants whose stated percentage differs from that of their board results."""
    results = upload.parsed.get("boards", ())
    stated = {row.position: row.percentage for row in draft.rows if row.percentage is not None}
    if not (results and stated) or draft.known.format != Tournament.Format.PAIRS:
        return ()
    if scoring_of(EventInfo(**upload.parsed["event"])) != MATCHPOINTS:
        return ()
    entries = [ranked.entry for ranked in draft.ranked]
    rows = locate_results((BoardResult.from_json(result) for result in results), entries)
    issues = IssueList()
    for position, computed in sorted(strength.percentages_unlike_stated(rows, stated).items()):
        entry, lang = entries[position - 1], get_language() or ""
        params = {
            "value": format_percent(stated[position], lang),
            "name": _names(entry),
            "computed": format_percent(Decimal(computed.numerator) / computed.denominator, lang),
        }
        issues.add("percentage_differs", line=entry.line, field="percentage", **params)
    return issues.done()


def _too_few_boards(draft: Draft, header: Header) -> tuple[Issue, ...]:
    """Return notes about contestants who get no points because they played too few boards."""
    share = format_share(Decimal(str(settings.MINIMUM_SHARE)), get_language() or "")
    issues = IssueList()
    for row, ranked in zip(draft.rows, draft.ranked, strict=True):
        if played_too_few(row, header):
            params = {"name": _names(ranked.entry), "scheduled": header.boards_scheduled, "share": share}
            issues.add("too_few_boards_played", line=ranked.entry.line, value=row.boards, **params)
    return issues.done()


def _names(entry: Entry) -> str:
    """Return the names of a contestant's people in one text, as the file has them.

    They may be shown, because whoever sent the file has read them there.
    """
    return " – ".join(person.name or person.number or "?" for person in entry.people)


def _evaluate(draft: Draft, header: Header) -> tuple[Evaluation | None, list[Issue]]:
    """Compute the points of a draft. Return them, or None and the errors that prevent it."""
    try:
        regulation = adapters.regulation_for(header)
    except EngineError:
        return None, [issue("no_regulation", field="end_date", value=header.end_date.isoformat())]
    if not is_kind_of(header.event_type, regulation):
        params = {"regulation": regulation_name(regulation.code), "day": header.end_date.isoformat()}
        return None, [issue("event_type_not_in_force", field="event_type", value=header.event_type, **params)]
    if not regulation.filing.fits(header.event_type, header.format):
        due = ",".join(sorted(regulation.filing.formats[header.event_type]))
        params = {"type": event_type_name(header.event_type, regulation), "due": due}
        return None, [issue("format_not_of_type", field="format", value=header.format, **params)]
    codes = {player: category.code for player, category in draft.categories.items()}
    try:
        events = adapters.build_events(header, draft.rows, codes, draft.licensed)
        return adapters.evaluate_events(regulation, events), []
    except EngineError as error:
        if error.code == "missing_factor":
            factor = error.field.rpartition(".")[2]
            name = regulation_name(regulation.code)
            return None, [issue("missing_factor", field="factors", value=factor, regulation=name)]
        # The draft's own errors explain the failure better.
        return None, [] if draft.has_errors else [issue("not_scorable", value=fault_of(error.code))]
