"""The acts of approving the lists, and of returning approved lists to the office."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import roles_of
from players.models import Player
from players.services.journal import hold_message
from scoring.promotions.acts.base import (
    NOT_APPROVED,
    Act,
    Refused,
    Who,
    acts_on_list,
    register,
    required_text,
)
from scoring.promotions.models import CampaignAct, PromotionCampaign
from scoring.promotions.pure.states import State, Verb
from scoring.promotions.queries import campaigns as queries


class IndependentAct(Act):
    """An act of a committee member who took no part in making the lists.

    by_another: message to a committee member who may not perform the act
    """

    who = Who.COMMITTEE
    by_another: Promise

    def is_independent(self, campaign: PromotionCampaign, by) -> bool:
        """Return whether the account belongs to the committee and took no part in making the lists.

        Subclasses may exclude further accounts.
        """
        return may_approve(campaign, by)

    def why_not(self, campaign: PromotionCampaign, user) -> str:
        if self.is_independent(campaign, user):
            return super().why_not(campaign, user)
        return str(self.by_another)

    def refuse_dependent(self, campaign: PromotionCampaign, by) -> None:
        """Raise Refused if the account is not independent (`is_independent`), or is in its waiting days.

        The waiting days follow a change of the account's roles, password, e-mail address or player. In these
        days the account may approve nothing.
        """
        if not self.is_independent(campaign, by):
            raise Refused(self.by_another, code="same_person")
        if text := hold_message(by):
            raise Refused(text, code="waiting")


@register
class Approve(IndependentAct):
    """The act of approving the frozen lists."""

    verb = Verb.APPROVE
    logged = _("lists approved")
    by_another = _("The list is approved by somebody who has not worked on it.")
    public = True

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return _is_unapproved(campaign) and may_approve(campaign, user)

    def waits_for(self, campaign: PromotionCampaign, user) -> bool:
        return may_approve(campaign, user) and _is_unapproved(campaign)

    @transaction.atomic
    def perform(self, campaign_id: int, by, digest: str) -> CampaignAct:
        """Approve the lists. Raises Refused if the lists have changed since the user opened the page.

        An account may approve lists that move its own player. The log's details then contain the player's
        ids, under the key "own".

        digest: digest of the lists that the page showed
        """
        campaign = self.begin(campaign_id, by)
        self.refuse_dependent(campaign, by)
        if digest != queries.list_digest(campaign):
            message = gettext("The list has changed since you opened the page: look at it again.")
            raise Refused(message, code="changed")
        if digest == campaign.approved_digest:
            raise Refused(gettext("This list is approved already."), code="approved")
        detail: dict[str, Any] = {"digest": digest}
        if moves := own_moves(campaign, by):
            detail["own"] = [row.place.entrant.player_id for row in moves]
        approval = {"approved_by": by, "approved_at": timezone.now(), "approved_digest": digest}
        return self.finish(campaign, by, detail=detail, **approval)


@register
class GiveBack(Act):
    """The act of revoking the committee's approval, so that the office can change the lists again."""

    verb = Verb.RETURN
    who = Who.COMMITTEE
    logged = _("lists given back")

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """Remove the approval. The log keeps the digest of the lists that had been approved."""
        campaign = self.begin(campaign_id, by)
        detail = {"digest": campaign.approved_digest}
        return self.finish(campaign, by, required_text(reason), detail, **NOT_APPROVED)


def may_approve(campaign: PromotionCampaign, by) -> bool:
    """Return whether the account belongs to the committee and took no part in making the campaign's lists."""
    return roles_of(by).committee and not campaign.acts.filter(by=by, verb__in=acts_on_list()).exists()


def _is_unapproved(campaign: PromotionCampaign) -> bool:
    return campaign.state == State.FROZEN or queries.list_digest(campaign) != campaign.approved_digest


def own_moves(campaign: PromotionCampaign, by) -> list[queries.Row]:
    """Return the rows of the current lists that move the account's own player.

    The player may be listed under several federation numbers that have been merged since.
    """
    player = Player.objects.select_related("merged_into").filter(user=by).first()
    if player is None:
        return []
    player_ids = list(Player.objects.numbers_of(player.current).values_list("pk", flat=True))
    return [row for row in queries.rows_of(campaign, player_ids).values() if row.final]
