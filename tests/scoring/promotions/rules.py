"""Helpers to read rule sets and store them as the form does."""

from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.services import rule_sets as service
from tests import factories as make


def rows_of(rule_set) -> list[PromotionRule]:
    rows = rule_set.rules.select_related("category", "target", "demotion_target")
    return list(rows.order_by("category__order"))


def store(rule_set, rows, by=None, note="Circular 3", read=None) -> PromotionRuleSet:
    if read is None:
        stored = PromotionRuleSet.objects.get(pk=rule_set.pk)
        read = service.digest_of(service.figures(stored))
    return service.save(rule_set, rows, read=read, by=by or make.office(), note=note)


def spans() -> list[tuple[int, int | None]]:
    """Return (first year, last year) of every rule set, earliest first."""
    rows = PromotionRuleSet.objects.order_by("valid_from").values_list("valid_from", "valid_to")
    return [(first.year, last and last.year) for first, last in rows]
