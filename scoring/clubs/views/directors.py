"""The tournament directors of a club."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.models import Club, Role
from players.services import roles
from scoring.clubs.access import club_to_change, club_to_read
from scoring.clubs.forms import DirectorForm
from scoring.clubs.frame import desk_context


@login_required
@require_safe
def club_directors(request: HttpRequest, slug: str) -> HttpResponse:
    """List the directors and administrators of a club."""
    return _page(request, club_to_read(request, slug), DirectorForm())


def _page(request: HttpRequest, club: Club, form: DirectorForm, status: int = 200) -> HttpResponse:
    context = {
        "directors": club.roles.filter(kind=Role.Kind.DIRECTOR).select_related("user"),
        "administrators": club.roles.filter(kind=Role.Kind.CLUB_ADMIN).select_related("user"),
        "form": form,
    }
    context |= desk_context(request, club, "club_directors")
    return render(request, "clubs/directors.html", context, status=status)


@login_required
@require_POST
def director_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Let an existing account upload results for the club."""
    club = club_to_change(request, slug)
    form = DirectorForm(request.POST)
    if form.is_valid():
        account = form.cleaned_data["account"]
        try:
            roles.add_director(club, account, request.user)
        except ValidationError as error:
            form.add_error("account", error)
        else:
            text = _("%(name)s can now upload results for %(club)s.")
            messages.success(request, text % {"name": account.get_username(), "club": club.name})
            return redirect("club_directors", club.slug)
    return _page(request, club, form, status=422)


@login_required
@require_POST
def director_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a director of the club."""
    club = club_to_change(request, slug)
    role = get_object_or_404(club.roles.select_related("user"), pk=pk, kind=Role.Kind.DIRECTOR)
    text = _("%(name)s no longer uploads results for %(club)s.")
    messages.success(request, text % {"name": role.user.get_username(), "club": club.name})
    roles.remove_director(role, request.user)
    return redirect("club_directors", club.slug)
