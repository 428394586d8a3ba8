"""The progress of long background work, shown in an HTML fragment that reloads itself every second."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of background work is, as the template `ui/progress.html` shows it.

    stage: the current step, in the reader's language
    since, until: when the work began and ended; `until` is None while it runs
    url, page_url: URLs of the HTML fragment and of the whole page
    done, total: how many parts are done, and how many there are; `total` is None while it is unknown
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
        """The whole seconds from `since` until now, or until the work ended."""
        return max(0, int(((self.until or timezone.now()) - self.since).total_seconds()))


def answer(request: HttpRequest, progress: Progress) -> HttpResponse:
    """Return the HTML fragment that shows the progress.

    Redirect to the whole page if the work is finished, or if htmx did not make the request.
    """
    if request.htmx and not progress.finished:
        return render(request, "ui/progress.html", {"progress": progress})
    return whole_page(request, progress.page_url)


def whole_page(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect to the whole page from the address of its fragment, also if htmx made the request."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
