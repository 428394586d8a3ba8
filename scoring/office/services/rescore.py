"""Score a tournament by another regulation of its family. Two persons decide, with a reason.

The ranking stays the same. A new run of the published revision reverses the old awards and posts new ones.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.models import Player, Proposal
from players.proposals import Effect, ProposedAct
from players.services.proposals import propose
from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.ledger import evaluation as adapters
from scoring.ledger import systems
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import PointsChange, points_changes
from scoring.ledger.services import queue, runs, standings
from scoring.ledger.snapshots import digest_of
from scoring.ledger.wording import is_kind_of, reason_text, regulation_name
from scoring.uploads.preview import changes_rows
from scoring.uploads.tables import ChangesTable
from tournaments.drafts import header_of, rows_of
from tournaments.models import Tournament
from ui.formatting import format_date, format_whole

KIND = "rescore"  # of the proposals to score a tournament again
UNFINISHED = (ScoringRun.State.WAITING, ScoringRun.State.PENDING, ScoringRun.State.RUNNING)


@dataclass(frozen=True)
class Rescoring:
    """The result of scoring a tournament under another regulation, and how each player's points change.

    names: {player id: player} of the players whose points change
    """

    evaluation: Evaluation
    changes: tuple[PointsChange, ...]
    names: Mapping[int, Player]

    @property
    def digest(self) -> str:
        """A digest of the regulation, the engine's inputs and the changes of points.

        It tells whether anything has changed since the preview.
        """
        content = (self.evaluation.regulation.code, digest_of(self.evaluation), self.changes)
        return hashlib.sha256(repr(content).encode()).hexdigest()


def regulation_of_its_day(tournament: Tournament) -> Any:
    """Return the regulation in force on the tournament's last day; None if there was none."""
    header = replace(header_of(tournament), regulation_override="")
    try:
        return adapters.regulation_for(header)
    except EngineError:
        return None


def alternatives(tournament: Tournament) -> list[Any]:
    """Return all regulations of the tournament's family except the one by which it is scored now.

    Empty if the tournament is not scored, or if the family has no dated regulations.
    """
    family = systems.of(tournament.family).engine_family
    unscored = tournament.published_id is None or tournament.annulled_at
    if unscored or family not in regulations.families():
        return []
    present = adapters.regulation_for(header_of(tournament))
    return [regulation for regulation in regulations.of_family(family) if regulation is not present]


def preview(tournament: Tournament, regulation: Any) -> Rescoring:
    """Compute the points under another regulation without storing them.

    Raises ValidationError if the tournament cannot be scored again now, or not under this regulation.
    """
    latest = tournament.revisions.order_by("-number").values_list("pk", flat=True).first()
    if tournament.annulled_at:
        raise ValidationError(_("This tournament was annulled: restore it first."))
    waiting = tournament.runs.filter(state__in=UNFINISHED).exists()
    if waiting or latest is None or latest != tournament.published_id:
        raise ValidationError(_("The last ranking of this tournament has not been scored yet."))
    if not is_kind_of(tournament.event_type, regulation):
        message = _("%(regulation)s has no tournaments of this type.")
        raise ValidationError(message % {"regulation": regulation_name(regulation.code)})
    header = replace(header_of(tournament), **_override_fields(tournament, regulation, reason="?"))
    evaluation = adapters.evaluate(header, rows_of(tournament.published))
    changes = tuple(points_changes(tournament, evaluation))
    return Rescoring(evaluation, changes, Player.objects.in_bulk(change.player_id for change in changes))


def propose_rescoring(tournament: Tournament, regulation: Any, reason: str, by, digest: str) -> Proposal:
    """Propose to score the tournament again, under another regulation or that of its day.

    Raises ValidationError if the points have changed since the preview or cannot be computed, or if scoring
    again is already proposed.

    digest: `Rescoring.digest` of the preview that the office saw
    """
    if preview(tournament, regulation).digest != digest:
        raise ValidationError(_("The points have changed in the meantime: look at them again."))
    data = {"tournament": tournament.pk, "name": tournament.name, "regulation": regulation.code}
    return propose(KIND, by, data, key=str(tournament.pk), reason=reason)


@transaction.atomic
def rescore(tournament_id: int, regulation: Any, reason: str, by) -> ScoringRun:
    """Store the chosen regulation and the reason, and create a run for the workers.

    Choosing the regulation of the tournament's day removes an earlier choice of another regulation. Raises
    ValidationError if the points cannot be computed.
    """
    locked = Tournament.objects.select_for_update(of=("self",), no_key=True)
    tournament = locked.select_related("published").get(pk=tournament_id)
    preview(tournament, regulation)
    values = _override_fields(tournament, regulation, reason)
    for name, value in values.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(values))
    run = runs.create_run(tournament.published, by, reason)
    queue.enqueue_on_commit(run)
    # Points change later, in the worker, but pages that name the tournament are already out of date.
    standings.bump_on_commit()
    return run


def _override_fields(tournament: Tournament, regulation: Any, reason: str) -> dict[str, str]:
    """Return {field of the tournament: value} to store the choice of a regulation and the reason.

    The values are empty strings for the regulation of the tournament's day.
    """
    own = regulation is regulation_of_its_day(tournament)
    return {
        "regulation_override": "" if own else regulation.code,
        "override_reason": "" if own else reason,
    }


class RescoreAct(ProposedAct):
    """Scores a tournament again. `data` contains tournament (its id), name, and regulation (its code)."""

    kind = KIND
    label = gettext_lazy("Another regulation")

    def title(self, proposal: Proposal) -> str:
        values = {"name": proposal.data["name"], "regulation": regulation_name(proposal.data["regulation"])}
        return _("%(name)s: score it by %(regulation)s") % values

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        ids, lang = {proposal.data["tournament"] for proposal in proposals}, get_language() or ""
        events = Tournament.objects.select_related("club").in_bulk(ids)
        words = {
            pk: f"{event.club.name}, {format_date(event.end_date, lang)}" for pk, event in events.items()
        }
        return {proposal.pk: words[proposal.data["tournament"]] for proposal in proposals}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        tournament = _tournament(proposal)
        try:
            result = preview(tournament, _regulation(proposal))
        except ValidationError:  # `obstacles` reports the reason
            return Effect([], "")
        rows = changes_rows(result.changes, result.names, viewer)
        table = ChangesTable(rows, caption=_("What the other regulation changes"))
        sentences = _sentences(tournament, result)
        return Effect(sentences, result.digest, "office/_rescore_effect.html", {"changes": table})

    def obstacles(self, proposal: Proposal) -> list[str]:
        tournament, regulation = _tournament(proposal), _regulation(proposal)
        if regulation not in alternatives(tournament):
            return [_("The tournament is scored by that regulation already, or was annulled.")]
        try:
            preview(tournament, regulation)
        except ValidationError as error:
            return error.messages
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        run = rescore(proposal.data["tournament"], _regulation(proposal), proposal.reason, by)
        return {"run": run.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The tournament is scored by that regulation.")] if proposal.result else []


def _sentences(tournament: Tournament, result: Rescoring) -> list[str]:
    language, evaluation = get_language() or "", result.evaluation
    text = _("%(name)s (%(day)s) would be scored by %(new)s instead of %(old)s.")
    sentences = [
        text
        % {
            "name": tournament.name,
            "day": format_date(tournament.end_date, language),
            "new": regulation_name(evaluation.regulation.code),
            "old": regulation_name(adapters.regulation_for(header_of(tournament)).code),
        }
    ]
    if evaluation.reasons:
        texts = [
            reason_text(evaluation.regulation.code, reason.code, reason.params)
            for reason in evaluation.reasons
        ]
        sentences.append(_("It would be kept but does not count: %(reasons)s") % {"reasons": " ".join(texts)})
    number = len(result.changes)
    text = ngettext(
        "The points of %(number_text)s player would change.",
        "The points of %(number_text)s players would change.",
        number,
    )
    return [*sentences, text % {"number_text": format_whole(number, language)}]


def _tournament(proposal: Proposal) -> Tournament:
    return Tournament.objects.select_related("published").get(pk=proposal.data["tournament"])


def _regulation(proposal: Proposal) -> Any:
    return regulations.get(proposal.data["regulation"])
