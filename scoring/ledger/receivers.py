"""Signal receivers that keep the standings up to date."""

from datetime import date
from typing import Any

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, YearTotal
from scoring.ledger.services import standings


def refresh_standings(sender: object, player_ids: set[int], since: date | None, **kwargs: Any) -> None:
    """Update standings after a change of category, licence or name, in the same transaction."""
    standings.refresh(player_ids, since=since)


def make_year_totals(sender: object, **kwargs: Any) -> None:
    """Compute the year totals after migrating a ledger that has none yet."""
    if not YearTotal.objects.exists() and LedgerEntry.objects.filter(family=FAMILY).exists():
        standings.rebuild()
