"""The proposal to reverse an applied campaign, which a second person approves."""

import hashlib

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Proposal
from players.proposals import Effect, ProposedAct
from scoring.promotions.act_pages import PAGES
from scoring.promotions.acts.base import not_now
from scoring.promotions.acts.reverse import KIND, Reverse
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import plans
from scoring.promotions.queries.tasks import is_busy
from scoring.promotions.tables.campaigns import ChangeTable
from scoring.promotions.tables.rows import conflicts
from ui.clock import today
from ui.paging import Listing


class ReversalAct(ProposedAct):
    """A proposed act: the reversal of an applied campaign. Once it is approved, a worker carries it out.

    The proposal's `data` contains `campaign`, the campaign's id, and `year`.
    """

    kind = KIND
    label = gettext_lazy("Reversal of a category change")

    def title(self, proposal: Proposal) -> str:
        return _("Reverse the category change of %(year)s") % {"year": proposal.data["year"]}

    def effect(self, proposal: Proposal, viewer) -> Effect:
        planned = plans.reversals(_campaign(proposal), today())
        kept = conflicts(planned)
        content = repr([(item.change.pk, item.undone, item.former.pk) for item in planned])
        caption = _("Players who would be left as they are")
        table = ChangeTable(Listing(kept), caption=caption, orderable=False)
        counts = {"taken_back": len(planned) - kept.count(), "kept": kept.count()}
        return Effect(
            [str(PAGES[Verb.REVERSE].says)],
            hashlib.sha256(content.encode()).hexdigest(),
            "promotions/campaign/_reversal_effect.html",
            {"reversal": counts, "conflicts": table if kept.count() else None},
        )

    def obstacles(self, proposal: Proposal) -> list[str]:
        campaign = _campaign(proposal)
        if not Reverse().is_open(campaign):
            return [not_now(campaign)]
        return [_("Another step is under way, or waits for its day.")] if is_busy(campaign) else []

    def perform(self, proposal: Proposal, by) -> dict:
        return {"task": Reverse().perform(proposal.data["campaign"], by, proposal.reason).pk}

    def outcome(self, proposal: Proposal) -> list[str]:
        return [_("The campaign's page says how the reversal goes.")] if proposal.result else []


def _campaign(proposal: Proposal) -> PromotionCampaign:
    return PromotionCampaign.objects.get(pk=proposal.data["campaign"])
