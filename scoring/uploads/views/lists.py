"""The list of uploads, and what can be done with several of them at once."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from players.access import require, uploadable_clubs, visible_upload_clubs
from scoring.uploads import queries
from scoring.uploads.tables import UploadTable
from scoring.uploads.views.access import changeable
from tournaments.models import ResultUpload
from tournaments.services import uploads
from ui.addresses import one_of
from ui.choices import option_tags
from ui.paging import Pages, paged

MOST = 100  # uploads of one click


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """The uploads of the reader's clubs, drafts first; all but the discarded ones unless asked for these."""
    clubs = visible_upload_clubs(request.user)
    own = set(uploadable_clubs(request.user).values_list("pk", flat=True))
    places = list(clubs.order_by("name").values_list("pk", "slug", "name"))
    require(bool(own or places))
    asked = _asked(request, places)
    table = paged(
        UploadTable,
        request,
        Pages(asked.queryset(clubs), lambda found: queries.records(found, own)),
        exclude=() if own else ("tick",),
        empty_text=gettext("No upload fits.") if asked.narrowed else None,
        empty_link=_empty_link(asked, bool(own)),
    )
    context = {
        "table": table,
        "asked": asked,
        "states": queries.STATES,
        "years": queries.years(clubs),
        "clubs": option_tags(places, request.GET.get("club", ""), gettext("any club"))
        if len(places) > 1
        else "",
        "drafts": ResultUpload.objects.to_review().filter(club__in=clubs).count(),
        "may_upload": bool(own),
        "days": queries.days_to_recover(),
    }
    return render(request, "uploads/list.html", context)


def _asked(request: HttpRequest, places: list) -> queries.UploadFilter:
    get = request.GET.get
    year = get("ano", "")
    return queries.UploadFilter(
        state=one_of(get("estado", ""), queries.STATES),
        club_id=next((pk for pk, slug, _name in places if slug == get("club", "")), None),
        year=int(year) if year.isdecimal() and len(year) == 4 and year != "0000" else None,
        text=get("q", "").strip().replace("\x00", "")[:100],
    )


def _empty_link(asked: queries.UploadFilter, own: bool) -> tuple[str, str] | None:
    if asked.narrowed:
        return reverse("uploads"), gettext("See all uploads")
    return (reverse("upload_start"), gettext("Upload results")) if own else None


@login_required
@require_POST
def several(request: HttpRequest) -> HttpResponse:
    """Discard the ticked drafts, or make discarded uploads drafts again."""
    require(uploadable_clubs(request.user).exists())
    try:
        ids = [UUID(each) for each in dict.fromkeys(request.POST.getlist("upload"))][:MOST]
    except ValueError:
        raise Http404 from None
    found = [changeable(request.user, pk) for pk in ids]
    recovering = request.POST.get("act") == "recover"
    done = sum(_done(uploads.recover if recovering else uploads.discard, each) for each in found)
    if not found:
        messages.warning(request, gettext("Tick the uploads first."))
    if len(found) > done:
        left = len(found) - done
        text = ngettext(
            "%(number)s upload stays as it is: it has changed, or its file is no longer kept.",
            "%(number)s uploads stay as they are: they have changed, or their files are no longer kept.",
            left,
        )
        messages.error(request, text % {"number": left})
    if done and recovering:
        text = ngettext("%(number)s draft is back.", "%(number)s drafts are back.", done)
        messages.success(request, text % {"number": done})
    elif done:
        text = ngettext("%(number)s draft is discarded.", "%(number)s drafts are discarded.", done)
        messages.success(request, text % {"number": done})
    # What was discarded stands there, to be taken back.
    return redirect(reverse("uploads") + ("" if recovering or not done else "?estado=discarded"))


def _done(verb, upload: ResultUpload) -> bool:
    try:
        verb(upload)
    except (uploads.NotUnderReview, uploads.FileGone):
        return False
    return True
