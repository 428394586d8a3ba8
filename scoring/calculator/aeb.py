"""The AEB's points of a hypothetical tournament: the form, the computation and the results page."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.forms import (
    LISTED,
    MOST_CONTESTANTS,
    CalculatorForm,
    NumberField,
    contestants_field,
    page_address,
)
from scoring.engine.points import hundredths, plain
from scoring.engine.types import Contestant, Event, Result, Seat, Step
from scoring.ledger.evaluation import FAMILY, FieldResult, category_code
from scoring.ledger.receipts import receipt_line
from scoring.ledger.wording import event_type_name, reason_text, regulation_name
from scoring.regulations.aeb.scheme import Scheme
from scoring.regulations.calculation import CALCULATOR_BOARDS
from tournaments.models import Tournament
from ui.counting import counted_points
from ui.formatting import format_decimal, format_points, format_whole
from ui.plots import Chart, Series, points_curve
from ui.templatetags.ui import category_html

# The keys of the receipt steps that are the same for all places.
EVENT_STEPS = ("C1", "C2", "n", "C3", "C4", "C5", "p_max", "p_min")
COUNT_PREFIX = "n_"  # prefix of the query parameters for the number of players in a category
CURVE_STEPS = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A hypothetical tournament under one AEB regulation.

    event_type: the code of the event type in that regulation
    c4: the mean of the category values; None to compute it from `players`
    players: the number of players by category code of that regulation
    """

    event_type: str
    format: str
    contestants: int
    boards: int
    venue: str
    c4: Decimal | None
    players: Mapping[str, int]

    @property
    def listed(self) -> int:
        """The number of places that the page lists."""
        return min(self.contestants, LISTED)

    @property
    def event(self) -> Event:
        """The tournament as the engine's event, without ties.

        Only the first LISTED contestants are in its ranking; `contestant_count` has their total number.
        Every player has a licence.
        """
        categories = Counter(self.players).elements()
        return Event(
            event_type=self.event_type,
            format=self.format,
            boards=self.boards,
            venue=self.venue,
            c4=self.c4,
            contestants=tuple(Contestant(str(k), place=k) for k in range(1, self.listed + 1)),
            contestant_count=self.contestants,
            place_rule=settings.PLACE_RULE,
            session_seats=tuple(Seat(str(k), code, True) for k, code in enumerate(categories)),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The points of a hypothetical tournament under one regulation, even if the tournament would not count.

    steps: the receipt steps that are the same for all places
    points: the points of the first `question.listed` places, in hundredths
    last: the points of the last place, in hundredths
    """

    regulation: Scheme
    question: Question
    result: Result
    steps: tuple[Step, ...]
    points: tuple[int, ...]
    last: int

    @property
    def curve_points(self) -> list[tuple[Decimal, int]]:
        """The (place, points in hundredths) from which the curve of the chart is drawn.

        Most of these places are not whole numbers, so that the curve is smooth. There must be at least two
        contestants.
        """
        curve, event = self.regulation.curve(self.result), self.question.event
        last = self.question.contestants
        places = [1 + Decimal(last - 1) * k / (CURVE_STEPS - 1) for k in range(CURVE_STEPS)]
        return [(place, hundredths(curve.at(self.regulation.position(event, place)))) for place in places]


def calculate(regulation: Scheme, question: Question) -> Answer:
    """Return the points of a hypothetical tournament under a regulation.

    Raise EngineError if they cannot be computed.
    """
    event = question.event
    result = regulation.score(event)
    steps = tuple(step for step in regulation.explain(event, result, "1") if step.key in EVENT_STEPS)
    curve = regulation.curve(result)

    def at(place: int) -> int:
        return hundredths(curve.at(regulation.position(event, place)))

    points = tuple(at(place) for place in range(1, question.listed + 1))
    return Answer(regulation, question, result, steps, points, at(question.contestants))


def points_of_place(regulation: Scheme, question: Question, place: int) -> int:
    """Return the points of one place of a hypothetical tournament, in hundredths.

    They equal those of `calculate`, which computes every place. Raise EngineError if they cannot be computed.
    """
    event = question.event
    result = regulation.score(replace(event, contestants=event.contestants[:1]))
    return hundredths(regulation.curve(result).at(regulation.position(event, place)))


def under_regulation(question: Question, regulation: Scheme, event_type: str, c4: Decimal | None) -> Question:
    """Convert a question about a tournament to another regulation, with that regulation's category codes.

    event_type, c4: the values of these fields in the new question
    """
    players: Counter[str] = Counter()
    for category, number in question.players.items():
        players[category_code(regulation, category)] += number
    return replace(question, event_type=event_type, c4=c4, players=players)


def address(question: Question, regulation: str, **parameters: str) -> str:
    """Return the URL of the calculator with the form filled for a hypothetical tournament.

    regulation: the code of the regulation
    parameters: further query parameters
    """
    return page_address(
        {
            "reglamento": regulation,
            "tipo": question.event_type,
            "formato": question.format,
            "participantes": question.contestants,
            "manos": question.boards,
            "lugar": question.venue,
            "c4": "" if question.c4 is None else plain(question.c4),
            **{f"{COUNT_PREFIX}{code}": number for code, number in question.players.items() if number},
            **parameters,
        }
    )


def question_of(result: FieldResult, regulation: Scheme) -> Question:
    """Describe a scored ranking of a real tournament as a `Question`."""
    event = result.event
    return Question(
        event_type=event.event_type,
        format=event.format,
        contestants=event.count,
        boards=event.boards,
        venue=event.venue,
        c4=None,
        players=regulation.strength(event).counts,
    )


def neighbour(regulation: Scheme) -> Scheme | None:
    """Return the AEB regulation to compare with: the next one or, for the latest, the one before.

    Return None if there is no other.
    """
    family = regulations.of_family(FAMILY)
    index = family.index(regulation)
    return next(iter(family[index + 1 :] or family[:index][-1:]), None)


def calculator_address(regulation: Scheme, result: FieldResult) -> str:
    """Return the calculator's URL for a tournament like a ranking, under its regulation.

    Return "" if there are too many contestants for the calculator, or if the regulation is not the AEB's.
    """
    if regulation.family != FAMILY or result.event.count > MOST_CONTESTANTS:
        return ""
    return address(question_of(result, regulation), regulation.code)


def comparison_address(regulation: Scheme, result: FieldResult) -> str:
    """Return the calculator's URL that compares a ranking's points under two AEB regulations.

    These are the ranking's own regulation and its `neighbour`. Return "" if there are too many contestants
    for the calculator, if the regulation is not the AEB's, or if it has no neighbour.
    """
    comparable = regulation.family == FAMILY and result.event.count <= MOST_CONTESTANTS
    alternative = neighbour(regulation) if comparable else None
    if alternative is None:
        return ""
    return address(question_of(result, regulation), regulation.code, comparar=alternative.code)


PERSONS = {"pairs": 2, "teams": 12, "individual": 1}  # the largest number of persons in a contestant


# A form field for the strength of the field (C4), the mean of the players' category values.
C4Field = partial(NumberField, max_digits=8, decimal_places=6)


class AebForm(CalculatorForm):
    """A form for a hypothetical tournament under one AEB regulation, or under two to compare."""

    template = "aeb"
    tipo = forms.ChoiceField(
        label=_("Tournament type"),
        error_messages={"invalid_choice": _("This regulation has no such type: choose again.")},
    )
    formato = forms.ChoiceField(label=_("Format"), choices=Tournament.Format.choices)
    participantes = contestants_field(_("Pairs, teams or, in an individual, players."))
    manos = forms.IntegerField(label=_("Boards"), min_value=1, max_value=CALCULATOR_BOARDS)
    lugar = forms.ChoiceField(label=_("Venue"), choices=Tournament.Venue.choices)
    tipo_otro = forms.ChoiceField(label=_("Tournament type there"), required=False)
    c4 = C4Field(label=_("C4, mean of the categories"))
    c4_otro = C4Field(label=_("C4 there"))

    field_order = ("reglamento", "tipo", "formato", "participantes", "manos", "lugar", "comparar")

    def __init__(self, query: Mapping[str, str], regulation: Scheme, day: date) -> None:
        super().__init__(query, regulation, day)
        self.fields["tipo"].choices = _types(regulation)
        family = {scheme.code: scheme for scheme in regulations.of_family(regulation.family)}
        self.alternative: Scheme | None = family.get(self.data.get("comparar", ""))
        self._add_c4_help("c4", regulation)
        if self.alternative is None:
            del self.fields["tipo_otro"], self.fields["c4_otro"]
        else:
            self.fields["tipo_otro"].choices = [("", _("the same")), *_types(self.alternative)]
            self._add_c4_help("c4_otro", self.alternative)
        self._add_categories()
        self.order_fields(self.field_order)

    def with_example(self, query: Mapping[str, str]) -> dict[str, str]:
        data = super().with_example(query)
        about_field = ("participantes", "c4")
        if not any(name in about_field or name.startswith(COUNT_PREFIX) for name in query):
            players = self.calculation.players.items()
            data |= {f"{COUNT_PREFIX}{code}": str(number) for code, number in players}
        return data

    @property
    def example(self) -> Mapping[str, str]:
        return self.calculation.example

    def _add_c4_help(self, name: str, scheme: Scheme) -> None:
        bounds = _c4_bounds(scheme) | {"regulation": regulation_name(scheme.code)}
        self.fields[name].help_text = gettext("From %(low)s to %(high)s (%(regulation)s).") % bounds

    def _add_categories(self) -> None:
        counts = {
            f"{COUNT_PREFIX}{row.code}": forms.IntegerField(
                label=category_html(row.code, get_language() or ""),
                required=False,
                min_value=0,
                max_value=MOST_CONTESTANTS * max(PERSONS.values()),
            )
            for row in self.regulation.categories.rows
        }
        self.fields |= counts
        self.count_names = list(counts)

    @property
    def category_fields(self) -> list[forms.BoundField]:
        """The form fields for the number of players in each category."""
        return [self[name] for name in self.count_names]

    @property
    def question_fields(self) -> list[forms.BoundField]:
        return [field for field in super().question_fields if field.name not in self.count_names]

    @property
    def categories_open(self) -> bool:
        """Whether to show the category fields expanded, because one of them has a value or an error."""
        return any(self.data.get(name) or name in self.errors for name in self.count_names)

    @property
    def players(self) -> dict[str, int]:
        """The number of players by category code, without empty categories."""
        return {
            name.removeprefix(COUNT_PREFIX): number
            for name, number in self.cleaned_data.items()
            if name.startswith(COUNT_PREFIX) and number
        }

    def clean(self) -> dict:
        cleaned = super().clean()
        self._check_c4("c4", self.regulation)
        if self.players and cleaned.get("c4") is not None:
            message = gettext("Give either C4 or the players of each category: they say the same.")
            self.add_error("c4", message)
        self._check_players()
        if self.alternative:
            self._check_alternative()
        return cleaned

    def _check_c4(self, name: str, scheme: Scheme) -> None:
        value = self.cleaned_data.get(name)
        values = [row.value for row in scheme.categories.rows]
        if value is not None and not min(values) <= value <= max(values):
            message = gettext("C4 lies between %(low)s and %(high)s: it is a mean of the table's values.")
            self.add_error(name, message % _c4_bounds(scheme))

    def _check_players(self) -> None:
        contestants, kind = self.cleaned_data.get("participantes"), self.cleaned_data.get("formato")
        total, lang = sum(self.players.values()), get_language() or ""
        if contestants and kind and total > contestants * PERSONS[kind]:
            message = ngettext(
                "The categories have %(players)s player, but so many contestants have at most %(most)s.",
                "The categories have %(players)s players, but so many contestants have at most %(most)s.",
                total,
            )
            values = {
                "players": format_whole(total, lang),
                "most": format_whole(contestants * PERSONS[kind], lang),
            }
            self.add_error("participantes", message % values)

    def _check_alternative(self) -> None:
        cleaned = self.cleaned_data
        event_type = cleaned.get("tipo")
        chosen = cleaned.get("tipo_otro") or "tipo_otro" in self.errors
        if event_type and not chosen and self.alternative.event_types.find(event_type) is None:
            message = gettext("%(regulation)s has no such type: choose which one to compare with.")
            self.add_error("tipo_otro", message % {"regulation": regulation_name(self.alternative.code)})
        self._check_c4("c4_otro", self.alternative)
        if cleaned.get("c4") is not None and cleaned.get("c4_otro") is None and "c4_otro" not in self.errors:
            message = gettext("The regulations value categories differently: give C4 here too.")
            self.add_error("c4_otro", message)

    @property
    def question(self) -> Question:
        """The tournament that a valid form describes."""
        cleaned = self.cleaned_data
        return Question(
            event_type=cleaned["tipo"],
            format=cleaned["formato"],
            contestants=cleaned["participantes"],
            boards=cleaned["manos"],
            venue=cleaned["lugar"],
            c4=cleaned["c4"],
            players=self.players,
        )

    @property
    def alternative_question(self) -> Question:
        """The same tournament under the regulation to compare with."""
        cleaned = self.cleaned_data
        c4: Decimal | None = cleaned["c4_otro"] if cleaned["c4"] is not None else None
        event_type = cleaned["tipo_otro"] or cleaned["tipo"]
        return under_regulation(self.question, self.alternative, event_type, c4)

    @property
    def comparison_parameters(self) -> dict[str, str]:
        """The query parameters of the second regulation: its code, event type and C4, as far as they are set.

        Empty if the user compares with no regulation.
        """
        if not self.alternative:
            return {}
        parameters = {
            "comparar": self.alternative.code,
            "tipo_otro": self.cleaned_data["tipo_otro"],
            "c4_otro": "" if self.cleaned_data["c4_otro"] is None else str(self.cleaned_data["c4_otro"]),
        }
        return {name: value for name, value in parameters.items() if value}

    @property
    def address(self) -> str:
        return address(self.question, self.regulation.code, **self.comparison_parameters)


def _c4_bounds(scheme: Scheme) -> dict[str, str]:
    """Return the lowest (`low`) and highest (`high`) possible C4 of a regulation, formatted for the form."""
    values, lang = [row.value for row in scheme.categories.rows], get_language() or ""
    return {"low": format_decimal(min(values), lang), "high": format_decimal(max(values), lang)}


def _types(scheme: Scheme) -> list[tuple[str, str]]:
    return [(row.code, gettext(row.label)) for row in scheme.event_types.rows]


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
                    for reason in answer.result.reasons
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
    """Return the chart of the points by place.

    For one answer, it shows one curve with the places marked. For two answers, it shows one series of points
    for each, to compare them.
    """
    descriptions = [
        gettext("%(regulation)s: from %(first)s for the first to %(last)s for the last of %(count)s.")
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
        title=gettext("Points by place"),
        desc=desc,
        x_label=gettext("Place"),
        y_label=gettext("Points"),
        series=tuple(
            Series(regulation_name(answer.regulation.code), list(enumerate(answer.points, start=1)))
            for answer in answers
        ),
        x_format=lambda value: format_decimal(Decimal(str(value)), lang, 0),
        y_format=lambda value: format_points(int(value), lang),
        whole_x=True,
    )
