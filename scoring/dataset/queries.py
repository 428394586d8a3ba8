"""When dumps were written, and their rows for the page."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Max, Min, Q
from django.db.models.functions import Coalesce
from django.urls import reverse

from scoring.dataset.models import Dump


def written_at() -> datetime | None:
    """Return when the latest dump was finished; before the first, since when it is expected.

    None if none was ever asked for. One query.
    """
    finished = Max("finished_at", filter=Q(state=Dump.State.DONE))
    return Dump.objects.aggregate(at=Coalesce(finished, Min("created_at")))["at"]


def has_failed() -> bool:
    """Return whether the latest dump was given up after several attempts."""
    return Dump.objects.values_list("state", flat=True).first() == Dump.State.FAILED


def records(dumps: Iterable[Dump]) -> list[dict[str, Any]]:
    """Return the rows of `DumpTable`."""
    return [
        {
            "day": dump.day,
            "url": "" if dump.withdrawn_at else reverse("dataset_file", args=[dump.pk]),
            "size": dump.size,
            "awards": dump.counts.get("awards.csv"),
            "schema": dump.schema,
            "log_size": dump.log_size,
            "withdrawn_at": dump.withdrawn_at,
            "sha256": dump.sha256,
        }
        for dump in dumps
    ]
