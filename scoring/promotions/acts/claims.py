"""The acts of the claims period: contesting a list, answering a claim, and ending the period early."""

from datetime import timedelta

from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.access import is_player, require
from players.models import Category, Player
from scoring.promotions.acts.approve import IndependentAct
from scoring.promotions.acts.base import REASON_LENGTH, Act, Refused, Who, register, required_text
from scoring.promotions.acts.decide import decision_detail, is_person, store_decision
from scoring.promotions.models import CampaignAct, CampaignClaim, ClaimAnswer, PromotionCampaign
from scoring.promotions.notices import tell_of_answer
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.own import has_list
from ui.clock import today

TEXT_LENGTH = CampaignClaim._meta.get_field("text").max_length  # also of an answer


@register
class Claim(Act):
    """The act of contesting a published list. Its form is on a page of the signed-in player."""

    verb = Verb.CLAIM
    who = Who.PLAYER
    logged = _("a player contested the list")
    public = True

    @transaction.atomic
    def perform(self, campaign_id: int, player: Player, text: str, by) -> CampaignClaim:
        """Store a player's claim.

        Raises Refused after the last day for claims, if there is no list of the player's category, or if an
        earlier claim of the player has no answer yet.
        """
        require(is_player(by, player))
        campaign = self.lock(campaign_id)
        _refuse_when_over(campaign)
        if not has_list(campaign, player):
            raise Refused(gettext("There is no list of your category."), code="not_listed")
        if campaign.claims.filter(player=player, answer=None).exists():
            raise Refused(gettext("Your earlier claim has no answer yet."), code="twice")
        text = required_text(text, "text", TEXT_LENGTH)
        new = CampaignClaim.objects.create(campaign=campaign, player=player, text=text, by=by)
        self.finish(campaign, by, detail={"claim": new.pk, "player": player.pk})
        return new


@register
class Answer(Act):
    """The act of answering a claim. Its form is on the page of the claim."""

    verb = Verb.ANSWER
    logged = _("a claim answered")
    works_on_list = True
    public = True

    @transaction.atomic
    def perform(self, claim_id: int, accepted: bool, text: str, target: Category | None, by) -> ClaimAnswer:
        """Store the office's answer to a claim.

        If the claim is accepted, also store a decision: the player moves to `target`, or stays if it is None.
        Raises Refused if the claim has an answer already, or if it is the account's own claim.
        """
        require(self.may(by))
        claim = CampaignClaim.objects.select_related("player__merged_into").get(pk=claim_id)
        campaign = self.lock(claim.campaign_id)
        if ClaimAnswer.objects.filter(claim=claim).exists():
            raise Refused(gettext("Somebody else has answered this claim."), code="answered")
        if is_person(by, claim.player):
            raise Refused(gettext("Nobody answers their own claim."), code="own")
        text = required_text(text, "text", TEXT_LENGTH)
        new_answer = ClaimAnswer.objects.create(claim=claim, accepted=accepted, text=text, by=by)
        detail = {"claim": claim.pk, "player": claim.player_id, "accepted": accepted}
        reason = Truncator(text).chars(REASON_LENGTH)
        if accepted:
            decision = store_decision(campaign, claim.player_id, target, reason, by, new_answer)
            detail |= decision_detail(decision)
        self.finish(campaign, by, reason, detail)
        tell_of_answer(new_answer)
        return new_answer


@register
class Close(IndependentAct):
    """The act of ending the claims period early. Claims already made are still answered.

    The office may not do this, because the claims contest its lists. A committee member who worked on the
    lists or published them may not do it either.
    """

    verb = Verb.CLOSE
    logged = _("claims ended early")
    by_another = _(
        "The time for claims is ended by somebody who neither worked on the list nor published it."
    )
    public = True

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return today() <= campaign.claims_until and self.is_independent(campaign, user)

    def is_independent(self, campaign: PromotionCampaign, by) -> bool:
        published = campaign.acts.filter(by=by, verb=Verb.PUBLISH)
        return super().is_independent(campaign, by) and not published.exists()

    @transaction.atomic
    def perform(self, campaign_id: int, by, reason: str) -> CampaignAct:
        """End the claims period: set its last day to yesterday."""
        campaign = self.begin(campaign_id, by)
        _refuse_when_over(campaign)
        self.refuse_dependent(campaign, by)
        detail = {"claims_until": campaign.claims_until.isoformat()}
        yesterday = today() - timedelta(days=1)  # the last full day for claims
        return self.finish(campaign, by, required_text(reason), detail, claims_until=yesterday)


def _refuse_when_over(campaign: PromotionCampaign) -> None:
    """Raise Refused after the last day for claims."""
    if today() > campaign.claims_until:
        raise Refused(gettext("The time for claims is over."), code="claims_over")
