"""Players' claims against the published lists, and the office's answers."""

from functools import partial

from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import name_for, require
from players.models import Category
from scoring.promotions.acts.base import not_now
from scoring.promotions.acts.claims import Answer
from scoring.promotions.acts.decide import targets
from scoring.promotions.forms.acts import AnswerForm
from scoring.promotions.models import CampaignClaim, ClaimAnswer, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Row
from scoring.promotions.queries.merges import listed_players
from scoring.promotions.queries.own import claims_open, row_of
from scoring.promotions.tables.campaigns import ClaimTable
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from scoring.promotions.wording import move_words, state_words
from ui.paging import Pages, paged

ANSWER = Answer()


def answer_words(claim: CampaignClaim) -> str:
    """Describe the status of a claim in a few words."""
    answer: ClaimAnswer | None = getattr(claim, "answer", None)
    if answer is None and claim.campaign.state == PromotionCampaign.State.ABANDONED:
        return _("left without an answer")
    if answer is None:
        return _("not answered yet")
    return _("accepted") if answer.accepted else _("not accepted")


@campaign_role_required
@require_safe
def claims(request: HttpRequest, pk: int) -> HttpResponse:
    """List all claims of a campaign, unanswered ones first."""
    campaign = campaign_of(pk)
    unanswered_first = F("answer__pk").asc(nulls_first=True)
    rows = campaign.claims.select_related("player", "answer", "campaign").order_by(unanswered_first, "pk")
    source = Pages(rows, partial(_claim_records, request.user))
    table = paged(ClaimTable, request, source, caption=_("Claims, unanswered first"))
    waiting = campaign.claims.filter(answer=None).count()
    context = {
        "campaign": campaign,
        "claims_open": claims_open(campaign),
        "waiting": waiting,
        "total": len(table.rows),
        "table_html": table.as_html(request),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Claims"), None)
        ),
    }
    return render(request, "promotions/campaign/claims.html", context)


def _claim_records(user, claims: list[CampaignClaim]) -> list[dict]:
    return [
        {
            "at": claim.at,
            "name": name_for(user, claim.player),
            "url": reverse("claim_answer", args=[claim.campaign_id, claim.pk]),
            "text": claim.text,
            "status": answer_words(claim),
        }
        for claim in claims
    ]


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def claim_answer(request: HttpRequest, pk: int, claim: int) -> HttpResponse:
    """Show a claim with the player's figures and, for the office, the form to answer it."""
    campaign = campaign_of(pk)
    contested = get_object_or_404(
        campaign.claims.select_related("player__club", "answer__by", "answer__decision__target"), pk=claim
    )
    if request.method == "POST":
        require(ANSWER.may(request.user))
    listed_row = row_of(campaign, contested.player, queries.decisions_in_force(campaign))
    form = _form(request, campaign, contested, listed_row)
    answer = getattr(contested, "answer", None)
    if request.method == "POST" and form is None:
        text = _("Somebody else has answered this claim.") if answer else not_now(campaign)
        messages.info(request, text)
        return redirect(request.path)
    if form and form.submit(ANSWER.perform, contested.pk, by=request.user):
        messages.success(request, _("The claim is answered."))
        return redirect("campaign_claims", campaign.pk)
    context = {
        "campaign": campaign,
        "claim": contested,
        "name": name_for(request.user, contested.player),
        "answer": answer,
        "decided": move_words(answer.decision.target and answer.decision.target.code)
        if answer and answer.accepted
        else "",
        "form": form,
        "listed": listed_players(campaign, contested.player.merged.select_related("merged_into")),
        "may_write": ANSWER.may(request.user),
        "breadcrumbs": campaign_crumbs(
            request,
            (str(campaign.year), campaign.get_absolute_url()),
            (_("Claims"), reverse("campaign_claims", args=[campaign.pk])),
            (contested.player.number, None),
        ),
    }
    if listed_row:
        category, document, row = listed_row
        context |= {
            "category": category,
            "document": document,
            "row": row,
            "words": state_words(row.place, document),
            "goes": move_words(row.target),
        }
    return render(
        request,
        "promotions/campaign/claim_answer.html",
        context,
        status=422 if form and form.is_bound else 200,
    )


def _form(
    request: HttpRequest,
    campaign: PromotionCampaign,
    claim: CampaignClaim,
    listed_row: tuple[Category, ListDocument, Row] | None,
) -> AnswerForm | None:
    """Return the form to answer a claim, None if the claim cannot be answered now, or not by this reader.

    listed_row: the category in whose list the claimant is, that list, and the claimant's row (`own.row_of`)
    """
    open_now = ANSWER.is_open(campaign) and ANSWER.may(request.user)
    if not open_now or hasattr(claim, "answer"):
        return None
    present, choices = None, []
    if listed_row:
        present, document, _row = listed_row
        choices = targets(campaign, document)
    return AnswerForm(request.POST if request.method == "POST" else None, present=present, targets=choices)
