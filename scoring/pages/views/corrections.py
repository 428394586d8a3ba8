"""The public list of corrections."""

from datetime import MAXYEAR, date
from functools import partial
from urllib.parse import urlencode

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Club, Region
from scoring.ledger.conditional import standings_state
from scoring.ledger.queries import places
from scoring.pages.queries import corrections as queries
from scoring.pages.tables import CorrectionTable
from ui import exports
from ui.addresses import crumbs, parse_day
from ui.choices import Asked, option_tags
from ui.clock import today
from ui.formatting import format_month_in_words
from ui.paging import Pages
from ui.shared import shared


@require_safe
@shared
def corrections(request: HttpRequest) -> HttpResponseBase:
    """List the corrections, annulments and other changes of points, latest first, as a page or a file.

    Without `mes` in the address those of the current month are listed; with an empty one, those of any month.
    """
    state = standings_state()
    version = state.version
    asked = Asked(request.GET)
    region_id = _id_of(Region, asked.text("region"))
    clubs = places.clubs(version, region_id)
    chosen = {
        "region": asked.text("region"),
        "club": asked.club(clubs, partial(places.clubs, version), places.meant_by),
    }
    filters = queries.CorrectionFilter(
        month=_month(request.GET.get("mes", f"{today():%Y-%m}")),
        region_id=region_id,
        club_id=_id_of(Club, chosen["club"]),
    )
    month_name = format_month_in_words(filters.month, get_language() or "") if filters.month else ""
    table = exports.file_or_table(
        request,
        CorrectionTable,
        f"{_('corrections')}-{filters.month:%Y-%m}" if filters.month else _("corrections"),
        Pages(filters.queryset(), queries.records),
        empty_text=(
            _("No tournament was corrected in %(month)s.") % {"month": month_name}
            if month_name
            else _("No tournament was corrected.")
        ),
        empty_link=_empty_link(filters, **chosen),
    )
    if isinstance(table, HttpResponseBase):
        return table
    context = {
        "table_html": table.as_html(request),
        "changed_at": state.changed_at,
        "total": (changed := filters.changed()),
        "unchanged": len(table.rows) - changed,
        "months": queries.month_choices(version, filters.month),
        "month": f"{filters.month:%Y-%m}" if filters.month else "",
        "month_name": month_name,
        "left_out": asked.left_out,
        "regions": option_tags(places.regions(version), chosen["region"], _("any region")),
        "club_choice": places.club_choice(asked, clubs, chosen["club"], _("any club")),
        "breadcrumbs": crumbs((_("Tournaments"), reverse("tournaments")), (_("Corrections"), None)),
    }
    return render(request, "pages/corrections.html", context)


def _empty_link(filters: queries.CorrectionFilter, region: str, club: str) -> tuple[str, str] | None:
    """Return the link that an empty list offers, as (address, text); None if there is nothing to see.

    It leads to the latest month with corrections in the region or club, or if there is none, to all months.

    region, club: the chosen slugs
    """
    address = reverse("corrections")
    if month := filters.latest_month():
        query = urlencode({"mes": f"{month:%Y-%m}", "region": region, "club": club})
        text = _("See the corrections of %(month)s") % {
            "month": format_month_in_words(month, get_language() or "")
        }
        return f"{address}?{query}", text
    return (f"{address}?mes=", _("See all corrections")) if region or club else None


def _month(text: str) -> date | None:
    """Return the first day of a month written YYYY-MM; None if the text is no month, or the last of all."""
    day = parse_day(f"{text}-01")
    return day if day and day.year < MAXYEAR else None


def _id_of(model: type[Region | Club], slug: str) -> int | None:
    """Return the id of the region or club with this slug; None without one. Raise Http404 if none has it."""
    return get_object_or_404(model, slug=slug).pk if slug else None
