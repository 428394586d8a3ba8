"""The list of categories, and the standings of one category on a day, as a page or a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Category
from scoring.ledger import systems
from scoring.ledger.conditional import StandingsVersion, conditional
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import Standing
from scoring.ledger.queries import places
from scoring.ledger.queries.scope import Scope
from scoring.ledger.queries.standings import LiveList, PastList, StandingList, list_of
from scoring.pages.queries.categories import category_records, category_then, is_in_force, ladder_of
from scoring.pages.queries.cut import WithFigures, distribution
from scoring.pages.tables import CategoryTable, StandingTable
from scoring.promotions.queries.ranked import cut_today
from ui import exports
from ui.addresses import crumbs, one_of, own_player_id, parse_day
from ui.choices import Asked, Choice, id_of, option_tags
from ui.clock import today
from ui.formatting import format_date, format_day_in_words, format_whole
from ui.histogram import Histogram
from ui.paging import ROWS
from ui.parameters import PAGE, SORT
from ui.shared import public_address

VENUES = {"presencial": "points_in_person", "en-linea": "points_online"}
VENUE_WORDS = {
    "": gettext_lazy("in person and online"),
    "presencial": gettext_lazy("in person only"),
    "en-linea": gettext_lazy("online only"),
}
# With `?segun=entonces`, the list of a past day is shown as it was published on that day. Without it, later
# corrections are included.
KNOWLEDGE, THEN = "segun", "entonces"
MOST_TEXT = 100
OWN_ROW = "yo"  # the id that static/js/reader.js gives the reader's row


@dataclass
class Filters:
    """The filters in the query string of a standings page.

    typed_day: the day as the user typed it
    as_published: whether to show a past day's standings as they were on that day, without later corrections
    error: the message about a typed day that is invalid or in the future
    regions, clubs: the choices of the form, as (primary key, slug, name)
    left_out: sentences about filters that are not valid
    """

    day: date
    venue: str = ""
    region: str = ""
    club: str = ""
    licence: str = ""
    text: str = ""
    typed_day: str = ""
    as_published: bool = False
    error: str = ""
    regions: tuple = ()
    clubs: tuple = ()
    club_choice: Choice | None = None
    left_out: Sequence[str] = ()

    @property
    def places(self) -> list[str]:
        """The names of the chosen region and club, as far as they are chosen."""
        choices = ((self.region, self.regions), (self.club, self.clubs))
        return [str(name) for value, rows in choices for _pk, slug, name in rows if value and slug == value]

    @property
    def licensed_only(self) -> bool:
        """Whether only players with a licence are listed."""
        return self.licence != "todos"

    def scope(self, category: Category | None, family: str = FAMILY) -> Scope:
        """Return the scope (category, family, day and filters) of the list to query."""
        return Scope(
            category=category,
            family=family,
            day=self.day,
            column=VENUES.get(self.venue, "points"),
            licensed_only=self.licensed_only,
            region_id=next((pk for pk, slug, _name in self.regions if slug == self.region), None),
            club_id=next((pk for pk, slug, _name in self.clubs if slug == self.club), None),
            text=self.text,
            as_published=self.as_published,
        )


def read_filters(request: HttpRequest, state: StandingsVersion) -> Filters:
    """Read the filters of the query string. Raise Http404 for an unknown region or club."""
    get = request.GET.get
    default_licence = "" if settings.STANDINGS_LICENSED_ONLY else "todos"
    filters = Filters(
        day=state.as_of,
        venue=one_of(get("lugar", ""), VENUES),
        licence=one_of(get("licencia", default_licence), ("todos",)),
        text=get("q", "").strip().replace("\x00", "")[:MOST_TEXT],
        typed_day=get("a", "").strip()[:20],
        region=get("region", ""),
        regions=places.regions(state.version),
    )
    region_id, asked = id_of(filters.region, filters.regions), Asked(request.GET)
    filters.clubs = places.clubs(state.version, region_id)
    filters.club = asked.club(filters.clubs, partial(places.clubs, state.version), places.meant_by)
    filters.club_choice = places.club_choice(asked, filters.clubs, filters.club, _("any club"))
    filters.left_out = asked.left_out
    if filters.typed_day:
        _read_day(filters, state.as_of, get(KNOWLEDGE, ""))
    return filters


def _read_day(filters: Filters, as_of: date, knowledge: str) -> None:
    day = parse_day(filters.typed_day)
    if day is None:
        message = _("“%(text)s” is not a date. Write it as year-month-day, for example %(example)s.")
        filters.error = message % {"text": filters.typed_day, "example": as_of.isoformat()}
    elif day > today():
        filters.error = _("%(day)s has not come yet: the standings reach up to today.") % {
            "day": format_date(day, get_language() or "")
        }
    elif day < as_of:
        filters.day = day
        filters.as_published = knowledge == THEN


@require_safe
@conditional
def index(request: HttpRequest) -> HttpResponse:
    """List the categories, each with its number of players."""
    state = request.standings
    records = category_records(state.as_of, state.version)
    own = own_player_id(request)
    mine = own and Standing.objects.filter(player_id=own, family="aeb").select_related("category").first()
    table = CategoryTable(records, own_id=mine.category.code if mine and mine.category else None)
    return render(
        request,
        "pages/standings.html",
        {
            "table_html": table.as_html(request),
            "as_of": state.as_of,
            "changed_at": state.changed_at,
            "players": sum(record["players"] for record in records),
            "mine": mine,
            "others": systems.others(),
            "breadcrumbs": crumbs((_("Standings"), None)),
        },
    )


@require_safe
@conditional
def standing(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings of a category, or of another points system, as a page or a file.

    The query parameter `formato` names the format of the file.
    """
    for system in systems.others():
        if system.family == code:
            filters = read_filters(request, request.standings)
            return _list(request, filters, filters.scope(None, code), system.label, {"system": system})
    ladder = list(Category.objects.all())
    category = next((category for category in ladder if category.code.lower() == code.lower()), None)
    if category is None:
        raise Http404(_("There is no such category."))
    state = request.standings
    filters = read_filters(request, state)
    # The category MN of 2022 became MN-O in 2026. An old link leads to the new category.
    held = category_then(category, filters.day, ladder)
    if held is None:
        filters.error = _not_yet(category)
    category = held or category
    categories = [category for category in reversed(ladder) if is_in_force(category, filters.day)]
    version = state.version if filters.day == state.as_of else None
    context = {"category": category, "ladder": ladder_of(categories, version)}
    return _list(request, filters, filters.scope(category), category.code, context)


def _not_yet(category: Category) -> str:
    text = _("%(category)s exists since %(day)s: choose that day or a later one.")
    return text % {
        "category": category.code,
        "day": format_day_in_words(category.valid_from, get_language() or ""),
    }


def _list(request: HttpRequest, filters: Filters, scope: Scope, title: str, context: dict) -> HttpResponse:
    """Return standings as a file if the query parameter `formato` asks for one, else as a page.

    title: the last breadcrumb
    context: the caller's part of the template context
    """
    template = "pages/standing.html" if scope.category else "pages/system.html"
    context |= {
        "filters": filters,
        "choices": _choices(filters),
        "left_out": filters.left_out,
        "as_of": filters.day,
        "changed_at": request.standings.changed_at,
        "as_of_iso": filters.day.isoformat(),
        "breadcrumbs": crumbs((_("Standings"), reverse("standings")), (title, None)),
    }
    if filters.error:
        return render(request, template, context, status=400)
    listing = list_of(scope, request.standings, request.GET.get(SORT, ""))
    cut = _cut(request, listing)
    table = _file_or_table(request, listing, cut)
    if isinstance(table, HttpResponseBase):
        return table
    context["decimals"] = table.points_decimals
    context["table_html"] = table.as_html(request)
    context |= _sentence(request, listing, table)
    context["cut"], context["year"] = cut, request.standings.as_of.year
    if isinstance(listing, PastList):
        context["knowledge"] = _knowledge(request, scope)
    elif scope.category:
        context["chart"] = _histogram(scope.category, request.standings)
    return render(request, template, context)


def _knowledge(request: HttpRequest, scope: Scope) -> dict:
    """Return the template context of the link between the two versions of a past day's standings.

    One version is as published on that day, the other includes later corrections. `then` says whether the
    page shows the published one. `other` is the URL of the other version.
    """
    query = request.GET.copy()
    for name in (KNOWLEDGE, "formato", PAGE):
        query.pop(name, None)
    if not scope.as_published:
        query[KNOWLEDGE] = THEN
    return {"then": scope.as_published, "other": f"{request.path}?{query.urlencode()}"}


def _cut(request: HttpRequest, listing: StandingList) -> int | None:
    """Return the points that suffice to move up this year, for a list of today; None without such a cut."""
    if isinstance(listing, PastList) or listing.scope.category is None:
        return None
    return cut_today(request.standings, listing.scope.category.pk)


def _histogram(category: Category, state: StandingsVersion) -> Histogram | None:
    """Return the chart of how the points of a category are distributed; None if nobody has points."""
    width, counts = distribution(state, category.pk)
    if not counts:
        return None
    lang = get_language() or ""
    text = _(
        "Players of %(category)s by points of 12 months. A bar is this wide: %(width)s. The last ends at: "
        "%(last)s."
    )
    desc = text % {
        "category": category.code,
        "width": format_whole(width, lang),
        "last": format_whole(width * len(counts), lang),
    }
    return Histogram(_("How points are spread"), desc, width, counts, _("Points"), _("players"))


def _file_or_table(
    request: HttpRequest, listing: StandingList, cut: int | None
) -> HttpResponseBase | StandingTable:
    scope = listing.scope
    figured = isinstance(listing, LiveList) and scope.category is not None
    source = WithFigures(listing, request.standings, cut) if figured else listing
    return exports.file_or_table(
        request,
        StandingTable,
        _file_name(scope),
        source,
        exclude=source.without if figured else ("margin", "week"),
        file_source=listing.every_row,
        own_id=own_player_id(request),
        points_decimals=systems.of(scope.family).decimals({}, scope.day),
        order_by=f"{'-' if listing.descending else ''}{listing.by}",
        caption=_("Points of the 12 months up to %(day)s, %(venue)s")
        % {"day": format_date(scope.day, get_language() or ""), "venue": _venue_words(scope.column)},
        **_if_empty(request, scope),
    )


def _if_empty(request: HttpRequest, scope: Scope) -> dict:
    """Return the words and the link of the table for a list without players, filtered or not."""
    if public_address(request) == request.path:
        return {
            "empty_text": _("This list has no players yet."),
            "empty_link": (reverse("help"), _("How a result gets here")),
        }
    whole = _("See the whole category") if scope.category else _("See the whole list")
    return {
        "empty_text": _("No player fits: with other filters there may be some."),
        "empty_link": (request.path, whole),
    }


def _venue_words(column: str) -> str:
    venue = next((venue for venue, points in VENUES.items() if points == column), "")
    return str(VENUE_WORDS[venue])


def _sentence(request: HttpRequest, listing: StandingList, table: StandingTable) -> dict:
    """Return the template context of the sentence above the table.

    It contains the number of players, the leader, and the points and rank of the signed-in player.
    """
    scope = listing.scope
    context: dict = {"players": listing.players(), "listed": listing.count(), "narrowed": scope.narrowed}
    # Taking the leader from the rows of the page saves a query.
    first = next(iter(table.page.object_list.data), None)
    if first and first["rank"] == 1:
        context["leader"], context["leader_points"] = first, first[scope.column]
    own = own_player_id(request)
    context["own"] = _own(own, listing, request.path) if own else None
    return context


def _own(player_id: int, listing: StandingList, path: str) -> dict | None:
    """Return points and rank of the signed-in player, and the address of the page with the player's row."""
    points = listing.points_of(player_id)
    if points is None:
        return None
    rank = listing.place_of(points)
    url = f"{path}?{PAGE}={(rank - 1) // ROWS + 1}#{OWN_ROW}"
    return {"points": points, "rank": rank, "url": url}


def _choices(filters: Filters) -> dict:
    """Return the choices of the filter form, and the chosen venue in words, for the printed page."""
    return {
        "venues": list(VENUE_WORDS.items()),
        "regions": option_tags(filters.regions, filters.region, _("any region")),
        "club": filters.club_choice,
        "words": _venue_words(VENUES.get(filters.venue, "points")),
    }


def _file_name(scope: Scope) -> str:
    code = scope.category.code.lower() if scope.category else scope.family
    suffix = f"-{_('as published then')}" if scope.as_published else ""
    return f"{pgettext('file name', 'standings')}-{code}-{scope.day.isoformat()}{suffix}"
