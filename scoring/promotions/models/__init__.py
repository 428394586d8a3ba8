"""Promotion rules and year-end campaigns."""

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
from .rules import PromotionRule, PromotionRuleSet, RuleSetChange
from .simulations import Simulation

__all__ = [
    "CampaignAct",
    "CampaignChange",
    "CampaignClaim",
    "CampaignDecision",
    "CampaignSnapshot",
    "CampaignTask",
    "ClaimAnswer",
    "PromotionCampaign",
    "PromotionRule",
    "PromotionRuleSet",
    "RuleSetChange",
    "Simulation",
    "SnapshotList",
]
