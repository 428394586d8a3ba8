"""The act of abandoning a campaign."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.base import PageAct, cancel_waiting, register, required_text
from scoring.promotions.acts.forms import SureForm
from scoring.promotions.models import CampaignAct
from scoring.promotions.pure.states import Verb


@register
class Abandon(PageAct):
    """The act of abandoning a campaign. Afterwards, another campaign can be opened for the same year."""

    verb = Verb.ABANDON
    label = _("Abandon the campaign")
    says = _(
        "The campaign ends here and nobody moves. It stays on record; another one can be opened for the year."
    )
    done = _("The campaign is abandoned.")
    danger = True
    logged = _("abandoned")
    public = True
    form_class = SureForm

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """End the campaign and cancel its pending tasks."""
        campaign = self.begin(campaign_id, by)
        return self.finish(campaign, by, required_text(reason), {"cancelled": cancel_waiting(campaign)})
