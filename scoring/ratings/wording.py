"""The texts of the steps of computing a Go rating, for receipts and the pages of the rating systems."""

from collections.abc import Mapping

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring.engine.types import Step
from scoring.ledger.receipts import ReceiptLine, localised
from scoring.ledger.wording import cite_rating

STEP_NAMES = {
    "start": gettext_lazy("R, the rating before the games"),
    "con": gettext_lazy("con, what is at stake"),
    "bonus": gettext_lazy("Bonus of each game"),
    "advantage": gettext_lazy("Points for the stones"),
    "expected": gettext_lazy("Expected score"),
    "change": gettext_lazy("Change by the game"),
    "sum": gettext_lazy("Sum of the games"),
    "after": gettext_lazy("R', the rating afterwards"),
}


def receipt_line(step: Step, names: Mapping[str, str] | None = None) -> ReceiptLine:
    """Return the line of the receipt that explains a step.

    names: player names by the engine's player ids; with them, the line of a game names the opponent
    """
    lang = get_language() or ""
    name = str(STEP_NAMES[step.key])
    if "round" in step.params:
        name = _("Round %(round)s: %(step)s") % {"round": step.params["round"], "step": name}
    return ReceiptLine(
        key=step.key,
        name=name,
        sentence=names[step.params["opponent"]] if names and "opponent" in step.params else "",
        formula=localised(step.formula, lang),
        working=localised(step.working, lang) if step.working != step.formula else "",
        source=cite_rating(step.article),
    )
