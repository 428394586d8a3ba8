"""The notice that a webhook was disabled because its receiver failed."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.letters.models import Delivery as ByMail
from scoring.letters.models import Notice
from scoring.letters.registry import Audience, Kind, Text
from scoring.webhooks.models import Webhook
from scoring.webhooks.owners import Owner


def _stopped(account: User, notices: Sequence[Notice]) -> dict[int, Text]:
    webhooks = Webhook.objects.select_related("club").in_bulk([row.data["webhook"] for row in notices])
    return {row.pk: _stopped_text(webhooks[pk]) for row in notices if (pk := row.data["webhook"]) in webhooks}


def _stopped_text(webhook: Webhook) -> Text:
    text = _(
        "Nothing more is sent to %(url)s, because its server did not take it. Once it works again, enable "
        "the webhook on its page, which also shows what the server answered."
    )
    return Text(
        _("A webhook is disabled"),
        [text % {"url": webhook.url}],
        Owner(webhook.club).url("webhook", webhook.pk),
        over=not webhook.stop,
    )


STOPPED = Kind(
    "webhook_stopped",
    gettext_lazy("when a webhook that you added is disabled because its server fails"),
    Audience.CLUB,
    _stopped,
    ByMail.ONCE,
)
