"""The page that compares a tournament's points under another regulation and scores it again."""

from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.office_only import for_office
from players.services.proposals import waiting_for
from scoring.ledger.wording import reason_text
from scoring.office.forms.proposals import RegulationForm, RescoreForm
from scoring.office.services import rescore as services
from scoring.office.views.preparing import redirect_after
from scoring.uploads import preview
from scoring.uploads.tables import ChangesTable
from tournaments.addresses import by_slug
from tournaments.models import Tournament
from ui.addresses import crumbs
from ui.form_errors import errors_on


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def rescore(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Compare the tournament's points with its points under the regulation in the query string.

    POST proposes to score the tournament again under that regulation.
    """
    tournament = by_slug(slug)
    own, others = services.regulation_of_its_day(tournament), services.alternatives(tournament)
    choose = RegulationForm(request.GET if "reglamento" in request.GET else None, others, own)
    form = RescoreForm(request.POST or None)
    chosen = choose.cleaned_data["reglamento"] if choose.is_bound and choose.is_valid() else None
    if request.method == "POST" and chosen and form.is_valid():
        with errors_on(form):
            proposal = services.propose_rescoring(
                tournament, chosen, form.cleaned_data["reason"], request.user, request.POST.get("seen", "")
            )
            return redirect_after(request, proposal)
    context = {
        "tournament": tournament,
        "choose": choose if others else None,
        "own": own,
        "form": form,
        "waiting": waiting_for(services.KIND, str(tournament.pk)).first(),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": crumbs(
            (_("Tournaments"), reverse("tournaments")),
            (tournament.name, tournament.get_absolute_url()),
            (_("Regulation"), None),
        ),
    }
    if chosen:
        context |= _preview(request, tournament, chosen)
    refused = request.method == "POST" or (choose.is_bound and not chosen)
    return render(request, "office/rescore.html", context, status=422 if refused else 200)


def _preview(request: HttpRequest, tournament: Tournament, chosen: Any) -> dict[str, Any]:
    """Return the template context: the points under the chosen regulation, or why they cannot be computed."""
    try:
        result = services.preview(tournament, chosen)
    except ValidationError as error:
        return {"chosen": chosen, "refused": error.messages}
    evaluation = result.evaluation
    return {
        "chosen": chosen,
        "digest": result.digest,
        "changes_html": ChangesTable(
            preview.changes_rows(result.changes, result.names, request.user),
            caption=_("What the other regulation changes"),
        ).as_html(request),
        "changed": len(result.changes),
        "reasons": [reason_text(chosen.code, reason.code, reason.params) for reason in evaluation.reasons],
    }
