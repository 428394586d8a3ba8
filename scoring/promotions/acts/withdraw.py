"""The act of withdrawing the publication of the lists."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.base import (
    NOT_APPROVED,
    NOT_PUBLISHED,
    PageAct,
    cancel_waiting,
    register,
    required_text,
)
from scoring.promotions.acts.forms import SureForm
from scoring.promotions.models import CampaignAct
from scoring.promotions.pure.states import Verb


@register
class Withdraw(PageAct):
    """The act of withdrawing the publication: the lists are no longer public, and return to review."""

    verb = Verb.WITHDRAW
    label = _("Withdraw the publication")
    says = _(
        "The public no longer sees the lists. The office can change or freeze them again, and the "
        "committee has to approve them anew."
    )
    done = _("The lists are no longer public.")
    danger = True
    logged = _("publication withdrawn")
    public = True
    form_class = SureForm

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """Remove the approval and the publication, and cancel a scheduled application."""
        campaign = self.begin(campaign_id, by)
        detail = {"cancelled": cancel_waiting(campaign)}
        changes = {**NOT_APPROVED, **NOT_PUBLISHED}
        return self.finish(campaign, by, required_text(reason), detail, **changes)
