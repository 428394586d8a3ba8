"""Pages that merge two numbers of one person and undo merges."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.categories import categories_on
from players.models import Player, PlayerMerge
from players.office_only import for_office
from players.services.proposals import waiting_for
from scoring.ledger import systems
from scoring.ledger.models import LedgerEntry
from scoring.office.forms.proposals import DuplicateAwardsConfirmation, MergeReasonForm, TwoNumbersForm
from scoring.office.queries import merges as queries
from scoring.office.services import merge_proposals
from scoring.office.services import merges as services
from scoring.office.services.merge_proposals import account_sentences
from scoring.office.tables.merges import CompareTable, DuplicateAwardsTable, LaterAwardsTable, MergeTable
from scoring.office.views.preparing import redirect_after
from scoring.promotions.queries.merges import running_lists
from ui.addresses import office_crumbs
from ui.clock import today
from ui.form_errors import errors_on
from ui.paging import Pages, paged

# Query parameter for paging the duplicate awards; the table of merges on the same page has the usual one.
DUPLICATES_PAGE = "juntos"


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def merges(request: HttpRequest) -> HttpResponse:
    """Compare the two numbers in the query string, and list past merges; POST proposes to merge the two."""
    find = TwoNumbersForm(request.GET if "cede" in request.GET else None)
    form = MergeReasonForm(request.POST or None)
    both_known = find.is_bound and find.is_valid()
    duplicate, kept = (find.cleaned_data[name] for name in ("cede", "queda")) if both_known else (None, None)
    if request.method == "POST" and both_known and form.is_valid():
        confirmed = DuplicateAwardsConfirmation(request.POST).confirmed
        with errors_on(form):
            proposal = merge_proposals.propose_merge(
                duplicate, kept, form.cleaned_data["reason"], request.user, confirmed
            )
            return redirect_after(request, proposal)
    table = paged(MergeTable, request, Pages(queries.all_merges(), list))
    context = {
        "find": find,
        "table_html": table.as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Two numbers of one person"), None)),
    }
    if both_known:
        context |= {"form": form, **_comparison(request, duplicate, kept)}
    refused = request.method == "POST" or (find.is_bound and not both_known)
    return render(request, "office/merges.html", context, status=422 if refused else 200)


def _comparison(request: HttpRequest, duplicate: Player, kept: Player) -> dict[str, Any]:
    """Return the template context that compares two numbers.

    It contains the obstacles to the merge, and the data to check before it.
    """
    obstacles = services.obstacles(duplicate, kept)
    if duplicate.pk == kept.pk:
        return {"duplicate": duplicate, "kept": kept, "obstacles": obstacles}
    categories = categories_on(today(), [duplicate.pk, kept.pk])
    codes = [categories[player.pk].code if player.pk in categories else None for player in (duplicate, kept)]
    return {
        "duplicate": duplicate,
        "kept": kept,
        "obstacles": obstacles,
        "compared_html": CompareTable(*queries.player_summaries([duplicate, kept])).as_html(request),
        "names_differ": merge_proposals.names_differ(duplicate, kept),
        "accounts": account_sentences(merge_proposals.moved_by_merge(duplicate, kept)),
        "waiting": waiting_for(merge_proposals.KIND, f"{duplicate.pk}:{kept.pk}").first(),
        "two_accounts": duplicate.user_id and kept.user_id,
        "category": codes[1],
        "other_category": codes[0] if codes[0] != codes[1] else None,
        "listed": running_lists([duplicate, kept]),
        **_duplicate_awards(request, duplicate, kept),
    }


def _duplicate_awards(request: HttpRequest, duplicate: Player, kept: Player) -> dict[str, Any]:
    awards = services.duplicate_awards(duplicate, kept)
    if not awards:
        return {"duplicate_awards_html": "", "question": None}
    table = paged(DuplicateAwardsTable, request, awards, page_field=DUPLICATES_PAGE)
    return {
        "duplicate_awards_html": table.as_html(request),
        "question": DuplicateAwardsConfirmation(initial={"seen": services.fingerprint(awards)}),
    }


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a merge moved; POST proposes to undo it."""
    record = get_object_or_404(queries.all_merges(), pk=pk)
    form = MergeReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with errors_on(form):
            proposal = merge_proposals.propose_undo(record, form.cleaned_data["reason"], request.user)
            return redirect_after(request, proposal)
    context = {
        "merge": record,
        "form": form,
        "facts": _facts(record),
        "accounts": [] if record.undone_at else account_sentences(merge_proposals.moved_by_undo(record)),
        "waiting": waiting_for(merge_proposals.KIND_UNDO, str(record.pk)).first(),
        "since_html": _later_awards_html(request, record),
        "listed": [] if record.undone_at else running_lists([record.duplicate, record.kept]),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (_("Two numbers of one person"), reverse("merges")), (record.duplicate.number, None)
        ),
    }
    return render(request, "office/merge.html", context, status=422 if form.is_bound else 200)


def _facts(record: PlayerMerge) -> dict[str, Any]:
    """Return what the merge moved and copied, for the template."""
    points = record.detail["points"]
    carried = {
        "user": _("the account"),
        "hidden": _("being hidden"),
        "deceased_on": _("the day of death"),
        "rated": _("the Go player"),
    }
    return {
        "entries": record.detail["entries"],
        "points": [(systems.of(family).label, points[family]) for family in sorted(points)],
        "licences": len(record.detail["licences"]),
        "carried": [text for name, text in carried.items() if name in record.detail["carried"]],
    }


def _later_awards_html(request: HttpRequest, record: PlayerMerge) -> str:
    """Return the HTML table of awards posted after the merge; "" if there are none.

    They stay with the surviving number when the merge is undone.
    """
    if record.undone_at:
        entries = LedgerEntry.objects.filter(pk__in=record.detail["stayed"]).order_by("-played_on", "-pk")
        entries, caption = entries.select_related("tournament__club"), _("Stayed with the number kept")
    else:
        entries, caption = services.awards_since(record), _("Would stay with the number kept")
    table = paged(LaterAwardsTable, request, Pages(entries, list), caption=caption)
    return table.as_html(request) if len(table.rows) else ""
