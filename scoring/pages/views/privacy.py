"""The page about personal data, in words that people read."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ui.addresses import crumbs
from ui.shared import shared


@require_safe
@shared
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what is stored about people, for what, how long, who sees it, and what they can decide."""
    context = {
        "contact": settings.PRIVACY_CONTACT,
        "indexed": settings.INDEX_NAMES,
        "file_days": settings.KEEP_CONFIRMED_FILES.days,
        "discarded_days": settings.KEEP_DISCARDED_FILES.days,
        "breadcrumbs": crumbs((_("Privacy"), None)),
    }
    return render(request, "pages/privacy.html", context)
