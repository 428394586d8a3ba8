"""The choice of the language, which letters to the account follow."""

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse, translate_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from scoring.letters.models import Reader


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember the language for letters if the reader is signed in, and show the page in that language."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated:
        remember(request.user, language)
    address = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure()):
        address = reverse("home")
    return redirect(translate_url(address, language) if language in dict(settings.LANGUAGES) else address)


def remember_at_sign_in(request: HttpRequest, user: User, **kwargs) -> None:
    """Remember the language in which an account signs in. Receiver of the signal `user_logged_in`."""
    remember(user, getattr(request, "LANGUAGE_CODE", ""))


def remember(account: User, language: str) -> None:
    """Store the language of an account's letters. Ignore a language that the site does not have."""
    if language in dict(settings.LANGUAGES):
        Reader.objects.update_or_create(account=account, defaults={"language": language})
