"""The inbox as the pages show it: one page of matters, the filter by kind, and the sentences above them."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import Kind, Roles, roles_of
from players.inbox import Inbox, waiting_for
from ui.formatting import format_whole
from ui.parameters import PAGE

KIND = "tipo"  # the parameter of the address that chooses a kind
ROWS = 20
LAST = 10_000  # no page after this one is read
OFFICE = Roles(frozenset({Kind.OFFICE}), {}, frozenset())


@dataclass(frozen=True, slots=True)
class _Positions:
    """The positions of all matters, of which the paginator takes those of a page."""

    count: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, part: slice) -> range:
        return range(self.count)[part]


def inbox_context(request: HttpRequest, *, office: bool = False) -> dict[str, Any]:
    """Return the template context of `inbox/_inbox.html`: one page of what waits for the reader.

    office: show the inbox of the office to a reader without that role, who can only read it
    """
    kind, asked = request.GET.get(KIND, ""), request.GET.get(PAGE, "1")

    def read(number: int) -> Inbox:
        roles = OFFICE if office else roles_of(request.user)
        start = (number - 1) * ROWS
        return waiting_for(request.user, roles=roles, kind=kind, start=start, number=ROWS)

    number = int(asked) if asked.isdecimal() and 0 < int(asked) <= LAST else 1
    inbox = read(number)
    page = Paginator(_Positions(inbox.count), ROWS).get_page(number)
    if page.number != number:  # there are fewer pages
        inbox = read(page.number)
    return {
        "inbox": inbox,
        "matters": inbox.matters,
        "inbox_page": page,
        "page_field": PAGE,
        "asked_kind": kind,
        "inbox_total": sum(item.count for item in inbox.kinds),
        "inbox_title": title_of(inbox),
        "inbox_lead": lead_of(inbox),
        "reads_only": office,
    }


def title_of(inbox: Inbox) -> str:
    """Return the heading of a page with an inbox: how much waits, and how much of it stops points."""
    if not inbox.count:
        return _("Nothing waits for you")
    matters = ngettext("%(number)s matter to resolve", "%(number)s matters to resolve", inbox.count) % {
        "number": _whole(inbox.count)
    }
    if not inbox.stopping:
        return matters
    return f"{matters}, {_stopping(inbox)}"


def _stopping(inbox: Inbox) -> str:
    """Return how many of the matters hold up points, as the end of a sentence."""
    if inbox.stopping == inbox.count:
        return ngettext("which holds up points", "all of which hold up points", inbox.count)
    text = ngettext("%(number)s of them holds up points", "%(number)s of them hold up points", inbox.stopping)
    return text % {"number": _whole(inbox.stopping)}


def lead_of(inbox: Inbox) -> str:
    """Return the sentence that says how long the oldest matter has waited; "" if that is not known."""
    days = inbox.oldest.days if inbox.oldest else None
    if not days:
        return ""
    text = ngettext(
        "The oldest has waited for %(number)s day.", "The oldest has waited for %(number)s days.", days
    )
    return text % {"number": _whole(days)}


def _whole(number: int) -> str:
    return format_whole(number, get_language() or "")
