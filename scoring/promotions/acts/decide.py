"""The act of deciding that a player of a frozen list moves or stays, whatever the rules say."""

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.models import Category, Player
from scoring.promotions.acts.base import Act, Refused, register, required_text
from scoring.promotions.models import CampaignDecision, ClaimAnswer, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries


@register
class Decide(Act):
    """The act of deciding on a listed player. Its form is on the player's dossier page."""

    verb = Verb.DECIDE
    logged = _("a player decided by hand")
    works_on_list = True

    @transaction.atomic
    def perform(
        self, campaign_id: int, player_id: int, target: Category | None, reason: str, by
    ) -> CampaignDecision:
        """Store the decision that the player moves to `target`, or stays if it is None.

        Raises Refused with the code "same" if the player's last decision is identical, for example after a
        double click. Also raises Refused as `store_decision` does.
        """
        campaign = self.begin(campaign_id, by)
        reason = required_text(reason)
        last = queries.decisions_in_force(campaign).get(player_id)
        if last and (last.target, last.reason) == (target, reason):
            raise Refused(gettext("That is decided already, for this reason."), code="same")
        decision = store_decision(campaign, player_id, target, reason, by)
        self.finish(campaign, by, decision.reason, decision_detail(decision))
        return decision


def targets(campaign: PromotionCampaign, document: ListDocument) -> list[Category]:
    """Return the categories to which a decision can move a player of the list.

    The categories to which the promotion rule moves players of the list come first.
    """
    ladder = {category.code: category for category in Category.objects.on(campaign.effective_on)}
    own = [code for code in (document.target, document.demotion) if code in ladder]
    others = [
        code
        for code, category in ladder.items()
        if not category.is_title and code not in own and code != document.category
    ]
    return [ladder[code] for code in (*own, *others)]


def store_decision(
    campaign: PromotionCampaign,
    player_id: int,
    target: Category | None,
    reason: str,
    by,
    answer: ClaimAnswer | None = None,
) -> CampaignDecision:
    """Store a decision about a player of the frozen lists. None as `target` means that the player stays.

    Raises Refused if the account belongs to the player, if no list contains the player, or if the target is
    not allowed. A title is allowed only if it is the `target` of the player's list.

    answer: the answer to a claim, if it led to this decision
    """
    player = Player.objects.select_related("merged_into").filter(pk=player_id).first()
    if player and is_person(by, player):
        message = gettext("Nobody decides on themselves: somebody else has to decide on %(number)s.")
        raise Refused(message % {"number": player.number}, code="own")
    code = queries.category_in_list(campaign, player_id)
    if code is None:
        message = gettext(
            "The player is not in the frozen list. If they should be, it has to be frozen again."
        )
        raise Refused(message, code="not_listed")
    if target is not None:
        list_target = queries.document_of(campaign, code).target
        on_ladder = Category.objects.on(campaign.effective_on).filter(pk=target.pk).exists()
        if target.code == code or not on_ladder or (target.is_title and target.code != list_target):
            message = gettext("Nobody of %(category)s can be moved to %(target)s here.")
            values = {"category": code, "target": target.code}
            raise Refused({"target": message % values}, code="target")
    return CampaignDecision.objects.create(
        campaign=campaign, player_id=player_id, target=target, reason=reason, answer=answer, by=by
    )


def is_person(by, player: Player) -> bool:
    """Return whether the account belongs to the player, under this number or one merged with it."""
    return Player.objects.numbers_of(player.current).filter(user=by).exists()


def decision_detail(decision: CampaignDecision) -> dict:
    """Return a decision's details for the log: the player's id and the target's code.

    The code is None if the player stays.
    """
    return {"player": decision.player_id, "target": decision.target and decision.target.code}
