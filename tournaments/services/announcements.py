"""Announce tournaments, change and cancel them, and link them with their results."""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.formats.types import EventInfo, Issue
from tournaments.models import Announcement, ResultUpload, Tournament
from ui.formatting import format_date
from ui.text import words_of

from .headers import Known, contradicts_venue, venue_by
from .issues import issue
from .ticks import valid_ticks

WEEK = timedelta(days=7)
DOUBLE_CLICK = timedelta(minutes=1)  # the same form again within this time is the same act
MOST_WEEKS = 53  # the most dates of a series
FILLED = ("name", "event_type", "venue")  # the data that every announced tournament gives its result
MOST_PROPOSED = 3  # announced tournaments that are proposed for an upload


@transaction.atomic
def announce(values: Mapping[str, Any], by, weeks: int = 1) -> list[Announcement]:
    """Announce a tournament in each of `weeks` weeks, as a series. Return the announcements by date.

    Raises ValidationError if the club has announced a tournament of this name for one of these days already.
    After a double click the second request returns what the first one announced.

    values: fields of `Announcement`
    by: the account that announces them
    weeks: the number of announcements, each a week after the one before; 1 makes no series
    """
    series = uuid.uuid4() if weeks > 1 else None
    dates = [
        {**values, **{name: values[name] + week * WEEK for name in ("start_date", "end_date")}}
        for week in range(weeks)
    ]
    made = [Announcement(**fields, series=series, announced_by=by) for fields in dates]
    try:
        with transaction.atomic():
            for announcement in made:
                _save(announcement)
    except ValidationError:
        if before := _announced_by_first_click(dates, by):
            return before
        raise
    return made


def _announced_by_first_click(dates: list[dict[str, Any]], by) -> list[Announcement]:
    """Return what the account announced with these fields within DOUBLE_CLICK; [] if a date is missing."""
    recent = Announcement.objects.standing().filter(
        announced_by=by, announced_at__gte=timezone.now() - DOUBLE_CLICK
    )
    made = [recent.filter(**fields).first() for fields in dates]
    return [row for row in made if row] if all(made) else []


class Stale(Exception):
    """Another person has changed the announced tournament since the page was shown.

    names: the fields of which the form has other values than are stored now
    """

    def __init__(self, names: list[str]) -> None:
        super().__init__(", ".join(names))
        self.names = names


@transaction.atomic
def change(
    announcement: Announcement, values: Mapping[str, Any], by, sequence: int | None = None
) -> Announcement:
    """Change an announced tournament, for example its day. Return it.

    Raises ValidationError if it was cancelled or has a result meanwhile, or if the club has announced a
    tournament of this name for that day already. Raises Stale if it has changed since the page was shown.

    values: fields of `Announcement`
    by: the account that changes it, which becomes its `announced_by`
    sequence: the announcement's `sequence` when the page was shown; None to skip the comparison
    """
    current = _locked(announcement)
    if sequence is not None and sequence != current.sequence:
        names = [name for name, value in values.items() if getattr(current, name) != value]
        if names:
            raise Stale(names)
        return current  # the button was clicked twice
    for name, value in values.items():
        setattr(current, name, value)
    current.announced_by = by
    current.sequence += 1
    _save(current)
    return current


@transaction.atomic
def cancel(
    announcement: Announcement,
    reason: str,
    following: bool = False,
    allowed: Callable[[Announcement], bool] = lambda _date: True,
) -> tuple[list[Announcement], list[Announcement]]:
    """Cancel an announced tournament. Return the dates that were cancelled and those left out, by date.

    Raises ValidationError if it was cancelled or has a result meanwhile.

    following: whether to cancel the later dates of its series, too
    allowed: returns whether a later date may be cancelled; the others are left out
    """
    current = _locked(announcement)
    chosen = Announcement.objects.free().filter(pk=current.pk)
    if following and current.series:
        chosen |= Announcement.objects.free().filter(
            series=current.series, start_date__gte=current.start_date
        )
    locked = chosen.select_related("club").select_for_update(of=("self",)).order_by("pk")
    dates = sorted(locked, key=lambda date: (date.start_date, date.pk))
    rows = [row for row in dates if row.pk == current.pk or allowed(row)]
    now = timezone.now()
    for row in rows:
        row.cancelled_at, row.cancel_reason, row.changed_at = now, reason.strip(), now
        row.sequence += 1
    Announcement.objects.bulk_update(rows, ["cancelled_at", "cancel_reason", "changed_at", "sequence"])
    return rows, [row for row in dates if row not in rows]


def _locked(announcement: Announcement) -> Announcement:
    """Lock an announcement and return a fresh copy. Raises ValidationError if nothing can change it."""
    current = Announcement.objects.select_for_update(of=("self",)).get(pk=announcement.pk)
    if current.cancelled_at:
        raise ValidationError(_("This tournament is cancelled."), code="cancelled")
    if current.tournament_id:
        raise ValidationError(_("This tournament has its result already."), code="played")
    return current


def _save(announcement: Announcement) -> None:
    try:
        with transaction.atomic():
            announcement.save()
    except IntegrityError as error:
        twins = Announcement.objects.standing().filter(
            club=announcement.club_id, start_date=announcement.start_date, name=announcement.name
        )
        if not twins.exclude(pk=announcement.pk).exists():
            raise
        text = _("The club has announced “%(name)s” for %(day)s already.")
        values = {
            "name": announcement.name,
            "day": format_date(announcement.start_date, get_language() or ""),
        }
        raise ValidationError(text % values, code="twice") from error


def following(announcement: Announcement) -> int:
    """Return how many later dates of the series can be cancelled with this one."""
    if announcement.series is None:
        return 0
    later = Announcement.objects.free().filter(
        series=announcement.series, start_date__gte=announcement.start_date
    )
    return later.exclude(pk=announcement.pk).count()


# --- The result -----------------------------------------------------------------------------------------
def details_of(announcement: Announcement) -> dict[str, Any]:
    """Return the data of an announced tournament as initial values of an upload's form."""
    return {
        "club": announcement.club_id,
        "name": announcement.name,
        "event_type": announcement.event_type,
        "format": announcement.format,
        "venue": announcement.venue,
        "end_date": announcement.end_date,
        "start_date": None if announcement.start_date == announcement.end_date else announcement.start_date,
        "boards": announcement.boards,
    }


def only_fitting(announced: Iterable[Announcement], known: Known, event: EventInfo) -> Announcement | None:
    """Return the announced tournament that an upload fits without any doubt, if there is one.

    One of its days is the last day of the upload, no other announced name is in the form or the file, and the
    file does not contradict its venue.

    announced: what `possible` returns
    """
    fitting = [
        announcement
        for announcement in announced
        if announcement.start_date <= known.end_date <= announcement.end_date
        and (not known.name or _has_name(announcement, known))
        and not contradicts_venue(event, announcement.venue)
    ]
    return fitting[0] if len(fitting) == 1 else None


def possible(upload: ResultUpload, known: Known) -> list[Announcement]:
    """Return the announced tournaments that an upload may be the result of, without the one already chosen.

    One that begins after the last day of the upload needs the same name.
    """
    is_open = upload.state == ResultUpload.State.REVIEW and not upload.corrects_id
    if not is_open or known.end_date is None or known.family != Tournament.Family.AEB:
        return []
    rows = Announcement.objects.fitting(upload.club_id, known.end_date, known.event_type)
    if known.format:
        rows = rows.filter(format=known.format)
    return [
        announcement
        for announcement in rows.exclude(pk=upload.announcement_id)
        if announcement.start_date <= known.end_date or _has_name(announcement, known)
    ]


def _has_name(announcement: Announcement, known: Known) -> bool:
    """Return whether an upload has the announced name, apart from case, accents and punctuation."""
    return words_of(announcement.name) == words_of(known.name)


def filled(announcement: Announcement, details: Mapping[str, Any], event: EventInfo) -> dict[str, Any]:
    """Return the data of an upload's form, completed by those of the announced tournament.

    The form takes precedence. The file does for days, format, boards and a venue that contradicts the
    announced one, but not for the name: the calendar has the name that readers know.
    """
    values: dict[str, Any] = {
        "name": announcement.name,
        "event_type": announcement.event_type,
        "venue": venue_by(event, announcement.venue),
    }
    if not event.kind:
        values["format"] = announcement.format
    if not event.boards and not event.boards_scheduled and announcement.boards:
        values["boards"] = announcement.boards
    if not event.date:
        values["end_date"] = announcement.end_date.isoformat()
    if announcement.start_date != announcement.end_date and "end_date" not in details:
        values["start_date"] = announcement.start_date.isoformat()
    return {**values, **details}


def result_of(upload: ResultUpload, day: date | None, event_type: str) -> Announcement | None:
    """Return the announced tournament of which an upload will be the result.

    Return None if none is chosen, or if the chosen one has a result, was cancelled, or no longer fits.

    day, event_type: as confirming the upload would store them
    """
    announcement = upload.announcement
    if announcement is None or upload.corrects_id or not announcement.is_free:
        return None
    return announcement if announcement.fits(upload.club_id, day, event_type) else None


def proposals(upload: ResultUpload, known: Known) -> list[Announcement]:
    """Return the announced tournaments that an upload may be the result of, if none is linked with it."""
    if result_of(upload, known.end_date, known.event_type):
        return []
    return possible(upload, known)[:MOST_PROPOSED]


def denies(upload: ResultUpload, proposed: Sequence[Announcement]) -> bool:
    """Return whether the ticks of an upload say that it is of none of the proposed announcements."""
    return bool(valid_ticks(issues_of(None, proposed), upload.ticks))


def issues_of(linked: Announcement | None, proposed: Sequence[Announcement]) -> list[Issue]:
    """Return a note about the announcement that will be linked, or a warning for each proposed one."""
    chosen = [("announced", linked)] if linked else []
    chosen += [("announced_perhaps", announcement) for announcement in proposed]
    return [
        issue(code, name=announcement.name, day=announcement.end_date.isoformat())
        for code, announcement in chosen
    ]


def lock(upload: ResultUpload) -> None:
    """Lock the upload's announcement, so that nobody changes it before the transaction ends."""
    if upload.announcement_id:
        upload.announcement = Announcement.objects.select_for_update(of=("self",)).get(
            pk=upload.announcement_id
        )


def link(announcement: Announcement, tournament: Tournament) -> None:
    """Store the result of an announced tournament that `lock` has locked."""
    announcement.tournament = tournament
    announcement.save(update_fields=["tournament", "changed_at"])


def release(tournament: Tournament) -> None:
    """Make the announcement of an annulled tournament free again."""
    Announcement.objects.filter(tournament=tournament).update(tournament=None, changed_at=timezone.now())


def link_again(tournament: Tournament) -> None:
    """Link a restored tournament with its announcement again, unless that has changed meanwhile."""
    announcement = (
        Announcement.objects.free()
        .select_for_update(of=("self",))
        .filter(uploads__revision__tournament=tournament)
        .first()
    )
    if announcement and announcement.fits(tournament.club_id, tournament.end_date, tournament.event_type):
        link(announcement, tournament)
