"""The lists of cases: the player's own, those of a club, and those of the office."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import require, roles_of
from players.models import Club
from scoring.cases.access import answered_clubs, readable_clubs
from scoring.cases.models import Case
from scoring.cases.queries import lists, measures
from scoring.cases.states import Party, State
from scoring.cases.tables import CaseTable
from scoring.clubs.access import visible_clubs
from scoring.clubs.frame import desk_context
from scoring.ledger.queries import places
from ui.addresses import crumbs, office_crumbs, one_of
from ui.choices import Asked, id_of
from ui.paging import Pages, paged


@login_required
@require_safe
def cases(request: HttpRequest) -> HttpResponse:
    """List the cases of the account's player."""
    player = getattr(request.user, "player", None)
    rows = lists.cases_of(player.current) if player else Case.objects.none()
    context = _listing(request, rows, (State.ANSWERED,), without=("player", "waiting"))
    context["open_count"] = rows.filter(state__in=(State.CLUB, State.OFFICE)).count()
    context["answered_count"] = rows.filter(state=State.ANSWERED).count()
    context["reopen_days"] = settings.CASE_REOPEN_DAYS
    context["player"] = player
    context["breadcrumbs"] = crumbs((_("My cases"), None))
    return render(request, "cases/mine.html", context)


@login_required
@require_safe
def club_cases(request: HttpRequest, slug: str) -> HttpResponse:
    """List the cases that are or were with a club, for those who answer them."""
    club = get_object_or_404(readable_clubs(request.user).select_related("region"), slug=slug)
    rows = Case.objects.filter(club=club)
    context = _listing(request, rows, (State.CLUB,), without=("club",))
    context |= {
        "waiting": lists.waiting_of(club).count(),
        "answers": measures.answers_of(Party.CLUB, club),
        "answering": club.pk in answered_clubs(roles_of(request.user)) or roles_of(request.user).office,
    }
    return render(request, "cases/club.html", context | _club_frame(request, club))


def _club_frame(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Return the tabs and breadcrumbs of the club's desk; directors, who may not open it, get no tabs."""
    if visible_clubs(request.user).filter(pk=club.pk).exists():
        return desk_context(request, club, "club_cases")
    return {"club": club, "breadcrumbs": crumbs((club.name, club.get_absolute_url()), (_("Cases"), None))}


@login_required
@require_safe
def office_cases(request: HttpRequest) -> HttpResponse:
    """List all cases, for the office, and for auditors to read."""
    roles = roles_of(request.user)
    require(roles.office or roles.auditor)
    clubs = tuple(
        Club.objects.filter(cases__isnull=False)
        .order_by("sort_key", "pk")
        .distinct()
        .values_list("pk", "slug", "name")
    )
    context = _listing(request, Case.objects.all(), (State.OFFICE,), clubs=clubs)
    context |= {
        "with_office": Case.objects.filter(state=State.OFFICE).count(),
        "with_clubs": Case.objects.filter(state=State.CLUB).count(),
        "answers": measures.answers_of(Party.OFFICE),
        "club_answers": measures.answers_of(Party.CLUB),
        "slowest": measures.slowest_clubs(),
        "breadcrumbs": office_crumbs((_("Cases"), None)),
    }
    return render(request, "cases/office.html", context)


def _listing(
    request: HttpRequest,
    rows: QuerySet[Case],
    first: Sequence[str],
    *,
    without: tuple[str, ...] = (),
    clubs: tuple[tuple[int, str, str], ...] = (),
) -> dict[str, Any]:
    """Return the template context of a list: its table of one page, and the filters.

    first: the states whose cases come first
    without: columns that are left out
    clubs: the clubs of the filter, as (id, slug, name)
    """
    get, asked = request.GET.get, Asked(request.GET)
    club = places.chosen_club(asked, clubs)
    filters = lists.CaseFilter(
        state=one_of(get("estado", ""), lists.STATES),
        kind=one_of(get("tipo", ""), Case.Kind.values),
        club_id=id_of(club, clubs),
        text=get("q", "").replace("\x00", "").strip()[:100],
    )
    matching = filters.apply(rows, request.user, first)
    source = Pages(matching, lambda page: lists.records(page, request.user))
    empty = _("No case fits.") if filters.narrowed else None
    table = paged(CaseTable, request, source, exclude=without, empty_text=empty)
    return {
        "table_html": table.as_html(request),
        "asked": filters,
        "states": lists.STATES,
        "kinds": Case.Kind.choices,
        "left_out": asked.left_out,
        "club_choice": places.club_choice(asked, clubs, club, _("any club")) if clubs else None,
    }
