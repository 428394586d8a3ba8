"""Read the simulations that workers computed, and tell whether they still hold."""

from datetime import date
from typing import Any

from scoring.ledger.conditional import standings_state
from scoring.promotions.models import CampaignSnapshot, PromotionRuleSet, Simulation
from scoring.promotions.pure.documents import digest
from scoring.promotions.queries.candidates import criteria

FORMAT = 1  # to be increased when the structure of the results changes


def simulation_of(
    day: date,
    rule_set: PromotionRuleSet,
    *,
    other_rules: PromotionRuleSet | None = None,
    snapshot: CampaignSnapshot | None = None,
) -> Simulation | None:
    """Return the stored simulation, None if nobody has asked for it yet. One query."""
    rows = Simulation.objects.select_related("rule_set", "other_rules", "snapshot__campaign")
    return rows.filter(day=day, rule_set=rule_set, other_rules=other_rules, snapshot=snapshot).first()


def result_of(simulation: Simulation | None) -> dict[str, Any] | None:
    """Return the result, None if there is none yet, or none that this version of the program can read."""
    result = simulation.result if simulation else None
    return result if result and result["format"] == FORMAT else None


def is_current(simulation: Simulation) -> bool:
    """Return whether nothing has changed since that the result may depend on. Two or three queries."""
    now = standings_state().version, rules_digest(simulation)
    return (simulation.version, simulation.rules) == now


def rules_digest(simulation: Simulation) -> str:
    """Return a digest of the figures of the simulation's rules, as they are now."""
    rule_sets = [rule_set for rule_set in (simulation.rule_set, simulation.other_rules) if rule_set]
    return digest(part for rule_set in rule_sets for part in _figures(rule_set))


def _figures(rule_set: PromotionRuleSet) -> list[str]:
    rows = rule_set.rules.order_by("category__order")
    rules = [(row.category_id, row.target_id, row.demotion_target_id, criteria(row)) for row in rows]
    return [rule_set.average, str(rule_set.field_weight), repr(rules)]
