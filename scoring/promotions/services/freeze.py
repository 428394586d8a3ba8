"""Freezing a campaign: its lists as documents, with a digest. Freezing again adds the next version."""

import json
from typing import Any

from django.db import transaction

from scoring.ledger.isolation import consistent_read
from scoring.ledger.services import queue
from scoring.promotions.models import (
    CampaignSnapshot,
    CampaignTask,
    PromotionCampaign,
    PromotionRuleSet,
    SnapshotList,
)
from scoring.promotions.pure import documents
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.candidates import CategoryList, gather
from scoring.promotions.services.campaigns import NOT_APPROVED
from scoring.promotions.services.steps import (
    LEASE,
    begin,
    finish,
    mark_done,
    refuse_obstacles,
    rules_to_freeze,
)
from ui.memo import collector_off

OF_SET = ("name", "average", "field_weight", "claims_days", "confirmed", "source", "valid_from", "valid_to")
NOT_OF_RULE = {"id", "rule_set"}


def freeze(task: CampaignTask) -> None:
    """Read all lists as of one moment, without locking anybody out, and store them in a short transaction.

    What is posted between the two is late, like anything posted afterwards. Raises Refused, LeaseLost.
    """
    with consistent_read():
        campaign = PromotionCampaign.objects.select_related("rule_set").get(pk=task.campaign_id)
        refuse_obstacles(campaign, Verb.FREEZE)
        rule_set = rules_to_freeze(campaign)
        rules = rules_of(rule_set)
        lists = gather(campaign.year, campaign.last_day, rule_set)
    queue.renew(task, LEASE, stage="writing")
    with collector_off():
        bodies = [documents.to_text(each.document) for each in lists]
        sessions = [documents.sessions_text(each.sessions) for each in lists]
    queue.renew(task, LEASE, stage="storing")
    with transaction.atomic():
        # Until here only the rule set was looked at, which nobody changes under a task (`campaigns.edit`).
        campaign = begin(task.campaign_id, Verb.FREEZE)
        queue.still_held(task)
        campaign.rule_set = rule_set
        frozen = _store(campaign, task, rules, digest_of(rules, bodies, sessions), lists)
        for each, body, lines in zip(lists, bodies, sessions, strict=True):
            # One by one: in a statement of many rows the driver escapes each character of these long texts.
            SnapshotList.objects.create(
                snapshot=frozen, category=each.category, players=len(each.document.selection.places),
                promoted=len(each.document.selection.movers), body=body, sessions=lines,
            )  # fmt: skip
        mark_done(task)


def _store(
    campaign: PromotionCampaign, task: CampaignTask, rules: dict, digest: str, lists: list[CategoryList]
) -> CampaignSnapshot:
    """The next version, and the campaign frozen with it; decisions made before stay in force."""
    by = task.created_by
    frozen = CampaignSnapshot.objects.create(
        campaign=campaign, version=campaign.snapshots.count() + 1, taken_by=by, rules=rules,
        players=sum(len(each.document.selection.places) for each in lists), digest=digest,
    )  # fmt: skip
    detail = {
        "task": task.pk, "version": frozen.version, "digest": digest, "players": frozen.players,
        "promoted": sum(len(each.document.selection.movers) for each in lists),
    }  # fmt: skip
    finish(
        campaign,
        Verb.FREEZE,
        by,
        task.reason,
        detail,
        snapshot=frozen,
        frozen_by=by,
        rule_set=campaign.rule_set,
        **NOT_APPROVED,
    )
    return frozen


def digest_of(rules: dict[str, Any], bodies: list[str], sessions: list[str]) -> str:
    """The digest of a version: its rules and the texts of its lists, lowest category first."""
    return documents.digest([_canonical(rules), *bodies, *sessions])


def rules_of(rule_set: PromotionRuleSet) -> dict[str, Any]:
    """All figures of a rule set and its rows as plain JSON values, categories by their codes."""
    rows = rule_set.rules.select_related("category", "target", "demotion_target").order_by("category__order")
    found = {name: getattr(rule_set, name) for name in OF_SET}
    found["rules"] = [
        {field.name: _of_rule(getattr(row, field.name)) for field in row._meta.fields
         if field.name not in NOT_OF_RULE}
        for row in rows
    ]  # fmt: skip
    return json.loads(_canonical(found))


def _of_rule(value: Any) -> Any:
    return getattr(value, "code", value)  # a category is its code


def _canonical(value: dict) -> str:
    """JSON that is the same for the same figures; dates and decimals as text."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
