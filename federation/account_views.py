"""Account pages that allauth does not provide."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from federation.account_forms import WRONG_CODE, CodeForm
from federation.accounts import forget_attempts
from players.services import passwords


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
