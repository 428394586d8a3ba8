"""Feeds of announced tournaments for calendar programs, as RFC 5545 defines them."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timezone import get_default_timezone
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from scoring.ledger.wording import event_type_name
from tournaments.models import Announcement
from ui.addresses import site_host
from ui.counting import counted
from ui.text import plain_line

CONTENT_TYPE = "text/calendar; charset=utf-8"
MOST_EVENTS = 1000
BACK = timedelta(days=60)  # how long past tournaments stay in a feed
EVENING = timedelta(hours=4)  # how long a tournament is assumed to last after its first hour
REFRESH = "PT12H"


def write(name: str, announcements: Iterable[Announcement], request: HttpRequest) -> bytes:
    """Return the iCalendar file of announced tournaments.

    name: the title of the calendar
    announcements: with their clubs
    """
    feed = Calendar()
    feed.add("prodid", "-//Baza//ES")
    feed.add("version", "2.0")
    feed.add("method", "PUBLISH")
    feed.add("x-wr-calname", plain_line(name))
    feed.add("x-published-ttl", REFRESH)
    host = site_host()
    for announcement in announcements:
        feed.add_component(_event(announcement, host, request.build_absolute_uri))
    return feed.to_ical()


def _event(announcement: Announcement, host: str, absolute) -> Event:
    event = Event()
    event.add("uid", f"{announcement.uid}@{host}")
    event.add("dtstamp", announcement.changed_at.astimezone(ZoneInfo("UTC")).replace(microsecond=0))
    event.add("sequence", announcement.sequence)
    event.add("status", "CANCELLED" if announcement.cancelled_at else "CONFIRMED")
    event.add("summary", plain_line(announcement.name))
    _add_times(event, announcement)
    club = announcement.club
    event.add("location", plain_line(f"{club.name}, {club.city}" if club.city else club.name))
    event.add("description", "\n".join(plain_line(text) for text in _lines(announcement)))
    event.add("url", absolute(announcement.get_absolute_url()))
    if announcement.start_date == announcement.end_date and not announcement.starts_at:
        event.add("transp", "TRANSPARENT")  # an evening without an hour does not fill the day
    return event


def _add_times(event: Event, announcement: Announcement) -> None:
    """Add the tournament's days or hours to its entry in the feed.

    For a tournament of one day whose beginning is known, add when it begins and probably ends, in UTC.
    For any other tournament, add its first day and the day after its last.
    """
    if announcement.starts_at and announcement.start_date == announcement.end_date:
        local = datetime.combine(announcement.start_date, announcement.starts_at, get_default_timezone())
        begin = local.astimezone(ZoneInfo("UTC"))
        event.add("dtstart", begin)
        event.add("dtend", begin + EVENING)
        return
    event.add("dtstart", announcement.start_date)
    event.add("dtend", announcement.end_date + timedelta(days=1))  # the day after the last


def _lines(announcement: Announcement) -> list[str]:
    lines = [f"{event_type_name(announcement.event_type)}, {announcement.get_format_display().lower()}"]
    if announcement.starts_at and announcement.start_date != announcement.end_date:
        lines.append(_("Begins at %(hour)s.") % {"hour": announcement.starts_at.strftime("%H:%M")})
    if announcement.boards:
        lines.append(counted(announcement.boards, "board"))
    if announcement.venue != "in_person":
        lines.append(announcement.get_venue_display())
    if announcement.note:
        lines.append(announcement.note)
    if announcement.cancelled_at:
        lines.append(_("Cancelled: %(reason)s") % {"reason": announcement.cancel_reason})
    return lines


def federation_title() -> str:
    """Return the title of the feed of the whole federation."""
    return _("Tournaments: %(name)s") % {"name": settings.FEDERATION_NAME or "Baza"}


def since() -> date:
    """Return the day from which feeds have tournaments. Those that ended earlier are left out."""
    return timezone.localdate() - BACK
