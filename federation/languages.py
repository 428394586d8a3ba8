"""The choice of the language, which letters to the account follow."""

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.views.i18n import set_language

from scoring.letters.models import Reader


def choose_language(request: HttpRequest) -> HttpResponse:
    """Set the language cookie, and remember the language for letters if the reader is signed in."""
    if request.user.is_authenticated:
        remember(request.user, request.POST.get("language", ""))
    return set_language(request)


def remember_at_sign_in(request: HttpRequest, user: User, **kwargs) -> None:
    """Remember the language in which an account signs in. Receiver of the signal `user_logged_in`."""
    remember(user, getattr(request, "LANGUAGE_CODE", ""))


def remember(account: User, language: str) -> None:
    """Store the language of an account's letters. Ignore a language that the site does not have."""
    if language in dict(settings.LANGUAGES):
        Reader.objects.update_or_create(account=account, defaults={"language": language})
