"""The act of contesting a published list, by one of its players."""

from django import forms
from django.db import transaction
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.access import is_player, require
from players.models import Player
from scoring.promotions.acts.base import Act, Refused, Who, register, required_text
from scoring.promotions.acts.forms import ActForm
from scoring.promotions.models import CampaignClaim, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.own import has_list
from ui.clock import today
from ui.formatting import format_date

TEXT_LENGTH = CampaignClaim._meta.get_field("text").max_length


class ClaimForm(ActForm):
    """The form for a player's claim against a published list."""

    text = forms.CharField(
        label=_("What you contest, and why"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("Name the tournament or the figure that you think is wrong."),
    )


@register
class Claim(Act):
    """The act of contesting a published list. Its form is on a page of the signed-in player."""

    verb = Verb.CLAIM
    who = Who.PLAYER
    logged = _("a player contested the list")
    public = True
    form_class = ClaimForm

    def turn(self, campaign: PromotionCampaign) -> str:
        words = gettext("It is the players’ turn: they may contest the lists until %(day)s.")
        return words % {"day": format_date(campaign.claims_until, get_language() or "")}

    @transaction.atomic
    def perform(self, campaign_id: int, player: Player, text: str, by) -> CampaignClaim:
        """Store a player's claim.

        Raises Refused after the last day for claims, if there is no list of the player's category, or if an
        earlier claim of the player has no answer yet.
        """
        require(is_player(by, player))
        campaign = self.lock(campaign_id)
        refuse_when_over(campaign)
        if not has_list(campaign, player):
            raise Refused(gettext("There is no list of your category."), code="not_listed")
        if campaign.claims.filter(player=player, answer=None).exists():
            raise Refused(gettext("Your earlier claim has no answer yet."), code="twice")
        text = required_text(text, "text", TEXT_LENGTH)
        new = CampaignClaim.objects.create(campaign=campaign, player=player, text=text, by=by)
        self.finish(campaign, by, detail={"claim": new.pk, "player": player.pk})
        return new


def refuse_when_over(campaign: PromotionCampaign) -> None:
    """Raise Refused after the last day for claims."""
    if today() > campaign.claims_until:
        raise Refused(gettext("The time for claims is over."), code="claims_over")
