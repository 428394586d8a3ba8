"""The pages on which people change the e-mail address of their account themselves.

A link in a letter to the new address shows that it is theirs. It works for a day, and no longer once the
address or the password has changed. Nothing is stored until it is used.
"""

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.services.account_changes import SetAddress

SALT = "address of an account"
SECONDS_VALID = 24 * 3600
HASH_LENGTH = 16  # characters of the session hash, which changes with the password


class AddressForm(forms.Form):
    """The form for a new e-mail address."""

    email = forms.EmailField(
        label=_("New e-mail address"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=_("A letter goes there: the address changes once you open its link."),
    )

    def __init__(self, *args, request: HttpRequest, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_email(self) -> str:
        """Refuse the present address, and limit the letters to an address and from this browser."""
        email = self.cleaned_data["email"]
        if email.lower() == self.request.user.email.lower():
            raise ValidationError(gettext("That is the address already."))
        get_adapter().take("letter", self.request, email)
        return email


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """Ask for a new address, and send it a letter.

    The answer is the same if another account has the address: then the letter says so.
    """
    if not settings.MAIL:
        raise Http404
    form = AddressForm(request.POST if request.method == "POST" else None, request=request)
    if form.is_valid():
        email = form.cleaned_data["email"]
        key = signing.dumps([request.user.pk, request.user.email, email, _state_of(request.user)], salt=SALT)
        link = request.build_absolute_uri(reverse("account_address_confirm", args=[key]))
        letter = "address_taken" if _others_have(email, request.user) else "address_confirm"
        get_adapter().send_mail(f"account/email/{letter}", email, {"user": request.user, "link": link})
        text = gettext("A letter is on its way to %(email)s: open its link to change the address.")
        messages.success(request, text % {"email": email})
        return redirect("account_security")
    return render(request, "account/address.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """Change the address once its owner opened the link and pressed the button.

    Opening the page changes nothing, because mail programs open links.
    """
    with transaction.atomic():
        account, email = _requested(key)
        if account is None or _others_have(email, account):
            return render(request, "account/address_confirm.html", {"is_void": True}, status=410)
        if request.method != "POST":
            return render(request, "account/address_confirm.html", {"account": account, "email": email})
        before = account.email
        SetAddress(account, email).apply(account)
        if before:
            # Within the transaction: without this letter the address does not change.
            get_adapter().send_mail(
                "account/email/address_changed", before, {"user": account, "email": email}
            )
    messages.success(request, gettext("Your address is %(email)s from now on.") % {"email": email})
    return redirect("account_security")


def _requested(key: str):
    """Return the open account, locked, and the address of a link; (None, "") if the link is void."""
    try:
        pk, before, email, state = signing.loads(key, salt=SALT, max_age=SECONDS_VALID)
    except signing.BadSignature:
        return None, ""
    account = get_user_model().objects.select_for_update().filter(pk=pk, is_active=True, email=before).first()
    if account is None or _state_of(account) != state:
        return None, ""
    return account, email


def _state_of(account) -> str:
    return account.get_session_auth_hash()[:HASH_LENGTH]


def _others_have(email: str, account) -> bool:
    return get_user_model().objects.filter(email__iexact=email).exclude(pk=account.pk).exists()
