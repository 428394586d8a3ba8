"""Queue the weekly letters, on Monday mornings."""

from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.utils import timezone

from scoring.letters.models import Letter, Notice
from scoring.letters.notifying import reachable
from ui.chunks import chunks

MORNING = time(8)  # in the federation's time zone


def queue_weekly_letters(day: date) -> None:
    """Queue the letters of this week's Monday that were not queued yet. Safe to repeat.

    If no worker ran on Monday, the letters are made up on the next day on which one runs.

    day: today
    """
    if not settings.MAIL:
        return
    monday = day - timedelta(days=day.weekday())
    listed = Notice.objects.filter(account=OuterRef("pk"), weekly=monday)
    queued = Letter.objects.filter(account=OuterRef("pk"), kind=Letter.WEEKLY, key=monday.isoformat())
    accounts = reachable(User.objects.filter(Exists(listed), ~Exists(queued))).exclude(email="")
    morning = timezone.make_aware(datetime.combine(monday, MORNING))
    for ids in chunks(accounts.order_by("pk").values_list("pk", flat=True)):
        Letter.objects.bulk_create(
            [
                Letter(account_id=pk, kind=Letter.WEEKLY, key=monday.isoformat(), not_before=morning)
                for pk in ids
            ],
            ignore_conflicts=True,
        )
