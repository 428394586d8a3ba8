"""Runs of the engine, the ledger of points, its sums and the factors of regulations."""

from .factors import ScoringFactor
from .ledger import LedgerEntry
from .runs import ScoringRun
from .standings import Standing, StandingsState, YearTotal

__all__ = ["LedgerEntry", "ScoringFactor", "ScoringRun", "Standing", "StandingsState", "YearTotal"]
