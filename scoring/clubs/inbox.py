"""What waits for a club's administrators: one list, the longest wait first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from players.access import uploadable_clubs
from players.inbox import Matter
from players.models import Club, Proposal
from players.proposals import act_of
from scoring.clubs.queries.tournaments import ClubTournaments
from scoring.clubs.requests import TRANSFER
from scoring.clubs.waiting import TRANSFERS_AWAY
from tournaments.waiting import DRAFTS, MISSING_RESULTS
from ui.formatting import format_whole

NEWS = timedelta(days=30)  # how long a returned request is listed
MOST = 20  # requests that are looked at


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


_FURTHER: list[Callable[[Club, Any], Iterator[Matter]]] = []


def register(source: Callable[[Club, Any], Iterator[Matter]]) -> None:
    """Add a source of matters to the desks' inboxes. Rooms above this one call it in `AppConfig.ready`.

    source: function that takes a club and the account that reads, and yields what waits for the club
    """
    _FURTHER.append(source)


def inbox_of(club: Club, tournaments: ClubTournaments, viewer: Any) -> Inbox:
    """Return what waits for the club. Three queries, and those of other rooms' sources.

    viewer: the account that reads the list; only directors of the club are asked to upload
    """
    uploads = uploadable_clubs(viewer).filter(pk=club.pk).exists()
    listed = [*_results(tournaments, uploads), *_requests(club)]
    for source in _FURTHER:
        listed += source(club, viewer)
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
    return Inbox(sorted(listed, key=lambda matter: -(matter.days or 0)), rest, len(listed) + results + drafts)


def _whole(number: int) -> str:
    return format_whole(number, get_language() or "")


def _results(tournaments: ClubTournaments, uploads: bool) -> Iterator[Matter]:
    for missing in tournaments.missing:
        yield MISSING_RESULTS.of(missing, uploads)
    for draft in tournaments.drafts:
        yield DRAFTS.of(draft, uploads)


def _requests(club: Club) -> Iterator[Matter]:
    """Yield the club's returned requests, and other clubs' transfers of its members that wait."""
    rows = club.proposals.select_related("decided_by").order_by("prepared_at", "pk")
    for request in rows.filter(state=Proposal.State.RETURNED, decided_at__gt=timezone.now() - NEWS)[:MOST]:
        if request.data["club"] == club.pk:
            yield Matter(
                kind=_("Request returned"),
                title=act_of(request).title(request),
                url=request.get_absolute_url(),
                act=_("Read the reason"),
                since=request.decided_at,
                note=request.decision_reason,
            )
    for request in rows.filter(state=Proposal.State.PENDING, kind=TRANSFER.kind)[:MOST]:
        if request.data["club"] != club.pk:
            yield TRANSFERS_AWAY.of(request)
