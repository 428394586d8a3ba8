"""Account pages that allauth does not provide."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from federation.account_forms import WRONG_CODE, CodeForm, InvitationCodeForm, NewDirectorForm
from federation.accounts import forget_attempts
from players.models import Invitation
from players.services import invitations, passwords


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Let an account's owner choose a password with a code that the office printed."""
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        if account := passwords.use_code(data["username"], data["code"], data["password1"]):
            forget_attempts(None, request, account)
            messages.success(request, _("The password is saved: sign in with it."))
            return redirect("account_login")
        form.add_error(None, WRONG_CODE)
    return render(request, "account/code.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of a printed invitation."""
    form = InvitationCodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return redirect("invitation", form.cleaned_data["code"])
    return render(
        request, "account/invitation_code.html", {"form": form}, status=422 if form.is_bound else 200
    )


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Let an invited person direct or administer a club, with a new account or the one signed in.

    Opening the page uses nothing up, because mail programs open links.
    """
    invitation = invitations.valid_invitation(code)
    if invitation is None:
        return render(request, "account/invitation_void.html", status=410)
    if request.user.is_authenticated:
        if request.method == "POST" and invitations.accept(code, request.user):
            messages.success(request, _welcome(invitation))
            return redirect("clubs_managed" if invitation.administers else "uploads")
        return render(request, "account/invitation.html", {"invitation": invitation})
    form = NewDirectorForm(request.POST if request.method == "POST" else None, invitation=invitation)
    if form.is_valid():
        values = form.cleaned_data
        names = (values["username"], values["first_name"], values["last_name"])
        if invitations.accept_with_new_account(code, *names, values["password1"]):
            messages.success(request, _welcome(invitation))
            text = _("Your account is there: sign in with %(login)s and your password.")
            login = invitation.email if invitation.by_mail else values["username"]
            messages.success(request, text % {"login": login})
            return redirect("account_login")
        return render(request, "account/invitation_void.html", status=410)
    context = {"invitation": invitation, "form": form}
    return render(request, "account/invitation.html", context, status=422 if form.is_bound else 200)


def _welcome(accepted: Invitation) -> str:
    text = _("You can now upload results for %(club)s.")
    if accepted.administers:
        text = _("You now administer %(club)s.")
    return text % {"club": accepted.club.name}
