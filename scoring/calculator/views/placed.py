"""The calculator's results for points by place."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.forms import BoundField
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.base import CalculatorForm
from scoring.calculator.tables import AwardColumn, DifferenceColumn, PlaceTable, award_text, working_column
from scoring.calculator.working import LISTED
from scoring.calculator.working.placed import Answer, Question, calculate
from scoring.engine.types import Step
from scoring.ledger.forms import factor_name
from scoring.ledger.place_wording import NAMES
from scoring.ledger.receipts import ReceiptLine, receipt_line
from ui.counting import counted_points
from ui.formatting import format_decimal, format_whole
from ui.plots import Chart, Mark, Series


def results(form: CalculatorForm) -> dict[str, Any]:
    """Return the template context of the results.

    `missing` lists the questions that cannot be answered, each with the factors that it lacks.
    """
    questions = form.questions
    answers = [calculate(question) for question in questions if not question.missing]
    context = {
        "answers": [_summary(answer) for answer in answers],
        "missing": [
            {"label": question.label, "factors": [str(factor_name(name)) for name in question.missing]}
            for question in questions
            if question.missing
        ],
        "own_factors": [text for question in questions for text in _own_factors(question)],
        "parameters": [text for field in form.question_fields if (text := _parameter(field))],
    }
    if any(answer.paid for answer in answers):
        context |= {"table": _table(answers), "chart": _chart(answers), "listed": LISTED}
    return context


def _parameter(field: BoundField) -> str:
    """Return a text with a field's label and value for the printed page, or "" if the field is empty."""
    value = field.value()
    if value in (None, ""):
        return ""
    label = dict(field.field.choices).get(value, value) if hasattr(field.field, "choices") else value
    return f"{field.label}: {label}"


def _summary(answer: Answer) -> dict[str, Any]:
    """Return the template context of one answer: its numbers, and how they are computed."""
    lang, question = get_language() or "", answer.question
    return {
        "label": question.label,
        "paid": answer.paid,
        "places": answer.places,
        "first": counted_points(answer.awards[0].points, answer.decimals) if answer.awards else "",
        "last": award_text(answer.last, answer.decimals),
        "contestants": question.event.count,
        "floor_from": answer.floor_from,
        "figures": [
            (NAMES[step.key], format_decimal(step.value, lang, 4))
            for step in answer.steps
            if step.key != "rounding"
        ],
        "lines": [_line(step, question) for step in answer.steps],
    }


def _line(step: Step, question: Question) -> ReceiptLine:
    """Return a step as a line of the receipt.

    The text says whether a factor was entered by the user or by the federation's office.
    """
    line = receipt_line(step, question.regulation.code, get_language() or "")
    factor = "depth" if step.key == "places" else step.key
    if step.code == "given" and factor in question.own_factors:
        return replace(line, sentence=_("Your own value, not the federation's."))
    return line


def _own_factors(question: Question) -> Iterator[str]:
    lang = get_language() or ""
    for name, value in question.own_factors.items():
        yield f"{question.label}, {factor_name(name)} = {format_decimal(value, lang)}"


def _table(answers: list[Answer]) -> PlaceTable:
    """Return the table of places, with one answer and its derivation, or two answers and their difference."""
    columns: list[tuple[str, Any]] = [
        (f"points{k}", AwardColumn(verbose_name=answer.question.label, decimals=answer.decimals))
        for k, answer in enumerate(answers)
    ]
    if len(answers) == 1:
        columns[0][1].verbose_name = _("Points")
        columns.append(working_column())
        look = "baza prose"
    else:
        decimals = max(answer.decimals for answer in answers)
        columns.append(("difference", DifferenceColumn(verbose_name=_("Difference"), decimals=decimals)))
        look = "baza narrow calculator-points"
    return PlaceTable(list(_rows(answers)), extra_columns=columns, attrs={"class": look})


def _rows(answers: list[Answer]) -> Iterator[dict[str, Any]]:
    for k in range(max(len(answer.awards) for answer in answers)):
        awards = [answer.awards[k] if k < len(answer.awards) else None for answer in answers]
        row: dict[str, Any] = {"place": k + 1}
        row |= {f"points{n}": award and award.points for n, award in enumerate(awards)}
        if len(answers) == 1:
            row["working"] = _line(awards[0].step, answers[0].question)
        else:
            first, second = (award.points if award else 0 for award in awards)
            row["difference"] = first - second
        yield row


def _chart(answers: list[Answer]) -> Chart | None:
    """Return the chart of points by place, or None if only one place earns points.

    The chart marks the first place k that gets one k-th of the winner's award (W/k).
    """
    paying = [answer for answer in answers if answer.awards]
    if max(len(answer.awards) for answer in paying) < 2:
        return None
    lang = get_language() or ""
    decimals = max(answer.decimals for answer in paying)
    return Chart(
        title=_("Points by place"),
        desc=" ".join(_description(answer) for answer in paying),
        x_label=_("Place"),
        y_label=_("Points"),
        series=tuple(
            Series(answer.question.label, [(award.place, award.points) for award in answer.awards])
            for answer in paying
        ),
        x_format=lambda value: format_whole(int(value), lang),
        y_format=lambda value: award_text(int(value), decimals),
        marks=tuple(_marks(paying[0])) if len(paying) == 1 else (),
        whole_x=True,
    )


def _description(answer: Answer) -> str:
    return _("%(regulation)s: from %(first)s for the first to %(last)s for the last of %(count)s.") % {
        "regulation": answer.question.label,
        "first": counted_points(answer.awards[0].points, answer.decimals),
        "last": award_text(answer.last, answer.decimals),
        "count": format_whole(answer.paid, get_language() or ""),
    }


def _marks(answer: Answer) -> Iterator[Mark]:
    if answer.floor_from:
        label = _("W/k from place %(place)s on") % {"place": answer.floor_from}
        yield Mark(answer.floor_from, answer.awards[answer.floor_from - 1].points, label)
