"""Search for tournaments that did not count for want of licences, and would count by now.

Only a change of a licence can make such a tournament count. So workers search after each of them, in the
tournaments that have ended since the first day that changed, and once a day in those of twelve months.
"""

from datetime import date, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import DateField, Min, Value
from django.db.models.functions import Least
from django.utils import timezone

from scoring.ledger.services import queue
from scoring.ledger.windows import first_day
from scoring.office.models import CountableRun, CountableSearch
from scoring.office.queries.unnoticed import ShortOfLicences, licensed_by_now, short_of_licences
from ui.chunks import chunks
from ui.clock import today

LEASE = timedelta(seconds=60)
KEPT = timedelta(days=2)
State = CountableSearch.State


# --- Asking ---------------------------------------------------------------------------------------------
def ask(since: date) -> None:
    """Ask the workers to search the tournaments that have ended since a day.

    A search that no worker has begun yet will read what is committed by now, and serves this request too.
    """
    waiting = CountableSearch.objects.filter(state=State.PENDING)
    if not waiting.update(since=Least("since", Value(since), output_field=DateField())):
        queue.enqueue_on_commit(CountableSearch.objects.create(since=since))


def ask_daily(day: date) -> None:
    """Ask for a search of twelve months. Delete old searches, and failed ones, whose work it does."""
    old = CountableSearch.objects.filter(state=State.DONE, finished_at__lt=timezone.now() - KEPT)
    for searches in (old, CountableSearch.objects.filter(state=State.FAILED)):
        searches.delete()
    ask(first_day(day))


def ask_on_commit(since: date | None = None) -> None:
    """Ask for a search once the licences that are being changed are committed.

    since: the first day on which a licence changes; None if any day may be affected
    """
    since = since or first_day(today())
    if since <= today():
        # robust: the search of the next day finds what this one would have found.
        transaction.on_commit(partial(ask, since), robust=True)


def ask_after_change(sender: object, player_ids: set[int], since: date | None, **kwargs: Any) -> None:
    """Receive `players_changed`. Without a first day, the change is none of licences."""
    if player_ids and since:
        ask_on_commit(since)


# --- Searching ------------------------------------------------------------------------------------------
def perform(search_id: int) -> None:
    """Search, and store what was found. Safe to repeat."""
    queue.work_on(CountableSearch, search_id, LEASE, _search)


def _search(search: CountableSearch) -> None:
    since, rows = max(search.since, first_day(today())), []
    for part in chunks(short_of_licences(since)):
        rows += _countable(part, search)
        queue.renew(search, LEASE)
    with transaction.atomic():
        # One search stores at a time: each locks the rows of all.
        list(CountableSearch.objects.select_for_update().order_by("pk").values_list("pk"))
        queue.lock_held(search)
        _store(search, rows)
        queue.finish(search)


def _countable(
    part: list[ShortOfLicences], search: CountableSearch
) -> list[tuple[ShortOfLicences, CountableRun]]:
    """Return those of the tournaments that would count now."""
    licensed = licensed_by_now(part)
    as_of = search.created_at
    return [
        (item, CountableRun(run_id=item.run, licensed=number, needed=item.needed, as_of=as_of))
        for item in part
        if (number := licensed.get(item.revision, 0)) >= item.needed
    ]


def _store(search: CountableSearch, rows: list[tuple[ShortOfLicences, CountableRun]]) -> None:
    """Replace what earlier searches found in the same tournaments.

    A later search that is done already has read newer licences: its tournaments are left alone.
    """
    later = CountableSearch.objects.filter(pk__gt=search.pk, state=State.DONE)
    until = later.aggregate(first=Min("since"))["first"] or date.max
    stored = CountableRun.objects.filter(run__tournament__end_date__lt=until)
    stored.filter(run__tournament__end_date__gte=search.since).delete()
    CountableRun.objects.bulk_create((row for item, row in rows if item.ended < until), batch_size=500)
