"""The public pages of a published category change, and the signed-in player's own letter and claim."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require
from players.categories import history_of
from players.models import Player
from scoring.promotions.acts.claims import Claim
from scoring.promotions.forms.acts import ClaimForm
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import sessions_of
from scoring.promotions.queries.own import campaign_with_letters, claims_open, holds_from, own_result
from scoring.promotions.tables.campaigns import OfficialTable, SessionTable
from scoring.promotions.tables.rows import list_rows
from scoring.promotions.views.lists import SESSIONS, file_name, frozen_list
from scoring.promotions.wording import own_words, public_words, rule_words, with_method
from ui import exports
from ui.addresses import crumbs, own_player_id


def official(request: HttpRequest, campaign: PromotionCampaign, code: str) -> HttpResponse:
    """Show one category's published list, as a page or a download."""
    category, document = frozen_list(campaign, code)
    all_rows = queries.approved_list(campaign, category)
    rows = queries.public_rows(all_rows, document)
    own = own_player_id(request)
    table = exports.file_or_table(
        request,
        OfficialTable,
        file_name(campaign, category),
        list_rows(rows, public_words),
        own_id=own,
        caption=_("Category %(code)s, most points of the year first") % {"code": category.code},
        empty_text=_("Nobody of this category has points in the year."),
    )
    if isinstance(table, HttpResponseBase):
        return table
    waiting = queries.waiting_decisions(campaign)
    context = {
        "campaign": campaign,
        "category": category,
        "rule": rule_words(document.rule),
        "document": document,
        "entered": len(rows),
        "without_place": len(all_rows) - len(rows),
        "moving": sum(row.final for row in rows),
        "mine": next((row for row in all_rows if row.place.entrant.player_id == own), None) if own else None,
        "waiting": sum(row.place.entrant.player_id in waiting for row in all_rows),
        "from_day": holds_from(campaign),
        "claims_open": claims_open(campaign),
        "table_html": table.as_html(request),
        "codes": queries.listed_codes(campaign),
        "breadcrumbs": crumbs(
            (_("Promotions"), reverse("promotions")), (f"{campaign.year}, {category.code}", None)
        ),
    }
    return render(request, "promotions/official.html", context)


# --- A player's own -----------------------------------------------------------------------------------------
def _own_campaign(request: HttpRequest, year: int) -> tuple[Player, PromotionCampaign]:
    """Return the signed-in player, and the campaign whose result the player's letter of that year states.

    It is the year's public campaign or, if there is none, the last one that was reversed. Raises
    PermissionDenied for an account without a player, and Http404 if the year has no such campaign.
    """
    player = getattr(request.user, "player", None)
    require(player is not None)
    campaign = campaign_with_letters(year)
    if campaign is None:
        raise Http404(_("The lists of that year are not public."))
    return player, campaign


@login_required
@require_safe
def letter(request: HttpRequest, year: int) -> HttpResponse:
    """Show the signed-in player's letter, the figures behind it, and their claims with the answers."""
    player, campaign = _own_campaign(request, year)
    own = own_result(player, campaign, history_of(player))
    context = {
        "own": own,
        "campaign": campaign,
        "player": player,
        "breadcrumbs": crumbs(
            (_("My page"), reverse("my_page")),
            (_("Category change"), None),
        ),
    }
    if own.row:
        listed_as = own.under or player
        sessions = with_method(sessions_of(campaign, own.row.category, listed_as.pk))
        context |= {
            "row": own.row,
            "document": own.document,
            "words": own_words(own.row.place),
            "sessions_html": SessionTable(sessions, caption=SESSIONS).as_html(request),
        }
    return render(request, "promotions/campaign/letter.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, year: int) -> HttpResponse:
    """Show the form with which the signed-in player contests the published list, and store the claim."""
    player, campaign = _own_campaign(request, year)
    own = own_result(player, campaign, history_of(player))
    form = ClaimForm(request.POST if request.method == "POST" else None)
    if form.submit(Claim().perform, campaign.pk, player, by=request.user):
        messages.success(request, _("Your claim has reached the office. You will read the answer here."))
        return redirect("promotion_letter", year)
    context = {
        "own": own,
        "campaign": campaign,
        "form": form if own.may_claim or form.is_bound else None,
        "breadcrumbs": crumbs(
            (_("My page"), reverse("my_page")),
            (_("Category change"), reverse("promotion_letter", args=[year])),
            (_("Claim"), None),
        ),
    }
    return render(request, "promotions/campaign/claim.html", context, status=422 if form.is_bound else 200)
