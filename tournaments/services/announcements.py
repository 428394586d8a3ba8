"""Announce tournaments, change and cancel them, and link them with their results."""

import uuid
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.formats.types import EventInfo
from tournaments.models import Announcement, ResultUpload, Tournament
from ui.formatting import format_date

from .headers import last_day

WEEK = timedelta(days=7)
MOST_WEEKS = 53  # the most dates of a series
MOST_PROPOSED = 3  # announced tournaments that are proposed for an upload


@transaction.atomic
def announce(values: Mapping[str, Any], by, weeks: int = 1) -> list[Announcement]:
    """Announce a tournament in each of `weeks` weeks, as a series. Return the announcements by date.

    Raises ValidationError if the club has announced a tournament of this name for one of these days already.

    values: fields of `Announcement`
    by: the account that announces them
    weeks: the number of announcements, each a week after the one before; 1 makes no series
    """
    series = uuid.uuid4() if weeks > 1 else None
    made = []
    for week in range(weeks):
        days = {name: values[name] + week * WEEK for name in ("start_date", "end_date")}
        announcement = Announcement(**{**values, **days}, series=series, announced_by=by)
        _save(announcement)
        made.append(announcement)
    return made


@transaction.atomic
def change(announcement: Announcement, values: Mapping[str, Any], by) -> Announcement:
    """Change an announced tournament, for example its day. Return it.

    Raises ValidationError if it was cancelled or has a result meanwhile, or if the club has announced a
    tournament of this name for that day already.

    values: fields of `Announcement`
    by: the account that changes it, which becomes its `announced_by`
    """
    current = _locked(announcement)
    for name, value in values.items():
        setattr(current, name, value)
    current.announced_by = by
    current.sequence += 1
    _save(current)
    return current


@transaction.atomic
def cancel(announcement: Announcement, reason: str, following: bool = False) -> int:
    """Cancel an announced tournament. Return how many were cancelled.

    Raises ValidationError if it was cancelled or has a result meanwhile.

    following: whether to cancel the later dates of its series, too
    """
    current = _locked(announcement)
    chosen = Announcement.objects.free().filter(pk=current.pk)
    if following and current.series:
        chosen |= Announcement.objects.free().filter(
            series=current.series, start_date__gte=current.start_date
        )
    rows = list(chosen.select_for_update(of=("self",)).order_by("pk"))
    now = timezone.now()
    for row in rows:
        row.cancelled_at, row.cancel_reason, row.changed_at = now, reason.strip(), now
        row.sequence += 1
    Announcement.objects.bulk_update(rows, ["cancelled_at", "cancel_reason", "changed_at", "sequence"])
    return len(rows)


def _locked(announcement: Announcement) -> Announcement:
    """Lock an announcement and return a fresh copy. Raises ValidationError if nothing can change it."""
    current = Announcement.objects.select_for_update(of=("self",)).get(pk=announcement.pk)
    if current.cancelled_at:
        raise ValidationError(_("This tournament is cancelled."), code="cancelled")
    if current.tournament_id:
        raise ValidationError(_("The result of this tournament is here already."), code="played")
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


def only_fitting(upload: ResultUpload, event: EventInfo) -> Announcement | None:
    """Return the announced tournament that an upload fits by club, day, type and format, if there is one.

    Of several, only one on the upload's own day fits, if no other is on that day.
    """
    details = upload.details
    day = last_day(details, event)
    if day is None:
        return None
    rows = Announcement.objects.fitting(upload.club_id, day, details.get("event_type", ""))
    if kind := details.get("format") or event.kind:
        rows = rows.filter(format=kind)
    fitting = list(rows[:MOST_PROPOSED])
    same_day = [announcement for announcement in fitting if announcement.end_date == day]
    chosen = same_day if len(fitting) > 1 else fitting
    return chosen[0] if len(chosen) == 1 else None


def filled(announcement: Announcement, details: Mapping[str, Any], event: EventInfo) -> dict[str, Any]:
    """Return the data of an upload's form, completed by those of the announced tournament.

    The form takes precedence. The file does for days, format and boards, but not for the name: the calendar
    has the name that readers know.
    """
    values: dict[str, Any] = {
        "name": announcement.name,
        "event_type": announcement.event_type,
        "venue": announcement.venue,
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


def proposals(upload: ResultUpload, day: date | None, event_type: str) -> list[Announcement]:
    """Return the announced tournaments that an upload may be the result of. Arguments as in `result_of`."""
    if day is None or upload.corrects_id:
        return []
    fitting = Announcement.objects.fitting(upload.club_id, day, event_type)
    return list(fitting.exclude(pk=upload.announcement_id)[:MOST_PROPOSED])


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
