"""Runs of the engine, the ledger of points, standings and the rules of promotion."""

from .factors import ScoringFactor
from .imports import OfficeImport
from .ledger import LedgerEntry
from .promotions import PromotionRule, PromotionRuleSet
from .ratings import (
    GoUpload,
    RatedPlayer,
    Rating,
    RatingChange,
    RatingEntrant,
    RatingGame,
    RatingReplay,
    RatingState,
    RatingTournament,
)
from .runs import ScoringRun
from .standings import Standing, StandingsState

__all__ = [
    "GoUpload", "LedgerEntry", "OfficeImport", "PromotionRule", "PromotionRuleSet", "RatedPlayer", "Rating",
    "RatingChange", "RatingEntrant", "RatingGame", "RatingReplay", "RatingState", "RatingTournament",
    "ScoringFactor", "ScoringRun", "Standing", "StandingsState",
]  # fmt: skip
