"""Read the factors that the office entered and that are in force on a day."""

from datetime import date

from scoring.ledger.models import ScoringFactor


def factors_in_force(regulation: str, day: date) -> list[ScoringFactor]:
    """Return the row in force on `day` for each factor and case of a regulation. One query.

    This is the latest valid row (see `ScoringFactor`). The rows are ordered by name and case.
    """
    rows = ScoringFactor.objects.filter(regulation=regulation, valid_from__lte=day)
    # Later rows replace earlier ones in the dict; of rows from the same day, the one entered last wins.
    latest = {(row.name, row.case): row for row in rows.order_by("valid_from", "pk")}
    return [latest[key] for key in sorted(latest)]
