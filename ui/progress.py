"""Long work on a page: how far it is, in a fragment that asks for itself each second."""

from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect


@dataclass(frozen=True, slots=True)
class Progress:
    """What `ui/progress.html` shows.

    stage: what is being done, in words
    since, until: when it began, and when it ended if it did
    url, page_url: addresses of this fragment and of the whole page
    done, total: counts; no total while it is unknown
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


def answer(request: HttpRequest, shown: Progress) -> HttpResponse:
    """The fragment; the whole page anew once the work is over, and for browsers without scripts."""
    if request.htmx and not shown.finished:
        return render(request, "ui/progress.html", {"progress": shown})
    return HttpResponseClientRedirect(shown.page_url) if request.htmx else redirect(shown.page_url)
