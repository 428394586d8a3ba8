"""The reference for people who write programs, and the script with which a club's computer sends files."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.api import baza_upload
from scoring.api.interface import interface
from scoring.api.limits import PAGE_ROWS
from scoring.api.reference import endpoints
from ui import exports
from ui.addresses import crumbs
from ui.shared import shared


@require_safe
@shared
def programs(request: HttpRequest) -> HttpResponse:
    """Show every address of the interface with its fields and examples, from its description."""
    server = request.build_absolute_uri("/").rstrip("/")
    return render(
        request,
        "api/programs.html",
        {
            "endpoints": endpoints(interface.get_openapi_schema(), server),
            "page_rows": PAGE_ROWS,
            "breadcrumbs": crumbs((_("For programmers"), None)),
        },
    )


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """Download the script `baza_upload.py`."""
    response = HttpResponse(
        Path(baza_upload.__file__).read_bytes(), content_type="text/x-python; charset=utf-8"
    )
    return exports.attached(response, "baza_upload.py")
