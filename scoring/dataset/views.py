"""The public page of the dumps, and their files."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.dataset import queries, schema, storing, watching
from scoring.dataset.models import Dump
from scoring.dataset.services import KEPT
from scoring.dataset.tables import DumpTable
from scoring.transparency.addresses import log_address
from ui import exports
from ui.addresses import crumbs
from ui.paging import Pages, paged
from ui.shared import shared


@require_safe
@shared
def datasets(request: HttpRequest) -> HttpResponse:
    """List the dumps with their digests, and say how to check them and to recompute the standings."""
    current = queries.current()
    table = paged(DumpTable, request, Pages(Dump.objects.published(), queries.records))
    context = {
        "table_html": table.as_html(request),
        "kept": KEPT,
        "current": current,
        "is_late": watching.is_late(current),
        "has_failed": queries.has_failed(),
        "is_written": bool(settings.LOG_KEY),
        "licence": schema.LICENCE,
        "licence_url": schema.LICENCE_URL,
        "log_address": log_address(request),
        "changes": schema.CHANGES,
        "breadcrumbs": crumbs((_("Open data"), None)),
    }
    return render(request, "dataset/datasets.html", context)


@require_safe
@shared
def dataset_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Download a dump that was not withdrawn."""
    dump = get_object_or_404(Dump.objects.published(), pk=pk)
    if dump.withdrawn_at:
        raise Http404(_("This data file was withdrawn, because somebody in it is no longer shown by name."))
    file = storing.opened(dump.key)
    if file is None:
        raise Http404(_("This data file is missing."))
    response = FileResponse(file, content_type="application/zip", headers={"Content-Length": str(dump.size)})
    return exports.attached(response, f"{_('dataset')}-{dump.day}.zip")
