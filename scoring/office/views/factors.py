"""The page of the factors of the ACBL formula."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.office_only import for_office
from scoring.ledger.forms import FactorForm, factor_name
from scoring.ledger.models import ScoringFactor
from scoring.regulations.acbl import OVERALL
from scoring.regulations.acbl.tables import UNSOURCED
from ui.addresses import office_crumbs
from ui.clock import today


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def factors(request: HttpRequest) -> HttpResponse:
    """List all factors by kind, latest first; POST adds one. Factors are never changed."""
    form = FactorForm(request.POST or None, initial={"valid_from": today()})
    if request.method == "POST" and form.is_valid():
        form.instance.set_by = request.user
        form.save()
        messages.success(request, _("The factor is entered. Tournaments scored before keep theirs."))
        return redirect("office_factors")
    entered = list(ScoringFactor.objects.select_related("set_by"))
    known = {factor.name for factor in entered if factor.regulation == OVERALL.code}
    context = {
        "form": form,
        "rows": [
            {"rule": factor.regulation, "name": factor_name(factor.name), "entry": factor}
            for factor in entered
        ],
        "missing": [factor_name(name) for name in UNSOURCED if name not in known],
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Factors"), None)),
    }
    return render(request, "office/factors.html", context, status=422 if form.is_bound else 200)
