"""Change promotion rules: validate a set as a whole, and log the reason and all figures before and after.

The sets of a family follow each other without gaps: each ends the year before the next begins, so a set has
no form field for its last year. A change takes effect from a year on. If the set is also in force for earlier
years, the stored set keeps those years and the change becomes a new set. Closed years never change, and a
frozen campaign keeps the figures with which it was frozen.
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
RULE_FIGURES = tuple(
    field.name for field in PromotionRule._meta.fields if field.name not in {"id", "rule_set", "category"}
)
# The source of the shipped sets, which cannot be confirmed because no document states their figures.
PROPOSAL = gettext_noop("Proposal: neither document states quotas or thresholds.")
# Prefix of the only titles that points can lead to. ME and MM are granted by hand.
TITLES_BY_POINTS = "MN"


class Superseded(Exception):
    """Raised if somebody else has saved the rules since they were read."""


class Problem(NamedTuple):
    """A validation error of a rule set.

    category: id of the category whose rule has the error, None for the set itself
    field: name of the figure
    text: message for the user
    """

    category: int | None
    field: str
    text: str


def year_end(year: int) -> date:
    """Return the last day of a year. Rule sets begin and end on such days."""
    return date(year, 12, 31)


def closed_until(family: str) -> int:
    """Return the last year whose rules can no longer change.

    A year's rules stay open during the next year, when its category change is made. Applying that change
    closes the year and all earlier ones.
    """
    applied = PromotionCampaign.objects.filter(family=family, state=PromotionCampaign.State.APPLIED)
    last = applied.order_by("-year").values_list("year", flat=True).first()
    return max(standings.today().year - 2, last or 0)


def open_from(rule_set: PromotionRuleSet) -> int | None:
    """Return the first year for which a rule set's figures can still change; None if there is none."""
    year = max(rule_set.valid_from.year, closed_until(rule_set.family) + 1)
    return year if rule_set.holds_on(year_end(year)) else None


def ladder_on(day: date) -> list[Category]:
    """Return the categories in force on a day, without titles, lowest first.

    A rule set has a rule for each of them.
    """
    return list(Category.objects.on(day).filter(is_title=False).order_by("order"))


# --- Figures as a document ------------------------------------------------------------------------------
def figures(rule_set: PromotionRuleSet, rules: Iterable[PromotionRule] | None = None) -> dict[str, Any]:
    """Return all figures of a rule set as JSON values, with `rules` by category code, lowest first.

    rules: the rules to use instead of the stored ones; their categories and targets must be loaded
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
    """Convert a figure to a JSON value. Decimals lose trailing zeros, which not all databases keep."""
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, Category):
        return value.code
    return value.isoformat() if isinstance(value, date) else value


def digest_of(values: dict[str, Any]) -> str:
    """Return the SHA-256 of a result of `figures`.

    A form contains the digest of the figures that it was filled with, and sends it back.
    """
    return documents.digest([json.dumps(values, sort_keys=True)])


# --- Validation -----------------------------------------------------------------------------------------
def problems(rule_set: PromotionRuleSet, rules: Sequence[PromotionRule]) -> list[Problem]:
    """Validate a rule set with these rules, which need not be saved. Return all errors.

    One of the checks is that every category of the ladder has exactly one rule.
    """
    stored_from = _stored_from(rule_set)
    errors = list(_date_problems(rule_set, stored_from))
    if (rule_set.confirmed or any(rule.confirmed for rule in rules)) and rule_set.source == PROPOSAL:
        text = _("Figures are confirmed by a document of the federation: name it, with its date and page.")
        errors.append(Problem(None, "source", text))
    namesakes = PromotionRuleSet.objects.filter(name=rule_set.name)
    if not _becomes_new_set(rule_set, stored_from):
        namesakes = namesakes.exclude(pk=rule_set.pk)
    if namesakes.exists():
        errors.append(Problem(None, "name", _("Another set has this name.")))
    ladder = ladder_on(rule_set.valid_from)
    if sorted(rule.category_id for rule in rules) != sorted(category.pk for category in ladder):
        text = _("The rows are not those of the categories in force on that day. Copy the set anew.")
        errors.append(Problem(None, "valid_from", text))
    for rule in rules:
        errors += [Problem(rule.category_id, *item) for item in _row_problems(rule_set, rule, ladder)]
    return errors


def _stored_from(rule_set: PromotionRuleSet) -> date | None:
    """Return the stored `valid_from` of a rule set; None for a new set."""
    stored = PromotionRuleSet.objects.filter(pk=rule_set.pk)
    return stored.values_list("valid_from", flat=True).first() if rule_set.pk else None


def _becomes_new_set(rule_set: PromotionRuleSet, stored_from: date | None) -> bool:
    """Return whether the set now begins later than stored. It is then saved as a new set.

    The stored set keeps the earlier years.
    """
    return stored_from is not None and rule_set.valid_from > stored_from


def _date_problems(rule_set: PromotionRuleSet, stored_from: date | None) -> Iterable[Problem]:
    others = _family(rule_set).exclude(pk=rule_set.pk)
    first, closed = rule_set.valid_from, closed_until(rule_set.family)
    if first.year <= closed:
        text = _("The years up to %(closed)s are closed and keep their rules: begin with %(next)s or later.")
        yield Problem(None, "valid_from", text % {"closed": closed, "next": closed + 1})
    elif others.filter(valid_from=first).exists():
        yield Problem(None, "valid_from", _("Another set begins with that year."))
    elif stored_from and others.filter(valid_from__range=sorted((stored_from, first))).exists():
        yield Problem(None, "valid_from", _("Another set begins in between: the sets keep their order."))


def _row_problems(
    rule_set: PromotionRuleSet, rule: PromotionRule, ladder: Sequence[Category]
) -> Iterable[tuple[str, str]]:
    """Yield (field, message) for each error of one category's rule."""
    if rule.target is not None:
        yield from _target_problems(rule_set, rule, rule.target, ladder)
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


def _target_problems(
    rule_set: PromotionRuleSet, rule: PromotionRule, target: Category, ladder: Sequence[Category]
) -> Iterable[tuple[str, str]]:
    day = rule_set.valid_from
    if target.order <= rule.category.order:
        yield "target", _("Moving up leads to a higher category.")
    elif target.is_title and not may_lead_to(rule.category, target, ladder):
        yield "target", _("Only the last step leads to a title, and only to MN; others are given by hand.")
    elif not target.valid_from <= day <= (target.valid_to or day):
        yield "target", _("This category is not in force on that day.")
    if (rule.top_share, rule.top_count, rule.points_threshold) == (None, None, None):
        yield "top_share", _("Say how many move up: a share, a number of places or points.")


def may_lead_to(category: Category, target: Category, ladder: Sequence[Category]) -> bool:
    """Return whether points in a category can lead to the title `target`.

    Only the highest category of the ladder leads to a title, and only to MN.
    """
    return target.code.startswith(TITLES_BY_POINTS) and bool(ladder) and category.pk == ladder[-1].pk


# --- Writing --------------------------------------------------------------------------------------------
@transaction.atomic
def save(
    rule_set: PromotionRuleSet, rules: Sequence[PromotionRule], *, read: str, by, note: str
) -> PromotionRuleSet:
    """Store a rule set with all its rules, and return the stored set.

    A set without a primary key is added as a new one; any other set is changed. There is one exception: if
    the user moved the first year of a stored set to a later year, the user's version is added as a new set.
    The stored set then stays in force until the year before.

    Raises Superseded if the stored figures have changed since the form was filled. Raises ValidationError if
    the set is invalid or unchanged.

    read: digest of the figures with which the form was filled. These are the set's own figures or, for a new
        set, the figures of the set from which it was copied.
    by, note: the account and the reason, for the log
    """
    # Lock all sets, in a fixed order, because their dates depend on each other. Read them after locking,
    # because the previous holder of the locks may have added a set.
    list(_family(rule_set).select_for_update().order_by("pk"))
    stored = {item.pk: item for item in _family(rule_set)}
    before = {pk: figures(item) for pk, item in stored.items()}
    base = before[rule_set.pk] if rule_set.pk else before[latest(stored.values()).pk]
    if digest_of(base) != read:
        raise Superseded
    if errors := problems(rule_set, rules):
        raise ValidationError([error.text for error in errors])
    stored_pk = rule_set.pk
    if stored_pk and _becomes_new_set(rule_set, stored[stored_pk].valid_from):
        if _same_figures(figures(rule_set, rules), base):
            raise ValidationError(_("Nothing was changed."))
        _as_new(rule_set, *rules)
    rule_set.save()
    rule_set.rules.exclude(category__in=[rule.category_id for rule in rules]).delete()
    for rule in rules:
        rule.rule_set = rule_set
        rule.save()
    _close_gaps(rule_set)
    if stored_pk and stored_pk != rule_set.pk:
        before[rule_set.pk] = before[stored_pk]
    _log_changes(rule_set, before, by, note)
    standings.bump()  # public pages show the rules
    return rule_set


def _log_changes(rule_set: PromotionRuleSet, before: dict[int, dict[str, Any]], by, note: str) -> None:
    """Compare all rule sets of the family with their figures before. Log every set whose figures differ.

    Raises ValidationError if no figures differ.

    rule_set: any set of the family
    before: {id of a rule set: its figures before the change}
    """
    after = [(item, figures(item)) for item in _family(rule_set)]
    changed = [(item, new) for item, new in after if before.get(item.pk) != new]
    if not changed:
        raise ValidationError(_("Nothing was changed."))
    for item, new in changed:
        RuleSetChange.objects.create(
            rule_set=item, by=by, note=note, before=before.get(item.pk, {}), after=new
        )


def _same_figures(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Return whether two rule sets have the same figures, apart from their names and years."""
    own = {"name", "valid_from", "valid_to"}
    return all(first[name] == second[name] for name in first.keys() - own)


def _as_new(*rows: PromotionRuleSet | PromotionRule) -> None:
    """Turn instances into unsaved ones, so that saving them creates new rows."""
    for row in rows:
        row.pk, row._state.adding = None, True


def usual_name(family: str, year: int) -> str:
    """Return the default name of a rule set, for example "AEB 2026"."""
    return f"{family.upper()} {year}"


def copy(rule_set: PromotionRuleSet) -> tuple[PromotionRuleSet, list[PromotionRule]]:
    """Return an unsaved, unconfirmed copy of a rule set and its rules, beginning one year later."""
    rules = list(rule_set.rules.select_related("category", "target", "demotion_target"))
    _as_new(*rules)
    for rule in rules:
        rule.confirmed = False
    year = rule_set.valid_from.year + 1
    new = PromotionRuleSet(
        family=rule_set.family,
        name=usual_name(rule_set.family, year),
        valid_from=year_end(year),
        average=rule_set.average,
        field_weight=rule_set.field_weight,
        claims_days=rule_set.claims_days,
        source=rule_set.source,
    )
    return new, rules


def latest(sets: Iterable[PromotionRuleSet]) -> PromotionRuleSet:
    """Return the rule set that begins last."""
    return max(sets, key=lambda rule_set: rule_set.valid_from)


def _family(rule_set: PromotionRuleSet):
    return PromotionRuleSet.objects.filter(family=rule_set.family)


def _close_gaps(rule_set: PromotionRuleSet) -> None:
    """Set the last year of all rule sets of the family: the year before the next set begins.

    The last set gets no last year.
    """
    ordered = list(_family(rule_set).order_by("valid_from"))
    for item, following in zip(ordered, [*ordered[1:], None], strict=True):
        end = None if following is None else year_end(following.valid_from.year - 1)
        if item.valid_to != end:
            item.valid_to = end
            item.save(update_fields=["valid_to"])
