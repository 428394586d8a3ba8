"""Look up tournaments by the slug in their URL."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.models import Tournament
from ui.shared import tournament_key


def key_of(slug: str, **_others: object) -> list[str]:
    """Return the key of the pages of one tournament, for `ui.shared.shared`. The arguments are the URL's."""
    number = slug.rsplit("-", 1)[-1]
    return [tournament_key(int(number))] if number.isdecimal() else []


def by_slug(slug: str) -> Tournament:
    """Return the tournament whose slug ends in its primary key. Raises Http404 if there is none."""
    number = slug.rsplit("-", 1)[-1]
    if not number.isdecimal() or len(number) > 18:
        raise Http404(_("There is no such tournament."))
    return get_object_or_404(Tournament.objects.select_related("club__region", "published"), pk=int(number))
