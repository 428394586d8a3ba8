"""The calculator's form for Go ratings."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.calculator.forms.base import CalculatorForm, NumberField
from scoring.calculator.working.go import MOST_GAMES, Opponent, Question, Strength
from scoring.engine.errors import EngineError
from scoring.ledger.wording import regulation_name
from scoring.ratings.models import RatingTournament
from scoring.regulations.egf.grades import steps_above_first_kyu
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import MOST_STONES
from ui.formatting import format_whole

RESULTS = [("1", _("Won")), ("0.5", _("Tie")), ("0", _("Lost"))]
RECEIVERS = [("yo", _("You")), ("rival", _("The opponent"))]
LEAST_ROWS = 3
PARTS = ("rival", "resultado", "piedras", "recibe")


class StrengthField(NumberField):
    """A field for a rating, or for a grade such as 3k or 2d from which a rating is computed."""

    def __init__(self, **kwargs) -> None:
        super().__init__(max_digits=9, decimal_places=4, **kwargs)
        self.widget = forms.TextInput({"maxlength": 12})
        self.error_messages["invalid"] = _("Type a rating such as 1721, or a grade such as 3k or 2d.")

    def to_python(self, value) -> Strength | None:
        text = value.strip().lower() if isinstance(value, str) else value
        try:
            steps_above_first_kyu(text or "", "")
        except EngineError:
            return super().to_python(text)
        return text

    def validate(self, value) -> None:
        if not isinstance(value, str):
            super().validate(value)

    def run_validators(self, value) -> None:
        if not isinstance(value, str):
            super().run_validators(value)


class GoForm(CalculatorForm):
    """A form for a player's rating and games, under one rating system or under both to compare."""

    template = "go"

    puntos = StrengthField(
        label=_("Your rating or grade"),
        required=True,
        help_text=_("Whoever rises by more than one grade starts from the new one: type that grade."),
    )
    clase = forms.ChoiceField(label=_("Class of the tournament"), choices=RatingTournament.Class.choices)
    epsilon = NumberField(
        label="ε",
        min_value=0,
        max_value=1,
        max_digits=6,
        decimal_places=4,
        help_text=_("Of the classic system; if blank, as it was last."),
    )

    field_order = ("reglamento", "comparar", "puntos", "clase", "epsilon")

    def __init__(self, query: Mapping[str, str], regulation: RatingSystem, day: date) -> None:
        super().__init__(query, regulation, day)
        self.order_fields(self.field_order)
        codes = (regulation.code, self.data.get("comparar"))
        chosen = [system for system in self.context.family if system.code in codes]
        if not any("epsilon" in system.own_fields for system in chosen):
            del self.fields["epsilon"]
        self.numbers = _game_numbers(self.data)
        for number in self.numbers:
            self._add_game(number)

    def with_example(self, query: Mapping[str, str]) -> dict[str, str]:
        if "puntos" in query:
            return super().with_example({"clase": "A", **query})
        code = next(code for code, _name in self.alternatives())
        return super().with_example({"comparar": code, **self.calculation.example, **query})

    def _add_game(self, number: int) -> None:
        fields = {
            "rival": StrengthField(label=gettext("Opponent %(number)s") % {"number": number}),
            "resultado": forms.ChoiceField(label=_("Result"), choices=RESULTS, required=False),
            "piedras": forms.IntegerField(
                label=_("Handicap stones"), min_value=0, max_value=MOST_STONES, required=False
            ),
            "recibe": forms.ChoiceField(label=_("Who takes them"), choices=RECEIVERS, required=False),
        }
        self.fields |= {f"{part}_{number}": field for part, field in fields.items()}

    @property
    def question_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name in self.field_order and name != "reglamento"]

    @property
    def rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """The (number, form fields) of each game."""
        return [(number, [self[f"{part}_{number}"] for part in PARTS]) for number in self.numbers]

    def clean(self) -> dict:
        cleaned = super().clean()
        for name in ("puntos", *(f"rival_{number}" for number in self.numbers)):
            self._check_bounds(name)
        missing = not any(cleaned.get(f"rival_{n}") is not None for n in self.numbers)
        if missing and not any(f"rival_{n}" in self.errors for n in self.numbers):
            self.add_error(f"rival_{self.numbers[0]}", gettext("Type the rating of one opponent at least."))
        return cleaned

    def _check_bounds(self, name: str) -> None:
        """Add an error to the field if one of the systems cannot have the rating."""
        value, lang = self.cleaned_data.get(name), get_language() or ""
        for system in self.schemes if isinstance(value, Decimal) else ():
            if not system.floor <= value < system.highest:
                message = gettext("%(regulation)s has ratings from %(low)s to below %(high)s.") % {
                    "regulation": regulation_name(system.code),
                    "low": format_whole(system.floor, lang),
                    "high": format_whole(int(system.highest), lang),
                }
                self.add_error(name, message)
                return

    @property
    def parameters(self) -> dict[str, Any]:
        cleaned, question = self.cleaned_data, self.question
        parameters = {name: cleaned.get(name) for name in self.field_order[1:]}
        for number, game in enumerate(question.games, start=1):
            parameters[f"rival_{number}"] = game.strength
            parameters[f"resultado_{number}"] = f"{game.score:g}"
            if game.stones:
                parameters[f"piedras_{number}"] = game.stones
                parameters[f"recibe_{number}"] = "rival" if game.gives else "yo"
        return parameters

    @property
    def question(self) -> Question:
        """The rating and the games that a valid form describes."""
        cleaned = self.cleaned_data
        games = tuple(
            Opponent(
                strength=cleaned[f"rival_{n}"],
                score=float(cleaned[f"resultado_{n}"] or 1),
                stones=cleaned[f"piedras_{n}"] or 0,
                gives=cleaned[f"recibe_{n}"] == "rival",
            )
            for n in self.numbers
            if cleaned[f"rival_{n}"] is not None
        )
        return Question(cleaned["puntos"], games, cleaned["clase"], cleaned.get("epsilon"))


def _game_numbers(data: Mapping[str, str]) -> list[int]:
    """Return the numbers of the games to show: all up to the last with an opponent, and one empty game."""
    used = [n for n in range(1, MOST_GAMES + 1) if data.get(f"rival_{n}", "").strip()]
    return list(range(1, min(max([LEAST_ROWS, *(n + 1 for n in used)]), MOST_GAMES) + 1))
