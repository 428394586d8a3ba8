"""What the calculator shows of points by place: Swedish bronze and silver points, American masterpoints."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.base import CalculatorForm
from scoring.calculator.tables import AwardColumn, DifferenceColumn, PlaceTable, award_text, working_column
from scoring.calculator.working import LISTED
from scoring.calculator.working.placed import Answer, Question, answered
from scoring.engine.types import Step
from scoring.ledger.forms import factor_name
from scoring.ledger.place_wording import NAMES
from scoring.ledger.receipts import ReceiptLine, receipt_line
from ui.formatting import format_decimal, format_whole
from ui.plots import Chart, Mark, Series


def results(form: CalculatorForm) -> dict[str, Any]:
    """What the page shows of the questions that can be answered, and which factors the others lack."""
    questions = form.questions
    answers = [answered(each) for each in questions if not each.missing]
    shown = {
        "answers": [_summary(each) for each in answers],
        "missing": [
            {"label": each.label, "factors": [str(factor_name(name)) for name in each.missing]}
            for each in questions
            if each.missing
        ],
        "typed": [text for each in questions for text in _typed(each)],
        "parameters": [_said(field) for field in form.asked_fields if _said(field)],
    }
    if any(each.paid for each in answers):
        shown |= {"table": _table(answers), "chart": _chart(answers), "listed": LISTED}
    return shown


def _said(field) -> str:
    """A field and what it says, for paper; empty where it says nothing."""
    value = field.value()
    if value in (None, ""):
        return ""
    label = dict(field.field.choices).get(value, value) if hasattr(field.field, "choices") else value
    return f"{field.label}: {label}"


def _summary(answer: Answer) -> dict[str, Any]:
    """One answer in a sentence and in a few figures, with its working."""
    lang, question = get_language() or "", answer.question
    return {
        "label": question.label,
        "paid": answer.paid,
        "places": answer.places,
        "first": award_text(answer.awards[0].points, answer.decimals) if answer.awards else "",
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
    """A step in words, which tell the reader's own numbers from those of the office."""
    line = receipt_line(step, question.regulation.code, get_language() or "")
    factor = "depth" if step.key == "places" else step.key
    if step.code == "given" and factor in question.typed:
        return replace(line, sentence=_("Your own value, not the federation's."))
    return line


def _typed(question: Question) -> Iterator[str]:
    lang = get_language() or ""
    for name, value in question.typed.items():
        yield f"{question.label}, {factor_name(name)} = {format_decimal(value, lang)}"


def _table(answers: list[Answer]) -> PlaceTable:
    """Place by place: one answer with its working, or two and how they differ."""
    columns: list[tuple[str, Any]] = [
        (f"points{k}", AwardColumn(verbose_name=each.question.label, decimals=each.decimals))
        for k, each in enumerate(answers)
    ]
    if len(answers) == 1:
        columns[0][1].verbose_name = _("Points")
        columns.append(working_column())
        look = "baza prose"
    else:
        decimals = max(each.decimals for each in answers)
        columns.append(("difference", DifferenceColumn(verbose_name=_("Difference"), decimals=decimals)))
        look = "baza narrow calculator-points"
    return PlaceTable(list(_rows(answers)), extra_columns=columns, attrs={"class": look})


def _rows(answers: list[Answer]) -> Iterator[dict[str, Any]]:
    for k in range(max(len(each.awards) for each in answers)):
        awards = [each.awards[k] if k < len(each.awards) else None for each in answers]
        row: dict[str, Any] = {"place": k + 1}
        row |= {f"points{n}": award and award.points for n, award in enumerate(awards)}
        if len(answers) == 1:
            row["working"] = _line(awards[0].step, answers[0].question)
        else:
            first, second = (award.points if award else 0 for award in awards)
            row["difference"] = first - second
        yield row


def _chart(answers: list[Answer]) -> Chart | None:
    """Points by place, and where the winner's points begin to be simply divided; None for one place."""
    drawn = [each for each in answers if each.awards]
    if max(len(each.awards) for each in drawn) < 2:
        return None
    lang = get_language() or ""
    decimals = max(each.decimals for each in drawn)
    return Chart(
        title=_("Points by place"),
        desc=" ".join(_described(each) for each in drawn),
        x_label=_("Place"),
        y_label=_("Points"),
        series=tuple(
            Series(each.question.label, [(award.place, award.points) for award in each.awards])
            for each in drawn
        ),
        x_format=lambda value: format_whole(int(value), lang),
        y_format=lambda value: award_text(int(value), decimals),
        marks=tuple(_marks(drawn)) if len(drawn) == 1 else (),
        whole_x=True,
    )


def _described(answer: Answer) -> str:
    return _("%(regulation)s: from %(first)s points for the first to %(last)s for the last of %(count)s.") % {
        "regulation": answer.question.label,
        "first": award_text(answer.awards[0].points, answer.decimals),
        "last": award_text(answer.last, answer.decimals),
        "count": format_whole(answer.paid, get_language() or ""),
    }


def _marks(answers: list[Answer]) -> Iterator[Mark]:
    for each in answers:
        if each.floor_from:
            label = _("W/k from place %(place)s on") % {"place": each.floor_from}
            yield Mark(each.floor_from, each.awards[each.floor_from - 1].points, label)
