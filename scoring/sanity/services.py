"""Run the checks in the background, each night or when the office asks, and acknowledge findings.

A worker makes checks for SLICE seconds and puts the row back, so that points are scored meanwhile. Each check
reads as a stream, in a transaction of its own with a limit on the time of its statements. A check that fails
or takes too long is noted, and the others go on.
"""

import logging
import time
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import Error as DatabaseError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.database_errors import is_timeout, is_transient
from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.services import queue
from scoring.sanity.models import Finding, SanityRun
from ui.chunks import chunks
from ui.sanity import Check, checks

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
SLICE = 10  # seconds of checking after which a worker puts the row back
STATEMENT = 40  # seconds that one statement of a check may take; less than the lease
RENEW = 10  # seconds between renewals of the lease within a check
MOST = 1_000  # findings of a check that are stored
KEPT = timedelta(days=90)  # how long findings that are gone are kept
COUNTED = 100_000  # findings of a check that are counted
NOT_MADE = -1
State = SanityRun.State


def ask(by: Any) -> SanityRun:
    """Ask the workers to make all checks. Raise ValidationError if a run is under way.

    by: the account that asks; None for the nightly run
    """
    try:
        with transaction.atomic():
            run = SanityRun.objects.create(by=by)
    except IntegrityError as error:
        raise ValidationError(_("The checks are being made already: wait until they are done.")) from error
    queue.enqueue_on_commit(run)
    return run


def ask_daily(day: date) -> None:
    """Ask for the nightly run, unless a run is under way."""
    if not SanityRun.objects.filter(state__in=UNDER_WAY).exists():
        ask(None)


def perform(run_id: int) -> None:
    """Make checks for some seconds, and finish the run if none is left. Safe to repeat."""
    queue.work_on(SanityRun, run_id, LEASE, _check)


def _check(run: SanityRun) -> None:
    deadline = time.monotonic() + SLICE
    for check in checks():
        if check.code in run.checked:
            continue
        if time.monotonic() > deadline:
            queue.pass_on(run)
            return
        keys, number = _keys_of(run, check)
        run.counts[check.code] = number
        run.checked.append(check.code)
        with transaction.atomic():
            if number != NOT_MADE:
                _store(check, keys, whole=number <= MOST)
            queue.renew(run, LEASE, checked=run.checked, counts=run.counts)
    with transaction.atomic():
        Finding.objects.filter(gone_at__lt=timezone.now() - KEPT).delete()
        queue.finish(run)


def _keys_of(run: SanityRun, check: Check) -> tuple[list[str], int]:
    """Return the first MOST keys of a check's findings, and the number of all; NOT_MADE if it failed."""
    keys: list[str] = []
    number, renewed = 0, time.monotonic()
    try:
        for key in found_by(check):
            if time.monotonic() - renewed > RENEW:
                queue.renew(run, LEASE)
                renewed = time.monotonic()
            if key:
                number += 1
                if number <= MOST:
                    keys.append(key)
                elif number >= COUNTED:
                    break
    except queue.LeaseLost:
        raise
    except Exception as error:
        if isinstance(error, DatabaseError) and is_transient(error) and not is_timeout(error):
            raise  # the row waits until the database is well again
        logger.exception("the sanity check %s could not be made", check.code)
        return [], NOT_MADE
    return list(dict.fromkeys(keys)), number


def found_by(check: Check) -> Iterator[str]:
    """Yield the keys of a check's findings. Statements that take longer than STATEMENT seconds fail."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{STATEMENT}s"])
        yield from check.finder.keys()


def _store(check: Check, keys: list[str], *, whole: bool) -> None:
    """Store new findings, and mark those that the check no longer reports as gone.

    whole: whether `keys` are all findings; of a longer list the others may still be there
    """
    present = dict(Finding.objects.present().filter(code=check.code).values_list("key", "pk"))
    new = [Finding(code=check.code, key=key) for key in keys if key not in present]
    Finding.objects.bulk_create(new, batch_size=500)
    gone = [pk for key, pk in present.items() if key not in set(keys)] if whole else []
    for part in chunks(gone):
        Finding.objects.filter(pk__in=part).update(gone_at=timezone.now())


def acknowledge(finding: Finding, by: Any, reason: str) -> None:
    """Note that the office knows a finding, and why it stays or what is being done."""
    Finding.objects.filter(pk=finding.pk, gone_at=None).update(
        acknowledged_at=timezone.now(), acknowledged_by=by, reason=reason
    )


def take_back(finding: Finding) -> None:
    """Take an acknowledgement back, so that the finding counts as open again."""
    Finding.objects.filter(pk=finding.pk, gone_at=None).update(
        acknowledged_at=None, acknowledged_by=None, reason=""
    )
