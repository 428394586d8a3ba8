"""Delete uploaded files after a period, because they hold telephone numbers and addresses.

What was read from a file, its digest and the time of deletion are kept, so the ranking can be scored and
audited without the file. Files are deleted

* of discarded uploads: once they can no longer be restored;
* of confirmed uploads: some time after the tournament, unless an open year-end change covers its year;
* of drafts: the same time after they were uploaded, because a draft may never be confirmed or discarded.
"""

import logging
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from scoring.ledger.models import ScoringRun
from scoring.office.models import OfficeImport
from scoring.promotions.models import PromotionCampaign
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload, Upload
from tournaments.services import pipeline

logger = logging.getLogger(__name__)

State = PromotionCampaign.State
# In these states claims may still be answered and lists frozen again.
OPEN = (State.DRAFT, State.FROZEN, State.APPROVED, State.PUBLISHED)


def delete_due_files(today: date) -> int:
    """Delete the files whose time is over. Return how many. Safe to repeat."""
    deleted = sum(pipeline.delete_files(due_uploads(model, today)) for model in pipeline.KINDS)
    # Lists have personal data: of a discarded one, what was read is deleted with its file.
    OfficeImport.objects.filter(state=OfficeImport.State.DISCARDED, file=None).update(parsed={})
    if deleted:
        logger.info("deleted %s uploaded files whose time is over", deleted)
    return deleted


def due_uploads(model: type[Upload], today: date) -> QuerySet[Any]:
    """Return the uploads of a kind whose files are due for deletion."""
    discarded = _first_kept(today, settings.KEEP_DISCARDED_FILES)
    due = Q(state=Upload.DISCARDED, discarded_at__lt=discarded)
    due |= Q(state=Upload.REFUSED, created_at__lt=discarded)
    due |= Q(state=Upload.REVIEW, created_at__lt=_first_kept(today, settings.KEEP_CONFIRMED_FILES))
    if confirmed := CONFIRMED.get(model):
        due |= confirmed(today)
    return model.objects.filter(due, file__isnull=False)


def _confirmed_results(today: date) -> Q:
    """Return the condition of results whose tournament is long over.

    Files of a ranking that waits for approval are kept: if it is returned, they are needed again.
    """
    played = Q(revision__tournament__end_date__lt=today - settings.KEEP_CONFIRMED_FILES)
    for year in PromotionCampaign.objects.filter(state__in=OPEN).values_list("year", flat=True):
        played &= ~Q(revision__tournament__end_date__year=year)
    waiting = ScoringRun.objects.filter(revision=OuterRef("revision"), state=ScoringRun.State.WAITING)
    return Q(state=ResultUpload.State.CONFIRMED) & played & ~Exists(waiting)


def _confirmed_go(today: date) -> Q:
    first_kept = today - settings.KEEP_CONFIRMED_FILES
    return Q(state=GoUpload.State.CONFIRMED, tournament__end_date__lt=first_kept)


# When the file of a confirmed upload is due. Lists lose theirs when they are applied.
CONFIRMED: dict[type[Upload], Callable[[date], Q]] = {
    ResultUpload: _confirmed_results,
    GoUpload: _confirmed_go,
}


def _first_kept(today: date, period: timedelta) -> datetime:
    """Return the moment from which files that are kept for this period are kept."""
    return timezone.make_aware(datetime.combine(today - period, time.min))
