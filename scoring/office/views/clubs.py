"""Pages for administrators of clubs and regions: members, directors, and common problems of uploads."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe
from django_tables2 import A, Column, RequestConfig

from players.access import manageable_clubs, name_for, require, roles_of
from players.categories import categories_on
from players.models import Club, Player, Role
from players.services import roles
from scoring.office.forms.lists import DirectorForm
from tournaments.formats.types import Issue
from tournaments.models import ResultUpload, UploadIssue
from tournaments.services.issues import describe
from ui.addresses import crumbs
from ui.clock import today
from ui.columns import CategoryColumn, PlayerColumn, YesNoColumn
from ui.tables import BaseTable

QUALITY_WINDOW = timedelta(days=365)
CODES_SHOWN = 10
GAP = "…"


class MembersTable(BaseTable):
    """The members of a club. Records come from `members_of`."""

    number = Column(verbose_name=_("Number"))
    name = PlayerColumn()
    category = CategoryColumn()
    licensed = YesNoColumn(verbose_name=_("Licence today"))

    row_header = "name"
    caption = _("Members")

    class Meta(BaseTable.Meta):
        orderable = True
        empty_text = _("No player belongs to this club. The federation office brings the members in.")


class ClubsTable(BaseTable):
    """The clubs that an account administers."""

    name = Column(linkify=("club_manage", {"slug": A("slug")}), verbose_name=_("Club"), order_by="sort_key")
    code = Column(verbose_name=_("Code"))
    region = Column(verbose_name=_("Region"), order_by="region__sort_key")
    members = Column(verbose_name=_("Members"), attrs={"cell": {"class": "num"}})

    row_header = "name"
    caption = _("Clubs you look after")

    class Meta(BaseTable.Meta):
        orderable = True


def visible_clubs(user) -> QuerySet[Club]:
    """Return the clubs whose administration page the account may open. An auditor may open all."""
    return Club.objects.all() if roles_of(user).auditor else manageable_clubs(user)


@login_required
@require_safe
def clubs_managed(request: HttpRequest) -> HttpResponse:
    """List the clubs that the account administers."""
    clubs = visible_clubs(request.user).select_related("region").annotate(members=Count("players"))
    table = ClubsTable(clubs)
    RequestConfig(request).configure(table)
    context = {"table": table, "breadcrumbs": crumbs((gettext("My clubs"), None))}
    return render(request, "office/clubs/managed.html", context)


def _managed(request: HttpRequest, slug: str) -> Club:
    """Return the club if the account may change it.

    Raises PermissionDenied for accounts that may only read the page, and Http404 for all others.
    """
    club = get_object_or_404(visible_clubs(request.user), slug=slug)
    require(_may_change(request.user, club))
    return club


def _may_change(user, club: Club) -> bool:
    return manageable_clubs(user).filter(pk=club.pk).exists()


@login_required
@require_safe
def club_manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club to its administrators."""
    club = get_object_or_404(visible_clubs(request.user).select_related("region"), slug=slug)
    return _page(request, club, DirectorForm())


def _page(request: HttpRequest, club: Club, form: DirectorForm, status: int = 200) -> HttpResponse:
    members = members_of(club, request.user)
    table = MembersTable(members)
    RequestConfig(request).configure(table)
    context = {
        "club": club,
        "table": table,
        "member_count": len(members),
        "licensed_count": sum(member["licensed"] for member in members),
        "directors": club.roles.filter(kind=Role.Kind.DIRECTOR).select_related("user"),
        "administrators": club.roles.filter(kind=Role.Kind.CLUB_ADMIN).select_related("user"),
        "uploads": quality_of(club),
        "form": form,
        "may_write": _may_change(request.user, club),
        "breadcrumbs": crumbs((gettext("My clubs"), reverse("clubs_managed")), (club.name, None)),
    }
    return render(request, "office/clubs/manage.html", context, status=status)


def members_of(club: Club, viewer) -> list[dict]:
    """Return the records of `MembersTable`, with the members' categories and licences of today. Two queries.

    viewer: the account that reads the page, on which the displayed names depend
    """
    players = list(Player.objects.unmerged().filter(club=club).with_licence(today()))
    categories = categories_on(today(), [player.pk for player in players])
    return [
        {
            "number": player.number,
            "name": name_for(viewer, player),
            "url": player.get_absolute_url(),
            "category": categories.get(player.pk) and categories[player.pk].code,
            "licensed": player.licensed,
        }
        for player in players
    ]


def quality_of(club: Club) -> dict:
    """Return how many uploads the club made in the last year, how many had issues, and the commonest issues.

    The keys are total, with_errors, with_warnings (numbers of uploads) and common (a record of each issue).
    """
    since = timezone.now() - QUALITY_WINDOW
    uploads = ResultUpload.objects.filter(club=club, created_at__gte=since)
    issues = UploadIssue.objects.filter(upload__in=uploads).exclude(severity=UploadIssue.Severity.INFO)
    by_code = (
        issues.order_by()
        .values("code", "severity")
        .annotate(uploads=Count("upload", distinct=True), example=Max("pk"))
        .order_by("-uploads", "code")[:CODES_SHOWN]
    )
    common = list(by_code)
    examples = UploadIssue.objects.in_bulk([row["example"] for row in common])
    return {
        "total": uploads.count(),
        "with_errors": _count_uploads(issues, UploadIssue.Severity.ERROR),
        "with_warnings": _count_uploads(issues, UploadIssue.Severity.WARNING),
        "common": [{**row, **_text_with_gaps(examples[row["example"]])} for row in common],
    }


def _text_with_gaps(example: UploadIssue) -> dict[str, str]:
    """Return the message and remedy of an issue, with gaps instead of the texts that come from the file.

    Such a text may contain the name of a player who was hidden after the upload.
    """
    gaps = {key: value if isinstance(value, int) else GAP for key, value in example.params.items()}
    text = describe(Issue(example.code, example.severity, example.line, example.field, GAP, gaps))
    return {"message": text.message, "remedy": text.remedy}


def _count_uploads(issues: QuerySet[UploadIssue], severity: str) -> int:
    return issues.filter(severity=severity).order_by().values("upload").distinct().count()


@login_required
@require_POST
def director_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Let an existing account upload results for the club."""
    club = _managed(request, slug)
    form = DirectorForm(request.POST)
    if form.is_valid():
        account = form.cleaned_data["account"]
        try:
            roles.add_director(club, account, request.user)
        except ValidationError as error:
            form.add_error("account", error)
        else:
            text = gettext("%(name)s can now upload results for %(club)s.")
            messages.success(request, text % {"name": account.get_username(), "club": club.name})
            return redirect("club_manage", club.slug)
    return _page(request, club, form, status=422)


@login_required
@require_POST
def director_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a director of the club."""
    club = _managed(request, slug)
    role = get_object_or_404(club.roles.select_related("user"), pk=pk, kind=Role.Kind.DIRECTOR)
    text = gettext("%(name)s no longer uploads results for %(club)s.")
    messages.success(request, text % {"name": role.user.get_username(), "club": club.name})
    roles.remove_director(role, request.user)
    return redirect("club_manage", club.slug)
