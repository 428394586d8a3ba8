"""Promotion rules change here alone: checked as a whole, noting why, and every figure before and after.

The sets of a family follow each other without a gap: each ends the year before the next begins, so its last
year is never typed. Figures change from a year on: where a set also holds for years before that, these keep
it as it is, and the change becomes a set of its own. Closed years never get other figures, and a frozen
campaign keeps those it was frozen with.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.models import Category
from scoring.ledger.services import standings
from scoring.promotions.models import PromotionCampaign, PromotionRule, PromotionRuleSet, RuleSetChange
from scoring.promotions.pure import documents

SET_FIGURES = (
    "name",
    "valid_from",
    "valid_to",
    "average",
    "field_weight",
    "claims_days",
    "source",
    "confirmed",
)
RULE_FIGURES = (
    "target", "top_share", "minimum", "top_count", "points_threshold", "minimum_tournaments",
    "licence_required", "average_threshold", "average_effect", "blocked_place", "demotion_target",
    "demotion_threshold", "confirmed",
)  # fmt: skip
# What the shipped sets name as their source: figures that nobody has stated cannot be confirmed with it.
PROPOSAL = gettext_noop("Proposal: neither document states quotas or thresholds.")
# The only titles that points can lead to; ME and MM are granted by hand.
TITLES_BY_POINTS = "MN"


class Superseded(Exception):
    """Somebody saved the rules after they were read."""


class Problem(NamedTuple):
    """What is wrong with a figure: `category` is the row's id, None for the set itself."""

    category: int | None
    field: str
    text: str


def year_end(year: int) -> date:
    """The day that a set is dated with."""
    return date(year, 12, 31)


def closed_until(family: str) -> int:
    """The last year whose rules are closed.

    A year's rules stay open for the whole of the next, in which its category change is made; applying that
    closes it, and every year before it.
    """
    applied = PromotionCampaign.objects.filter(family=family, state=PromotionCampaign.State.APPLIED)
    last = applied.order_by("-year").values_list("year", flat=True).first()
    return max(standings.today().year - 2, last or 0)


def open_from(rule_set: PromotionRuleSet) -> int | None:
    """The first year whose figures can still be changed; None where the set holds for closed years alone."""
    year = max(rule_set.valid_from.year, closed_until(rule_set.family) + 1)
    return year if rule_set.holds_on(year_end(year)) else None


def steps_of(day: date) -> list[Category]:
    """The steps, lowest first, of the ladder in force on a day: each has a row in a set of that year end."""
    return list(Category.objects.on(day).filter(is_title=False).order_by("order"))


# --- Figures as a document ------------------------------------------------------------------------------
def figures(rule_set: PromotionRuleSet, rules: Iterable[PromotionRule] | None = None) -> dict[str, Any]:
    """All figures of a set as JSON, decimals and days as text; `rules` by category code, lowest first.

    rules: those to take instead of the stored ones; their categories and targets must be at hand
    """
    if rules is None:
        rules = rule_set.rules.select_related("category", "target", "demotion_target")
    rows = sorted(rules, key=lambda rule: rule.category.order)
    return {
        **{name: _plain(getattr(rule_set, name)) for name in SET_FIGURES},
        "rules": {
            rule.category.code: {name: _plain(getattr(rule, name)) for name in RULE_FIGURES} for rule in rows
        },
    }


def _plain(value: Any) -> Any:
    """As JSON has it; a decimal without the zeros that one database keeps and another does not."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, Category):
        return value.code
    return value.isoformat() if isinstance(value, date) else value


def digest_of(found: dict[str, Any]) -> str:
    """SHA-256 of figures: whoever saves says by it which ones they had read."""
    return documents.digest([json.dumps(found, sort_keys=True)])


# --- What may not be ------------------------------------------------------------------------------------
def problems(rule_set: PromotionRuleSet, rules: Sequence[PromotionRule]) -> list[Problem]:
    """Everything that forbids saving a set with these rows, one of each step."""
    was = _stored_from(rule_set)
    found = [*_dates(rule_set, was), *_source(rule_set, rules)]
    others = PromotionRuleSet.objects.filter(name=rule_set.name)
    if (others if _is_version(rule_set, was) else others.exclude(pk=rule_set.pk)).exists():
        found.append(Problem(None, "name", _("Another set has this name.")))
    steps = steps_of(rule_set.valid_from)
    if sorted(rule.category_id for rule in rules) != sorted(step.pk for step in steps):
        text = _("The rows are not those of the categories in force on that day. Copy the set anew.")
        found.append(Problem(None, "valid_from", text))
    for rule in rules:
        found += [Problem(rule.category_id, *each) for each in _of_row(rule_set, rule, steps)]
    return found


def _stored_from(rule_set: PromotionRuleSet) -> date | None:
    """The day that the stored set is dated with; None for a new one."""
    stored = PromotionRuleSet.objects.filter(pk=rule_set.pk)
    return stored.values_list("valid_from", flat=True).first() if rule_set.pk else None


def _is_version(rule_set: PromotionRuleSet, was: date | None) -> bool:
    """Whether the figures hold from a later year on than the stored set, which keeps the years before."""
    return was is not None and rule_set.valid_from > was


def _dates(rule_set: PromotionRuleSet, was: date | None) -> Iterable[Problem]:
    others = _family(rule_set).exclude(pk=rule_set.pk)
    first, closed = rule_set.valid_from, closed_until(rule_set.family)
    if first.year <= closed:
        text = _("The years up to %(closed)s are closed and keep their rules: begin with %(next)s or later.")
        yield Problem(None, "valid_from", text % {"closed": closed, "next": closed + 1})
    elif others.filter(valid_from=first).exists():
        yield Problem(None, "valid_from", _("Another set begins with that year."))
    elif was is not None and others.filter(valid_from__range=sorted((was, first))).exists():
        yield Problem(None, "valid_from", _("Another set begins in between: the sets keep their order."))


def _source(rule_set: PromotionRuleSet, rules: Sequence[PromotionRule]) -> Iterable[Problem]:
    if (rule_set.confirmed or any(rule.confirmed for rule in rules)) and rule_set.source == PROPOSAL:
        text = _("Figures are confirmed by a document of the federation: name it, with its date and page.")
        yield Problem(None, "source", text)


def _of_row(
    rule_set: PromotionRuleSet, rule: PromotionRule, steps: Sequence[Category]
) -> Iterable[tuple[str, str]]:
    """(field, what is wrong) of one category."""
    if rule.target is not None:
        yield from _upwards(rule_set, rule, rule.target, steps)
    down = rule.demotion_target
    if down is not None and (down.order >= rule.category.order or down.is_title):
        yield "demotion_target", _("Moving down leads to a lower category.")
    if (down is None) != (rule.demotion_threshold is None):
        yield "demotion_threshold", _("Moving down needs both: a category, and the points below which.")
    if rule.average_effect != PromotionRule.Effect.NONE:
        if rule.average_threshold is None:
            yield "average_threshold", _("Say below which average it warns or blocks.")
        if rule_set.average == PromotionRuleSet.Average.NONE:
            yield "average_effect", _("These rules work out no average: it can neither warn nor block.")


def _upwards(
    rule_set: PromotionRuleSet, rule: PromotionRule, target: Category, steps: Sequence[Category]
) -> Iterable[tuple[str, str]]:
    day = rule_set.valid_from
    if target.order <= rule.category.order:
        yield "target", _("Moving up leads to a higher category.")
    elif target.is_title and not may_lead_to(rule.category, target, steps):
        yield "target", _("Only the last step leads to a title, and only to MN; others are given by hand.")
    elif not target.valid_from <= day <= (target.valid_to or day):
        yield "target", _("This category is not in force on that day.")
    if (rule.top_share, rule.top_count, rule.points_threshold) == (None, None, None):
        yield "top_share", _("Say how many move up: a share, a number of places or points.")


def may_lead_to(category: Category, target: Category, steps: Sequence[Category]) -> bool:
    """Whether points of a category can lead to a title."""
    return target.code.startswith(TITLES_BY_POINTS) and bool(steps) and category.pk == steps[-1].pk


# --- Writing --------------------------------------------------------------------------------------------
@transaction.atomic
def save(
    rule_set: PromotionRuleSet, rules: Sequence[PromotionRule], *, read: str, by, note: str
) -> PromotionRuleSet:
    """Store a changed set, or a new one (without a key), with all its rows; returns the set that has them.

    A stored set with a later first year than before becomes a new one, which the old one ends before.

    read: the digest of what the changes were made to: the set's own figures, or those of the copied set
    Raises Superseded if they are others now, ValidationError for what may not be or changes nothing.
    """
    # All of them, in one order: dates of one depend on the others'. Read again once they are locked, because
    # whoever held the locks before may have entered a new one.
    list(_family(rule_set).select_for_update().order_by("pk"))
    stored = {each.pk: each for each in _family(rule_set)}
    before = {pk: figures(each) for pk, each in stored.items()}
    base = before[rule_set.pk] if rule_set.pk else before[latest(stored.values()).pk]
    if digest_of(base) != read:
        raise Superseded
    if wrong := problems(rule_set, rules):
        raise ValidationError([each.text for each in wrong])
    changed_from = rule_set.pk
    if changed_from and _is_version(rule_set, stored[changed_from].valid_from):
        if _same_figures(figures(rule_set, rules), base):
            raise ValidationError(_("Nothing was changed."))
        as_new(rule_set, rules)
    rule_set.save()
    rule_set.rules.exclude(category__in=[rule.category_id for rule in rules]).delete()
    for rule in rules:
        rule.rule_set = rule_set
        rule.save()
    _close_gaps(rule_set)
    after = {each.pk: (each, figures(each)) for each in _family(rule_set)}
    if changed_from and changed_from != rule_set.pk:
        before[rule_set.pk] = before[changed_from]
    changed = [(each, now) for pk, (each, now) in after.items() if before.get(pk) != now]
    if not changed:
        raise ValidationError(_("Nothing was changed."))
    for each, now in changed:
        RuleSetChange.objects.create(
            rule_set=each, by=by, note=note, before=before.get(each.pk, {}), after=now
        )
    standings.bump()  # public pages show the rules
    return rule_set


def _same_figures(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two sets say the same of the years that they hold for."""
    own = {"name", "valid_from", "valid_to"}
    return all(one[name] == other[name] for name in one.keys() - own)


def as_new(rule_set: PromotionRuleSet, rules: Iterable[PromotionRule]) -> None:
    """Make what was read of a stored set one that is not stored yet; the stored one stays as it is."""
    for row in (rule_set, *rules):
        row.pk, row._state.adding = None, True


def usual_name(family: str, year: int) -> str:
    """What a set is called if nobody calls it otherwise."""
    return f"{family.upper()} {year}"


def copy(rule_set: PromotionRuleSet) -> tuple[PromotionRuleSet, list[PromotionRule]]:
    """An unsaved set like this one with its rows, from the next year end on; nothing of it is confirmed."""
    rules = list(rule_set.rules.select_related("category", "target", "demotion_target"))
    as_new(PromotionRuleSet(), rules)
    for rule in rules:
        rule.confirmed = False
    year = rule_set.valid_from.year + 1
    new = PromotionRuleSet(
        family=rule_set.family, name=usual_name(rule_set.family, year), valid_from=year_end(year),
        average=rule_set.average, field_weight=rule_set.field_weight, claims_days=rule_set.claims_days,
        source=rule_set.source,
    )  # fmt: skip
    return new, rules


def latest(sets: Iterable[PromotionRuleSet]) -> PromotionRuleSet:
    """The set that begins last."""
    return max(sets, key=lambda each: each.valid_from)


def _family(rule_set: PromotionRuleSet):
    return PromotionRuleSet.objects.filter(family=rule_set.family)


def _close_gaps(rule_set: PromotionRuleSet) -> None:
    """Let each set end the year before the next begins, and the last one never."""
    ordered = list(_family(rule_set).order_by("valid_from"))
    for each, following in zip(ordered, [*ordered[1:], None], strict=True):
        end = None if following is None else year_end(following.valid_from.year - 1)
        if each.valid_to != end:
            each.valid_to = end
            each.save(update_fields=["valid_to"])
