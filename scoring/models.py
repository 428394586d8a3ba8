"""Every model of this app: Django looks for them here. Import a model from its own room."""

from scoring.annulments.models import Annulment
from scoring.ledger.models import LedgerEntry, ScoringFactor, ScoringRun, Standing, StandingsState, YearTotal
from scoring.office.models import OfficeImport
from scoring.promotions.models import (
    CampaignAct,
    CampaignChange,
    CampaignClaim,
    CampaignDecision,
    CampaignSnapshot,
    CampaignTask,
    ClaimAnswer,
    PromotionCampaign,
    PromotionRule,
    PromotionRuleSet,
    RuleSetChange,
    SnapshotList,
)
from scoring.ratings.models import (
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

__all__ = [
    "Annulment", "CampaignAct", "CampaignChange", "CampaignClaim", "CampaignDecision", "CampaignSnapshot",
    "CampaignTask", "ClaimAnswer", "GoUpload", "LedgerEntry", "OfficeImport", "PromotionCampaign",
    "PromotionRule", "PromotionRuleSet", "RatedPlayer", "Rating", "RatingChange", "RatingEntrant",
    "RatingGame", "RatingReplay", "RatingState", "RatingTournament", "RuleSetChange", "ScoringFactor",
    "ScoringRun", "SnapshotList", "Standing", "StandingsState", "YearTotal",
]  # fmt: skip
