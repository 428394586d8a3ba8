"""Scoring runs, ledger entries, standings, year totals and factors."""

from .factors import ScoringFactor
from .ledger import LedgerEntry
from .purges import Purge
from .runs import ScoringRun
from .seen import SeenCorrections
from .standings import Standing, StandingsState, YearTotal

__all__ = [
    "LedgerEntry",
    "Purge",
    "ScoringFactor",
    "ScoringRun",
    "SeenCorrections",
    "Standing",
    "StandingsState",
    "YearTotal",
]
