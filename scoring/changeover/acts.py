"""The acts of applying and undoing a changeover, which a second person approves."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from players.models import Proposal
from players.proposals import Effect, ProposedAct
from scoring.changeover import tasks, working
from scoring.changeover.models import Changeover
from ui.counting import counted, counted_points
from ui.formatting import format_whole
from ui.progress import Progress


class _ChangeoverAct(ProposedAct):
    """Base of the acts. `data` contains changeover (its id) and awards (how many it has).

    step: what a worker does once it is approved
    """

    step: Changeover.Step

    def concerned(self, proposals: Sequence[Proposal], viewer) -> dict[int, str]:
        return {proposal.pk: counted(proposal.data["awards"], "award") for proposal in proposals}

    def under_way(self, proposal: Proposal) -> Progress | None:
        changeover = _changeover_of(proposal)
        if changeover.proposal_id != proposal.pk or not changeover.is_under_way:
            return None
        url = reverse("proposal_progress", args=[proposal.pk])
        return tasks.progress_of(changeover, url, proposal.get_absolute_url())

    def start(self, proposal: Proposal, by) -> bool:
        changeover = Changeover.objects.select_for_update().get(pk=proposal.data["changeover"])
        tasks.begin(changeover, self.step, by, proposal)
        return True


def _changeover_of(proposal: Proposal) -> Changeover:
    return Changeover.objects.get(pk=proposal.data["changeover"])


class ApplyAct(_ChangeoverAct):
    """Posts all awards. `data` also contains digest: that of the changeover when it was proposed."""

    kind = "changeover"
    label = gettext_lazy("Changeover")
    step = Changeover.Step.APPLY

    def title(self, proposal: Proposal) -> str:
        return _("Take over the points of the former program")

    def effect(self, proposal: Proposal, viewer) -> Effect:
        changeover = _changeover_of(proposal)
        language, totals = get_language() or "", changeover.totals
        text = _("%(awards)s of %(players)s would be posted, with %(points)s in all.")
        values = {
            "awards": counted(totals["awards"], "award"),
            "players": counted(totals["players"], "player"),
            "points": counted_points(totals["points"]),
        }
        cautions = []
        if changeover.differences:
            words = ngettext(
                "The points of %(number)s player differ from the old list.",
                "The points of %(number)s players differ from the old list.",
                changeover.differences,
            )
            cautions.append(words % {"number": format_whole(changeover.differences, language)})
        elif changeover.list_day is None:
            cautions.append(_("They were not compared with a list of the former program."))
        context = {"changeover": changeover}
        return Effect([text % values], changeover.digest, "changeover/_effect.html", context, cautions)

    def obstacles(self, proposal: Proposal) -> list[str]:
        changeover = _changeover_of(proposal)
        if changeover.is_under_review and changeover.digest == proposal.data["digest"]:
            return []
        return [_("The changeover is not what was proposed any more: return it, and it is prepared again.")]

    def perform(self, proposal: Proposal, by) -> dict:
        return working.apply_approved(proposal, by)

    def outcome(self, proposal: Proposal) -> list[str]:
        if not proposal.result:
            return []
        number = proposal.result["awards"]
        text = ngettext("%(number_text)s award was posted.", "%(number_text)s awards were posted.", number)
        return [text % {"number_text": format_whole(number, get_language() or "")}]


class UndoAct(_ChangeoverAct):
    """Takes back all awards of an applied changeover."""

    kind = "changeover_undo"
    label = gettext_lazy("Undoing of a changeover")
    step = Changeover.Step.UNDO

    def title(self, proposal: Proposal) -> str:
        return _("Take back the points of the former program")

    def effect(self, proposal: Proposal, viewer) -> Effect:
        changeover = _changeover_of(proposal)
        text = _(
            "All awards would be taken back (%(awards)s), except those that were taken back or moved before."
        )
        awards = format_whole(changeover.number, get_language() or "")
        digest = f"{changeover.pk} {changeover.applied_at}"
        return Effect(
            [text % {"awards": awards}], digest, "changeover/_effect.html", {"changeover": changeover}
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        changeover = _changeover_of(proposal)
        if changeover.is_applied and not changeover.is_under_way:
            return []
        return [_("This changeover was already undone.")]

    def perform(self, proposal: Proposal, by) -> dict:
        return working.undo_approved(proposal, by)

    def outcome(self, proposal: Proposal) -> list[str]:
        if not proposal.result:
            return []
        text = _("Awards taken back: %(awards)s; left alone: %(left)s.")
        language = get_language() or ""
        return [text % {key: format_whole(proposal.result[key], language) for key in ("awards", "left")}]
