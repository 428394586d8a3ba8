"""The calculator's results for the AEB's regulations."""

from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.aeb import AebForm
from scoring.calculator.working.aeb import Answer, calculate
from scoring.ledger.receipts import receipt_line
from scoring.ledger.wording import event_type_name, reason_text, regulation_name
from tournaments.models import Tournament
from ui.counting import counted_points
from ui.formatting import format_decimal, format_points, format_whole
from ui.plots import Chart, Series, points_curve


def results(form: AebForm) -> dict[str, Any]:
    """Return the template context of the results, with one answer or with two to compare."""
    answers = [calculate(form.regulation, form.question)]
    if form.alternative:
        answers.append(calculate(form.alternative, form.alternative_question))
    lang = get_language() or ""
    question = answers[0].question
    return {
        "answers": [
            {
                "name": regulation_name(answer.regulation.code),
                "type": event_type_name(answer.question.event_type, answer.regulation),
                "reasons": [
                    reason_text(answer.regulation.code, reason.code, reason.params)
                    for reason in answer.reasons
                ],
                "first": answer.points[0],
                "last": answer.last,
            }
            for answer in answers
        ],
        "contestants": question.contestants,
        "listed": question.listed,
        "format": question.format,
        "boards": question.boards,
        "venue": Tournament.Venue(question.venue).label,
        "c4": [answer.result.coefficients["C4"] for answer in answers],
        "steps": _steps(answers, lang),
        "chart": _chart(answers, lang) if question.contestants > 1 else None,
        "rows": _rows(answers),
    }


def _steps(answers: list[Answer], lang: str) -> list[dict]:
    """Return how each coefficient is computed: a row per coefficient with a cell per regulation."""
    columns = [
        [receipt_line(step, answer.regulation.code, lang) for step in answer.steps] for answer in answers
    ]
    names = [regulation_name(answer.regulation.code) for answer in answers]
    return [
        {"name": lines[0].name, "cells": list(zip(names, lines, strict=True))}
        for lines in zip(*columns, strict=True)
    ]


def _rows(answers: list[Answer]) -> list[dict]:
    """Return a row per place with its points; `difference` is None unless two regulations are compared."""
    names = [regulation_name(answer.regulation.code) for answer in answers]
    return [
        {
            "place": place,
            "cells": list(zip(names, points, strict=True)),
            "difference": points[0] - points[1] if len(points) > 1 else None,
        }
        for place, points in enumerate(zip(*(answer.points for answer in answers), strict=True), start=1)
    ]


def _chart(answers: list[Answer], lang: str) -> Chart:
    """Return the chart of the points by place: one curve with the places marked, or two curves to compare."""
    descriptions = [
        _("%(regulation)s: from %(first)s for the first to %(last)s for the last of %(count)s.")
        % {
            "regulation": regulation_name(answer.regulation.code),
            "first": counted_points(answer.points[0]),
            "last": format_points(answer.last, lang),
            "count": format_whole(answer.question.contestants, lang),
        }
        for answer in answers
    ]
    desc = " ".join(descriptions)
    if len(answers) == 1:
        return points_curve(answers[0].curve_points, list(enumerate(answers[0].points, start=1)), desc=desc)
    return Chart(
        title=_("Points by place"),
        desc=desc,
        x_label=_("Place"),
        y_label=_("Points"),
        series=tuple(
            Series(regulation_name(answer.regulation.code), list(enumerate(answer.points, start=1)))
            for answer in answers
        ),
        x_format=lambda value: format_decimal(Decimal(str(value)), lang, 0),
        y_format=lambda value: format_points(int(value), lang),
        whole_x=True,
    )
