"""The list of uploads, and the actions on several of them."""

from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from players.access import clubs_with_memory, require, roles_of, uploadable_clubs, visible_upload_clubs
from scoring.ledger import systems
from scoring.ledger.announcing import may_change
from scoring.ledger.queries import places
from scoring.ratings.models import GoUpload
from scoring.uploads import queries
from scoring.uploads.tables import UploadTable
from scoring.uploads.views.access import changeable
from tournaments.models import Announcement, ResultUpload
from tournaments.services import pipeline
from ui.addresses import one_of
from ui.choices import Asked, id_of
from ui.clock import today
from ui.paging import Pages, paged

MAX_MISSING = 10  # announced tournaments without a result that the list of all clubs names
MAX_GO_DRAFTS = 20
MOST_CLUBS = 5  # own clubs whose memory the list links to; the office goes by the page of the club
MAX_UPLOADS = 100  # maximum number of uploads changed by one click


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the uploads of the user's clubs, drafts first. Without a filter, discarded ones are left out."""
    clubs = visible_upload_clubs(request.user)
    own_clubs = set(uploadable_clubs(request.user).values_list("pk", flat=True))
    options = tuple(clubs.order_by("sort_key").values_list("pk", "slug", "name"))
    require(bool(own_clubs or options) or roles_of(request.user).office)
    asked = Asked(request.GET)
    club = places.chosen_club(asked, options)
    filters = _filters(request, id_of(club, options))
    table = paged(
        UploadTable,
        request,
        Pages(filters.queryset(clubs), lambda rows: queries.records(rows, own_clubs)),
        exclude=() if own_clubs else ("tick",),
        empty_text=gettext("No upload fits.") if filters.narrowed else None,
        empty_link=_empty_link(filters, bool(own_clubs)),
    )
    go_drafts = _go_drafts(request.user)
    missing = Announcement.objects.without_result(today()).filter(club__in=clubs)
    missing = missing.select_related("club").order_by("end_date", "pk")
    if filters.club_id:
        missing = missing.filter(club=filters.club_id)
    missing_count = missing.count()
    if not filters.club_id:
        missing = missing[:MAX_MISSING]
    context = {
        "table": table,
        "asked": filters,
        "states": queries.STATES,
        "years": queries.years(clubs),
        "club_choice": places.club_choice(asked, options, club, gettext("any club"))
        if len(options) > 1
        else None,
        "left_out": asked.left_out,
        "drafts": ResultUpload.objects.drafts().filter(club__in=clubs).count() + len(go_drafts),
        "may_upload": bool(own_clubs),
        "missing": missing,
        "missing_left": missing_count - len(missing),
        "cancellable": {item.pk for item in missing if may_change(request.user, item)},
        "go_drafts": go_drafts,
        "remembering": [] if roles_of(request.user).office else clubs_with_memory(request.user)[:MOST_CLUBS],
        "own_clubs": own_clubs,
        "days": settings.KEEP_DISCARDED_FILES.days,
    }
    return render(request, "uploads/list.html", context)


def _go_drafts(user) -> list[GoUpload]:
    """Return the latest drafts of Go tournaments that the account may read.

    The office and auditors read all; anybody else reads their own, because Go tournaments have no club.
    """
    if not systems.offers_go():
        return []
    drafts, roles = GoUpload.objects.drafts().select_related("created_by"), roles_of(user)
    if not (roles.office or roles.auditor):
        drafts = drafts.filter(created_by=user)
    return list(drafts.only("file_name", "created_at", "created_by__username")[:MAX_GO_DRAFTS])


def _filters(request: HttpRequest, club_id: int | None) -> queries.UploadFilter:
    get = request.GET.get
    year = get("ano", "")
    return queries.UploadFilter(
        state=one_of(get("estado", ""), queries.STATES),
        club_id=club_id,
        year=int(year) if year.isdecimal() and len(year) == 4 and year != "0000" else None,
        text=get("q", "").strip().replace("\x00", "")[:100],
    )


def _empty_link(filters: queries.UploadFilter, may_upload: bool) -> tuple[str, str] | None:
    if filters.narrowed:
        return reverse("uploads"), gettext("See all uploads")
    return (reverse("upload_start"), gettext("Upload results")) if may_upload else None


@login_required
@require_POST
def change_several(request: HttpRequest) -> HttpResponse:
    """Discard or recover the selected uploads."""
    require(uploadable_clubs(request.user).exists())
    try:
        ids = [UUID(text) for text in dict.fromkeys(request.POST.getlist("upload"))][:MAX_UPLOADS]
    except ValueError:
        raise Http404 from None
    selected = [changeable(request.user, pk) for pk in ids]
    recovering = request.POST.get("act") == "recover"
    change = pipeline.recover if recovering else pipeline.discard
    done = sum(_try(change, upload) for upload in selected)
    if not selected:
        messages.warning(request, gettext("Tick the uploads first."))
    if len(selected) > done:
        left = len(selected) - done
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
    # Show the discarded uploads, so that the user can recover them.
    return redirect(reverse("uploads") + ("" if recovering or not done else "?estado=discarded"))


def _try(change: Callable[[ResultUpload], None], upload: ResultUpload) -> bool:
    """Call `change` with an upload. Return False if its state does not allow this or its file is deleted."""
    try:
        change(upload)
    except (pipeline.NotUnderReview, pipeline.FileGone):
        return False
    return True
