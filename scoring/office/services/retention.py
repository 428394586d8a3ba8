"""Delete uploaded files after a period, because they hold telephone numbers and addresses.

What was read from a file, its digest and the time of deletion are kept, so the ranking can be scored and
audited without the file. When a file is deleted depends on its upload:

* discarded or refused: `KEEP_DISCARDED_FILES` after it was discarded or refused. Then the upload can no
  longer be restored.
* confirmed: `KEEP_CONFIRMED_FILES` after the tournament. Files of bridge results also stay until the
  year-end category change of the tournament's year is finished.
* draft: `KEEP_CONFIRMED_FILES` after the upload, because some drafts are never confirmed or discarded.

The file of an imported list is deleted when the list is applied, not here.
"""

import logging
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from scoring.ledger.models import ScoringRun
from scoring.office.models import ListPart, OfficeImport
from scoring.promotions.models import PromotionCampaign
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload, Upload
from tournaments.services import pipeline

logger = logging.getLogger(__name__)

State = PromotionCampaign.State
# In these states of a campaign, claims may still be answered and lists may be frozen again.
OPEN = (State.DRAFT, State.FROZEN, State.APPROVED, State.PUBLISHED)


def delete_due_files(today: date) -> int:
    """Delete the files that are due for deletion. Return how many. Safe to repeat."""
    deleted = sum(pipeline.delete_files(due_uploads(model, today)) for model in pipeline.KINDS)
    # Imported lists hold personal data, so the parsed rows of a discarded list are deleted with its file.
    discarded = OfficeImport.objects.filter(state=OfficeImport.State.DISCARDED, file=None)
    ListPart.objects.filter(batch__in=discarded).delete()
    discarded.exclude(parsed={}).update(parsed={}, compared={})
    if deleted:
        logger.info("deleted %s uploaded files whose time is over", deleted)
    return deleted


def due_uploads(model: type[Upload], today: date) -> QuerySet[Any]:
    """Return the uploads of this model whose files are due for deletion."""
    discarded = _first_kept(today, settings.KEEP_DISCARDED_FILES)
    due = Q(state=Upload.DISCARDED, discarded_at__lt=discarded)
    due |= Q(state=Upload.REFUSED, created_at__lt=discarded)
    due |= Q(state=Upload.REVIEW, created_at__lt=_first_kept(today, settings.KEEP_CONFIRMED_FILES))
    if confirmed := CONFIRMED.get(model):
        due |= confirmed(today)
    return model.objects.filter(due, file__isnull=False)


def _confirmed_results(today: date) -> Q:
    """Return the filter for confirmed uploads of bridge results whose files are due for deletion.

    Files of a ranking that waits for approval are kept, because they are needed again if it is returned.
    """
    played = Q(revision__tournament__end_date__lt=today - settings.KEEP_CONFIRMED_FILES)
    for year in PromotionCampaign.objects.filter(state__in=OPEN).values_list("year", flat=True):
        played &= ~Q(revision__tournament__end_date__year=year)
    waiting = ScoringRun.objects.filter(revision=OuterRef("revision"), state=ScoringRun.State.WAITING)
    return Q(state=ResultUpload.State.CONFIRMED) & played & ~Exists(waiting)


def _confirmed_go(today: date) -> Q:
    first_kept = today - settings.KEEP_CONFIRMED_FILES
    return Q(state=GoUpload.State.CONFIRMED, tournament__end_date__lt=first_kept)


# Functions that return the filter for confirmed uploads whose files are due. Files of imported lists are
# deleted when the list is applied.
CONFIRMED: dict[type[Upload], Callable[[date], Q]] = {
    ResultUpload: _confirmed_results,
    GoUpload: _confirmed_go,
}


def _first_kept(today: date, period: timedelta) -> datetime:
    """Return the start of the day that is `period` before today. Older files are due for deletion."""
    return timezone.make_aware(datetime.combine(today - period, time.min))
