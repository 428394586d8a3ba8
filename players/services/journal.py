"""The journal of accounts, and the waiting days in which an account may approve nothing."""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.models import AccountEvent, Player, Proposal
from ui.formatting import format_date

Kind = AccountEvent.Kind
# Events after which the account that caused them may be able to sign in with the account that they are about.
GIVES_ACCESS = (Kind.CREATED, Kind.ADDRESS, Kind.CODE)


def note(
    account, kind: Kind, by, *, holds: bool = False, proposal: Proposal | None = None, **detail
) -> AccountEvent:
    """Write a line of the journal about an account, and return it.

    by: the account that made the change; None for the command line
    holds: whether waiting days start for `account`; the command line never starts them
    """
    return AccountEvent.objects.create(
        account=account, kind=kind, by=by, holds=holds and by is not None, proposal=proposal, detail=detail
    )


def note_moved(account_id: int, before: Player, after: Player, by, proposal: Proposal | None) -> None:
    """Record that an account was moved from one number of its player to another number.

    This happens when the two numbers are merged, and when the merge is undone.
    """
    account = get_user_model().objects.get(pk=account_id)
    note(account, Kind.UNLINKED, by, holds=True, proposal=proposal, player=before.number)
    note(account, Kind.LINKED, by, holds=True, proposal=proposal, player=after.number)


def held_until(user) -> datetime | None:
    """Return when the account's waiting days end; None if it may approve now."""
    return _end_of_waiting(AccountEvent.objects.filter(account=user, holds=True))


def hold_message(user) -> str:
    """Return a sentence that says why the account may approve nothing now; empty if it may."""
    text = _(
        "After a change of your roles, password, e-mail address or player you approve nothing for some days: "
        "you can from %(day)s, %(hour)s on."
    )
    return _message(text, held_until(user))


def preparer_hold_message(user, preparer) -> str:
    """Return why the account `user` may not approve what `preparer` prepared, as a sentence; "" if it may.

    An account may not approve if it lately created the preparer's account, changed its address or printed a
    code for it. Its owner may then be able to sign in as the preparer, and could approve an act that they
    prepared themselves.
    """
    text = _(
        "You made the account that prepared this, changed its e-mail address or printed a code for it: "
        "somebody else approves this, or you from %(day)s, %(hour)s on."
    )
    events = AccountEvent.objects.filter(account=preparer, by=user, kind__in=GIVES_ACCESS)
    return _message(text, _end_of_waiting(events))


def _end_of_waiting(events: QuerySet[AccountEvent]) -> datetime | None:
    """Return when the waiting days after the latest of these events end.

    Return None if the waiting days are over, or if there are no events.
    """
    span = timedelta(days=settings.APPROVAL_WAITING_DAYS)
    last = events.filter(at__gt=timezone.now() - span).order_by("at").values_list("at", flat=True).last()
    return last and last + span


def _message(text: str, until: datetime | None) -> str:
    if until is None:
        return ""
    local = timezone.localtime(until)
    return text % {"day": format_date(local.date(), get_language()), "hour": local.strftime("%H:%M")}
