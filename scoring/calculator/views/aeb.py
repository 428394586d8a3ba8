"""What the calculator shows of the AEB's regulations, one or two of them."""

from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.aeb import AebForm
from scoring.calculator.working.aeb import Answer, answered
from scoring.ledger.receipts import receipt_line
from scoring.ledger.wording import event_type_name, reason_text, regulation_name
from tournaments.models import Tournament
from ui.formatting import format_decimal, format_points, format_whole
from ui.plots import Chart, Series, points_curve


def results(form: AebForm) -> dict[str, Any]:
    """What the page shows of one answer, or of two."""
    answers = [answered(form.regulation, form.question)]
    if form.other:
        answers.append(answered(form.other, form.other_question))
    lang = get_language() or ""
    question = answers[0].question
    return {
        "answers": [
            {
                "name": regulation_name(each.regulation.code),
                "type": event_type_name(each.question.event_type, each.regulation),
                "reasons": [reason_text(each.regulation.code, r.code, r.params) for r in each.reasons],
                "first": each.points[0],
                "last": each.last,
            }
            for each in answers
        ],
        "contestants": question.contestants,
        "listed": question.listed,
        "format": question.format,
        "boards": question.boards,
        "venue": Tournament.Venue(question.venue).label,
        "c4": [each.result.coefficients["C4"] for each in answers],
        "steps": _steps(answers, lang),
        "chart": _chart(answers, lang) if question.contestants > 1 else None,
        "rows": _rows(answers),
    }


def _steps(answers: list[Answer], lang: str) -> list[dict]:
    """The working, one row a coefficient and one cell a regulation."""
    columns = [[receipt_line(step, each.regulation.code, lang) for step in each.steps] for each in answers]
    names = [regulation_name(each.regulation.code) for each in answers]
    return [
        {"name": lines[0].name, "cells": list(zip(names, lines, strict=True))}
        for lines in zip(*columns, strict=True)
    ]


def _rows(answers: list[Answer]) -> list[dict]:
    """The points of every place; `difference` only where two regulations are compared."""
    names = [regulation_name(each.regulation.code) for each in answers]
    return [
        {
            "place": place,
            "cells": list(zip(names, points, strict=True)),
            "difference": points[0] - points[1] if len(points) > 1 else None,
        }
        for place, points in enumerate(zip(*(each.points for each in answers), strict=True), start=1)
    ]


def _chart(answers: list[Answer], lang: str) -> Chart:
    """One curve with its places, or both curves."""
    descriptions = [
        _("%(regulation)s: from %(first)s points for the first to %(last)s for the last of %(count)s.")
        % {
            "regulation": regulation_name(each.regulation.code),
            "first": format_points(each.points[0], lang),
            "last": format_points(each.last, lang),
            "count": format_whole(each.question.contestants, lang),
        }
        for each in answers
    ]
    desc = " ".join(descriptions)
    if len(answers) == 1:
        return points_curve(answers[0].drawn, list(enumerate(answers[0].points, start=1)), desc=desc)
    return Chart(
        title=_("Points by place"),
        desc=desc,
        x_label=_("Place"),
        y_label=_("Points"),
        series=tuple(
            Series(regulation_name(each.regulation.code), list(enumerate(each.points, start=1)))
            for each in answers
        ),
        x_format=lambda value: format_decimal(Decimal(str(value)), lang, 0),
        y_format=lambda value: format_points(int(value), lang),
        whole_x=True,
    )
