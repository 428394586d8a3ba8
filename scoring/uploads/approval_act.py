"""The act by which a second person approves the points of a tournament.

Some types of tournament need this approval, because a club alone may not decide that they count.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Count
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import Player, Proposal, Role
from players.proposals import Effect, ProposedAct
from players.services import categories
from scoring.ledger import systems
from scoring.ledger.correcting import late_text
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries.awards import PointsChange, points_changes
from scoring.ledger.services import approval
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.wording import event_type_name, reason_text, regulation_name
from scoring.uploads import preview
from scoring.uploads.tables import ChangesTable, ReceiptTable
from tournaments.drafts import Header, rows_of
from tournaments.models import ResultUpload, Tournament
from tournaments.services.issues import describe
from tournaments.services.repeats import same_event
from ui.counting import counted, counted_points
from ui.formatting import format_date, format_points
from ui.paging import table_of


class TournamentAct(ProposedAct):
    """The act that approves the points of a confirmed tournament."""

    kind = approval.KIND
    label = _("Points of a tournament")
    stops_points = True

    def title(self, proposal: Proposal) -> str:
        header = proposal.data["header"]
        return gettext("%(name)s, %(type)s, %(club)s, %(day)s") % {
            "name": header["name"],
            "type": event_type_name(header["event_type"]),
            "club": proposal.data["club"],
            "day": format_date(date.fromisoformat(header["end_date"]), get_language() or ""),
        }

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        runs = ScoringRun.objects.filter(pk__in=[proposal.data["run"] for proposal in proposals]).order_by()
        players = dict(runs.annotate(players=Count("revision__seats__player")).values_list("pk", "players"))
        return {
            proposal.pk: counted(players[proposal.data["run"]], "player")
            for proposal in proposals
            if proposal.data["run"] in players
        }

    def may_prepare(self, user, proposal: Proposal) -> bool:
        run = _run(proposal)
        clubs = roles_of(user).clubs.get(Role.Kind.DIRECTOR, frozenset())
        # Without a run, `obstacles` explains why. Directors of a closed club keep access to their proposals.
        return run is None or run.tournament.club_id in clubs or super().may_prepare(user, proposal)

    def may_decide(self, user, proposal: Proposal) -> bool:
        if proposal.data["uploaded_by"] == user.pk:
            return False
        return roles_of(user).approves(proposal.data["region"] if proposal.data["regional"] else None)

    def obstacles(self, proposal: Proposal) -> list[str]:
        run = _run(proposal)
        if run is None or run.state != ScoringRun.State.WAITING:
            return [gettext("This ranking no longer waits for approval.")]
        return _repeats(run, _header(proposal))

    def effect(self, proposal: Proposal, viewer) -> Effect:
        run = _run(proposal)
        if run is None:
            return Effect([], "")
        evaluation, header = evaluation_of(run), _header(proposal)
        changes = points_changes(run.tournament, evaluation) if run.tournament.published_id else []
        details = sorted((name, str(value)) for name, value in asdict(header).items())
        return Effect(
            _sentences(run, evaluation, header),
            digest=f"{run.pk} {run.input_digest} {details} {changes}",
            template="uploads/_approval.html",
            context=_tables(run, evaluation, changes, viewer),
        )

    def perform(self, proposal: Proposal, by) -> dict:
        header, run = _header(proposal), _run(proposal)
        # Confirming an upload takes the same locks in this order. Otherwise a simultaneous confirmation of
        # the same ranking would go unnoticed.
        Tournament.objects.select_for_update(no_key=True).get(pk=run.tournament_id)
        categories.lock(run.revision.player_ids())
        if sentences := _repeats(run, header):
            raise ValidationError(sentences)
        run = approval.release(run.pk, header)
        return {"tournament": run.tournament_id}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [gettext("The points are given.")] if proposal.result else []

    def returned(self, proposal: Proposal) -> None:
        if run := _run(proposal):
            approval.discard(run)

    def settled(self, returned: Sequence[Proposal]) -> set[int]:
        """Return the ids of the returned proposals that need no further work.

        When a proposal is returned, its upload becomes a draft again. The work is done once it is no longer a
        draft.
        """
        drafts = ResultUpload.objects.drafts().filter(pk__in=[proposal.key for proposal in returned])
        keys = {str(pk) for pk in drafts.values_list("pk", flat=True)}
        return {proposal.pk for proposal in returned if proposal.key not in keys}


def _run(proposal: Proposal) -> ScoringRun | None:
    runs = ScoringRun.objects.select_related("tournament__club", "revision")
    return runs.filter(pk=proposal.data["run"]).first()


def _header(proposal: Proposal) -> Header:
    days = {name: date.fromisoformat(proposal.data["header"][name]) for name in ("start_date", "end_date")}
    return Header(**{**proposal.data["header"], **days})


def _repeats(run: ScoringRun, header: Header) -> list[str]:
    """Return a sentence for each confirmed tournament that has the same ranking as the one to approve.

    The upload was compared with earlier tournaments when it was confirmed. Others may have been confirmed
    since, or a correction may have moved one to a nearby day.
    """
    upload = ResultUpload.objects.get(revision=run.revision_id)
    players = Player.objects.in_bulk(run.revision.player_ids())
    issues = same_event(upload, header, rows_of(run.revision), players)
    return [describe(item).message for item in issues if item.severity == "error"]


def _sentences(run: ScoringRun, evaluation: Evaluation, header: Header) -> list[str]:
    lang, total = get_language() or "", sum(evaluation.points_by_player.values())
    decimals = systems.points_decimals(header)
    if evaluation.eligible:
        points = gettext(
            "By %(regulation)s the first place gets %(first)s, and everybody together %(total)s."
        ) % {
            "regulation": regulation_name(run.regulation),
            "first": counted_points(approval.first_points(evaluation), decimals),
            "total": format_points(total, lang, decimals),
        }
    else:
        reasons = [reason_text(run.regulation, reason.code, reason.params) for reason in evaluation.reasons]
        points = gettext("It would be kept but does not count: %(reasons)s") % {"reasons": " ".join(reasons)}
    facts = gettext("Type: %(type)s. Format: %(format)s. Venue: %(venue)s.") % {
        "type": event_type_name(header.event_type, evaluation.regulation),
        "format": Tournament.Format(header.format).label,
        "venue": Tournament.Venue(header.venue).label,
    }
    if run.tournament.published_id is None:
        return [points, facts]
    corrected = gettext("It corrects “%(name)s”, which counts as it was until this is approved.")
    sentences = [points, facts, corrected % {"name": run.tournament.name}]
    return list(filter(None, [*sentences, late_text(run.tournament)]))


def _tables(
    run: ScoringRun, evaluation: Evaluation, changes: Sequence[PointsChange], viewer
) -> dict[str, Any]:
    """Return the tables of the approval page: the ranking with its points and the changes.

    Only a correction has changes.
    """
    decimals = systems.points_decimals(run.tournament)
    points = evaluation.points_by_position
    source = preview.receipt_source(run, lambda contestant: points.get(contestant.position), viewer)
    tables: dict[str, Any] = {"ranking": table_of(ReceiptTable, source, points_decimals=decimals)}
    if run.tournament.published_id:
        players = Player.objects.in_bulk(change.player_id for change in changes)
        changes_rows = preview.changes_rows(changes, players, viewer)
        tables["changes"] = ChangesTable(changes_rows, points_decimals=decimals)
    return tables
