"""Runs of the engine, the ledger of points, standings and the rules of promotion."""

from .factors import ScoringFactor
from .imports import OfficeImport
from .ledger import LedgerEntry
from .promotions import PromotionRule, PromotionRuleSet
from .runs import ScoringRun
from .standings import Standing, StandingsState

__all__ = [
    "LedgerEntry", "OfficeImport", "PromotionRule", "PromotionRuleSet", "ScoringFactor", "ScoringRun",
    "Standing", "StandingsState",
]  # fmt: skip
