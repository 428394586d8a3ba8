"""The calculator's form for the AEB's regulations."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from django import forms
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring import regulations
from scoring.calculator.forms.base import CalculatorForm, NumberField, contestants_field
from scoring.calculator.working import MOST_CONTESTANTS
from scoring.calculator.working.aeb import COUNT_PREFIX, Question, address, under_regulation
from scoring.ledger.wording import regulation_name
from scoring.regulations.aeb.scheme import Scheme
from tournaments.models import Tournament
from ui.formatting import format_decimal, format_whole
from ui.templatetags.ui import category_html

MOST_BOARDS = 999
PERSONS = {"pairs": 2, "teams": 12, "individual": 1}  # the largest number of persons in a contestant


class C4Field(NumberField):
    """A field for the strength of the field (C4), the mean of the players' category values."""

    def __init__(self, **kwargs) -> None:
        super().__init__(max_digits=8, decimal_places=6, **kwargs)


class AebForm(CalculatorForm):
    """A form for a hypothetical tournament under one AEB regulation, or under two to compare."""

    template = "aeb"
    tipo = forms.ChoiceField(
        label=_("Tournament type"),
        error_messages={"invalid_choice": _("This regulation has no such type: choose again.")},
    )
    formato = forms.ChoiceField(label=_("Format"), choices=Tournament.Format.choices)
    participantes = contestants_field(_("Pairs, teams or, in an individual, players."))
    manos = forms.IntegerField(label=_("Boards"), min_value=1, max_value=MOST_BOARDS)
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
        lang = get_language() or ""
        for row in self.regulation.categories.rows:
            self.fields[f"{COUNT_PREFIX}{row.code}"] = forms.IntegerField(
                label=category_html(row.code, lang),
                required=False,
                min_value=0,
                max_value=MOST_CONTESTANTS * max(PERSONS.values()),
            )

    @property
    def category_fields(self) -> list[forms.BoundField]:
        """The form fields for the number of players in each category."""
        return [self[name] for name in self.fields if name.startswith(COUNT_PREFIX)]

    @property
    def question_fields(self) -> list[forms.BoundField]:
        return [field for field in super().question_fields if not field.name.startswith(COUNT_PREFIX)]

    @property
    def categories_open(self) -> bool:
        """Whether to show the category fields expanded, because one of them has a value or an error."""
        names = [name for name in self.fields if name.startswith(COUNT_PREFIX)]
        return any(self.data.get(name) or name in self.errors for name in names)

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
        """The non-empty query parameters about the regulation to compare with."""
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
    """Return the lowest and highest possible C4, the least and greatest category value, as texts."""
    values, lang = [row.value for row in scheme.categories.rows], get_language() or ""
    return {"low": format_decimal(min(values), lang), "high": format_decimal(max(values), lang)}


def _types(scheme: Scheme) -> list[tuple[str, str]]:
    return [(row.code, gettext(row.label)) for row in scheme.event_types.rows]
