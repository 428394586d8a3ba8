"""Ask workers for a simulated category change, or for the late results of frozen lists, and compute them.

All players' figures of a year are read, which takes long in a large federation. So no page computes them: it
shows what was computed last, and when.
"""

import time
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.ledger.conditional import standings_state
from scoring.ledger.isolation import consistent_read
from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.services import queue
from scoring.promotions.models import CampaignSnapshot, PromotionRuleSet, Simulation
from scoring.promotions.queries.late import late_results
from scoring.promotions.queries.simulation import simulate
from scoring.promotions.queries.stored import FORMAT, is_current, result_of, rules_digest

LEASE = queue.LONGEST_LEASE
KEPT = timedelta(days=30)  # since somebody last asked
WAIT_SECONDS = 2.0  # how long a page waits for a worker; a small federation takes less


@transaction.atomic
def ask(
    day: date,
    rule_set: PromotionRuleSet,
    *,
    other_rules: PromotionRuleSet | None = None,
    snapshot: CampaignSnapshot | None = None,
) -> Simulation:
    """Let a worker compute a simulation, unless one is at it or its result is current.

    other_rules, snapshot: what it is compared with (`Simulation`)
    """
    rows = Simulation.objects.select_for_update()
    simulation, is_new = rows.get_or_create(
        day=day, rule_set=rule_set, other_rules=other_rules, snapshot=snapshot
    )
    simulation.asked_at = timezone.now()
    holds = bool(result_of(simulation)) and is_current(simulation)
    if not is_new and not simulation.is_under_way and not holds:
        queue.restart(simulation)
        is_new = True
    simulation.save()
    if is_new:
        queue.enqueue_on_commit(simulation)
    return simulation


def perform(simulation_id: int) -> None:
    """Compute a simulation from the data of one moment, and store its result. Safe to repeat."""
    queue.work_on(Simulation, simulation_id, LEASE, _compute)


def _compute(simulation: Simulation) -> None:
    with queue.keeping(simulation, LEASE), consistent_read():
        computed_at = queue.now()
        version, rules = standings_state().version, rules_digest(simulation)
        result = _result(simulation)
    queue.finish(
        simulation,
        result={"format": FORMAT, **result},
        computed_at=computed_at,
        version=version,
        rules=rules,
    )


def _result(simulation: Simulation) -> dict[str, Any]:
    if simulation.snapshot:
        return late_results(simulation.snapshot, simulation.rule_set).as_json()
    return simulate(simulation.day, simulation.rule_set, simulation.other_rules).as_json()


def wait(simulation: Simulation) -> None:
    """Wait briefly for the worker, so that readers of a small federation see the result at once."""
    deadline = time.monotonic() + WAIT_SECONDS
    under_way = Simulation.objects.filter(pk=simulation.pk, state__in=UNDER_WAY)
    while time.monotonic() < deadline and under_way.exists():
        time.sleep(0.05)


def delete_old(day: object = None) -> None:
    """Delete the simulations for which nobody has asked lately.

    day: not used; the chores of the day are called with it
    """
    Simulation.objects.filter(asked_at__lt=timezone.now() - KEPT).delete()
