"""The review pages of a campaign: a category's list, and a player's dossier."""

from functools import partial

from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from players.access import name_for, require
from players.models import Category, Player
from scoring.promotions.acts.base import not_now
from scoring.promotions.acts.decide import Decide, targets
from scoring.promotions.criteria import PRIVATE
from scoring.promotions.forms.acts import DecisionForm
from scoring.promotions.models import CampaignDecision, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import PlaceState
from scoring.promotions.pure.states import LISTED
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Row, sessions_of
from scoring.promotions.queries.merges import ListedPlayer
from scoring.promotions.queries.own import row_of
from scoring.promotions.tables.campaigns import DecisionTable, ReviewTable, SessionTable
from scoring.promotions.tables.rows import list_rows
from scoring.promotions.views.access import campaign_crumbs, frozen_lists_required
from scoring.promotions.wording import move_words, review_words, rule_words, state_words, with_method
from ui import exports
from ui.addresses import one_of

DECIDE = Decide()
NEAR = 10  # places above and below the cut
FILTERS = {
    "": gettext_lazy("all players of the list"),
    "se-mueven": gettext_lazy("those who move"),
    "corte": gettext_lazy("those near the cut"),
    "frenados": gettext_lazy("those something stops"),
    "decididos": gettext_lazy("those decided by hand"),
}
SESSIONS = gettext_lazy("Sessions of the modified average, latest first")
STOPPED = {*PRIVATE, PlaceState.UNLICENSED, PlaceState.WARNED}


def frozen_list(campaign: PromotionCampaign, code: str) -> tuple[Category, ListDocument]:
    """Return a category and its frozen list, or raise Http404."""
    lists = campaign.snapshot.lists.select_related("category")
    frozen = get_object_or_404(lists.defer("body", "sessions"), category__code__iexact=code)
    return frozen.category, queries.document_of(campaign, frozen.category.code)


def file_name(campaign: PromotionCampaign, category: Category) -> str:
    """Return the name, without extension, of a download of one category's list."""
    return "-".join((_("category-change"), str(campaign.year), category.code.lower()))


def narrowed(rows: list[Row], show: str) -> list[Row]:
    """Return the rows that a filter selects, in the same order.

    show: the filter, a key of FILTERS
    """
    if show == "se-mueven":
        return [row for row in rows if row.final]
    if show == "frenados":
        return [row for row in rows if row.place.state in STOPPED]
    if show == "decididos":
        return [row for row in rows if row.decision is not None]
    if show == "corte":
        ranked = [row for row in rows if row.place.margin is not None]
        above = [row for row in ranked if row.place.margin >= 0]
        below = [row for row in ranked if row.place.margin < 0]
        return above[-NEAR:] + below[:NEAR]
    return rows


@frozen_lists_required
@require_safe
def review(request: HttpRequest, campaign: PromotionCampaign, code: str) -> HttpResponse:
    """Show one category's list, as a page or a download: who moves, and why."""
    category, document = frozen_list(campaign, code)
    all_rows = queries.current_list(campaign, category)
    show = one_of(request.GET.get("ver", ""), FILTERS)
    rows, words = narrowed(all_rows, show), partial(review_words, document)
    table = exports.file_or_table(
        request,
        ReviewTable,
        file_name(campaign, category),
        list_rows(rows, words, campaign_id=campaign.pk, desk=True),
        file_source=list_rows(rows, words),
        caption=_("Category %(code)s, most points first") % {"code": category.code},
        empty_text=_("Nobody of this list is so."),
        empty_link=(request.path, _("See the whole list")),
    )
    if isinstance(table, HttpResponseBase):
        return table
    context = {
        "campaign": campaign,
        "category": category,
        "document": document,
        "rule": rule_words(document.rule),
        "entered": len(all_rows),
        "without_place": sum(not (row.place.rank or row.final) for row in all_rows),
        "moving": sum(row.final for row in all_rows),
        "decided": sum(row.decision is not None for row in all_rows),
        "show": show,
        "filters": list(FILTERS.items()),
        "table_html": table.as_html(request),
        "codes": queries.listed_codes(campaign),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (category.code, None)
        ),
    }
    return render(request, "promotions/campaign/review.html", context)


@frozen_lists_required
@require_http_methods(["GET", "HEAD", "POST"])
def dossier(request: HttpRequest, campaign: PromotionCampaign, number: str) -> HttpResponse:
    """Show all about one listed player and, for the office, the form to decide whether the player moves."""
    player = get_object_or_404(Player.objects.select_related("club__region", "merged_into"), number=number)
    listed_row = row_of(campaign, player, queries.decisions_in_force(campaign))
    if listed_row is None:
        raise Http404(_("This player is not in the frozen lists."))
    category, document, row = listed_row
    may_write = DECIDE.may(request.user)
    if request.method == "POST":
        require(may_write)
    open_now = may_write and DECIDE.is_open(campaign)
    data = request.POST if request.method == "POST" else None
    form = DecisionForm(data, present=category, targets=targets(campaign, document)) if open_now else None
    if request.method == "POST" and form is None:
        messages.info(request, not_now(campaign))
        return redirect(request.path)
    if form and form.submit(DECIDE.perform, campaign.pk, player.pk, by=request.user):
        return redirect("campaign_player", campaign.pk, player.number)
    if form and form.has_error(NON_FIELD_ERRORS, "same"):  # a double click: only the second response is shown
        messages.info(request, " ".join(form.non_field_errors()))
        return redirect(request.path)
    sessions = with_method(sessions_of(campaign, category.code, player.pk))
    name = name_for(request.user, player)
    decisions = campaign.decisions.filter(player=player).select_related("by", "target").order_by("-pk")
    merged_since = player.merged_into_id and campaign.state in LISTED
    context = {
        "campaign": campaign,
        "category": category,
        "document": document,
        "player": player,
        "listed": [ListedPlayer(campaign, player, row)] if merged_since else [],
        "may_write": may_write,
        "name": name,
        "row": row,
        "words": state_words(row.place, document),
        "goes": move_words(row.target),
        "sessions_html": SessionTable(sessions, caption=SESSIONS).as_html(request),
        "decisions_html": _decisions_html(request, decisions, row.decision),
        "claims": campaign.claims.filter(player=player).select_related("answer"),
        "form": form,
        "breadcrumbs": campaign_crumbs(
            request,
            (str(campaign.year), campaign.get_absolute_url()),
            (category.code, reverse("campaign_review", args=[campaign.pk, category.code.lower()])),
            (name, None),
        ),
    }
    return render(
        request, "promotions/campaign/player.html", context, status=422 if form and form.is_bound else 200
    )


def _decisions_html(request: HttpRequest, decisions, in_force: CampaignDecision | None) -> str:
    rows = [
        {
            "at": decision.at,
            "target": move_words(decision.target and decision.target.code),
            "by": decision.by.get_username(),
            "reason": decision.reason,
        }
        for decision in decisions
    ]
    if rows and in_force is None:
        words = _("%(decision)s: made for another category, it holds no more")
        rows[0]["target"] = words % {"decision": rows[0]["target"]}
    return DecisionTable(rows).as_html(request) if rows else ""
