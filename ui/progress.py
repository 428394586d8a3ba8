"""The progress of long work, in a fragment that reloads itself every second."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect


@dataclass(frozen=True, slots=True)
class Progress:
    """The data of `ui/progress.html`.

    stage: the current step, in the reader's language
    since, until: when the work began and ended; `until` is None while it runs
    url, page_url: URLs of this fragment and of the whole page
    done, total: counts; `total` is None while it is unknown
    """

    stage: str
    since: datetime
    until: datetime | None
    finished: bool
    url: str
    page_url: str
    done: int = 0
    total: int | None = None

    @property
    def elapsed(self) -> int:
        """Whole seconds so far."""
        return max(0, int(((self.until or timezone.now()) - self.since).total_seconds()))


def answer(request: HttpRequest, progress: Progress) -> HttpResponse:
    """Return the fragment; redirect to the whole page if the work is finished or htmx is not in use."""
    if request.htmx and not progress.finished:
        return render(request, "ui/progress.html", {"progress": progress})
    return HttpResponseClientRedirect(progress.page_url) if request.htmx else redirect(progress.page_url)
