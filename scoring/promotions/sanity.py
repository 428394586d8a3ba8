"""Sanity checks of the year-end change."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from scoring.promotions.models import CampaignTask, PromotionCampaign
from ui.clock import today
from ui.sanity import Check, RowsOf, Severity

State = PromotionCampaign.State


def _overdue() -> QuerySet:
    going_on = PromotionCampaign.objects.filter(state__in=[State.FROZEN, State.APPROVED, State.PUBLISHED])
    return going_on.filter(effective_on__lt=today())


def _stopped() -> QuerySet:
    return CampaignTask.objects.filter(state=CampaignTask.State.FAILED)


CHECKS = [
    Check(
        "campaign_overdue",
        Severity.WARNING,
        _("Category changes that should have been applied"),
        _("Their day has come, but the categories are still the old ones. Take the next step of the change."),
        RowsOf(_overdue, lambda row: str(row.year), lambda row: row.get_absolute_url()),
    ),
    Check(
        "campaign_stopped",
        Severity.WARNING,
        _("Steps of a category change that stopped"),
        _("The step was tried several times. Its page says why, and starts it again."),
        RowsOf(
            _stopped,
            lambda row: f"{row.campaign.year}: {row.verb}",
            lambda row: row.campaign.get_absolute_url(),
            ["campaign"],
        ),
    ),
]
