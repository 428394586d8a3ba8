"""Pages and feeds of the calendar of announced tournaments."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require, uploadable_clubs
from players.models import Club, Region
from scoring.calendar import feeds, queries
from scoring.calendar.forms import AnnouncementForm, CancelForm, NewAnnouncementForm
from scoring.calendar.tables import CalendarTable
from scoring.ledger import event_types
from scoring.ledger.announcing import may_announce_any, may_change
from scoring.ledger.conditional import standings_state
from scoring.ledger.queries import places
from scoring.ledger.wording import event_type_name
from tournaments.models import Announcement
from tournaments.services import announcements
from ui import exports
from ui.addresses import crumbs, one_of, parse_day
from ui.choices import Asked, grouped_option_tags, id_of, option_tags
from ui.clock import today
from ui.form_errors import errors_on
from ui.formatting import (
    format_date,
    format_days,
    format_days_in_words,
    format_month_in_words,
    name_of_time,
)
from ui.paging import Pages, paged
from ui.shared import shared

LIST, MONTH = "lista", "mes"
EARLIEST_YEAR, LATEST_YEAR = 2000, 2100
OTHER_DATES = 6


# --- The calendar ---------------------------------------------------------------------------------------
@require_safe
@shared
def index(request: HttpRequest) -> HttpResponse:
    """Show the announced tournaments as a list from a day on, or as a month."""
    asked, version = Asked(request.GET), standings_state().version
    regions = places.regions(version)
    region = asked.text("region")
    region_id = id_of(region, regions)
    clubs = places.clubs(version, region_id)
    chosen = {"region": region, "club": asked.club(clubs, partial(places.clubs, version), places.meant_by)}
    view = one_of(request.GET.get("vista", ""), (LIST, MONTH), LIST)
    types = _types(request, view)
    chosen["tipo"] = asked.one_of("tipo", event_types.flat(types), _("Type"), event_type_name)
    filters = queries.CalendarFilter(region_id, id_of(chosen["club"], clubs), chosen["tipo"])
    feed = request.build_absolute_uri(_feed_of(chosen))
    context = {
        "view": view,
        "filters": filters,
        "types": grouped_option_tags(types, chosen["tipo"]),
        "left_out": asked.left_out,
        "regions": option_tags(regions, chosen["region"], _("any region")),
        "club_choice": places.club_choice(asked, clubs, chosen["club"], _("any club")),
        "views": [
            {"label": label, "current": code == view, "url": _address({**chosen, "vista": code})}
            for code, label in ((LIST, _("List")), (MONTH, _("Month")))
        ],
        "feed": feed,
        "feed_to_follow": feed.replace(request.scheme, "webcal", 1),
        "may_announce": may_announce_any(request.user),
        "changed_at": Announcement.objects.aggregate(last=Max("changed_at"))["last"],
        "breadcrumbs": crumbs((_("Tournaments"), reverse("tournaments")), (_("Calendar"), None)),
    }
    context |= _month(request, filters, chosen) if view == MONTH else _list(request, filters)
    return render(request, "calendar/index.html", context)


def _types(request: HttpRequest, view: str) -> event_types.Groups:
    """Return the types that a tournament of the days shown can have, and the choice of all but pools."""
    first, last = _since(request), None
    if view == MONTH:
        first = _first_of_month(request.GET.get("mes", ""))
        last = _shift(first, 1) - queries.DAY
    alone = ("", [(queries.NOT_ALONE, _("any except pools"))])
    return [alone, *event_types.own_groups(first, last)]


def _since(request: HttpRequest) -> date:
    return parse_day(request.GET.get("desde", "")) or today()


def _list(request: HttpRequest, filters: queries.CalendarFilter) -> dict[str, Any]:
    since = _since(request)
    rows = queries.from_day(filters, since)
    table = paged(
        CalendarTable,
        request,
        Pages(rows, queries.records),
        empty_text=_("No tournament is announced."),
        empty_link=(reverse("calendar"), _("See the whole calendar"))
        if filters.narrowed
        else (reverse("tournaments"), _("See the tournaments played")),
    )
    first = max(since, today())
    counts = queries.counts_of(rows, first)
    return {"table_html": table.as_html(request), "counts": counts, "since": first}


def _month(
    request: HttpRequest, filters: queries.CalendarFilter, chosen: Mapping[str, str]
) -> dict[str, Any]:
    first = _first_of_month(request.GET.get("mes", ""))
    around = {"before": _shift(first, -1), "after": _shift(first, 1)}
    weeks = queries.month_of(filters, first)
    for cell in (cell for week in weeks for cell in week):
        cell["url"] = _address({**chosen, "desde": cell["day"].isoformat()})
    return {
        "month": format_month_in_words(first, get_language() or ""),
        "month_value": f"{first:%Y-%m}",
        "weeks": weeks,
        "today": today(),
        **{
            name: {
                "label": format_month_in_words(day, get_language() or ""),
                "url": _address({**chosen, "vista": MONTH, "mes": f"{day:%Y-%m}"}),
            }
            for name, day in around.items()
        },
    }


def _first_of_month(text: str) -> date:
    """Return the first day of a month written YYYY-MM; of this month if the text is no such month."""
    day = parse_day(f"{text}-01")
    return day if day and EARLIEST_YEAR <= day.year <= LATEST_YEAR else today().replace(day=1)


def _shift(first: date, months: int) -> date:
    number = first.year * 12 + first.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _address(query: Mapping[str, str]) -> str:
    text = urlencode({name: value for name, value in query.items() if value})
    return reverse("calendar") + (f"?{text}" if text else "")


def _feed_of(chosen: Mapping[str, str]) -> str:
    """Return the path of the feed of the chosen club or region, or of the federation."""
    if chosen["club"]:
        return reverse("calendar_club_feed", args=[chosen["club"]])
    if chosen["region"]:
        return reverse("calendar_region_feed", args=[chosen["region"]])
    return reverse("calendar_feed")


# --- One tournament ---------------------------------------------------------------------------------------
def _get_announcement(pk: int) -> Announcement:
    return get_object_or_404(Announcement.objects.select_related("club__region", "tournament"), pk=pk)


def _crumbs(*labels: tuple[str, str | None]) -> list[dict[str, str | None]]:
    return crumbs((_("Tournaments"), reverse("tournaments")), (_("Calendar"), reverse("calendar")), *labels)


@require_safe
@shared
def announcement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an announced tournament."""
    announced = _get_announcement(pk)
    user = request.user
    uploads = user.is_authenticated and uploadable_clubs(user).filter(pk=announced.club_id).exists()
    dates = Announcement.objects.none()
    if announced.series:
        later = Announcement.objects.upcoming(today()).filter(series=announced.series)
        dates = later.exclude(pk=announced.pk)[:OTHER_DATES]
    lang = get_language() or ""
    first, last = format_days_in_words(announced.start_date, announced.end_date, lang)
    context = {
        "announced": announced,
        "days": format_days(announced.start_date, announced.end_date, lang),
        "first": first,
        "last": last,
        "weekday": name_of_time(date_format(announced.start_date, "l"), lang),
        "type_name": event_type_name(announced.event_type),
        "over": announced.end_date < today(),
        "may_upload": uploads and announced.is_free and announced.start_date <= today(),
        "may_change": announced.is_free and may_change(user, announced),
        "dates": dates,
        "breadcrumbs": _crumbs((announced.name, None)),
    }
    return render(request, "calendar/announcement.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def announce(request: HttpRequest) -> HttpResponse:
    """Announce a tournament, or a series: the same tournament in each of several weeks.

    The URL's `?club=` is the slug of a club, `?como=` the id of an announced tournament to copy.
    """
    require(may_announce_any(request.user))
    form = NewAnnouncementForm(request.POST or None, user=request.user, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            made = announcements.announce(form.values(), request.user, form.cleaned_data["weeks"])
            text = ngettext("%(number)s date is announced.", "%(number)s dates are announced.", len(made))
            messages.success(request, text % {"number": len(made)})
            return redirect(made[0])
    context = {
        "form": form,
        **_announced_by(form),
        "breadcrumbs": _crumbs((_("Announce a tournament"), None)),
    }
    return render(request, "calendar/announce.html", context, status=_status(form))


def _initial(request: HttpRequest) -> dict[str, Any]:
    """Return initial data of the form: those of another announcement, or the club in the URL."""
    copied = request.GET.get("como", "")
    if copied.isdecimal() and len(copied) < 15:
        announced = _get_announcement(int(copied))
        details = announcements.details_of(announced)
        return {**details, "club": announced.club, "end_date": None, "start_date": None}
    club = Club.objects.filter(slug=request.GET.get("club", "")).first()
    chosen = {"club": club} if club else {}
    return {**chosen, "venue": "in_person", "format": "pairs", "event_type": "pool"}


def _announced_by(form: AnnouncementForm) -> dict[str, Any]:
    """Return the club chosen in the form, and what is announced there from today on; {} without a club."""
    if form.is_bound:
        club = form.cleaned_data.get("club")
    else:
        club = form.get_initial_for_field(form.fields["club"], "club")
    if club is None:
        return {}
    return {"club": club, "coming": Announcement.objects.upcoming(today()).filter(club=club)[:OTHER_DATES]}


def _changeable(request: HttpRequest, pk: int) -> Announcement:
    """Return an announced tournament that the account may change. Raises PermissionDenied."""
    announced = _get_announcement(pk)
    require(may_change(request.user, announced))
    return announced


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Move an announced tournament to another day, or change its other data."""
    announced = _changeable(request, pk)
    if not announced.is_free:
        return redirect(announced)
    form = AnnouncementForm(request.POST or None, user=request.user, instance=announced)
    if request.method != "POST" and announced.start_date == announced.end_date:
        form.initial["end_date"] = None
    seen = request.POST.get("seen", str(announced.sequence))
    if request.method == "POST" and form.is_valid():
        sequence = int(seen) if seen.isdecimal() and len(seen) < 10 else None
        try:
            with errors_on(form):
                announcements.change(announced, form.values(), request.user, sequence)
                messages.success(request, _("The changes are saved and in the calendar."))
                return redirect(announced)
        except announcements.Stale as stale:
            announced.refresh_from_db()
            seen = str(announced.sequence)
            form.add_error(None, form.stale_message(stale.names))
    context = {
        "form": form,
        "announced": announced,
        "seen": seen,
        "breadcrumbs": _crumbs((announced.name, announced.get_absolute_url()), (_("Change"), None)),
    }
    return render(request, "calendar/announce.html", context, status=_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel an announced tournament, and the later dates of its series if asked to."""
    announced = _changeable(request, pk)
    if not announced.is_free:
        return redirect(announced)
    later = announcements.following(announced)
    form = CancelForm(request.POST or None, later=later)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            values = form.cleaned_data
            cancelled, left = announcements.cancel(
                announced,
                values["reason"],
                values.get("following", False),
                partial(may_change, request.user),
            )
            number = len(cancelled)
            text = ngettext("%(number)s date is cancelled.", "%(number)s dates are cancelled.", number)
            messages.success(request, text % {"number": number})
            if left:
                messages.warning(request, _left_out(left))
            return redirect(announced)
    context = {
        "form": form,
        "announced": announced,
        "days": format_days(announced.start_date, announced.end_date, get_language() or ""),
        "later": later,
        "breadcrumbs": _crumbs(
            (announced.name, announced.get_absolute_url()), (_("Cancel the tournament"), None)
        ),
    }
    return render(request, "calendar/cancel.html", context, status=_status(form))


def _left_out(dates: Sequence[Announcement]) -> str:
    """Return a message about the dates of a series that the account may not cancel."""
    text = ngettext(
        "%(number)s date is not cancelled, because you may not cancel it: %(days)s.",
        "%(number)s dates are not cancelled, because you may not cancel them: %(days)s.",
        len(dates),
    )
    days = ", ".join(format_date(date.start_date, get_language() or "") for date in dates)
    return text % {"number": len(dates), "days": days}


def _status(form) -> int:
    return 422 if form.is_bound else 200


# --- Feeds ------------------------------------------------------------------------------------------------
def _of_federation() -> QuerySet[Announcement]:
    """Return the tournaments of the federation's feed: without pools, of which there are too many."""
    return _recent().exclude(event_type__in=queries.alone_types())


def _recent() -> QuerySet[Announcement]:
    return Announcement.objects.filter(end_date__gte=feeds.since())


def _of_region(slug: str) -> QuerySet[Announcement]:
    return _recent().filter(club__region__slug=slug)


def _of_club(slug: str) -> QuerySet[Announcement]:
    return _recent().filter(club__slug=slug)


def _feed(request: HttpRequest, title: str, rows: QuerySet[Announcement]) -> HttpResponse:
    """Return a feed. Its ETag is that of its content (`federation.middleware.SharedPagesMiddleware`)."""
    rows = rows.select_related("club").order_by("end_date", "pk")[: feeds.MOST_EVENTS]
    return HttpResponse(feeds.write(title, rows, request), content_type=feeds.CONTENT_TYPE)


@require_safe
@shared
def federation_feed(request: HttpRequest) -> HttpResponse:
    """Send the federation's tournaments to a calendar program. Pools are in the other feeds."""
    return _feed(request, feeds.federation_title(), _of_federation())


@require_safe
@shared
def region_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the tournaments of a region's clubs to a calendar program."""
    region = get_object_or_404(Region, slug=slug)
    return _feed(request, _("Tournaments: %(name)s") % {"name": region.name}, _of_region(slug))


@require_safe
@shared
def club_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a club's tournaments to a calendar program."""
    club = get_object_or_404(Club, slug=slug)
    return _feed(request, _("Tournaments: %(name)s") % {"name": club.name}, _of_club(slug))


@require_safe
@shared
def announcement_feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Send one announced tournament to a calendar program."""
    announced = _get_announcement(pk)
    response = HttpResponse(
        feeds.write(announced.name, [announced], request), content_type=feeds.CONTENT_TYPE
    )
    return exports.attached(response, f"{_('tournament')}-{announced.pk}.ics")
