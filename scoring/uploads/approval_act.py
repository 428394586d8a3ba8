"""Approving a tournament of a type that a club does not file alone, as the second person sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import Player, Proposal, Role
from players.proposals import Act, Effect
from scoring.ledger import systems
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.services import approval
from scoring.ledger.services.differences import PointsChange, points_changes
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.wording import event_type_name, reason_text, regulation_name
from scoring.uploads import preview, receipt_page
from scoring.uploads.tables import ChangesTable, ReceiptTable
from tournaments.drafts import Header
from tournaments.models import Tournament
from ui.formatting import format_date, format_points


@dataclass(frozen=True, slots=True)
class Changes:
    """Players whose points a correction changes, for `preview.changes_rows`."""

    changes: Sequence[PointsChange]
    names: Mapping[int, Player]


class TournamentAct(Act):
    """A confirmed tournament whose points wait."""

    kind = approval.KIND
    label = _("Points of a tournament")

    def title(self, proposal: Proposal) -> str:
        header = proposal.data["header"]
        return gettext("%(name)s, %(type)s, %(club)s, %(day)s") % {
            "name": header["name"],
            "type": event_type_name(header["event_type"]),
            "club": proposal.data["club"],
            "day": format_date(date.fromisoformat(header["end_date"]), get_language() or ""),
        }

    def may_prepare(self, user, proposal: Proposal) -> bool:
        run = _run(proposal)
        clubs = roles_of(user).clubs.get(Role.Kind.DIRECTOR, frozenset())
        # Without a run the obstacles say what became of it. A closed club gets what it confirmed before.
        return run is None or run.tournament.club_id in clubs or super().may_prepare(user, proposal)

    def may_decide(self, user, proposal: Proposal) -> bool:
        if proposal.data["uploaded_by"] == user.pk:
            return False
        in_region = proposal.data["regional"] and proposal.data["region"] in roles_of(user).regions
        return in_region or super().may_decide(user, proposal)

    def obstacles(self, proposal: Proposal) -> list[str]:
        run = _run(proposal)
        waits = run is not None and run.state == ScoringRun.State.WAITING
        return [] if waits else [gettext("This ranking no longer waits for approval.")]

    def effect(self, proposal: Proposal, viewer) -> Effect:
        run = _run(proposal)
        if run is None:
            return Effect([], "")
        evaluation, header = evaluation_of(run), _header(proposal)
        changes = points_changes(run.tournament, evaluation) if run.tournament.published_id else []
        seen = sorted((name, str(value)) for name, value in asdict(header).items())
        return Effect(
            _sentences(run, evaluation, header),
            digest=f"{run.pk} {run.input_digest} {seen} {changes}",
            template="uploads/_approval.html",
            context=_tables(run, evaluation, changes, viewer),
        )

    def perform(self, proposal: Proposal, by) -> dict:
        run = approval.release(proposal.data["run"], _header(proposal))
        return {"tournament": run.tournament_id}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [gettext("The points are given.")] if proposal.result else []

    def returned(self, proposal: Proposal) -> None:
        if run := _run(proposal):
            approval.discard(run)


def _run(proposal: Proposal) -> ScoringRun | None:
    runs = ScoringRun.objects.select_related("tournament__club", "revision")
    return runs.filter(pk=proposal.data["run"]).first()


def _header(proposal: Proposal) -> Header:
    days = {name: date.fromisoformat(proposal.data["header"][name]) for name in ("start_date", "end_date")}
    return Header(**{**proposal.data["header"], **days})


def _sentences(run: ScoringRun, evaluation: Evaluation, header: Header) -> list[str]:
    lang, paid = get_language() or "", evaluation.points_by_player
    decimals = systems.points_decimals(header)
    if evaluation.eligible:
        points = gettext(
            "By %(regulation)s the first place gets %(first)s points, and everybody together %(total)s."
        ) % {
            "regulation": regulation_name(run.regulation),
            "first": format_points(approval.first_points(evaluation), lang, decimals),
            "total": format_points(sum(paid.values()), lang, decimals),
        }
    else:
        reasons = [reason_text(run.regulation, each.code, each.params) for each in evaluation.reasons]
        points = gettext("It would be kept but does not count: %(reasons)s") % {"reasons": " ".join(reasons)}
    facts = gettext("Type: %(type)s. Format: %(format)s. Venue: %(venue)s.") % {
        "type": event_type_name(header.event_type, evaluation.regulation),
        "format": Tournament.Format(header.format).label,
        "venue": Tournament.Venue(header.venue).label,
    }
    if run.tournament.published_id is None:
        return [points, facts]
    corrected = gettext("It corrects “%(name)s”, which counts as it was until this is approved.")
    return [points, facts, corrected % {"name": run.tournament.name}]


def _tables(
    run: ScoringRun, evaluation: Evaluation, changes: Sequence[PointsChange], viewer
) -> dict[str, Any]:
    """What the fragment shows: the ranking with its points, and of a correction what changes."""
    decimals = systems.points_decimals(run.tournament)
    points = evaluation.points_by_position
    rows = receipt_page.ranking_rows(run, lambda contestant: points.get(contestant.position), viewer)
    tables: dict[str, Any] = {"ranking": ReceiptTable(rows, points_decimals=decimals)}
    if run.tournament.published_id:
        names = Player.objects.in_bulk(each.player_id for each in changes)
        found = preview.changes_rows(Changes(changes, names), viewer)
        tables["changes"] = ChangesTable(found, points_decimals=decimals)
    return tables
