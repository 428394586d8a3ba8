"""Freeze a campaign: store its lists as documents with a digest. Each later freeze adds a version."""

import json
from typing import Any

from django.db import transaction

from scoring.ledger.isolation import consistent_read
from scoring.ledger.services import queue
from scoring.promotions.models import (
    CampaignSnapshot,
    CampaignTask,
    PromotionCampaign,
    PromotionRule,
    PromotionRuleSet,
    SnapshotList,
)
from scoring.promotions.pure import documents
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.candidates import CategoryList, gather
from scoring.promotions.queries.steps import rules_to_freeze
from scoring.promotions.services.campaigns import NOT_APPROVED
from scoring.promotions.services.steps import (
    LEASE,
    begin,
    finish,
    mark_done,
    refuse_obstacles,
)
from ui.memo import collector_off

SET_FIELDS = (
    "name",
    "average",
    "field_weight",
    "claims_days",
    "confirmed",
    "source",
    "valid_from",
    "valid_to",
)
NOT_FIGURES = {"id", "rule_set"}


def freeze(task: CampaignTask) -> None:
    """Read all lists from one database snapshot, without locks, and store them in a short transaction.

    Results posted in between count as late, like all later ones. Raises Refused, LeaseLost.
    """
    with consistent_read():
        campaign = PromotionCampaign.objects.select_related("rule_set").get(pk=task.campaign_id)
        refuse_obstacles(campaign, Verb.FREEZE)
        rule_set = rules_to_freeze(campaign)
        rules = rules_of(rule_set)
        lists = gather(campaign.year, campaign.last_day, rule_set)
    queue.renew(task, LEASE, stage="writing")
    with collector_off():
        bodies = [documents.to_text(category_list.document) for category_list in lists]
        sessions = [documents.sessions_text(category_list.sessions) for category_list in lists]
    queue.renew(task, LEASE, stage="storing")
    with transaction.atomic():
        # The campaign was read without a lock, but `campaigns.edit` refuses while a task is open.
        campaign = begin(task.campaign_id, Verb.FREEZE)
        queue.lock_held(task)
        campaign.rule_set = rule_set
        snapshot = _store(campaign, task, rules, digest_of(rules, bodies, sessions), lists)
        for category_list, body, lines in zip(lists, bodies, sessions, strict=True):
            selection = category_list.document.selection
            # No bulk_create: with many rows the driver escapes these long texts character by character.
            SnapshotList.objects.create(
                snapshot=snapshot,
                category=category_list.category,
                players=len(selection.places),
                promoted=len(selection.movers),
                body=body,
                sessions=lines,
            )
        mark_done(task)


def _store(
    campaign: PromotionCampaign, task: CampaignTask, rules: dict, digest: str, lists: list[CategoryList]
) -> CampaignSnapshot:
    """Create the next version and move the campaign to frozen. Earlier decisions stay in force."""
    by = task.created_by
    selections = [category_list.document.selection for category_list in lists]
    snapshot = CampaignSnapshot.objects.create(
        campaign=campaign,
        version=campaign.snapshots.count() + 1,
        taken_by=by,
        rules=rules,
        players=sum(len(selection.places) for selection in selections),
        digest=digest,
    )
    detail = {
        "task": task.pk,
        "version": snapshot.version,
        "digest": digest,
        "players": snapshot.players,
        "promoted": sum(len(selection.movers) for selection in selections),
    }
    finish(
        campaign,
        Verb.FREEZE,
        by,
        task.reason,
        detail,
        snapshot=snapshot,
        frozen_by=by,
        rule_set=campaign.rule_set,
        **NOT_APPROVED,
    )
    return snapshot


def digest_of(rules: dict[str, Any], bodies: list[str], sessions: list[str]) -> str:
    """Return the digest of a version, from its rules and the texts of its lists, lowest category first."""
    return documents.digest([_canonical(rules), *bodies, *sessions])


def rules_of(rule_set: PromotionRuleSet) -> dict[str, Any]:
    """Return all figures of a rule set and its rows as plain JSON values, with categories as codes."""
    rows = rule_set.rules.select_related("category", "target", "demotion_target").order_by("category__order")
    figures = {name: getattr(rule_set, name) for name in SET_FIELDS}
    figures["rules"] = [_figures_of(row) for row in rows]
    return json.loads(_canonical(figures))


def _figures_of(row: PromotionRule) -> dict[str, Any]:
    names = [field.name for field in row._meta.fields if field.name not in NOT_FIGURES]
    values = {name: getattr(row, name) for name in names}
    return {name: getattr(value, "code", value) for name, value in values.items()}  # a category has a code


def _canonical(value: dict) -> str:
    """Serialize figures as canonical JSON, dates and decimals as text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
