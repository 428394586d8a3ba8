"""Describe promotion rules in words: each figure as a sentence, explanations, and changes of figures."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.criteria import CRITERIA
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.queries.candidates import criteria
from scoring.promotions.services.rule_sets import PROPOSAL
from scoring.promotions.wording import rule_words
from ui.formatting import category_name, format_date, format_decimal

# Label and explanation of each figure of a rule, shown beside the office's form.
EXPLAINED = [
    (_("Moves up to"), _("The category that whoever is chosen gets. Empty: nobody moves up by points.")),
    *((criterion.field.label, criterion.explanation) for criterion in CRITERIA if criterion.explanation),
    (_("Moves down to"), _("The category of whoever has less than the next figure. Empty: nobody.")),
    (_("Confirmed by the federation"), _("These figures stand in the document named as the source.")),
]
SHOWN = {criterion.column: criterion.shown for criterion in CRITERIA if criterion.shown}


class FigureChange(NamedTuple):
    """One figure before and after a change. `category` is a code, empty for figures of the set itself."""

    category: str
    label: str
    before: str
    after: str


def source_of(rule_set: PromotionRuleSet) -> str:
    """Return the source of a rule set's figures. The text of the shipped proposal is translated."""
    return gettext(PROPOSAL) if rule_set.source == PROPOSAL else rule_set.source


def years_of(rule_set: PromotionRuleSet) -> str:
    """Describe the years at whose end the rule set is in force, for example "2022–2025"."""
    first, last = rule_set.valid_from.year, rule_set.valid_to and rule_set.valid_to.year
    if last is None:
        return gettext("from %(first)s on") % {"first": first}
    return str(first) if first == last else f"{first}–{last}"


def sentences(rule: PromotionRule, average: str) -> list[str]:
    """Describe a category's rule, one sentence per figure.

    average: the rule set's method of the modified average (`PromotionRuleSet.Average`)
    """
    texts = [gettext("Nobody of this category moves up by points.")] if rule.target is None else []
    if rule.target or rule.demotion_target:
        texts += rule_words(criteria(rule))
    if rule.target and not rule.licence_required:
        texts.append(gettext("Players without a licence count too."))
    shown = average != PromotionRuleSet.Average.NONE and rule.average_effect == PromotionRule.Effect.NONE
    if rule.target and shown:
        texts.append(gettext("The modified average is shown; it decides nothing."))
    if rule.demotion_target:
        text = gettext("Whoever moves down gets %(category)s.")
        texts.append(text % {"category": _code(rule.demotion_target.code)})
    return texts


# --- What changed ---------------------------------------------------------------------------------------
def differences(before: dict[str, Any], after: dict[str, Any]) -> list[FigureChange]:
    """Return the figures that differ between two results of `rule_sets.figures`.

    Return [] for a new set, for which `before` is empty.
    """
    if not before:
        return []
    changes = list(_changed("", PromotionRuleSet, before, after, skip={"rules"}))
    for code in {**before["rules"], **after["rules"]}:
        old, new = before["rules"].get(code, {}), after["rules"].get(code, {})
        changes += _changed(_code(code), PromotionRule, old, new)
    return changes


def _changed(
    category: str, model: Any, before: dict[str, Any], after: dict[str, Any], skip: Iterable[str] = ()
) -> Iterator[FigureChange]:
    for name in {**before, **after}:
        if name not in skip and before.get(name) != after.get(name):
            field = model._meta.get_field(name)
            old, new = (_figure_text(field, values.get(name)) for values in (before, after))
            yield FigureChange(category, str(field.verbose_name), old, new)


def _figure_text(field: Any, value: Any) -> str:
    """Format a figure for display. `value` is a JSON value of the model's `field`."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if shown := SHOWN.get(field.name):
        return shown(value, _lang())
    if field.name in {"target", "demotion_target"}:
        return _code(value)
    if field.choices:
        return str(dict(field.flatchoices).get(value, value))
    kind = field.get_internal_type()
    if kind == "DecimalField":
        return format_decimal(Decimal(value), _lang(), 2)
    if kind == "DateField":
        return format_date(date.fromisoformat(value), _lang())
    return gettext(PROPOSAL) if value == PROPOSAL else str(value)


def _lang() -> str:
    return get_language() or ""


def _code(code: str) -> str:
    name = category_name(code, _lang())
    return name.text + name.glyph
