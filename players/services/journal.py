"""The journal of accounts: writing it, and how long an account approves nothing after a line of it."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.models import AccountEvent, Player, Proposal
from ui.formatting import format_date

Kind = AccountEvent.Kind


def note(
    account, kind: Kind, by, *, holds: bool = False, proposal: Proposal | None = None, **detail
) -> AccountEvent:
    """Write a line. `by` is None for the command line, after which nobody waits."""
    return AccountEvent.objects.create(
        account=account, kind=kind, by=by, holds=holds and by is not None, proposal=proposal, detail=detail
    )


def note_moved(account_id: int, before: Player, after: Player, by) -> None:
    """Write down that a player's account went with them to another number of theirs."""
    account = get_user_model().objects.get(pk=account_id)
    note(account, Kind.UNLINKED, by, holds=True, player=before.number)
    note(account, Kind.LINKED, by, holds=True, player=after.number)


def waits_until(user) -> datetime | None:
    """When the account may approve again, if something that happened to it lately holds it back."""
    span = timedelta(days=settings.APPROVAL_WAITING_DAYS)
    held = AccountEvent.objects.filter(account=user, holds=True, at__gt=timezone.now() - span)
    last = held.order_by("at").values_list("at", flat=True).last()
    return last and last + span


def held_back(user) -> str:
    """Why the account approves nothing now, in a sentence; empty where it may."""
    until = waits_until(user)
    if until is None:
        return ""
    text = _(
        "After a change of your roles, your password or your player you approve nothing for some days: you "
        "can from %(day)s, %(hour)s on."
    )
    local = timezone.localtime(until)
    return text % {"day": format_date(local.date(), get_language()), "hour": local.strftime("%H:%M")}
