"""The act of scoring a tournament again, by another regulation or by the regulation of its day."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.models import Proposal
from players.proposals import Act, Effect
from scoring import regulations
from scoring.ledger.evaluation import regulation_for
from scoring.ledger.wording import reason_text, regulation_name
from scoring.office.services import rescore
from scoring.office.services.rescore import Rescoring
from scoring.uploads import preview
from scoring.uploads.tables import ChangesTable
from tournaments.drafts import header_of
from tournaments.models import Tournament
from ui.formatting import format_date, format_whole


class RescoreAct(Act):
    """Scores a tournament again. `data` contains tournament (its id), name, and regulation (its code)."""

    kind = rescore.KIND
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
            result = rescore.preview(tournament, _regulation(proposal))
        except ValidationError:  # `obstacles` reports the reason
            return Effect([], "")
        rows = preview.changes_rows(result.changes, result.names, viewer)
        table = ChangesTable(rows, caption=_("What the other regulation changes"))
        sentences = _sentences(tournament, result)
        return Effect(sentences, result.digest, "office/_rescore_effect.html", {"changes": table})

    def obstacles(self, proposal: Proposal) -> list[str]:
        tournament, regulation = _tournament(proposal), _regulation(proposal)
        if regulation not in rescore.alternatives(tournament):
            return [_("The tournament is scored by that regulation already, or was annulled.")]
        try:
            rescore.preview(tournament, regulation)
        except ValidationError as error:
            return error.messages
        return []

    def perform(self, proposal: Proposal, by) -> dict:
        run = rescore.rescore(proposal.data["tournament"], _regulation(proposal), proposal.reason, by)
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
            "old": regulation_name(regulation_for(header_of(tournament)).code),
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
