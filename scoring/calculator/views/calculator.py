"""What a tournament would give, by any of the regulations. Nothing is stored."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.calculator.forms.chosen import form_of
from scoring.calculator.views import aeb, go, placed
from scoring.strength.figures import SCHEMES
from scoring.strength.queries import address as strength_address
from tournaments.models import Tournament
from ui.addresses import crumbs
from ui.clock import today


def calculator(request: HttpRequest) -> HttpResponse:
    """The form and, if what it says can be worked out, the answer. Any address whatever gives a page."""
    form = form_of(request.GET.dict(), today())
    context = {
        "form": form,
        "breadcrumbs": crumbs((_("Regulations"), reverse("regulations")), (_("Calculator"), None)),
    }
    if form.is_valid():
        context |= RESULTS[form.template](form)
        context["address"] = form.address
    return render(request, f"calculator/{form.template}.html", context)


def _strength(form) -> dict[str, Any]:
    """The latest session of the kind whose boards are known, to see how the adjustment works. A query."""
    scored = next(scored for scored, code in SCHEMES.items() if code == form.regulation.code)
    sessions = Tournament.objects.filter(published__boards_scored=scored)
    found = sessions.order_by("-end_date", "-pk").first()
    return {"session": found, "session_address": found and strength_address(found)}


# What the page shows of a valid form, by the form's template.
RESULTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "aeb": aeb.results,
    "placed": placed.results,
    "go": go.results,
    "strength": _strength,
}
