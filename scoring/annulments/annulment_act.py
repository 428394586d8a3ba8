"""The act by which a second person approves an annulment or restoration that the club may not do alone."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import uploadable_clubs
from players.models import Proposal
from players.proposals import Effect, ProposedAct
from players.services import proposals
from scoring.annulments import queries, services
from scoring.annulments.models import Annulment
from scoring.ledger import systems
from scoring.ledger.correcting import ANNULMENT_ACT, late_text
from tournaments.models import Tournament
from ui.counting import counted, counted_points
from ui.formatting import format_date

KIND = ANNULMENT_ACT
Act = Annulment.Act


@transaction.atomic
def request(tournament: Tournament, act: str, reason: str, by) -> Proposal:
    """Propose to annul or restore a tournament.

    Raise ValidationError if this is not possible now, or is proposed already.
    """
    # Confirming a correction takes the same lock, so that either this or the correction notices the other.
    tournament = Tournament.objects.select_for_update(of=("self",), no_key=True).get(pk=tournament.pk)
    if (act == Act.ANNULLED) == bool(tournament.annulled_at):
        raise ValidationError(_already(tournament))
    if problem := services.obstacle(tournament):
        raise ValidationError(problem.text)
    data = {"tournament": tournament.pk, "act": act, "name": tournament.name, "club": tournament.club.name}
    return proposals.propose(
        KIND, by, data | {"day": tournament.end_date.isoformat()}, key=str(tournament.pk), reason=reason
    )


class AnnulmentAct(ProposedAct):
    """Annuls or restores a tournament."""

    kind = KIND
    label = _("Annulment of a tournament")

    def title(self, proposal: Proposal) -> str:
        texts = {
            Act.ANNULLED: gettext("Annul %(name)s, %(club)s, %(day)s"),
            Act.RESTORED: gettext("Restore %(name)s, %(club)s, %(day)s"),
        }
        data = proposal.data
        day = format_date(date.fromisoformat(data["day"]), get_language() or "")
        return texts[data["act"]] % {"name": data["name"], "club": data["club"], "day": day}

    def may_prepare(self, user, proposal: Proposal) -> bool:
        tournament = _tournament(proposal)
        return uploadable_clubs(user).filter(pk=tournament.club_id).exists()

    def obstacles(self, proposal: Proposal) -> list[str]:
        tournament = _tournament(proposal)
        if (proposal.data["act"] == Act.ANNULLED) == bool(tournament.annulled_at):
            return [_already(tournament)]
        problem = services.obstacle(tournament)
        return [problem.text] if problem else []

    def effect(self, proposal: Proposal, viewer) -> Effect:
        tournament = _tournament(proposal)
        players, points = queries.players_and_points(tournament)
        if proposal.data["act"] == Act.RESTORED:
            sentences = [gettext("Everybody gets the same points again.")]
        elif players:
            values = {
                "players": counted(players, "player"),
                "sum": counted_points(points, systems.points_decimals(tournament)),
            }
            sentences = [gettext("It takes back %(sum)s in all, from %(players)s.") % values]
        else:
            sentences = [gettext("Nobody has points from it; the lists would say that it is annulled.")]
        sentences = list(filter(None, [*sentences, late_text(tournament)]))
        return Effect(sentences, f"{tournament.pk} {tournament.annulled_at} {players} {points}")

    def perform(self, proposal: Proposal, by) -> dict:
        verbs = {Act.ANNULLED: services.annul, Act.RESTORED: services.restore}
        run = verbs[proposal.data["act"]](proposal.data["tournament"], proposal.reason, proposal.prepared_by)
        return {"run": run.pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        texts = {
            Act.ANNULLED: gettext("The tournament is annulled: it counts no more."),
            Act.RESTORED: gettext("The tournament is restored: it counts again."),
        }
        return [texts[proposal.data["act"]]] if proposal.result else []


def _tournament(proposal: Proposal) -> Tournament:
    return Tournament.objects.select_related("club").get(pk=proposal.data["tournament"])


def _already(tournament: Tournament) -> str:
    if tournament.annulled_at:
        return gettext("This tournament is annulled already.")
    return gettext("This tournament is not annulled.")
