"""The acts of opening a campaign, of changing its rules or dates, and of abandoning it."""

from datetime import date

from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import require
from scoring.ledger.services import standings
from scoring.promotions.acts.base import (
    MAX_AHEAD,
    Act,
    Refused,
    cancel_waiting,
    log,
    register,
    required_text,
)
from scoring.promotions.models import CampaignAct, PromotionCampaign, PromotionRuleSet
from scoring.promotions.pure.states import OPENED, Verb
from scoring.promotions.queries.tasks import is_busy


@register
class Open(Act):
    """The act of opening a year's campaign. Its form is on the page that lists all campaigns.

    The state machine does not contain this act, because the campaign has no state before it.
    """

    verb = OPENED
    logged = _("opened")
    works_on_list = True

    @transaction.atomic
    def perform(
        self, year: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
    ) -> PromotionCampaign:
        """Open a campaign and return it.

        Raises Refused for invalid dates, or if the year already has a campaign that is neither reversed nor
        abandoned.
        """
        require(self.may(by))
        _check_dates(year, rule_set, intake_until, effective_on)
        try:
            with transaction.atomic():
                campaign = PromotionCampaign.objects.create(
                    year=year,
                    rule_set=rule_set,
                    intake_until=intake_until,
                    effective_on=effective_on,
                    opened_by=by,
                )
        except IntegrityError as error:  # two people may open it simultaneously
            message = gettext("The category change of %(year)s has been opened already.")
            raise Refused(message % {"year": year}, code="twice") from error
        log(campaign, self.verb, by, detail=_settings(campaign))
        return campaign


@register
class Edit(Act):
    """The act of changing a campaign's rule set or dates before the first freeze."""

    verb = Verb.EDIT
    logged = _("rules or days changed")
    works_on_list = True

    @transaction.atomic
    def perform(
        self, campaign_id: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
    ) -> PromotionCampaign:
        """Store the new rule set and dates. The log keeps the previous ones."""
        campaign = self.begin(campaign_id, by)
        if is_busy(campaign):
            raise Refused(gettext("The list is being frozen just now."), code="busy")
        _check_dates(campaign.year, rule_set, intake_until, effective_on)
        before = _settings(campaign)
        changes = {"rule_set": rule_set, "intake_until": intake_until, "effective_on": effective_on}
        return self.finish(campaign, by, detail={"before": before}, **changes).campaign


@register
class Abandon(Act):
    """The act of abandoning a campaign. Afterwards, another campaign can be opened for the same year."""

    verb = Verb.ABANDON
    logged = _("abandoned")
    public = True

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """End the campaign and cancel its pending tasks."""
        campaign = self.begin(campaign_id, by)
        return self.finish(campaign, by, required_text(reason), {"cancelled": cancel_waiting(campaign)})


def usual_intake(year: int) -> date:
    """Return the default last day for late results: 15 January of the next year.

    No document of the federation states it: this day is the project's own ruling.
    """
    return date(year + 1, 1, 15)


def _check_dates(year: int, rule_set: PromotionRuleSet, intake_until: date, effective_on: date) -> None:
    end = date(year, 12, 31)
    if year > standings.today().year:
        raise Refused({"year": gettext("That year has not begun yet.")})
    if not rule_set.holds_on(end):
        raise Refused({"rule_set": gettext("These rules do not hold at the end of that year.")})
    if intake_until < end:
        raise Refused({"intake_until": gettext("Late results can only be closed once the year is over.")})
    if effective_on <= intake_until:
        message = gettext("The new categories hold from a day after the last day for late results.")
        raise Refused({"effective_on": message})
    if effective_on > max(end, standings.today()) + MAX_AHEAD:
        raise Refused({"effective_on": gettext("That is more than a year away.")})


def _settings(campaign: PromotionCampaign) -> dict:
    """Return the campaign's rule set and dates as details for the log."""
    return {
        "rule_set": campaign.rule_set.name,
        "intake_until": campaign.intake_until.isoformat(),
        "effective_on": campaign.effective_on.isoformat(),
    }
