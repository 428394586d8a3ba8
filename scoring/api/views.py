"""Download the script with which a club's computer sends files."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from scoring.api import baza_upload
from ui import exports


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """Download the script `baza_upload.py`."""
    response = HttpResponse(
        Path(baza_upload.__file__).read_bytes(), content_type="text/x-python; charset=utf-8"
    )
    return exports.attached(response, "baza_upload.py")
