"""Scoring runs, ledger entries, standings, year totals and factors."""

from .factors import ScoringFactor
from .ledger import LedgerEntry
from .runs import ScoringRun
from .standings import Standing, StandingsState, YearTotal

__all__ = ["LedgerEntry", "ScoringFactor", "ScoringRun", "Standing", "StandingsState", "YearTotal"]
