"""The act of freezing: it stores each category's list as a document, with a digest of all lists.

Each freeze adds a version of the lists.
"""

import json
from typing import Any

from django.db import transaction
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.ledger.isolation import consistent_read
from scoring.ledger.services import queue
from scoring.promotions.acts.base import LEASE, NOT_APPROVED, LongAct, Obstacle, mark_done, register
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
from scoring.promotions.queries.candidates import CategoryList, gather, rule_set_of, unconfirmed
from ui.clock import today
from ui.formatting import format_date
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


@register
class Freeze(LongAct):
    """The act of freezing: it makes the lists from the current data and stores them."""

    verb = Verb.FREEZE
    logged = _("lists frozen")
    works_on_list = True

    def obstacles(self, campaign: PromotionCampaign) -> list[Obstacle]:
        """Return what still prevents freezing the lists.

        The codes are "intake" (late results are still accepted), "not_in_force" (the rule set is not in force
        at the end of the year), "rule_set" (the rule set is not confirmed) and "rules" (some category's rule
        is not confirmed).
        """
        missing = []
        if today() <= campaign.intake_until:
            text = gettext("Late results are taken in until %(day)s.")
            values = {"day": format_date(campaign.intake_until, get_language())}
            missing.append(Obstacle("intake", text % values, until=campaign.intake_until))
        rules = rules_to_freeze(campaign)
        if not rules.holds_on(campaign.last_day):
            text = gettext(
                "The promotion rules %(name)s do not hold at the end of %(year)s any more: choose others."
            )
            values = {"name": rules.name, "year": campaign.year}
            missing.append(Obstacle("not_in_force", text % values))
        if not rules.confirmed:
            text = gettext("The promotion rules %(name)s are not confirmed yet.")
            missing.append(Obstacle("rule_set", text % {"name": rules.name}))
        if codes := list(unconfirmed(rules).values_list("category__code", flat=True)):
            text = gettext("The figures of these categories are not confirmed yet: %(codes)s.")
            missing.append(Obstacle("rules", text % {"codes": ", ".join(codes)}))
        return missing

    def work(self, task: CampaignTask) -> None:
        """Make all lists from one consistent read of the database, without locks, and store them.

        The lists are stored as the next version, in a short transaction after the read. Results posted
        between the read and that transaction count as late results.
        """
        with queue.keeping(task, LEASE), consistent_read():
            campaign = PromotionCampaign.objects.select_related("rule_set").get(pk=task.campaign_id)
            self.refuse_obstacles(campaign)
            rule_set = rules_to_freeze(campaign)
            rules = rules_of(rule_set)
            lists = gather(campaign.year, campaign.last_day, rule_set)
        queue.renew(task, LEASE)
        with collector_off():
            bodies = [documents.to_text(category_list.document) for category_list in lists]
            sessions = [documents.sessions_text(category_list.sessions) for category_list in lists]
        queue.renew(task, LEASE)
        with transaction.atomic():
            # The campaign was read without a lock, but nobody edits it while a task is open.
            campaign = self.lock(task.campaign_id)
            queue.lock_held(task)
            campaign.rule_set = rule_set
            digest = documents.version_digest(rules, bodies, sessions)
            snapshot = self._store(campaign, task, rules, digest, lists)
            for category_list, body, lines in zip(lists, bodies, sessions, strict=True):
                # No bulk_create: with many rows the driver escapes these long texts character by character.
                SnapshotList.objects.create(
                    snapshot=snapshot,
                    category=category_list.category,
                    body=body,
                    sessions=lines,
                )
            mark_done(task)

    def _store(
        self,
        campaign: PromotionCampaign,
        task: CampaignTask,
        rules: dict,
        digest: str,
        lists: list[CategoryList],
    ) -> CampaignSnapshot:
        """Create the snapshot of the next version, move the campaign to the state "frozen", and log it.

        Decisions made on earlier versions stay in force. The lists are stored by the caller.
        """
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
        changes = {
            "snapshot": snapshot,
            "frozen_by": by,
            "rule_set": campaign.rule_set,
            **NOT_APPROVED,
        }
        self.finish(campaign, by, task.reason, detail, **changes)
        return snapshot


def rules_to_freeze(campaign: PromotionCampaign) -> PromotionRuleSet:
    """Return the rule set by which the lists are made: usually the campaign's own.

    If the lists are frozen again and the campaign's set is no longer in force for the year, return the set
    that replaced it.
    """
    rule_set = campaign.rule_set
    if campaign.state == PromotionCampaign.State.DRAFT or rule_set.holds_on(campaign.last_day):
        return rule_set
    return rule_set_of(campaign.year) or rule_set


def rules_of(rule_set: PromotionRuleSet) -> dict[str, Any]:
    """Return all figures of a rule set and its rules as plain JSON values, with categories as codes."""
    rows = rule_set.rules.select_related("category", "target", "demotion_target").order_by("category__order")
    figures = {name: getattr(rule_set, name) for name in SET_FIELDS}
    figures["rules"] = [_figures_of(row) for row in rows]
    return json.loads(json.dumps(figures, sort_keys=True, default=str))  # dates and decimals as text


def _figures_of(row: PromotionRule) -> dict[str, Any]:
    names = [field.name for field in row._meta.fields if field.name not in NOT_FIGURES]
    values = {name: getattr(row, name) for name in names}
    return {name: getattr(value, "code", value) for name, value in values.items()}  # a category's code
