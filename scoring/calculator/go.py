"""The rating change from hypothetical games of Go: the form, the computation and the results page."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.calculator.forms import CalculatorForm, NumberField
from scoring.calculator.tables import CalculatedGameTable, CalculatedTable
from scoring.engine.errors import EngineError
from scoring.engine.types import Step
from scoring.ledger.receipts import localised
from scoring.ledger.wording import regulation_name
from scoring.ratings.models import RatingTournament
from scoring.ratings.queries import change_text, rating_text
from scoring.ratings.tables import ChangeColumn, RatingColumn
from scoring.regulations.egf.grades import steps_above_first_kyu
from scoring.regulations.egf.system import RatingSystem
from scoring.regulations.egf.types import MOST_STONES, Change, Game, Player, Tournament
from ui.formatting import format_whole
from ui.plots import Chart, Series

MOST_GAMES = 10
OWN = "0"  # the user's id as a player of the tournament; the opponents' ids are 1, 2, …
CURVE_REACH, CURVE_STEP = 500, 50  # rating points on each side of the user's rating, and between points

# A player's rating as a number, or a grade such as "3k" from which the rating is computed.
Strength = Decimal | str


@dataclass(frozen=True, slots=True)
class Opponent:
    """One game of the user against an opponent.

    strength: the opponent's rating or grade
    score: the user's score: 1, 0.5 or 0
    stones: the number of handicap stones
    gives: whether the user gives the stones; otherwise the opponent does
    """

    strength: Strength
    score: float
    stones: int = 0
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A tournament of Go about which the user asks: the user's rating or grade before it, and the games.

    If `epsilon` is None, the rating system's own ε is used.
    """

    own: Strength
    games: tuple[Opponent, ...]
    tournament_class: str = "A"
    epsilon: Decimal | None = None

    @property
    def tournament(self) -> Tournament:
        """The tournament for the engine, in which every game is a round against a new opponent."""
        games = list(enumerate(self.games, start=1))
        return Tournament(
            players=(_player(OWN, self.own), *(_player(str(k), game.strength) for k, game in games)),
            games=tuple(_game(k, game) for k, game in games),
            tournament_class=self.tournament_class,
            epsilon=self.epsilon,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The rating change under one rating system.

    change: the effect of the tournament on the user's rating
    opponents: the opponents' ratings, in the order of the games
    steps: the steps of the receipt
    """

    system: RatingSystem
    change: Change
    opponents: tuple[float, ...]
    epsilon: float
    steps: tuple[Step, ...]

    @property
    def gain(self) -> float:
        return self.change.after - self.change.start


def _player(name: str, strength: Strength) -> Player:
    if isinstance(strength, str):
        return Player(name, declared=strength)
    return Player(name, strength)


def _game(number: int, game: Opponent) -> Game:
    """Return a game for the engine, in which the first player is the one who gives the stones."""
    if game.gives:
        return Game(number, OWN, str(number), game.score, game.stones)
    return Game(number, str(number), OWN, 1 - game.score, game.stones)


def calculate(system: RatingSystem, question: Question) -> Answer:
    """Return the rating change under a rating system. Raise EngineError if it cannot be computed."""
    tournament = question.tournament
    rated = system.rate(tournament)
    own, *opponents = rated.changes
    return Answer(
        system=system,
        change=own,
        opponents=tuple(opponent.start for opponent in opponents),
        epsilon=system.epsilon_of(tournament),
        steps=system.explain(tournament, rated, OWN),
    )


def curve(answer: Answer, question: Question, score: float) -> list[tuple[int, float]]:
    """Return a list of (opponent's rating, rating change from one game without handicap).

    The opponents' ratings are near the user's.

    score: the user's score in the game
    """
    system, own = answer.system, round(answer.change.start)
    reach = range(own - own % CURVE_STEP - CURVE_REACH, own + CURVE_REACH + 1, CURVE_STEP)
    ratings = [rating for rating in reach if system.floor <= rating < system.highest]
    # One tournament with all these games suffices, because each game is rated with the ratings before it.
    games = tuple(Opponent(Decimal(rating), score) for rating in ratings)
    rated = system.rate(replace(question, games=games).tournament)
    return [(rating, game.change) for rating, game in zip(ratings, rated.changes[0].games, strict=True)]


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
        """Add an error to a field whose rating is outside the range of one of the chosen rating systems.

        name: the name of the field
        """
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


def results(form: GoForm) -> dict[str, Any]:
    """Return the template context of the results, with one answer or with two to compare."""
    question = form.question
    answers = [calculate(system, question) for system in form.schemes]
    lang = get_language() or ""
    return {
        "answers": [
            {
                "name": regulation_name(answer.system.code),
                "start": answer.change.start,
                "after": answer.change.after,
                "gain": answer.gain,
                "steps": [
                    (localised(step.formula, lang), localised(step.working, lang)) for step in answer.steps
                ],
            }
            for answer in answers
        ],
        "games": len(question.games),
        "table": _summary(answers),
        "games_table": _games(answers, question),
        "chart": _chart(answers, question),
        "parameters": [RatingTournament.Class(question.tournament_class).label],
    }


def _summary(answers: list[Answer]) -> CalculatedTable:
    rows = [
        {
            "name": regulation_name(answer.system.code),
            "start": answer.change.start,
            "con": answer.change.con,
            "bonus": answer.change.bonus or None,
            "epsilon": answer.epsilon or None,
            "change": answer.gain,
            "after": answer.change.after,
        }
        for answer in answers
    ]
    empty = [name for name in ("bonus", "epsilon") if not any(row[name] for row in rows)]
    return CalculatedTable(rows, exclude=empty)


def _games(answers: list[Answer], question: Question) -> CalculatedGameTable:
    columns: list[tuple[str, Any]] = []
    for k, answer in enumerate(answers):
        values = {"regulation": regulation_name(answer.system.code)}
        expected, change = (
            gettext("Expected (%(regulation)s)") % values,
            gettext("Change (%(regulation)s)") % values,
        )
        columns.append((f"expected{k}", RatingColumn(verbose_name=expected, digits=4)))
        columns.append((f"change{k}", ChangeColumn(verbose_name=change, digits=2)))
    rows = []
    for number, game in enumerate(question.games):
        row = {
            "opponent": _opponent(game, [answer.opponents[number] for answer in answers]),
            "result": dict(RESULTS)[f"{game.score:g}"],
            "handicap": _handicap(game),
        }
        for k, answer in enumerate(answers):
            played = answer.change.games[number]
            row |= {f"expected{k}": played.expected, f"change{k}": played.change}
        rows.append(row)
    attrs = {"class": "baza calculator-points"}  # this class lets the headings wrap
    return CalculatedGameTable(rows, extra_columns=columns, attrs=attrs)


def _opponent(game: Opponent, ratings: list[float]) -> str:
    """Return a text with the opponent's rating, or the opponent's grade with its rating in each system.

    The systems have different lowest ratings, so they give the weakest grades different ratings.
    """
    if isinstance(game.strength, Decimal):
        return rating_text(float(game.strength))
    return f"{game.strength} ({' / '.join(dict.fromkeys(rating_text(rating) for rating in ratings))})"


def _handicap(game: Opponent) -> str:
    if not game.stones:
        return "—"
    number = format_whole(game.stones, get_language() or "")
    return (gettext("gives %(stones)s") if game.gives else gettext("takes %(stones)s")) % {"stones": number}


def _chart(answers: list[Answer], question: Question) -> Chart:
    """Return the chart of the rating change of a game without handicap, by the opponent's rating.

    It has curves for a game won and for a game lost.
    """
    series = []
    for answer in answers:
        name = regulation_name(answer.system.code)
        series.append(
            Series(gettext("%(regulation)s: won") % {"regulation": name}, curve(answer, question, 1.0))
        )
        series.append(
            Series(gettext("%(regulation)s: lost") % {"regulation": name}, curve(answer, question, 0.0))
        )
    return Chart(
        title=gettext("Change by one even game, by the opponent's rating"),
        desc=gettext(
            "At a rating of %(own)s: the stronger the opponent, the more a win gives and the less a "
            "loss takes."
        )
        % {"own": rating_text(answers[0].change.start)},
        x_label=gettext("Opponent's rating"),
        y_label=gettext("Change"),
        series=tuple(series),
        x_format=lambda value: rating_text(float(value)),
        y_format=lambda value: change_text(float(value), 1),
    )
