"""Describe promotion rules, players' states and the decisions on players in words."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.criteria import CRITERIA, PRIVATE, STATES
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure.averages import Method
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import Place, PlaceState, Rule
from scoring.promotions.queries import plans
from scoring.promotions.queries.campaigns import Row
from scoring.promotions.queries.candidates import criteria
from scoring.promotions.services.rule_sets import PROPOSAL
from ui.formatting import category_name, format_date, format_decimal, format_fixed

# Label and explanation of each figure of a rule, shown beside the office's form.
EXPLAINED = [
    (_("Moves up to"), _("The category that whoever is chosen gets. Empty: nobody moves up by points.")),
    *((criterion.field.label, criterion.explanation) for criterion in CRITERIA if criterion.explanation),
    (_("Moves down to"), _("The category of whoever has less than the next figure. Empty: nobody.")),
    (_("Confirmed by the federation"), _("These figures stand in the document named as the source.")),
]
SHOWN = {criterion.column: criterion.shown for criterion in CRITERIA if criterion.shown}
KEPT_BACK = _("does not move up")


# --- Rules --------------------------------------------------------------------------------------------------
def source_of(rule_set: PromotionRuleSet) -> str:
    """Return the source of a rule set's figures, translated if it is the source of the shipped sets."""
    return gettext(PROPOSAL) if rule_set.source == PROPOSAL else rule_set.source


def years_of(rule_set: PromotionRuleSet) -> str:
    """Describe the years at whose end the rule set is in force, for example "2022–2025"."""
    first, last = rule_set.valid_from.year, rule_set.valid_to and rule_set.valid_to.year
    if last is None:
        return gettext("from %(first)s on") % {"first": first}
    return str(first) if first == last else f"{first}–{last}"


def sentences(rule: PromotionRule, average: str) -> list[str]:
    """Describe a category's rule in sentences, with its criteria and targets.

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


def rule_words(rule: Rule) -> list[str]:
    """Describe the criteria of a rule in sentences."""
    return [text for criterion in CRITERIA for text in criterion.sentences(rule, _lang())]


# --- What changed ---------------------------------------------------------------------------------------
class FigureChange(NamedTuple):
    """One figure before and after a change.

    category: the category's name, "" for figures of the set itself
    """

    category: str
    label: str
    before: str
    after: str


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


def _code(code: str) -> str:
    name = category_name(code, _lang())
    return name.text + name.glyph


# --- Players ------------------------------------------------------------------------------------------------
def public_state(state: PlaceState) -> str:
    """Describe a player's state to the public. All private states have the same text.

    state: state of a place that `selection.public_view` has returned
    """
    return str(KEPT_BACK if state in PRIVATE else STATES[state])


def hindrance(state: PlaceState, *, own: bool) -> str:
    """Describe the reason, other than points, that keeps a player from moving up; "" if there is none.

    own: whether the text is for the player, who may read private reasons
    """
    if state.up or state in (PlaceState.BELOW, PlaceState.LOW):
        return ""
    return str(STATES[state]) if own else public_state(state)


def state_words(place: Place, document: ListDocument) -> str:
    """Explain a player's state, with the decisive figures, to the office and the committee."""
    text = STATES[place.state].explain(place, document, _lang())
    if document.rule.looks_at_average and place.entrant.average is None and place.state.up:
        return gettext("%(text)s; there is no modified average") % {"text": text}
    return text


def own_words(place: Place) -> str:
    """Explain a player's state to the player, without the figures, which the page shows separately."""
    return _moving_words(place) or str(STATES[place.state])


def public_words(row: Row) -> str:
    """Explain a player's row of a list to the public, without percentages or private reasons.

    All players who have enough points but stay get the same text, whether a decision or the rules keep them,
    so that the text never discloses a death.

    row: as returned by `public_row`
    """
    state = row.place.state
    if row.decision is None:
        return _moving_words(row.place) or public_state(state)
    if not row.final and (state.up or state in PRIVATE):
        return str(KEPT_BACK)
    return gettext("%(text)s, by decision of the federation") % {"text": move_words(row.target)}


def _moving_words(place: Place) -> str:
    if place.state == PlaceState.TIED:
        return gettext("moves up, tied at the cut")
    return gettext("moves up") if place.state.up else ""


def review_words(document: ListDocument, row: Row) -> str:
    """Describe a player's row to the office and the committee: the decision with its reason, or the state."""
    if row.decision is None:
        return state_words(row.place, document)
    values = {"text": move_words(row.target), "reason": row.decision.reason}
    return gettext("decided: %(text)s (%(reason)s)") % values


def move_words(target: str | None) -> str:
    """Describe to which category a player moves. `target` is its code, or None if the player stays."""
    return gettext("moves to %(code)s") % {"code": target} if target else gettext("stays")


def with_method(sessions: list[dict]) -> list[dict]:
    """Return the session records, each with a text `how` that says how its percentage was adjusted."""
    return [{**session, "how": _method_words(session)} for session in sessions]


def _method_words(session: dict) -> str:
    if session["method"] == Method.BOARDS:
        return gettext("opponents met, from the boards")
    if session["method"] == Method.FIELD:
        values = {
            "c4": format_decimal(session["field_c4"], _lang()),
            "shift": _signed(session["shift"], _lang()),
        }
        return gettext("field with C4 %(c4)s: %(shift)s") % values
    return gettext("nothing: as the ranking says")


def _signed(number: Decimal, lang: str) -> str:
    return f"{'+' if number > 0 else ''}{format_fixed(number, lang, 2)}"


def _lang() -> str:
    return get_language() or ""


def problem_words(code: str) -> str:
    """Explain why applying skipped, or would skip, a listed player. `code` is a `Grant.problem`."""
    words = {
        plans.CHANGED: gettext("not changed: the category is another one meanwhile"),
        plans.DECEASED: gettext("not changed: deceased"),
        plans.MERGED: gettext("not changed: the number was merged into another one"),
    }
    return words[code]
