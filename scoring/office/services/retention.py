"""Delete uploaded files after a period, because they hold telephone numbers and addresses.

What was read from a file, its digest and the time of deletion are kept, so the ranking can be scored and
audited without the file. Files are deleted

* of discarded uploads: once they can no longer be restored;
* of confirmed uploads: some time after the tournament, unless an open year-end change covers its year;
* of drafts: the same time after they were uploaded, because a draft may never be confirmed or discarded.
"""

import logging
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from scoring.ledger.models import ScoringRun
from scoring.promotions.models import PromotionCampaign
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload, UploadFile
from ui.chunks import chunks

logger = logging.getLogger(__name__)

State = PromotionCampaign.State
# In these states claims may still be answered and lists frozen again.
OPEN = (State.DRAFT, State.FROZEN, State.APPROVED, State.PUBLISHED)
BATCH = 200


def delete_due_files(today: date) -> int:
    """Delete the files that are due. Return how many. Safe to repeat."""
    deleted = _delete_files(due_uploads(today)) + _delete_go_files(due_go_uploads(today))
    if deleted:
        logger.info("deleted %s uploaded files whose time is over", deleted)
    return deleted


def due_uploads(today: date) -> QuerySet[ResultUpload]:
    """Return the uploads whose files are due for deletion.

    Files of a ranking that waits for approval are kept: if it is returned, they are needed again.
    """
    played = Q(revision__tournament__end_date__lt=today - settings.KEEP_CONFIRMED_FILES)
    for year in PromotionCampaign.objects.filter(state__in=OPEN).values_list("year", flat=True):
        played &= ~Q(revision__tournament__end_date__year=year)
    waiting = ScoringRun.objects.filter(revision=OuterRef("revision"), state=ScoringRun.State.WAITING)
    confirmed = Q(state=ResultUpload.State.CONFIRMED) & played & ~Exists(waiting)
    unreadable = Q(
        state=ResultUpload.State.REFUSED, created_at__lt=_first_kept(today, settings.KEEP_DISCARDED_FILES)
    )
    due = _discarded(today) | unreadable | _old_draft(today) | confirmed
    return ResultUpload.objects.filter(due, file__isnull=False)


def due_go_uploads(today: date) -> QuerySet[GoUpload]:
    """Return the Go uploads whose files are due for deletion."""
    first_kept = today - settings.KEEP_CONFIRMED_FILES
    confirmed = Q(state=GoUpload.State.CONFIRMED, tournament__end_date__lt=first_kept)
    due = _discarded(today) | _old_draft(today) | confirmed
    return GoUpload.objects.filter(due, content__isnull=False)


def _discarded(today: date) -> Q:
    return Q(state="discarded", discarded_at__lt=_first_kept(today, settings.KEEP_DISCARDED_FILES))


def _old_draft(today: date) -> Q:
    return Q(state="review", created_at__lt=_first_kept(today, settings.KEEP_CONFIRMED_FILES))


def _first_kept(today: date, period: timedelta) -> datetime:
    """Return the earliest moment whose files are still kept if they are kept for this period."""
    return timezone.make_aware(datetime.combine(today - period, time.min))


def _delete_files(uploads: QuerySet[ResultUpload]) -> int:
    ids = list(uploads.order_by("pk").values_list("pk", flat=True))
    for chunk in chunks(ids, BATCH):
        with transaction.atomic():
            # Select again, with a lock: a discarded upload may have become a draft again.
            locked = uploads.select_for_update(of=("self",)).filter(pk__in=chunk)
            due = list(locked.values_list("pk", flat=True))
            UploadFile.objects.filter(upload__in=due).delete()
            ResultUpload.objects.filter(pk__in=due).update(file_deleted_at=timezone.now())
    return len(ids)


def _delete_go_files(uploads: QuerySet[GoUpload]) -> int:
    return uploads.update(content=None, file_deleted_at=timezone.now())
