"""Runs of the engine, the ledger of points, standings, the rules of promotion and the year-end campaigns."""

from .annulments import Annulment
from .campaigns import (
    CampaignAct,
    CampaignChange,
    CampaignClaim,
    CampaignDecision,
    CampaignSnapshot,
    CampaignTask,
    ClaimAnswer,
    PromotionCampaign,
    SnapshotList,
)
from .factors import ScoringFactor
from .imports import OfficeImport
from .ledger import LedgerEntry
from .promotions import PromotionRule, PromotionRuleSet, RuleSetChange
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
from .standings import Standing, StandingsState, YearTotal

__all__ = [
    "Annulment", "CampaignAct", "CampaignChange", "CampaignClaim", "CampaignDecision", "CampaignSnapshot",
    "CampaignTask", "ClaimAnswer", "GoUpload", "LedgerEntry", "OfficeImport", "PromotionCampaign",
    "PromotionRule", "PromotionRuleSet", "RatedPlayer", "Rating", "RatingChange", "RatingEntrant",
    "RatingGame", "RatingReplay", "RatingState", "RatingTournament", "RuleSetChange", "ScoringFactor",
    "ScoringRun", "SnapshotList", "Standing", "StandingsState", "YearTotal",
]  # fmt: skip
