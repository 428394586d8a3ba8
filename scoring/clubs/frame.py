"""What all pages of a club's desk show: the tabs and the breadcrumbs."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Club
from scoring.clubs.access import may_change
from ui.addresses import crumbs

TABS = (
    ("club_manage", gettext_lazy("Overview")),
    ("club_members", gettext_lazy("Members")),
    ("club_requests", gettext_lazy("Requests")),
    ("club_cases", gettext_lazy("Cases")),
    ("club_directors", gettext_lazy("Directors")),
    ("club_tokens", gettext_lazy("The club's computer")),
    ("club_webhooks", gettext_lazy("Webhooks")),
)


def desk_context(request: HttpRequest, club: Club, current: str, *steps: tuple[str, str | None]) -> dict:
    """Return the template context of a page of the desk.

    current: the URL name of the tab to which the page belongs
    steps: breadcrumbs after that of the tab
    """
    tabs: list[dict[str, Any]] = [
        {
            "label": label,
            "url": reverse(name, args=[club.slug]),
            "current": name == current,
        }
        for name, label in TABS
    ]
    trail: list[tuple[str, str | None]] = [(tab["label"], tab["url"]) for tab in tabs if tab["current"]]
    trail = [(club.name, tabs[0]["url"]), *(trail if current != TABS[0][0] else []), *steps]
    trail[-1] = (trail[-1][0], None)
    return {
        "club": club,
        "tabs": tabs,
        "may_write": may_change(request.user, club),
        "breadcrumbs": crumbs((_("My clubs"), reverse("clubs_managed")), *trail),
    }


def ask_first(
    request: HttpRequest, club: Club, current: str, *, question: str, what_happens: str, act: str
) -> HttpResponse:
    """Show the page that asks before an act that no click undoes. Its form posts to the same URL.

    current: the URL name of the tab to which the act belongs, and to which the page leads back
    question: the heading, which names the act
    what_happens: the consequences, in two or three sentences
    act: the text of the button
    """
    context = {"question": question, "what_happens": what_happens, "act": act}
    context["back"] = reverse(current, args=[club.slug])
    context |= desk_context(request, club, current, (question, None))
    return render(request, "clubs/question.html", context)
