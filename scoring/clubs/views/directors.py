"""The tournament directors of a club, and invitations to become one."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.models import Club, Role
from players.services import roles
from scoring.clubs import inviting
from scoring.clubs.access import club_to_change, club_to_read
from scoring.clubs.forms import InvitationForm
from scoring.clubs.frame import ask_first, desk_context
from scoring.clubs.queries.sending import last_upload_days
from ui.form_errors import errors_on


@login_required
@require_safe
def club_directors(request: HttpRequest, slug: str) -> HttpResponse:
    """List the directors and administrators of a club, and the invitations that wait."""
    return _page(request, club_to_read(request, slug), InvitationForm())


def _page(request: HttpRequest, club: Club, form: InvitationForm, status: int = 200) -> HttpResponse:
    days = last_upload_days(club)
    directors = club.roles.filter(kind=Role.Kind.DIRECTOR).select_related("user")
    context = {
        "directors": [{"role": role, "last_upload": days.get(role.user_id)} for role in directors],
        "administrators": club.roles.filter(kind=Role.Kind.CLUB_ADMIN).select_related("user"),
        "invitations": club.invitations.filter(role=Role.Kind.DIRECTOR),
        "form": form,
    }
    context |= desk_context(request, club, "club_directors")
    return render(request, "clubs/directors.html", context, status=status)


@login_required
@require_POST
@never_cache
def club_invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a director, or invite again: send a letter, or show a page to print if the site sends none."""
    club = club_to_change(request, slug)
    form = InvitationForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            email = form.cleaned_data["email"]
            if settings.MAIL:
                inviting.send(request, club, email, Role.Kind.DIRECTOR)
                messages.success(request, _("The invitation was sent to %(address)s.") % {"address": email})
                return redirect("club_directors", club.slug)
            context = inviting.printed(request, club, email, Role.Kind.DIRECTOR)
            context |= desk_context(request, club, "club_directors", (_("Invitation"), None))
            return render(request, "clubs/invitation_printed.html", context)
    return _page(request, club, form, status=422)


@login_required
@require_POST
def club_invitation_withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Withdraw an invitation, so that its link or code stops working."""
    club = club_to_change(request, slug)
    invitation = get_object_or_404(club.invitations, pk=pk, role=Role.Kind.DIRECTOR)
    invitation.delete()
    messages.success(
        request, _("The invitation to %(address)s no longer works.") % {"address": invitation.email}
    )
    return redirect("club_directors", club.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def director_remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask whether to remove a director of the club, and remove the director on POST."""
    club = club_to_change(request, slug)
    role = get_object_or_404(club.roles.select_related("user"), pk=pk, kind=Role.Kind.DIRECTOR)
    values = {"name": role.user.get_username(), "club": club.name}
    if request.method != "POST":
        text = _(
            "%(name)s will no longer upload or correct results for %(club)s. What was uploaded stays. "
            "To direct again, %(name)s needs a new invitation."
        )
        act = _("Remove %(name)s from the directors") % values
        return ask_first(request, club, "club_directors", question=act, what_happens=text % values, act=act)
    text = _("%(name)s no longer uploads results for %(club)s.")
    messages.success(request, text % values)
    roles.remove_director(role, request.user)
    return redirect("club_directors", club.slug)
