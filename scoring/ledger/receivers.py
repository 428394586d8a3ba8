"""What scoring does when other rooms change something it shows."""

from datetime import date

from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, YearTotal
from scoring.ledger.services import standings


def refresh_standings(sender, player_ids: set[int], since: date | None, **kwargs) -> None:
    """A changed category, licence or name: the standings follow in the same transaction."""
    standings.refresh(player_ids, since=since)


def make_year_totals(sender, **kwargs) -> None:
    """A ledger from before the totals of years were kept: make them, once its tables are up to date."""
    if not YearTotal.objects.exists() and LedgerEntry.objects.filter(family=FAMILY).exists():
        standings.rebuild()
