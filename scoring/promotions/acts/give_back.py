"""The act of returning approved lists to the office before they are published."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.base import NOT_APPROVED, PageAct, Who, register, required_text
from scoring.promotions.acts.forms import ReasonForm
from scoring.promotions.models import CampaignAct
from scoring.promotions.pure.states import Verb


@register
class GiveBack(PageAct):
    """The act of revoking the committee's approval, so that the office can change the lists again."""

    verb = Verb.RETURN
    who = Who.COMMITTEE
    label = _("Give the lists back to the office")
    says = _("The approval is taken back, and the office can change the lists again.")
    done = _("The lists are with the office again.")
    logged = _("lists given back")
    form_class = ReasonForm

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """Remove the approval. The log keeps the digest of the lists that had been approved."""
        campaign = self.begin(campaign_id, by)
        detail = {"digest": campaign.approved_digest}
        return self.finish(campaign, by, required_text(reason), detail, **NOT_APPROVED)
