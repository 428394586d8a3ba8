"""The receipt of an award: every step from the ranking to the points.

A receipt runs the engine again on the stored inputs and compares the result with the posted points, so that
pages can report a difference.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import regulations
from scoring.engine.errors import EngineError
from scoring.engine.types import Award, Step
from scoring.ledger import place_wording
from scoring.ledger.evaluation import FieldResult
from scoring.ledger.models import LedgerEntry
from scoring.ledger.snapshots import evaluation_of
from scoring.ledger.wording import FIELD_NAMES, by_place, citation
from scoring.regulations.aeb.scheme import Scheme
from ui.counting import counted
from ui.formatting import category_name, format_decimal, format_whole, language

NAMES = {
    "C1": gettext_lazy("C1, kind of tournament"),
    "C2": gettext_lazy("C2, boards"),
    "n": gettext_lazy("n, size of the field"),
    "C3": gettext_lazy("C3, size of the field"),
    "C4": gettext_lazy("C4, strength of the field"),
    "C5": gettext_lazy("C5, venue"),
    "p_max": gettext_lazy("Pmax, points of the first"),
    "p_min": gettext_lazy("Pmin, points of the last"),
    "i": gettext_lazy("i, the place in the formula"),
    "award": gettext_lazy("P, points of the place"),
    "rounding": gettext_lazy("Rounding"),
}
CONTESTANTS = {"pairs": "pair", "teams": "team", "individual": "player"}  # nouns of `counted`
_DECIMAL_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One step of a receipt in words: name, description, formula, formula with numbers, source and value."""

    key: str
    name: str
    sentence: str
    formula: str
    working: str
    source: str
    value: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Factor:
    """A coefficient of a tournament: its name, what it is about in a few words, and its value."""

    name: str
    about: str
    value: Decimal


def factors_of(regulation: Scheme, field: FieldResult) -> list[Factor]:
    """Return the coefficients of a ranking scored by the AEB. Their product is the points of the first."""
    event, values = field.event, field.result.coefficients
    about = {
        "C1": _within(regulation.event_types.row(event.event_type).label),
        "C2": counted(event.boards, "board"),
        "C3": counted(event.count, CONTESTANTS[event.format]),
        "C4": _("categories"),
        "C5": _within(regulation.venues.row(event.venue).label),
    }
    return [Factor(name, about[name], value) for name, value in values.items()]


def _within(label: str) -> str:
    """Return a label in the active language as it is written within a line."""
    text = _(label)
    return text[:1].lower() + text[1:]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The derivation of an award, step by step.

    computed: points, in hundredths, that the engine computes today
    posted: points, in hundredths, in the ledger
    instead_of: code of the regulation in force on the tournament's day if the office chose another one,
        else ""
    scored: the result of the field in which the player was ranked
    award: what the engine gives the player's contestant; None if the tournament does not count
    """

    lines: tuple[ReceiptLine, ...]
    computed: int
    posted: int
    field: str
    instead_of: str
    regulation: Any
    scored: FieldResult
    award: Award | None

    @property
    def agrees(self) -> bool:
        """Whether the engine still computes the posted points."""
        return self.computed == self.posted

    @property
    def factors(self) -> list[Factor]:
        """The coefficients whose product is the points of the first; empty for points by place alone."""
        return [] if by_place(self.regulation.code) else factors_of(self.regulation, self.scored)


def receipt_of(entry: LedgerEntry, lang: str) -> Receipt:
    """Return the receipt of an award entry. Raise EngineError if its stored inputs cannot be read."""
    assert entry.run is not None and entry.contestant is not None  # every award has a run and a contestant
    evaluation = evaluation_of(entry.run)
    position = entry.contestant.position
    scored = evaluation.field_of(position)
    regulation = evaluation.regulation
    steps = regulation.explain(scored.event, scored.result, str(position))
    return Receipt(
        lines=tuple(receipt_line(step, regulation.code, lang) for step in steps),
        computed=evaluation.points_by_position.get(position, 0),
        posted=entry.points,
        field=str(FIELD_NAMES[scored.field]),
        instead_of=_instead_of(regulation, scored.event.date),
        regulation=regulation,
        scored=scored,
        award=next((award for award in scored.result.awards if award.contestant == str(position)), None),
    )


def _instead_of(regulation: Any, day: date) -> str:
    """Return the code of the regulation of the same family in force on `day`.

    Return "" if that is `regulation`, or if none was in force.
    """
    if regulation.family not in regulations.families():
        return ""
    try:
        code = regulations.in_force(regulation.family, day).code
    except EngineError:
        return ""
    return "" if code == regulation.code else code


def localised(text: str, lang: str) -> str:
    """Return a formula with the decimal sign of the language."""
    return text if language(lang) == "en" else _DECIMAL_POINT.sub(",", text)


def receipt_line(step: Step, regulation: str, lang: str) -> ReceiptLine:
    """Describe a step of a receipt in words.

    regulation: code of the regulation that scored the tournament
    """
    placed = by_place(regulation)
    return ReceiptLine(
        key=step.key,
        name=str((place_wording.NAMES if placed else NAMES)[step.key]),
        sentence=place_wording.sentence(step, lang) if placed else _sentence(step, lang),
        formula=localised(step.formula, lang),
        working=localised(step.working, lang) if step.working != step.formula else "",
        source=citation(regulation, step.article, step.table),
        value=step.value,
    )


def _sentence(step: Step, lang: str) -> str:
    """Return a sentence that describes the step, or "" if its name and formula suffice."""
    if step.key in ("C1", "C5"):
        return _(step.params["label"])
    if step.key == "rounding":
        return _("Once, at the end, to two decimals; a half goes up.")
    words = {
        "C2": _curve_words,
        "C3": _curve_words,
        "C4": _strength_words,
        "i": _place_words,
        "award": _award_words,
        "n": _field_words,
    }.get(step.key)
    return words(step, lang) if words else ""


def _curve_words(step: Step, lang: str) -> str:
    values = {"low": step.params["low"], "high": step.params["high"]}
    return {
        ("C2", "low"): _("Boards: no more than %(low)s, the least value of the table."),
        ("C2", "high"): _("Boards: %(high)s or more, the greatest value of the table."),
        ("C2", "formula"): _("Boards that the winner played."),
        ("C3", "low"): _("n is no more than %(low)s: the least value of the table."),
        ("C3", "high"): _("n is %(high)s or more: the greatest value of the table."),
        ("C3", "formula"): _("Grows with the size of the field."),
    }[step.key, step.code] % values


def _strength_words(step: Step, lang: str) -> str:
    if step.code == "given":
        return _("Stated for this tournament.")
    if step.code == "all_unclassified":
        return _("Nobody has a category: the least value of the table.")
    values = {
        "classified": counted(step.params["classified"], "player"),
        "unclassified": format_whole(step.params["unclassified"], lang),
        "sum": format_decimal(step.params["sum"], lang),
    }
    players = _("Counted: %(players)s.") % {"players": _category_words(step.params["counts"], lang)}
    if step.params["unclassified"]:
        text = _(
            "Mean of %(classified)s with a category; sum of the values: %(sum)s. "
            "Left out, without a category: %(unclassified)s."
        )
    else:
        text = _("Mean of %(classified)s; sum of the values: %(sum)s.")
    return f"{text % values} {players}"


def _category_words(counts: Iterable[tuple[str, int, Decimal]], lang: str) -> str:
    """Format how many players each category has and its value: "2 × 3D♦ (1.1), 4 × 1P♠ (2.17)".

    counts: (category, number of players, value of the category)
    """
    named = ((category_name(code, lang), number, value) for code, number, value in counts)
    return ", ".join(
        f"{format_whole(number, lang)} × {name.text}{name.glyph} ({format_decimal(value, lang)})"
        for name, number, value in named
    )


def _field_words(step: Step, lang: str) -> str:
    noun, text = {
        "pairs": ("pair", _("%(contestants)s.")),
        "teams": ("team", _("%(contestants)s; a team counts as two pairs.")),
        "individual": ("player", _("%(contestants)s; two players count as a pair.")),
    }[step.code]
    return text % {"contestants": counted(step.params["contestants"], noun)}


def _place_words(step: Step, lang: str) -> str:
    return place_wording.place(step, lang) if "place" in step.params else ""


def _award_words(step: Step, lang: str) -> str:
    return {
        "tie_mean": _("Those who share a place get the mean of the points of the places they take up."),
        "only_pair": _("With a single pair, its points are Pmax."),
        "last": _("From the last place on the points are Pmin."),
        "first": _("The first gets Pmax."),
        "formula": "",
    }[step.code]
