"""A tournament by another regulation than that of its day: the office looks at the points and decides."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger.wording import reason_text
from scoring.office.forms.rescore import RegulationForm, RescoreForm
from scoring.office.services import rescore as service
from scoring.uploads import preview
from scoring.uploads.tables import ChangesTable
from tournaments.addresses import by_slug
from tournaments.models import Tournament
from ui.addresses import crumbs


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def rescore(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Everybody's points before and after, by the regulation that the address names; with POST, posted."""
    found = by_slug(slug)
    own, others = service.of_its_day(found), service.alternatives(found)
    choose = RegulationForm(request.GET if "reglamento" in request.GET else None, others, own)
    form = RescoreForm(request.POST or None)
    chosen = choose.cleaned_data["reglamento"] if choose.is_bound and choose.is_valid() else None
    if request.method == "POST" and chosen and form.is_valid():
        try:
            service.rescore(
                found.pk, chosen, form.cleaned_data["reason"], request.user, request.POST.get("seen", "")
            )
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            messages.success(request, _("The tournament is being scored by the other regulation."))
            return redirect(found)
    context = {
        "tournament": found,
        "choose": choose if others else None,
        "own": own,
        "form": form,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": crumbs(
            (_("Tournaments"), reverse("tournaments")),
            (found.name, found.get_absolute_url()),
            (_("Regulation"), None),
        ),
    }
    if chosen:
        context |= _looked_at(request, found, chosen)
    refused = request.method == "POST" or (choose.is_bound and not chosen)
    return render(request, "office/rescore.html", context, status=422 if refused else 200)


def _looked_at(request: HttpRequest, found: Tournament, chosen: Any) -> dict[str, Any]:
    """What the chosen regulation would give, or why it cannot be asked."""
    try:
        result = service.previewed(found, chosen)
    except ValidationError as refused:
        return {"chosen": chosen, "refused": refused.messages}
    evaluation = result.evaluation
    return {
        "chosen": chosen,
        "digest": result.digest,
        "changes_html": ChangesTable(
            preview.changes_rows(result.changes, result.names, request.user),
            caption=_("What the other regulation changes"),
        ).as_html(request),
        "changed": len(result.changes),
        "reasons": [reason_text(chosen.code, each.code, each.params) for each in evaluation.reasons],
    }
