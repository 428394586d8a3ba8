"""The act of publishing the approved lists."""

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts.base import MAX_AHEAD, PageAct, Refused, register
from scoring.promotions.acts.forms import ActForm, day_field
from scoring.promotions.models import CampaignAct, PromotionCampaign
from scoring.promotions.pure.states import Verb
from ui.clock import today
from ui.formatting import format_date


class PublishForm(ActForm):
    """The form for the last day on which players may contest the lists."""

    claims_until = day_field(label=_("Last day for claims"))


@register
class Publish(PageAct):
    """The act of publishing the approved lists. Players may contest them until the last day for claims."""

    verb = Verb.PUBLISH
    label = _("Publish the lists")
    says = _(
        "Everybody can read the lists, players find on their page whether they move, and may contest it "
        "until the last day for claims. Nobody’s category changes yet."
    )
    done = _("The lists are published.")
    logged = _("lists published")
    turn_words = _("It is the office’s turn: it publishes the lists.")
    reminder = _("The lists of %(year)s are approved and can be published.")
    public = True
    form_class = PublishForm

    def form_options(self, campaign: PromotionCampaign) -> dict:
        return {"initial": {"claims_until": _usual_last_day(campaign)}}

    @transaction.atomic
    def perform(self, campaign_id: int, by, claims_until: date | None = None) -> CampaignAct:
        """Publish the lists and set the last day for claims.

        By default, that day is as many days from today as the rule set's `claims_days`. An earlier day is
        refused: only the committee can shorten the claims period, by the act `Close`.
        """
        campaign = self.begin(campaign_id, by)
        first = _usual_last_day(campaign)
        last_day = claims_until or first
        if last_day < first:
            text = gettext("The rules let players contest the lists until %(day)s at least.")
            raise Refused({"claims_until": text % {"day": format_date(first, get_language() or "")}})
        if last_day > today() + MAX_AHEAD:
            raise Refused({"claims_until": gettext("That is more than a year away.")})
        detail = {"claims_until": last_day.isoformat(), "digest": campaign.approved_digest}
        changes = {"published_at": timezone.now(), "claims_until": last_day}
        return self.finish(campaign, by, detail=detail, **changes)


def _usual_last_day(campaign: PromotionCampaign) -> date:
    return today() + timedelta(days=campaign.rule_set.claims_days)
