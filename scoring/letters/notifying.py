"""Notify accounts of something, in the transaction in which it happens.

Notices and letters are stored together with what they are about, so that neither exists without the other.
The sweeper lets the workers send the letters.
"""

import time
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from players.models import Player
from scoring.ledger.services import queue
from scoring.letters.models import Broadcast, Choice, Delivery, Letter, Notice
from scoring.letters.registry import KINDS, Kind
from ui.chunks import CHUNK, chunks
from ui.clock import today

LEASE = queue.LONGEST_LEASE
SLICE_SECONDS = 3  # how long a worker makes the notices of a broadcast before other work gets its turn
Data = Mapping[str, Any]


def notify(
    kind: Kind,
    accounts: Iterable[int | None],
    key: str,
    data: Data | None = None,
    not_before: datetime | None = None,
) -> None:
    """Notify accounts, all with the same data. See `notify_each`.

    accounts: ids; None is ignored
    """
    notify_each(kind, {account: data or {} for account in accounts if account}, key, not_before)


@transaction.atomic
def notify_each(kind: Kind, data: Mapping[int, Data], key: str, not_before: datetime | None = None) -> None:
    """Store a notice for each of these accounts and, for those that chose so, a letter.

    An account gets one notice of a kind about what `key` identifies. Closed accounts and those of deceased
    players get none. Four queries for each 500 accounts.

    data: {account id: what the text of the notice needs, as JSON values}
    not_before: when to send the letters; None for at once
    """
    monday = next_monday(today())
    for ids in chunks(sorted(data)):
        addresses = dict(reachable(User.objects.filter(pk__in=ids)).values_list("pk", "email"))
        chosen = deliveries(kind, addresses)
        notices, letters = [], []
        for account, address in sorted(addresses.items()):
            weekly = monday if chosen[account] == Delivery.WEEKLY else None
            notice = Notice(
                account_id=account, kind=kind.code, key=key, data=dict(data[account]), weekly=weekly
            )
            notices.append(notice)
            if address and chosen[account] == Delivery.ONCE:
                letters.append(Letter(account_id=account, kind=kind.code, key=key, not_before=not_before))
        Notice.objects.bulk_create(notices, ignore_conflicts=True)
        if settings.MAIL:
            Letter.objects.bulk_create(letters, ignore_conflicts=True)


def broadcast(kind: Kind, key: str, data: Data) -> None:
    """Let the workers notify everyone whom a kind concerns, because there may be many thousands."""
    row, created = Broadcast.objects.get_or_create(kind=kind.code, key=key, defaults={"data": dict(data)})
    if created:
        queue.enqueue_on_commit(row)


def perform_broadcast(pk: int) -> None:
    """Make notices of a broadcast for some seconds. Safe to repeat: an account gets each notice once.

    Then the rest goes to the end of the queue, so that points do not wait until everybody is notified.
    """
    queue.work_on(Broadcast, pk, LEASE, _notify_some)


def _notify_some(row: Broadcast) -> None:
    deadline = time.monotonic() + SLICE_SECONDS
    while ids := _next_accounts(row):
        _notify_concerned(row, ids)
        if time.monotonic() > deadline:
            queue.pass_on(row)
            return
    queue.finish(row)


def _next_accounts(row: Broadcast) -> list[int]:
    """Return the ids of the next open accounts that the broadcast has not dealt with, in their order."""
    later = reachable(User.objects.filter(pk__gt=row.reached)).order_by("pk")
    return list(later.values_list("pk", flat=True)[:CHUNK])


@transaction.atomic
def _notify_concerned(row: Broadcast, ids: list[int]) -> None:
    """Notify those of the accounts whom the broadcast concerns, and note how far it got."""
    kind = KINDS[row.kind]
    notify(kind, kind.concerned(ids, row.data) if kind.concerned else ids, row.key, row.data)
    row.reached = ids[-1]
    queue.renew(row, LEASE, reached=row.reached)


def reachable(accounts: QuerySet[User]) -> QuerySet[User]:
    """Return those of the accounts, a query set, that are open and do not belong to a deceased player."""
    return accounts.filter(is_active=True, player__deceased_on=None)


def deliveries(kind: Kind, accounts: Iterable[int]) -> dict[int, str]:
    """Return {account id: how the account gets notices of a kind by e-mail}. One query."""
    ids = list(accounts)
    chosen = dict.fromkeys(ids, str(kind.default))
    if not kind.fixed:
        rows = Choice.objects.filter(account__in=ids, kind=kind.code)
        chosen |= dict(rows.values_list("account", "delivery"))
    return chosen


def accounts_of(players: Iterable[int]) -> dict[int, int]:
    """Return {player id: account id} of the living players who have an account, for these player ids."""
    accounts: dict[int, int] = {}
    for ids in chunks(sorted(players)):
        linked = Player.objects.filter(pk__in=ids, user__isnull=False, deceased_on=None)
        accounts |= dict(linked.values_list("pk", "user"))
    return accounts


def next_monday(day: date) -> date:
    """Return the first Monday after `day`."""
    return day + timedelta(days=7 - day.weekday())
