"""What the calculator shows of Go ratings, by one system or by both side by side."""

from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.calculator.forms.go import RESULTS, GoForm
from scoring.calculator.tables import CalculatedGameTable, CalculatedTable
from scoring.calculator.working.go import Answer, Opponent, Question, answered, curve
from scoring.ledger.receipts import localised
from scoring.ledger.wording import regulation_name
from scoring.ratings.models import RatingTournament
from scoring.ratings.queries import change_text, rating_text
from scoring.ratings.tables import ChangeColumn, RatingColumn
from ui.formatting import format_whole
from ui.plots import Chart, Series


def results(form: GoForm) -> dict[str, Any]:
    """What the page shows of one answer, or of two."""
    question = form.question
    answers = [answered(system, question) for system in form.schemes]
    lang = get_language() or ""
    return {
        "answers": [
            {
                "name": regulation_name(each.system.code),
                "start": each.change.start,
                "after": each.change.after,
                "gain": each.gain,
                "steps": [
                    (localised(step.formula, lang), localised(step.working, lang)) for step in each.steps
                ],
            }
            for each in answers
        ],
        "games": len(question.games),
        "table": _summary(answers),
        "games_table": _games(answers, question),
        "chart": _chart(answers, question),
        "parameters": [RatingTournament.Class(question.tournament_class).label],
    }


def _summary(answers: list[Answer]) -> CalculatedTable:
    hidden = [name for name in ("bonus", "epsilon") if not any(_value_of(each, name) for each in answers)]
    return CalculatedTable(
        [
            {
                "name": regulation_name(each.system.code),
                "start": each.change.start,
                "con": each.change.con,
                "bonus": _value_of(each, "bonus") or None,
                "epsilon": _value_of(each, "epsilon") or None,
                "change": each.gain,
                "after": each.change.after,
            }
            for each in answers
        ],
        exclude=hidden,
    )


def _value_of(answer: Answer, name: str) -> float:
    return answer.epsilon if name == "epsilon" else answer.change.bonus


def _games(answers: list[Answer], question: Question) -> CalculatedGameTable:
    columns: list[tuple[str, Any]] = []
    for k, each in enumerate(answers):
        name = regulation_name(each.system.code)
        said = {"regulation": name}
        expected, change = _("Expected (%(regulation)s)") % said, _("Change (%(regulation)s)") % said
        columns.append((f"expected{k}", RatingColumn(verbose_name=expected, digits=4)))
        columns.append((f"change{k}", ChangeColumn(verbose_name=change, digits=2)))
    rows = []
    for number, game in enumerate(question.games):
        row = {
            "opponent": _opponent(game, [each.opponents[number] for each in answers]),
            "result": dict(RESULTS)[f"{game.score:g}"],
            "handicap": _handicap(game),
        }
        for k, each in enumerate(answers):
            seen = each.change.games[number]
            row |= {f"expected{k}": seen.expected, f"change{k}": seen.change}
        rows.append(row)
    look = {"class": "baza calculator-points"}  # its headings may break
    return CalculatedGameTable(rows, extra_columns=columns, attrs=look)


def _opponent(game: Opponent, ratings: list[float]) -> str:
    """A rating as it is; a grade with the rating that it stands for, of which weak ones have two."""
    if isinstance(game.strength, Decimal):
        return rating_text(float(game.strength))
    return f"{game.strength} ({' / '.join(dict.fromkeys(rating_text(each) for each in ratings))})"


def _handicap(game: Opponent) -> str:
    if not game.stones:
        return "—"
    number = format_whole(game.stones, get_language() or "")
    return (_("gives %(stones)s") if game.gives else _("takes %(stones)s")) % {"stones": number}


def _chart(answers: list[Answer], question: Question) -> Chart:
    """What one even game would change, won or lost, by the opponent's rating."""
    series = []
    for each in answers:
        name = regulation_name(each.system.code)
        series.append(Series(_("%(regulation)s: won") % {"regulation": name}, curve(each, question, 1.0)))
        series.append(Series(_("%(regulation)s: lost") % {"regulation": name}, curve(each, question, 0.0)))
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
