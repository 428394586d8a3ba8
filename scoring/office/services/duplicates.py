"""Search the register for numbers that are probably one person, and keep what the office decides."""

from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from scoring.ledger.isolation import consistent_read
from scoring.ledger.services import queue
from scoring.office.models import DuplicatePair, DuplicateSearch
from scoring.office.queries.duplicates import Found, find_pairs

LEASE = timedelta(seconds=60)
KEPT_SEARCHES = 20


def ask(day: object = None) -> bool:
    """Ask the workers for a search, unless one is under way. Return whether it was asked for.

    day: not used; the chores of the day are called with it
    """
    old = DuplicateSearch.objects.order_by("-pk").values_list("pk", flat=True)[KEPT_SEARCHES:]
    DuplicateSearch.objects.filter(pk__in=list(old)).delete()
    try:
        with transaction.atomic():
            search = DuplicateSearch.objects.create()
    except IntegrityError:
        return False
    queue.enqueue_on_commit(search)
    return True


def perform(search_id: int) -> None:
    """Search the register and store what was found. Safe to repeat."""
    queue.work_on(DuplicateSearch, search_id, LEASE, _search)


def _search(search: DuplicateSearch) -> None:
    with consistent_read():
        pairs = find_pairs()
    with transaction.atomic():
        queue.lock_held(search)
        store(pairs)
        queue.finish(search, number=len(pairs))


def store(pairs: list[Found]) -> None:
    """Replace the pairs on which nobody has decided by those found now.

    Pairs that are found again keep the day on which they were found first.
    """
    now = {(item.first, item.second): item for item in pairs}
    stored = {(pair.first_id, pair.second_id): pair for pair in DuplicatePair.objects.all()}
    gone = [pair.pk for key, pair in stored.items() if key not in now and pair.separate_at is None]
    for start in range(0, len(gone), 500):
        DuplicatePair.objects.filter(pk__in=gone[start : start + 500], separate_at=None).delete()
    new = [DuplicatePair(**_fields(item)) for key, item in now.items() if key not in stored]
    DuplicatePair.objects.bulk_create(new, batch_size=500)
    changed = []
    for key, item in now.items():
        if (pair := stored.get(key)) and pair.separate_at is None:
            for name, value in _fields(item).items():
                setattr(pair, name, value)
            changed.append(pair)
    columns = ["evidence", "weight", "first_tournaments", "second_tournaments"]
    DuplicatePair.objects.bulk_update(changed, columns, batch_size=500)


def _fields(item: Found) -> dict[str, Any]:
    return {
        "first_id": item.first,
        "second_id": item.second,
        "evidence": item.evidence,
        "weight": item.weight,
        "first_tournaments": item.tournaments[0],
        "second_tournaments": item.tournaments[1],
    }


def keep_apart(pair: DuplicatePair, by: Any) -> bool:
    """Store that the office found the pair to be two people. Return False if that was stored already."""
    rows = DuplicatePair.objects.filter(pk=pair.pk, separate_at=None)
    return bool(rows.update(separate_at=timezone.now(), separate_by=by))
