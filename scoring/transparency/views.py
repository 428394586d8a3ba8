"""The pages that say what the log proves, and what it cannot; and the data of a receipt."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ledger.models import LedgerEntry
from scoring.transparency import keys, queries, receipts
from scoring.transparency.addresses import log_address
from scoring.transparency.notes import Checkpoint as Note
from scoring.transparency.tables import AdjustmentTable, OpeningTable
from scoring.transparency.underived import adjustments, openings, records
from ui import exports
from ui.addresses import crumbs
from ui.paging import Pages
from ui.shared import shared


@require_safe
@shared
def transparency(request: HttpRequest) -> HttpResponse:
    """Say what the log proves and how anybody checks it, with its latest checkpoint."""
    checkpoint = queries.latest_checkpoint()
    note = queries.published_note(checkpoint) if checkpoint else ""
    context = {
        "checkpoint": checkpoint,
        "note": note,
        "witnesses": _witnesses(note) if checkpoint else [],
        "size": queries.log_size(),
        "appended_at": queries.appended_at(),
        "days": queries.checkpoints_of_days(),
        "keys": keys.verifiers(),
        "address": log_address(request),
        "breadcrumbs": crumbs((_("Transparency"), None)),
    }
    return render(request, "transparency/page.html", context)


def _witnesses(note: str) -> list[str]:
    """Return the names of the witnesses that cosigned a checkpoint."""
    known = {one.verifier.name for one in keys.witnesses()}
    return [line.name for line in Note.parse(note).signatures if line.name in known]


@require_safe
@shared
def underived(request: HttpRequest) -> HttpResponseBase:
    """List the points that follow from no tournament, with who answers for them, as a page or a file."""
    table = exports.file_or_table(request, AdjustmentTable, _("by-hand"), Pages(adjustments(), records))
    if isinstance(table, HttpResponseBase):
        return table
    context = {
        "table": table,
        "total": len(table.data),
        "table_html": table.as_html(request),
        "openings_html": OpeningTable(openings()).as_html(request),
        "breadcrumbs": crumbs(
            (_("Transparency"), reverse("transparency")), (_("Points given or taken by hand"), None)
        ),
    }
    return render(request, "transparency/underived.html", context)


@require_safe
@shared
def receipt(request: HttpRequest, entry: int) -> HttpResponseBase:
    """Download what proves an entry: its leaf, the proof, and the data from which anybody scores it again."""
    ledger_entry = get_object_or_404(LedgerEntry.objects.select_related("run", "contestant"), pk=entry)
    data = receipts.receipt_of(ledger_entry)
    if data is None:
        raise Http404
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    return exports.attached(response, f"{_('receipt')}-{entry}.json")
