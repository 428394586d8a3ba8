"""Letters to the office about what the clock and the workers did with a campaign.

They go out once the transaction is really there; one that cannot be sent is logged, and the office's home
page says the same (`scoring.promotions.queries.campaigns.notices`).
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
    """A step that was scheduled has been done by itself."""
    if task.due_on is None:
        return
    with translation.override(settings.LANGUAGE_CODE):
        year = task.campaign.year
        subject = _("The category change of %(year)s was applied") % {"year": year}
        text = _("It was scheduled for this day. The report and the log are on the campaign's page.")
        notify_office(subject, text)


def notify_stopped(campaign: PromotionCampaign, task: CampaignTask, reason: str) -> None:
    """A step could not be done; nobody's category was changed."""
    with translation.override(settings.LANGUAGE_CODE):
        subject = _("The category change of %(year)s stopped") % {"year": campaign.year}
        text = _("A step could not be done, and nothing was changed. Reason: %(reason)s")
        notify_office(subject, text % {"reason": reason})


def notify_office(subject: str, text: str) -> None:
    """A letter to every open account of the office that has an address, each one for itself."""
    accounts = get_user_model().objects.filter(roles__kind=Role.Kind.OFFICE, is_active=True)
    for address in accounts.exclude(email="").values_list("email", flat=True):
        # robust: a mail server that is away must not undo what was done, nor keep the next letter back.
        transaction.on_commit(_letter(address, subject, text), robust=True)


def _letter(address: str, subject: str, text: str) -> Callable[[], None]:
    def send() -> None:
        send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, None, [address])

    return send
