"""Which dumps can be downloaded, and their rows for the page."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Max, Min, Q
from django.urls import reverse

from scoring.dataset.models import Dump


class Current(NamedTuple):
    """What can be downloaded now.

    finished_at: when the latest dump that can be downloaded was finished; None if none can
    withdrawn_at: when the last one was withdrawn that is not shown any more
    asked_at: when the first one was asked for
    """

    finished_at: datetime | None
    withdrawn_at: datetime | None
    asked_at: datetime | None

    @property
    def since(self) -> datetime | None:
        """Since when a new dump is expected; None if none was ever asked for."""
        return self.finished_at or self.withdrawn_at or self.asked_at


def current() -> Current:
    """Return what can be downloaded now. One query."""
    finished = Max("finished_at", filter=Q(state=Dump.State.DONE, withdrawn_at=None))
    return Current(*Dump.objects.aggregate(a=finished, b=Max("withdrawn_at"), c=Min("created_at")).values())


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
