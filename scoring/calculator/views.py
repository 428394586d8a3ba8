"""The page of the calculator, which computes the points of a hypothetical tournament. Nothing is stored."""

from collections.abc import Callable, Mapping
from datetime import date
from types import NoneType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import regulations
from scoring.calculator import aeb, go, placed
from scoring.calculator.forms import CalculatorForm
from scoring.ledger import systems
from scoring.ledger.evaluation import FAMILY
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.calculation import PlacesCalculation, PointsCalculation, RatingCalculation
from scoring.strength.figures import SCHEMES
from scoring.strength.queries import address as strength_address
from tournaments.models import Tournament
from ui.addresses import crumbs
from ui.clock import today
from ui.shared import shared


class StrengthForm(CalculatorForm):
    """The form for the adjustment for strength, which the calculator cannot compute.

    It has no fields, because the adjustment needs the results of every board.
    """

    template = "strength"

    def alternatives(self) -> list[tuple[str, str]]:
        return []


# The form class, by the type of the calculation that a regulation declares.
FORMS: dict[type, type[CalculatorForm]] = {
    PointsCalculation: aeb.AebForm,
    PlacesCalculation: placed.PlacedForm,
    RatingCalculation: go.GoForm,
    NoneType: StrengthForm,
}


def default_regulation(day: date) -> Scheme:
    """Return the AEB regulation in force on the day, or the first one if the day is before all of them."""
    family = regulations.of_family(FAMILY)
    return [scheme for scheme in family if scheme.valid_from <= day or scheme is family[0]][-1]


def form_for(query: Mapping[str, str], day: date) -> CalculatorForm:
    """Return the form of the regulation that the query names.

    If its code is unknown, return the default regulation's form, which shows an error.
    """
    by_code = {
        regulation.code: regulation
        for regulation in regulations.ALL
        if regulation.family != systems.GO or systems.offers_go()
    }
    regulation = by_code.get(query.get("reglamento", ""), default_regulation(day))
    form = FORMS[type(regulations.DECLARATIONS[regulation.code].calculation)]
    return form(query, regulation, day)


@require_safe
@shared
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
    """Return the template context with a link to an example of results adjusted for strength. One query.

    The calculator computes no adjustment itself. The example is the latest tournament with board results that
    were scored as the form's regulation requires.
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
