"""Complete the data of an upload by what is usual in its club, so that directors type nothing twice."""

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from tournaments.formats.types import EventInfo
from tournaments.models import Announcement, ResultUpload, Tournament

from . import announcements
from .headers import (
    POOL,
    is_proposed,
    is_type_of_name,
    known_of,
    last_day,
    names_pool,
    venue_by,
)

RECENT = timedelta(days=70)
CONSIDERED = 30  # the club's last tournaments, among which one of the same weekday is looked for
# The names proposed for pools, Monday's first.
POOLS = (
    _("Monday pool"),
    _("Tuesday pool"),
    _("Wednesday pool"),
    _("Thursday pool"),
    _("Friday pool"),
    _("Saturday pool"),
    _("Sunday pool"),
)


def complete(upload: ResultUpload) -> None:
    """Add to `upload.details`, without saving, what neither the form nor the file states.

    Type and venue are those of the club's last pool on the same weekday, and so are the name and the number
    of boards if the file has none. `details["like"]` is then the id of that pool, and
    `details["boards_like"]` the number of boards taken from it. Without such a pool the venue is in person,
    and a file of one day without a name gets a proposal: a pool, named after the weekday.
    `details["proposed"]` is then the proposed name. Nothing of this is added before the day is known: call
    this again when the director enters or changes it.

    If the name says that the tournament is a pool, that is its type, and `details["type_of_name"]` is the
    name; the type of a tournament with another name has to be chosen. A file that says that it was played
    online is of that venue, unless the last pool was online too, perhaps with cameras. A correction has the
    data of its tournament already.

    An announced tournament that fits takes precedence: it becomes the upload's, and gives its data. While
    the review asks whether the upload is of an announced tournament, nothing is added that may hide it: only
    if all that it asks about are pools of other days, or the director has answered that it is another.
    `details["usual"]` has what was added meanwhile, for `withdraw`.
    """
    if upload.corrects_id or upload.details.get("family", Tournament.Family.AEB) != Tournament.Family.AEB:
        return
    event = EventInfo(**upload.parsed["event"])
    withdraw_proposal(upload)
    known = known_of(upload, event)
    announced = [] if upload.announcement else announcements.possible(upload, known)
    proposed = announced[: announcements.MOST_PROPOSED]
    is_other = announcements.denies(upload, proposed)
    if not (upload.announcement or is_other):
        upload.announcement = announcements.only_fitting(announced, known, event)
    if upload.announcement:
        upload.details = announcements.filled(upload.announcement, upload.details, event)
        return
    if not is_other and not all(_is_pool_of_other_day(item, known.end_date) for item in proposed):
        return
    before = upload.details
    if day := last_day(upload.details, event):
        _fill_like_last(upload, event, day)
    _take_type_of_name(upload, event)
    if proposed:
        added = {name: value for name, value in upload.details.items() if before.get(name) != value}
        upload.details = {**upload.details, "usual": upload.details.get("usual", {}) | added}


def _is_pool_of_other_day(announcement: Announcement, day: date | None) -> bool:
    is_of_day = day is None or announcement.start_date <= day <= announcement.end_date
    return announcement.event_type == POOL and not is_of_day


def withdraw(upload: ResultUpload) -> None:
    """Remove what was added as usual beside proposed announced tournaments, if nobody changed it."""
    withdraw_proposal(upload)
    added = upload.details.get("usual", {})
    upload.details = {
        name: value
        for name, value in upload.details.items()
        if name != "usual" and (name not in added or added[name] != value)
    }


def _take_type_of_name(upload: ResultUpload, event: EventInfo) -> None:
    """Make the upload a pool if its name says so and no type is chosen."""
    name = known_of(upload, event).name
    if "event_type" not in upload.details and names_pool(name):
        upload.details = {**upload.details, "event_type": POOL, "type_of_name": name}


def _fill_like_last(upload: ResultUpload, event: EventInfo, day: date) -> None:
    """Add what is missing from the club's last pool like the upload; without one, only the venue."""
    last = _last_like_it(upload, event, day)
    if last is None or upload.details.get("event_type", POOL) != POOL:
        upload.details = {"venue": event.venue or Tournament.Venue.IN_PERSON.value} | upload.details
        _propose_pool(upload, event, day)
        return
    usual: dict[str, Any] = {"event_type": POOL, "venue": venue_by(event, last.venue)}
    if not event.title:
        usual["name"] = last.name
    if not (event.boards or event.boards_scheduled or upload.details.get("boards_scheduled")):
        usual["boards"] = last.boards
    added = {name: value for name, value in usual.items() if name not in upload.details}
    if "boards" in added:
        added["boards_like"] = last.boards
    if added:
        upload.details = {**upload.details, **added, "like": last.pk}


def _propose_pool(upload: ResultUpload, event: EventInfo, day: date) -> None:
    """Propose name and type of a ranking for which neither the form nor the file has a name.

    The name is in the federation's language, whatever the director reads, because everybody sees it.
    """
    details = upload.details
    first = details.get("start_date") or event.start_date or day.isoformat()
    if not upload.parsed["entries"] or event.title or "name" in details or first != day.isoformat():
        return
    if details.get("event_type", POOL) == POOL:
        with translation.override(settings.LANGUAGE_CODE):
            name = str(POOLS[day.weekday()])
        upload.details = {**details, "event_type": POOL, "name": name, "proposed": name}


def withdraw_proposal(upload: ResultUpload) -> None:
    """Remove a proposed name and type that nobody changed, so that another day gets another proposal.

    A type that follows from the name is removed too, so that an announced tournament of another type fits.
    """
    removed = {"proposed", "type_of_name"}
    if is_proposed(upload.details):
        removed |= {"name", "event_type"}
    elif is_type_of_name(upload.details):
        removed |= {"event_type"}
    upload.details = {name: value for name, value in upload.details.items() if name not in removed}


def _last_like_it(upload: ResultUpload, event: EventInfo, day: date) -> Tournament | None:
    """Return the club's last pool before `day`, on the same weekday and in the same format as the upload."""
    recent = Tournament.objects.filter(
        club=upload.club_id, end_date__gte=day - RECENT, end_date__lt=day, published__isnull=False
    ).order_by("-end_date", "-pk")[:CONSIDERED]
    kind = upload.details.get("format") or event.kind
    fits = (
        tournament
        for tournament in recent
        if tournament.event_type == POOL
        and tournament.end_date.weekday() == day.weekday()
        and kind in (None, tournament.format)
        and tournament.annulled_at is None
    )
    return next(fits, None)
