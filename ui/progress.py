"""The progress of long background work, shown in an HTML fragment that reloads itself every second."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one piece of work, as the template `ui/progress.html` shows it.

    stage: the current step, in the reader's language
    since, until: when the work began and ended; `until` is None while it runs
    url, page_url: URLs of the fragment and of the whole page
    done, total: numbers of parts done and of all parts; `total` is None while it is unknown
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
    """Return the progress fragment, or a redirect to the whole page.

    The redirect is for finished work and for requests that htmx did not make.
    """
    if request.htmx and not progress.finished:
        return render(request, "ui/progress.html", {"progress": progress})
    return HttpResponseClientRedirect(progress.page_url) if request.htmx else redirect(progress.page_url)
