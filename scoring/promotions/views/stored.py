"""What pages say about a stored simulation: of when it is, and whether a new one is being computed."""

from datetime import date
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.promotions.models import Simulation
from scoring.promotions.queries.stored import is_current, result_of
from ui.progress import Progress


def simulation_address(day: date, rule_set_id: int, other_rules_id: int | None) -> str:
    """Return the address of the page of a simulation."""
    query = {"dia": day.isoformat(), "reglas": rule_set_id}
    if other_rules_id:
        query["con"] = other_rules_id
    return f"{reverse('campaign_simulation')}?{urlencode(query)}"


def computation(simulation: Simulation | None) -> dict:
    """Return the template context that says of when a stored result is, and how far a new one is."""
    value = result_of(simulation)
    return {
        "simulation": simulation,
        "computed_at": simulation.computed_at if value else None,
        "outdated": bool(value) and not is_current(simulation),
        "progress": progress(simulation) if simulation and simulation.is_under_way else None,
    }


def progress(simulation: Simulation) -> Progress:
    """Return how far the worker is."""
    waiting = simulation.state == Simulation.State.PENDING
    if simulation.snapshot:
        page_url = reverse("campaign_late", args=[simulation.snapshot.campaign_id])
    else:
        page_url = simulation_address(simulation.day, simulation.rule_set_id, simulation.other_rules_id)
    return Progress(
        stage=_("Waiting for a worker") if waiting else _("The lists are being computed"),
        since=simulation.asked_at,
        until=simulation.finished_at,
        finished=not simulation.is_under_way,
        url=reverse("campaign_simulation_progress", args=[simulation.pk]),
        page_url=page_url,
    )
