"""E-mail the office about what workers did in a campaign.

Messages are sent after the transaction commits. A failure to send is only logged, because the office's home
page shows the same news (`scoring.promotions.queries.campaigns.notices`).
"""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from players.models import Role
from scoring.promotions.models import CampaignTask, PromotionCampaign


def notify_done(task: CampaignTask) -> None:
    """E-mail the office that a scheduled task was done. Do nothing if the task was not scheduled."""
    if task.due_on is None:
        return
    with translation.override(settings.LANGUAGE_CODE):
        year = task.campaign.year
        subject = _("The category change of %(year)s was applied") % {"year": year}
        text = _("It was scheduled for this day. The report and the log are on the campaign's page.")
        notify_office(subject, text)


def notify_stopped(campaign: PromotionCampaign, task: CampaignTask, reason: str) -> None:
    """E-mail the office that a task failed and changed nothing."""
    with translation.override(settings.LANGUAGE_CODE):
        subject = _("The category change of %(year)s stopped") % {"year": campaign.year}
        text = _("A step could not be done, and nothing was changed. Reason: %(reason)s")
        notify_office(subject, text % {"reason": reason})


def notify_office(subject: str, text: str) -> None:
    """E-mail every active office account that has an address, each in a message of its own."""
    accounts = get_user_model().objects.filter(roles__kind=Role.Kind.OFFICE, is_active=True)
    for address in accounts.exclude(email="").values_list("email", flat=True):
        # robust: an unreachable mail server must neither fail the step nor stop the other messages.
        transaction.on_commit(_message(address, subject, text), robust=True)


def _message(address: str, subject: str, text: str) -> Callable[[], None]:
    def send() -> None:
        send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, None, [address])

    return send
