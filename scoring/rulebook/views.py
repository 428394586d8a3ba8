"""The list of regulations, and a page for each regulation, rendered from its declaration."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import regulations
from scoring.ledger.context import context_of
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.receipts import localised
from scoring.ledger.texts import say
from scoring.ledger.wording import regulation_name
from scoring.regulations.declaration import Regulation
from scoring.regulations.families import FAMILIES
from scoring.regulations.page import Page
from scoring.regulations.texts import Name
from scoring.rulebook.drawing import draw
from scoring.rulebook.listing import declaration_of, listed_rows, row_of
from ui.addresses import crumbs
from ui.clock import today
from ui.shared import shared


@require_safe
@shared
def index(request: HttpRequest) -> HttpResponse:
    """List all regulations by family, the latest of each family first."""
    day = today()
    listed = listed_rows(day)
    own_rows = [row_of(scheme, day) for scheme in regulations.of_family(FAMILY)]
    groups: dict[str, list[dict[str, Any]]] = {}
    for family in FAMILIES:
        if family.code in listed:
            groups.setdefault(_(family.heading), []).extend(listed[family.code])
    for rows in groups.values():
        rows.sort(key=lambda row: row["valid_from"] or day, reverse=True)
    return render(
        request,
        "rulebook/index.html",
        {
            "groups": groups.items(),
            "current": next((row for row in reversed(own_rows) if row["in_force"]), None),
            "breadcrumbs": crumbs((_("Regulations"), None)),
        },
    )


@require_safe
@shared
def regulation(request: HttpRequest, code: str) -> HttpResponse:
    """Show one regulation: formulas, tables, curves, examples, rulings and misprints."""
    declaration, day, lang = declaration_of(code), today(), get_language() or ""
    if declaration is None:
        raise Http404(_("There is no such regulation."))
    scheme, name = declaration.regulation, regulation_name(code)
    page = declaration.page(context_of(scheme, day))
    return render(
        request,
        "rulebook/regulation.html",
        {
            "regulation": scheme,
            "valid_to": regulations.valid_to(scheme),
            "name": name,
            "lead": say(page.lead),
            "document": say(page.document),
            "sections": [
                {
                    "title": say(section.title),
                    "blocks": [draw(block, scheme, day) for block in section.blocks],
                }
                for section in page.sections
            ],
            "in_calculator": declaration.calculation is not None,
            "comparisons": _comparisons(scheme, page),
            "rulings": [say(ruling) for ruling in declaration.rulings],
            "errata": [
                {
                    "where": say(erratum.where),
                    "printed": localised(say(erratum.printed), lang),
                    "right": localised(say(erratum.right), lang),
                }
                for erratum in declaration.errata
            ],
            "breadcrumbs": crumbs((_("Regulations"), reverse("regulations")), (name, None)),
        },
    )


def _comparisons(scheme: Regulation, page: Page) -> list[tuple[str, str]]:
    """Return (URL, text) of links to the calculator that compare the regulation with others of its family."""
    if page.comparison is None:
        return []
    others = [other for other in regulations.of_family(scheme.family) if other is not scheme]
    return [
        (
            f"{reverse('calculator')}?{urlencode({'reglamento': scheme.code, 'comparar': other.code})}",
            say(page.comparison % {"regulation": Name(other.code)}),
        )
        for other in others
    ]
