"""Which of the office's factors hold on a day."""

from datetime import date

from scoring.ledger.models import ScoringFactor


def factors_in_force(regulation: str, day: date) -> list[ScoringFactor]:
    """The latest row of each factor and case, valid on the day, by name and case; one query."""
    found = ScoringFactor.objects.filter(regulation=regulation, valid_from__lte=day)
    # The latest comes last and wins; of one day, the one entered last.
    latest = {(each.name, each.case): each for each in found.order_by("valid_from", "pk")}
    return [latest[key] for key in sorted(latest)]
