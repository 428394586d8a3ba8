"""The pages of the regulations, built from the tables and functions of the engine."""

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import regulations
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.receipts import localised
from scoring.ledger.wording import regulation_name, regulation_title
from scoring.regulations.families import FAMILIES
from scoring.rulebook.notes import ERRATA, RULINGS
from scoring.rulebook.pages import PAGES, page_of
from ui.addresses import crumbs
from ui.clock import today

# Families that the calculator leaves out because it would need every board.
WITHOUT_CALCULATOR = ("strength",)


def index(request: HttpRequest) -> HttpResponse:
    """List all regulations by family, the latest first."""
    day = today()
    aeb_rows = [_row(scheme, day) for scheme in reversed(regulations.of_family(FAMILY))]
    groups: dict[str, list[dict[str, Any]]] = {}
    for family in FAMILIES:
        rows = groups.setdefault(_(family.heading), [])
        rows.extend(_row(scheme, day) for scheme in regulations.of_family(family.code))
    for rows in groups.values():
        rows.sort(key=lambda row: row["valid_from"] or day, reverse=True)
    context = {
        "groups": groups.items(),
        "current": next((row for row in aeb_rows if row["in_force"]), None),
        "breadcrumbs": crumbs((_("Regulations"), None)),
    }
    return render(request, "rulebook/index.html", context)


def _row(scheme: Any, day: date) -> dict[str, Any]:
    begins, ends = scheme.valid_from, regulations.valid_to(scheme)
    return {
        "code": scheme.code,
        "name": regulation_name(scheme.code),
        "title": regulation_title(scheme),
        "valid_from": begins,
        "valid_to": ends,
        "in_force": begins is not None and begins <= day and (ends is None or day <= ends),
    }


def regulation(request: HttpRequest, code: str) -> HttpResponse:
    """Show one regulation: formulas, tables, curves, examples, rulings and misprints."""
    if code not in PAGES:
        raise Http404(_("There is no such regulation."))
    scheme, page = regulations.get(code), page_of(code, today())
    name, lang = regulation_name(code), get_language() or ""
    context = {
        "regulation": scheme,
        "valid_to": regulations.valid_to(scheme),
        "name": name,
        "page": page,
        "in_calculator": scheme.family not in WITHOUT_CALCULATOR,
        "rulings": RULINGS.get(code, ()),
        "errata": [
            {
                "where": erratum.where,
                "printed": localised(str(erratum.printed), lang),
                "right": localised(str(erratum.right), lang),
            }
            for erratum in ERRATA.get(code, ())
        ],
        "breadcrumbs": crumbs((_("Regulations"), reverse("regulations")), (name, None)),
    }
    return render(request, "rulebook/regulation.html", context)
