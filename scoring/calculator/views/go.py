"""The calculator's results for Go ratings."""

from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.go import RESULTS, GoForm
from scoring.calculator.tables import CalculatedGameTable, CalculatedTable
from scoring.calculator.working.go import Answer, Opponent, Question, calculate, curve
from scoring.ledger.receipts import localised
from scoring.ledger.wording import regulation_name
from scoring.ratings.models import RatingTournament
from scoring.ratings.queries import change_text, rating_text
from scoring.ratings.tables import ChangeColumn, RatingColumn
from ui.formatting import format_whole
from ui.plots import Chart, Series


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
        expected, change = _("Expected (%(regulation)s)") % values, _("Change (%(regulation)s)") % values
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
    return (_("gives %(stones)s") if game.gives else _("takes %(stones)s")) % {"stones": number}


def _chart(answers: list[Answer], question: Question) -> Chart:
    """Return the chart of the rating change of a game without handicap, by the opponent's rating.

    It has curves for a game won and for a game lost.
    """
    series = []
    for answer in answers:
        name = regulation_name(answer.system.code)
        series.append(Series(_("%(regulation)s: won") % {"regulation": name}, curve(answer, question, 1.0)))
        series.append(Series(_("%(regulation)s: lost") % {"regulation": name}, curve(answer, question, 0.0)))
    own = rating_text(answers[0].change.start)
    return Chart(
        title=_("Change by one even game, by the opponent's rating"),
        desc=_(
            "At a rating of %(own)s: the stronger the opponent, the more a win gives and the less a "
            "loss takes."
        )
        % {"own": own},
        x_label=_("Opponent's rating"),
        y_label=_("Change"),
        series=tuple(series),
        x_format=lambda value: rating_text(float(value)),
        y_format=lambda value: change_text(float(value), 1),
    )
