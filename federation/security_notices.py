"""Notices to an account about changes of its second factors, which its owner may not have made."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.models import AccountEvent
from scoring.letters.models import Delivery, Notice
from scoring.letters.notifying import notify
from scoring.letters.registry import Audience, Kind, Text
from ui.formatting import format_date

Event = AccountEvent.Kind
TOLD = {
    Event.FACTOR_ADDED,
    Event.FACTOR_REMOVED,
    Event.PASSKEY_ADDED,
    Event.PASSKEY_REMOVED,
    Event.RECOVERY_MADE,
    Event.RECOVERY_USED,
    Event.FACTORS_LOST,
}


def _texts(account: User, notices: Sequence[Notice]) -> dict[int, Text]:
    events = AccountEvent.objects.filter(account=account).in_bulk(
        {notice.data["event"] for notice in notices}
    )
    return {notice.pk: _text(events[pk]) for notice in notices if (pk := notice.data["event"]) in events}


def _text(event: AccountEvent) -> Text:
    at = timezone.localtime(event.at)
    what = f"{event.get_kind_display()}: {event.about}" if event.about else event.get_kind_display()
    values = {"day": format_date(at.date(), get_language() or ""), "hour": at.strftime("%H:%M")}
    return Text(
        what,
        [
            _("On %(day)s at %(hour)s.") % values,
            _(
                "If it was not you, end your other sessions, change your password and tell the federation "
                "office."
            ),
        ],
        reverse("account_security"),
    )


SECURITY = Kind(
    code="account_security",
    label=gettext_lazy("when the way in which you sign in changes"),
    audience=Audience.EVERYBODY,
    write=_texts,
    default=Delivery.ONCE,
    fixed=True,
)


def tell_of_event(instance: AccountEvent, created: bool, **kwargs) -> None:
    """Notify the owner of an account about a line of its journal. A receiver of `post_save`."""
    if created and instance.kind in TOLD:
        notify(SECURITY, [instance.account_id], str(instance.pk), {"event": instance.pk})
