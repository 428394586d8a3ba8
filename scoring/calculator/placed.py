"""The points by place of a hypothetical tournament: the form, the computation and the results page."""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.forms import LISTED, CalculatorForm, NumberField, contestants_field
from scoring.calculator.tables import DifferenceColumn, PlaceTable, WorkingColumn, award_text
from scoring.engine.placed import PlacedEvent
from scoring.engine.types import Contestant, Result, Step
from scoring.ledger.forms import factor_name
from scoring.ledger.models import ScoringFactor
from scoring.ledger.place_wording import NAMES
from scoring.ledger.receipts import ReceiptLine, receipt_line
from scoring.ledger.systems.placed import factors_on
from scoring.ledger.texts import say
from scoring.ledger.wording import regulation_name
from scoring.regulations import calculation
from scoring.regulations.calculation import PlacesCalculation
from scoring.regulations.places.scheme import PlaceScheme
from ui.columns import PointsColumn
from ui.counting import counted_points
from ui.formatting import format_decimal, format_whole
from ui.plots import Chart, Mark, Series

PLACE_STEPS = ("i", "c", "link", "award")  # keys of the receipt steps that concern a single place


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothetical tournament under one regulation.

    label: the name under which the answer is shown
    own_factors: the factors that the user entered, by name
    missing: the names of necessary factors that neither the user nor the office has entered
    """

    label: str
    regulation: PlaceScheme
    event: PlacedEvent
    own_factors: Mapping[str, Decimal]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceAward:
    """The award of a paid place.

    points: the award in hundredths of a point
    step: the receipt step that computes the award before it is rounded
    """

    place: int
    points: int
    step: Step


@dataclass(frozen=True, slots=True)
class Answer:
    """The points of a hypothetical tournament under one regulation.

    paid: the number of places whose award is more than 0 after rounding
    places: the number of places for which the regulation gives an award, even if it rounds to 0
    steps: the receipt steps that are the same for all places
    awards: the awards of the paid places, from the first, at most LISTED of them
    last: the award of the last paid place, in hundredths
    """

    question: Question
    result: Result
    decimals: int
    paid: int
    places: int
    steps: tuple[Step, ...]
    awards: tuple[PlaceAward, ...]
    last: int

    @property
    def floor_from(self) -> int | None:
        """The place from which on every place k gets the winner's award divided by k.

        None if no listed place gets its points in this way.
        """
        return next((award.place for award in self.awards if award.step.code in ("floor", "share")), None)


def ranking(contestants: int) -> dict[str, Any]:
    """Return the fields of an engine event that describe its ranking, by name. There are no ties.

    Only the first LISTED contestants are in the ranking; `contestant_count` has their total number.

    contestants: the total number of contestants
    """
    return {
        "contestants": tuple(Contestant(str(k), place=k) for k in range(1, min(contestants, LISTED) + 1)),
        "contestant_count": contestants,
    }


def calculate(question: Question) -> Answer:
    """Return the points of a hypothetical tournament. Raise EngineError if the regulation cannot score it."""
    regulation, event = question.regulation, question.event
    result, ladder = regulation.score(event), regulation.ladder(event)
    # A place never gets more than the place above, so all places after the first award that rounds to 0 get
    # 0.
    paid = bisect(range(1, ladder.paid + 1), -1, key=lambda place: -ladder.points(ladder.at(place)))
    steps = regulation.explain(event, result, "1")
    awards = tuple(
        PlaceAward(award.place, award.points, regulation.place_step(event, award.place))
        for award in result.awards[:paid]
    )
    return Answer(
        question=question,
        result=result,
        decimals=regulation.decimals_of(event),
        paid=paid,
        places=ladder.paid,
        steps=tuple(step for step in steps if step.key not in PLACE_STEPS),
        awards=awards,
        last=ladder.points(ladder.at(paid)) if paid else 0,
    )


def question(
    label: str,
    regulation: PlaceScheme,
    declared: PlacesCalculation,
    contestants: int,
    values: Mapping[str, Any],
    day: date,
    own_factors: dict[str, Decimal],
) -> Question:
    """Return a `Question` about a hypothetical tournament. One query if the regulation uses factors.

    label: the name under which the answer is shown
    declared: what the regulation asks of the user in the calculator
    contestants: the number of contestants
    values: the user's values of the fields in `declared`, by `Field.key`
    day: the day whose factors, as entered by the office, are used
    own_factors: factors that the user entered, by name, which replace the office's
    """
    factors = own_factors
    if declared.factors:
        factors = factors_on(regulation.code, day, values) | own_factors
    event = declared.event(ranking(contestants), values, factors)
    missing = tuple(name for name in declared.needed if name not in factors)
    return Question(label, regulation, event, own_factors, missing)


# The most digits of a number, by its number of decimals. Numbers of tables have one decimal, factors four.
MOST_DIGITS = {1: 5, 4: 8}


class PlacedForm(CalculatorForm):
    """A form for a hypothetical tournament under one regulation, two regulations or two variants of one."""

    template = "placed"

    participantes = contestants_field(_("Pairs or, in an individual, players."))

    def __init__(self, query: Mapping[str, str], regulation: PlaceScheme, day: date) -> None:
        super().__init__(query, regulation, day)
        codes = {regulation.code, self.data.get("comparar")}
        family = regulations.of_family(regulation.family)
        calculations = {scheme.code: calculation_of(scheme.code) for scheme in family if scheme.code in codes}
        for code, declared in calculations.items():
            self.fields |= _fields(code, declared.fields)
        if "comparar" in self.fields:
            self.fields["comparar"] = self.fields.pop("comparar")  # move it to the end
        for declared in calculations.values():
            self.fields |= {field.name: DRAW[type(field)](field) for field in declared.factors}

    @property
    def example(self) -> dict[str, str]:
        """The initial values of the form.

        They include initial values for the family's other regulations, because the user may compare with
        these.
        """
        values: dict[str, str] = {}
        for scheme in regulations.of_family(self.regulation.family):
            values |= calculation_of(scheme.code).example(self.context)
        return values | dict(self.calculation.example(self.context))

    def alternatives(self) -> list[tuple[str, str]]:
        """Return (value, name) of what the regulation can be compared with.

        These are its variants or, if it has no variants, the other regulations of its family.
        """
        variants = self.calculation.variants
        if variants is None:
            return super().alternatives()
        return [(name, self._variant_name(name)) for name in self.calculation.variant_names]

    def _variant_name(self, name: str) -> str:
        return say(self.calculation.variants.label % {"name": name})

    @property
    def schemes(self) -> list[PlaceScheme]:
        return [self.regulation] if self.calculation.variants else super().schemes

    def clean(self) -> dict:
        cleaned, variants = super().clean(), self.calculation.variants
        if variants and cleaned.get("comparar") and cleaned["comparar"] == cleaned.get(variants.field):
            cleaned["comparar"] = ""  # do not compare a variant with itself
        return cleaned

    @property
    def questions(self) -> list[Question]:
        """The hypothetical tournament of a valid form, once for each regulation or variant to compare.

        Takes one query for each regulation that uses factors.
        """
        variants = self.calculation.variants
        if variants is None:
            return [self._question(scheme, regulation_name(scheme.code), {}) for scheme in self.schemes]
        names = [self.cleaned_data[variants.field], *filter(None, [self.cleaned_data["comparar"]])]
        return [
            self._question(self.regulation, self._variant_name(name), {variants.field: name})
            for name in names
        ]

    def _question(self, scheme: PlaceScheme, label: str, changed: Mapping[str, str]) -> Question:
        declared = calculation_of(scheme.code)
        cleaned = {**self.cleaned_data, **changed}
        factors = {field.key: cleaned.get(field.name) for field in declared.factors}
        return question(
            label,
            scheme,
            declared,
            cleaned["participantes"],
            # A `CaseField` has no form field while the office has not entered any case.
            {field.key: cleaned.get(field.name, "") for field in declared.fields},
            self.day,
            {factor: value for factor, value in factors.items() if value is not None},
        )


def calculation_of(code: str) -> calculation.PlacesCalculation:
    """Return what a regulation that awards points by place asks of the user in the calculator."""
    return regulations.DECLARATIONS[code].calculation


def _fields(code: str, declared: Sequence[calculation.FormField]) -> dict[str, forms.Field]:
    """Return Django form fields for the fields that a regulation declares, by name.

    A `CaseField` takes one query, which reads its choices.
    """
    cases = _cases(code, [field for field in declared if isinstance(field, calculation.CaseField)])
    drawn: dict[str, forms.Field] = {}
    for field in declared:
        if not isinstance(field, calculation.CaseField):
            drawn[field.name] = DRAW[type(field)](field)
        elif choices := cases[field.factor]:
            drawn[field.name] = forms.ChoiceField(
                label=say(field.label), required=False, choices=[("", _("Any")), *choices]
            )
    return drawn


def _cases(code: str, declared: list[calculation.CaseField]) -> dict[str, list[tuple[str, str]]]:
    """Return the form choices of each `CaseField`, by the name of its factor.

    The choices are the cases (such as masterpoint limits) for which the office has entered a value.
    """
    names = [field.factor for field in declared]
    if not names:
        return {}
    factors = ScoringFactor.objects.filter(regulation=code, name__in=names).exclude(case="")
    entered = sorted(set(factors.values_list("name", "case")))
    return {name: [(case, case) for factor, case in entered if factor == name] for name in names}


def _whole(field: calculation.WholeField) -> forms.Field:
    return forms.IntegerField(
        label=say(field.label), min_value=field.least, max_value=field.most, help_text=say(field.help)
    )


def _number(field: calculation.NumberField) -> forms.Field:
    return NumberField(
        label=say(field.label),
        min_value=field.least,
        max_value=field.most,
        max_digits=MOST_DIGITS[field.decimals],
        decimal_places=field.decimals,
        help_text=say(field.help),
        validators=[partial(_check_step, field)] if field.step else [],
    )


def _check_step(field: calculation.NumberField, value: Decimal) -> None:
    # A number outside its limits already has an error, and may have too many digits for the division.
    if field.least <= value <= field.most and value % field.step:
        raise forms.ValidationError(say(field.not_a_step))


def _choice(field: calculation.ChoiceField) -> forms.Field:
    choices = [(value, say(label)) for value, label in field.choices]
    if field.whole:
        return forms.TypedChoiceField(label=say(field.label), choices=choices, coerce=int)
    return forms.ChoiceField(label=say(field.label), choices=choices)


DRAW = {
    calculation.WholeField: _whole,
    calculation.NumberField: _number,
    calculation.ChoiceField: _choice,
}


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
        "own_factors": [
            f"{question.label}, {factor_name(name)} = {format_decimal(value, get_language() or '')}"
            for question in questions
            for name, value in question.own_factors.items()
        ],
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
        return replace(line, sentence=gettext("Your own value, not the federation's."))
    return line


def _table(answers: list[Answer]) -> PlaceTable:
    """Return the table of paid places with their points.

    For one answer it also shows how the points were computed; for two, their difference.
    """
    columns: list[tuple[str, Any]] = [
        (f"points{k}", PointsColumn(verbose_name=answer.question.label, decimals=answer.decimals))
        for k, answer in enumerate(answers)
    ]
    if len(answers) == 1:
        columns[0][1].verbose_name = gettext("Points")
        columns.append(("working", WorkingColumn(verbose_name=gettext("How"))))
        look = "baza prose"
    else:
        decimals = max(answer.decimals for answer in answers)
        columns.append(
            ("difference", DifferenceColumn(verbose_name=gettext("Difference"), decimals=decimals))
        )
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

    It marks the first place k whose award is the winner's award divided by k.
    """
    paying = [answer for answer in answers if answer.awards]
    if max(len(answer.awards) for answer in paying) < 2:
        return None
    lang = get_language() or ""
    decimals = max(answer.decimals for answer in paying)
    return Chart(
        title=gettext("Points by place"),
        desc=" ".join(_description(answer) for answer in paying),
        x_label=gettext("Place"),
        y_label=gettext("Points"),
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
    return gettext("%(regulation)s: from %(first)s for the first to %(last)s for the last of %(count)s.") % {
        "regulation": answer.question.label,
        "first": counted_points(answer.awards[0].points, answer.decimals),
        "last": award_text(answer.last, answer.decimals),
        "count": format_whole(answer.paid, get_language() or ""),
    }


def _marks(answer: Answer) -> Iterator[Mark]:
    if answer.floor_from:
        label = gettext("W/k from place %(place)s on") % {"place": answer.floor_from}
        yield Mark(answer.floor_from, answer.awards[answer.floor_from - 1].points, label)
