"""What waits for a club's administrators: one list, the longest wait first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import uploadable_clubs
from players.models import Club, Proposal
from players.proposals import act_of
from scoring.clubs.queries.tournaments import ClubTournaments
from scoring.clubs.requests import TRANSFER
from ui.formatting import format_date, format_whole

NEWS = timedelta(days=30)  # how long a returned request is listed
MOST = 20  # requests that are looked at


@dataclass(frozen=True, slots=True)
class Matter:
    """A line of the list.

    days: how long it has waited
    kind: what kind of matter it is, in two or three words
    note: why it waits; may be empty
    act: the text of its button
    """

    days: int
    kind: str
    title: str
    note: str
    url: str
    act: str


@dataclass(frozen=True, slots=True)
class Inbox:
    """What waits for a club.

    matters: the matters that are listed, the longest wait first
    rest: how many more there are of a kind, each with the address of the page that lists them
    count: the number of all matters
    """

    matters: list[Matter]
    rest: list[tuple[str, str]]
    count: int


def inbox_of(club: Club, tournaments: ClubTournaments, day: date, viewer: Any) -> Inbox:
    """Return what waits for the club. Three queries.

    viewer: the account that reads the list; only directors of the club are asked to upload
    """
    uploads = uploadable_clubs(viewer).filter(pk=club.pk).exists()
    listed = [*_results(tournaments, day, uploads), *_requests(club, day)]
    uploads_url = f"{reverse('uploads')}?club={club.slug}"
    results = tournaments.missing_count - len(tournaments.missing)
    drafts = tournaments.draft_count - len(tournaments.drafts)
    rest = []
    if results:
        text = ngettext("and %(number)s more missing result", "and %(number)s more missing results", results)
        rest.append((text % {"number": _whole(results)}, f"{uploads_url}#missing"))
    if drafts:
        text = ngettext(
            "and %(number)s more upload that is not confirmed",
            "and %(number)s more uploads that are not confirmed",
            drafts,
        )
        rest.append((text % {"number": _whole(drafts)}, f"{uploads_url}&estado=review"))
    return Inbox(sorted(listed, key=lambda matter: -matter.days), rest, len(listed) + results + drafts)


def _whole(number: int) -> str:
    return format_whole(number, get_language() or "")


def _results(tournaments: ClubTournaments, day: date, uploads: bool) -> Iterator[Matter]:
    for missing in tournaments.missing:
        days = (day - missing.end_date).days
        url = missing.get_absolute_url()
        if uploads:
            url = f"{reverse('upload_start')}?anunciado={missing.pk}"
        act = _("Upload the result") if uploads else _("See the announcement")
        title = _dated(missing.name, missing.end_date)
        yield Matter(days, _("Result missing"), title, _("Announced and played."), url, act)
    for draft in tournaments.drafts:
        title = _dated(draft.title or draft.file_name or _("Typed by hand"), draft.played_on)
        sent_on = timezone.localtime(draft.created_at).date()
        values = {"name": draft.sender, "day": format_date(sent_on, get_language() or "")}
        note = _("Uploaded by %(name)s on %(day)s and not confirmed.") % values
        days, url = _days_since(draft.created_at, day), draft.get_absolute_url()
        act = _("Review it") if uploads else _("See the upload")
        yield Matter(days, _("Not confirmed"), title, note, url, act)


def _dated(name: str, day: date | None) -> str:
    """Return a tournament's name with its day, because a club's tournaments often have the same name."""
    return f"{name}, {format_date(day, get_language() or '')}" if day else name


def _requests(club: Club, day: date) -> Iterator[Matter]:
    """Yield the club's returned requests, and other clubs' transfers of its members that wait."""
    rows = club.proposals.select_related("decided_by").order_by("prepared_at", "pk")
    for request in rows.filter(state=Proposal.State.RETURNED, decided_at__gt=timezone.now() - NEWS)[:MOST]:
        if request.data["club"] == club.pk:
            days, title = _days_since(request.decided_at, day), act_of(request).title(request)
            url = request.get_absolute_url()
            yield Matter(
                days, _("Request returned"), title, request.decision_reason, url, _("Read the reason")
            )
    for request in rows.filter(state=Proposal.State.PENDING, kind=TRANSFER.kind)[:MOST]:
        if request.data["club"] != club.pk:
            note = _("The office decides.")
            days, title = _days_since(request.prepared_at, day), TRANSFER.title(request)
            url = request.get_absolute_url()
            yield Matter(
                days, _("Another club asks for one of your members"), title, note, url, _("See the request")
            )


def _days_since(moment: datetime | None, day: date) -> int:
    return max((day - timezone.localtime(moment).date()).days, 0) if moment else 0
