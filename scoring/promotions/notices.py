"""Notices about the year-end change: the list of one's category was published, a claim was answered."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from players.categories import categories_on
from players.models import Player
from scoring.letters.models import Notice
from scoring.letters.notifying import accounts_of, broadcast, notify
from scoring.letters.registry import Audience, Kind, Text
from scoring.promotions.models import CampaignAct, CampaignClaim, ClaimAnswer, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries.campaigns import listed_codes
from ui.clock import today
from ui.formatting import format_date

Texts = dict[int, Text]


def tell_of_lists(act: CampaignAct) -> None:
    """Let the workers notify the players whose category has a list that was just published."""
    broadcast(PUBLISHED, str(act.pk), {"campaign": act.campaign_id})


def _concerned_by_lists(accounts: Sequence[int], data: Mapping[str, Any]) -> Collection[int]:
    """Return those of the accounts whose player is, or was under a merged number, in a listed category."""
    campaign = PromotionCampaign.objects.select_related("snapshot").get(pk=data["campaign"])
    if campaign.state != PromotionCampaign.State.PUBLISHED:
        return ()  # withdrawn since
    codes = set(listed_codes(campaign))
    account_of = dict(Player.objects.filter(user__in=accounts).values_list("pk", "user"))
    merged = Player.objects.filter(merged_into__in=account_of).values_list("pk", "merged_into")
    account_of |= {number: account_of[survivor] for number, survivor in merged}
    held = categories_on(campaign.last_day, account_of)
    return {account_of[player] for player, category in held.items() if category.code in codes}


def tell_of_answer(answer: ClaimAnswer) -> None:
    """Notify the player whose claim was answered. Its player must be loaded, with the surviving number."""
    accounts = accounts_of([answer.claim.player.current.pk])
    notify(ANSWERED, accounts.values(), str(answer.pk), {"claim": answer.claim_id})


def _published(account: User, notices: Sequence[Notice]) -> Texts:
    campaigns = PromotionCampaign.objects.in_bulk({notice.data["campaign"] for notice in notices})
    return {notice.pk: _published_text(campaigns[notice.data["campaign"]]) for notice in notices}


def _published_text(campaign: PromotionCampaign) -> Text:
    text = _(
        "The list of %(year)s of your category is published: see what it says of you. It can be "
        "contested until %(day)s."
    )
    is_open = campaign.state == PromotionCampaign.State.PUBLISHED and campaign.claims_until >= today()
    day = format_date(campaign.claims_until, get_language() or "") if campaign.claims_until else "–"
    return Text(
        _("The list of your category is published"),
        [text % {"year": campaign.year, "day": day}],
        _letter_page(campaign),
        over=not is_open,
    )


def _answered(account: User, notices: Sequence[Notice]) -> Texts:
    claims = CampaignClaim.objects.select_related("campaign", "answer").in_bulk(
        {notice.data["claim"] for notice in notices}
    )
    return {notice.pk: _answered_text(claims[notice.data["claim"]]) for notice in notices}


def _answered_text(claim: CampaignClaim) -> Text:
    text = _("Your claim about the list of %(year)s has been answered.")
    return Text(
        _("Claim answered"),
        [text % {"year": claim.campaign.year}, claim.answer.text],
        _letter_page(claim.campaign),
    )


def _letter_page(campaign: PromotionCampaign) -> str:
    """Return the path of the player's letter; "" while the lists are not public."""
    with_letters = (*states.PUBLIC, PromotionCampaign.State.REVERSED)
    return reverse("promotion_letter", args=[campaign.year]) if campaign.state in with_letters else ""


PUBLISHED = Kind(
    "published",
    gettext_lazy("when the promotion list of your category is published"),
    Audience.PLAYER,
    _published,
    concerned=_concerned_by_lists,
)
ANSWERED = Kind(
    "answered",
    gettext_lazy("when your claim against the promotion list of your category is answered"),
    Audience.PLAYER,
    _answered,
)
