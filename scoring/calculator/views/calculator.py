"""The page of the calculator, which computes the points of a hypothetical tournament. Nothing is stored."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.calculator.forms.registry import form_for
from scoring.calculator.views import aeb, go, placed
from scoring.strength.figures import SCHEMES
from scoring.strength.queries import address as strength_address
from tournaments.models import Tournament
from ui.addresses import crumbs
from ui.clock import today


def calculator(request: HttpRequest) -> HttpResponse:
    """Show the calculator form and, if it is valid, the results.

    An invalid query string never leads to an error page: the form shows the errors.
    """
    form = form_for(request.GET.dict(), today())
    context = {
        "form": form,
        "breadcrumbs": crumbs((_("Regulations"), reverse("regulations")), (_("Calculator"), None)),
    }
    if form.is_valid():
        context |= RESULTS[form.template](form)
        context["address"] = form.address
    return render(request, f"calculator/{form.template}.html", context)


def _strength(form) -> dict[str, Any]:
    """Return the context for the adjustment for strength: the latest tournament with board results.

    It serves as an example in place of a calculation. One query.
    """
    scored = next(scored for scored, code in SCHEMES.items() if code == form.regulation.code)
    sessions = Tournament.objects.filter(published__boards_scored=scored)
    session = sessions.order_by("-end_date", "-pk").first()
    return {"session": session, "session_address": session and strength_address(session)}


# The function that returns the template context of a valid form's results, by the form's template.
RESULTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "aeb": aeb.results,
    "placed": placed.results,
    "go": go.results,
    "strength": _strength,
}
