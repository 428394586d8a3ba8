"""How long the files of uploads are kept: they hold telephone numbers and addresses that nothing here needs.

What was read of a file stays, and so do its digest and a note of when the bytes were deleted: the ranking can
be scored and audited without them. Files of discarded uploads go once discarding cannot be undone any more,
those of confirmed ones some time after the tournament, unless an open category change rests on it.
"""

import logging
from datetime import date, datetime, time

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scoring.promotions.models import PromotionCampaign
from scoring.ratings.models import GoUpload
from tournaments.models import ResultUpload, UploadFile
from ui.chunks import chunks

logger = logging.getLogger(__name__)

Campaign = PromotionCampaign.State
# Claims may be answered, and lists frozen again, until a campaign is over.
OPEN = (Campaign.DRAFT, Campaign.FROZEN, Campaign.APPROVED, Campaign.PUBLISHED)
BATCH = 200


def apply(today: date) -> int:
    """Delete the files whose time is over; returns how many. Safe to repeat."""
    deleted = _bridge(due(today)) + _go(due_go(today))
    if deleted:
        logger.info("deleted %s uploaded files whose time is over", deleted)
    return deleted


def due(today: date) -> QuerySet[ResultUpload]:
    """Uploads whose files are not kept any longer."""
    played = Q(revision__tournament__end_date__lt=today - settings.KEEP_CONFIRMED_FILES)
    for year in PromotionCampaign.objects.filter(state__in=OPEN).values_list("year", flat=True):
        played &= ~Q(revision__tournament__end_date__year=year)
    confirmed = Q(state=ResultUpload.State.CONFIRMED) & played
    return ResultUpload.objects.filter(_discarded(today) | confirmed, file__isnull=False)


def due_go(today: date) -> QuerySet[GoUpload]:
    """The same of Go."""
    last = today - settings.KEEP_CONFIRMED_FILES
    confirmed = Q(state=GoUpload.State.CONFIRMED, tournament__end_date__lt=last)
    return GoUpload.objects.filter(_discarded(today) | confirmed, content__isnull=False)


def _discarded(today: date) -> Q:
    since = timezone.make_aware(datetime.combine(today - settings.KEEP_DISCARDED_FILES, time.min))
    return Q(state="discarded", discarded_at__lt=since)


def _bridge(found: QuerySet[ResultUpload]) -> int:
    ids = list(found.order_by("pk").values_list("pk", flat=True))
    for some in chunks(ids, BATCH):
        with transaction.atomic():
            # Once more, and locked: a discarded upload may be a draft again by now.
            still = list(
                found.select_for_update(of=("self",)).filter(pk__in=some).values_list("pk", flat=True)
            )
            UploadFile.objects.filter(upload__in=still).delete()
            ResultUpload.objects.filter(pk__in=still).update(file_deleted_at=timezone.now())
    return len(ids)


def _go(found: QuerySet[GoUpload]) -> int:
    return found.update(content=None, file_deleted_at=timezone.now())
