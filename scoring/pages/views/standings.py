"""The standings: all categories, and one category on any day, in any venue, as page or file."""

from dataclasses import dataclass, field
from datetime import date

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _

from players.categories import in_force_on
from players.models import Category
from scoring.ledger import systems
from scoring.ledger.conditional import StandingsVersion, conditional
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import Standing
from scoring.ledger.queries import places
from scoring.ledger.queries.standings import LiveList, PastList, Scope, StandingList
from scoring.ledger.systems import System
from scoring.pages.tables.standings import CategoryTable, StandingTable
from ui import exports
from ui.addresses import crumbs, one_of, own_player_id, parse_day
from ui.choices import MOST_CHOICES, option_tags
from ui.clock import today
from ui.formatting import format_date
from ui.paging import SORT, paged

VENUES = {"presencial": "points_in_person", "en-linea": "points_online"}
VENUE_WORDS = {
    "": gettext_lazy("in person and online"),
    "presencial": gettext_lazy("in person only"),
    "en-linea": gettext_lazy("online only"),
}
KNOWLEDGE, THEN = "segun", "entonces"  # of a past day: as it was published then, or as known today
MOST_TEXT = 100


@dataclass
class Asked:
    """What the address asks for, after reading it; `error` says what could not be read."""

    day: date
    venue: str = ""
    region: str = ""
    club: str = ""
    licence: str = ""
    text: str = ""
    typed_day: str = ""
    as_published: bool = False
    error: str = ""
    regions: tuple = field(default=())
    clubs: tuple = field(default=())

    @property
    def places(self) -> list[str]:
        """The names of the region and of the club, as far as the list is narrowed to them."""
        asked = ((self.region, self.regions), (self.club, self.clubs))
        return [str(name) for slug, known in asked for _pk, each, name in known if slug and each == slug]

    @property
    def licensed_only(self) -> bool:
        """Whether only players with a licence are listed."""
        return self.licence != "todos"

    def scope(self, category: Category | None, family: str = FAMILY) -> Scope:
        """The list that is asked for."""
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


def read_filters(request: HttpRequest, state: StandingsVersion) -> Asked:
    """The filters of the address. A region or club that does not exist is a 404; a day is never guessed."""
    get = request.GET.get
    default_licence = "" if settings.STANDINGS_LICENSED_ONLY else "todos"
    asked = Asked(
        day=state.as_of,
        venue=one_of(get("lugar", ""), VENUES),
        licence=one_of(get("licencia", default_licence), ("todos",)),
        text=get("q", "").strip().replace("\x00", "")[:MOST_TEXT],
        typed_day=get("a", "").strip()[:20],
        region=get("region", ""),
        club=get("club", ""),
        regions=places.regions(state.version),
    )
    region_id = _known(asked.region, asked.regions)
    clubs = places.clubs(state.version, region_id)
    asked.clubs = clubs
    _known(asked.club, clubs)
    if asked.typed_day:
        _read_day(asked, state.as_of, get(KNOWLEDGE, ""))
    return asked


def _known(slug: str, choices: tuple) -> int | None:
    if not slug:
        return None
    for pk, each, _name in choices:
        if each == slug:
            return pk
    raise Http404(_("There is no such region or club."))


def _read_day(asked: Asked, as_of: date, knowledge: str) -> None:
    day = parse_day(asked.typed_day)
    if day is None:
        asked.error = _("“%(text)s” is not a date. Write it as year-month-day, for example %(example)s.") % {
            "text": asked.typed_day,
            "example": as_of.isoformat(),
        }
    elif day > today():
        asked.error = _("%(day)s has not come yet: the standings reach up to today.") % {
            "day": format_date(day, get_language() or "")
        }
    elif day < as_of:
        asked.day = day
        asked.as_published = knowledge == THEN


@conditional
def index(request: HttpRequest) -> HttpResponse:
    """Every category with its number of players."""
    state = request.standings
    figures = Standing.objects.by_category()
    categories = Category.objects.on(state.as_of).order_by("-order")
    records = [
        {
            "code": category.code,
            "url": reverse("standing", args=[category.code.lower()]),
            "players": figures.get(category.pk, (0, None))[0],
            "most": figures.get(category.pk, (0, None))[1],
        }
        for category in categories
    ]
    own = own_player_id(request)
    mine = own and Standing.objects.filter(player_id=own, family="aeb").select_related("category").first()
    table = CategoryTable(records, own_id=mine.category.code if mine and mine.category else None)
    context = {
        "table_html": table.as_html(request),
        "as_of": state.as_of,
        "players": sum(players for players, _most in figures.values()),
        "mine": mine,
        "others": systems.others(),
        "breadcrumbs": crumbs((_("Standings"), None)),
    }
    return render(request, "pages/standings.html", context)


@conditional
def standing(request: HttpRequest, code: str) -> HttpResponse:
    """One category's standings, as a page or, with `formato`, as a file.

    The code of another points system gives that system's one list.
    """
    state = request.standings
    for system in systems.others():
        if system.family == code:
            return _of_system(request, system)
    ladder = list(Category.objects.all())
    category = next((each for each in ladder if each.code.lower() == code.lower()), None)
    if category is None:
        raise Http404(_("There is no such category."))
    asked = read_filters(request, state)
    # MN of 2022 is read as MN-O from 2026 on: an old link leads to the list that goes on.
    category = in_force_on(category, asked.day, {each.pk: each for each in ladder})
    context = {"category": category, "asked": asked, "as_of": asked.day, "filters": _filters(asked)}
    context["as_of_iso"] = asked.day.isoformat()
    context["categories"] = [each for each in reversed(ladder) if _in_force(each, asked.day)]
    context["breadcrumbs"] = crumbs((_("Standings"), reverse("standings")), (category.code, None))
    if asked.error:
        return render(request, "pages/standing.html", context, status=400)
    listing = _listing(asked.scope(category), state, request.GET.get(SORT, ""))
    return _answer(request, listing, "pages/standing.html", context)


def _of_system(request: HttpRequest, system: System) -> HttpResponse:
    """The list of a points system without categories."""
    state = request.standings
    asked = read_filters(request, state)
    context = {"system": system, "asked": asked, "as_of": asked.day, "filters": _filters(asked)}
    context["as_of_iso"] = asked.day.isoformat()
    context["breadcrumbs"] = crumbs((_("Standings"), reverse("standings")), (system.label, None))
    if asked.error:
        return render(request, "pages/system.html", context, status=400)
    listing = _listing(asked.scope(None, system.family), state, request.GET.get(SORT, ""))
    return _answer(request, listing, "pages/system.html", context)


def _answer(request: HttpRequest, listing: StandingList, template: str, context: dict) -> HttpResponse:
    """The list as a file where `formato` asks for one, else its page."""
    kind = exports.requested_format(request)
    if kind:
        return _download(kind, listing)
    table = _table(request, listing)
    context["decimals"] = table.points_decimals
    context["table_html"] = table.as_html(request)
    context |= _sentence(request, listing, table)
    if isinstance(listing, PastList):
        context["knowledge"] = _knowledge(request, listing.scope)
    return render(request, template, context)


def _knowledge(request: HttpRequest, scope: Scope) -> dict:
    """Of a past day: which of its two lists this is, and the address of the other."""
    query = request.GET.copy()
    for name in (KNOWLEDGE, "formato", "page"):
        query.pop(name, None)
    if not scope.as_published:
        query[KNOWLEDGE] = THEN
    return {"then": scope.as_published, "other": f"{request.path}?{query.urlencode()}"}


def _in_force(category: Category, day: date) -> bool:
    return category.valid_from <= day and (category.valid_to is None or category.valid_to >= day)


def _listing(scope: Scope, state: StandingsVersion, sort: str) -> StandingList:
    if scope.day == state.as_of:
        return LiveList(scope, state.version, sort)
    return PastList(scope, sort)


def _table(request: HttpRequest, listing: StandingList) -> StandingTable:
    scope = listing.scope
    return paged(
        StandingTable,
        request,
        listing,
        own_id=own_player_id(request),
        points_decimals=systems.of(scope.family).decimals({}, scope.day),
        order_by=f"{'-' if listing.descending else ''}{listing.by}",
        caption=_("Points of the 12 months up to %(day)s, %(venue)s")
        % {"day": format_date(scope.day, get_language() or ""), "venue": _venue_words(scope.column)},
        empty_text=_("No player fits: with other filters there may be some."),
        empty_link=(request.path, _("See the whole category") if scope.category else _("See the whole list")),
    )


def _venue_words(column: str) -> str:
    return str(
        next((VENUE_WORDS[venue] for venue, each in VENUES.items() if each == column), VENUE_WORDS[""])
    )


def _sentence(request: HttpRequest, listing: StandingList, table: StandingTable) -> dict:
    """What the opening sentence says: how many, who leads, and where the reader stands."""
    scope = listing.scope
    found: dict = {"players": listing.players(), "listed": listing.count(), "narrowed": scope.narrowed}
    # The page's own rows, read once: nobody asks the database again for the first of them.
    first = next(iter(table.page.object_list.data), None)
    if first and first["rank"] == 1:
        found["leader"], found["leader_points"] = first, first[scope.column]
    own = own_player_id(request)
    found["own"] = _own(own, listing) if own else None
    return found


def _own(player_id: int, listing: StandingList) -> dict | None:
    points = listing.points_of(player_id)
    return None if points is None else {"points": points, "rank": listing.place_of(points)}


def _filters(asked: Asked) -> dict:
    """The choices of the filter sentence."""
    few = len(asked.clubs) <= MOST_CHOICES
    return {
        "venues": [(value, words) for value, words in VENUE_WORDS.items()],
        "regions": option_tags(asked.regions, asked.region, _("any region")),
        "clubs": option_tags(asked.clubs, asked.club, _("any club")) if few or asked.club else "",
        "words": _venue_words(VENUES.get(asked.venue, "points")),
    }


def _download(kind: str, listing: StandingList) -> HttpResponse:
    """The whole filtered list; hidden players by number, as on the page."""
    scope = listing.scope
    code = scope.category.code if scope.category else ""
    heads = [
        _("Place"), _("Federation number"), _("Player"), _("Club"), _("Category"), _("Points"),
        _("In person"), _("Online"), _("Tournaments"),
    ]  # fmt: skip
    rows = (
        [
            row["rank"], int(row["number"]), row["name"], row["club"], code,
            exports.points_value(row["points"]), exports.points_value(row["points_in_person"]),
            exports.points_value(row["points_online"]), row["tournaments"],
        ]
        for row in listing.every_row()
    )  # fmt: skip
    then = f"-{_('as published then')}" if scope.as_published else ""
    listed = code.lower() or scope.family
    name = f"{pgettext('file name', 'standings')}-{listed}-{scope.day.isoformat()}{then}"
    return exports.download(kind, name, heads, rows, get_language() or "")
