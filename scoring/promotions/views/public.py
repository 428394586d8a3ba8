"""What everybody sees of a published category change, and what a player sees of their own."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require
from players.models import Category, Player
from scoring.promotions.forms.campaigns import ClaimForm
from scoring.promotions.models import CampaignChange, CampaignClaim, CampaignDecision, PromotionCampaign
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Row
from scoring.promotions.queries.merges import number_in_list
from scoring.promotions.queries.pages import sessions_of
from scoring.promotions.services import campaigns
from scoring.promotions.tables.campaigns import OfficialTable, SessionTable
from scoring.promotions.views.lists import SESSIONS, listed, row_of
from scoring.promotions.views.rows import ListRows
from scoring.promotions.views.words import own_words, with_method
from scoring.promotions.wording import rule_words
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.clock import today
from ui.paging import ROWS, paged

PUBLIC = (PromotionCampaign.State.PUBLISHED, PromotionCampaign.State.APPLIED)


def published(year: int) -> PromotionCampaign | None:
    """The campaign of a year whose lists are public, if there is one."""
    found = PromotionCampaign.objects.filter(family="aeb", year=year, state__in=PUBLIC)
    return found.select_related("rule_set", "snapshot").first()


def of_year(year: int) -> PromotionCampaign | None:
    """The campaign of a year that players have a letter of: the public one, or else the last one reversed."""
    if public := published(year):
        return public
    found = PromotionCampaign.objects.filter(family="aeb", year=year, state=PromotionCampaign.State.REVERSED)
    return found.select_related("rule_set", "snapshot").order_by("-pk").first()


def published_years() -> set[int]:
    """The years whose lists are public."""
    found = PromotionCampaign.objects.filter(family="aeb", state__in=PUBLIC)
    return set(found.values_list("year", flat=True))


def holds_from(campaign: PromotionCampaign) -> date:
    """The day from which the new categories hold: once applied, the one they were given from.

    While the lists can still be contested or wait to be applied, the earliest day that they can hold from.
    """
    given = campaign.changes.filter(assignment__isnull=False)
    if found := given.values_list("assignment__valid_from", flat=True).first():
        return found
    if campaign.state != PromotionCampaign.State.PUBLISHED:
        return campaign.effective_on
    return max(campaign.effective_on, campaign.claims_until + timedelta(days=1), today())


def claims_open(campaign: PromotionCampaign) -> bool:
    """Whether players may contest the lists today."""
    return campaign.state == PromotionCampaign.State.PUBLISHED and today() <= campaign.claims_until


def official(request: HttpRequest, campaign: PromotionCampaign, code: str) -> HttpResponse:
    """One category's published list: page, paper or file."""
    category, document = listed(campaign, code)
    every = queries.approved_list(campaign, category)
    rows = [queries.public_row(row, document) for row in every if row.place.rank or row.final]
    source = ListRows(rows, document, public=True)
    kind = exports.asked(request)
    if kind:
        return _download(kind, campaign, category, source)
    own, waiting = own_player_id(request), queries.waiting_decisions(campaign)
    table = paged(
        OfficialTable,
        request,
        source,
        own_id=own,
        caption=_("Category %(code)s, most points of the year first") % {"code": category.code},
        empty_text=_("Nobody of this category has points in the year."),
    )
    context = {
        "campaign": campaign,
        "category": category,
        "rule": rule_words(document.rule),
        "document": document,
        "entered": len(rows),
        "without_place": len(every) - len(rows),
        "moving": sum(row.final for row in rows),
        "mine": next((row for row in every if row.place.entrant.player_id == own), None) if own else None,
        "waiting": sum(row.place.entrant.player_id in waiting for row in every),
        "from_day": holds_from(campaign),
        "claims_open": claims_open(campaign),
        "table_html": table.as_html(request),
        "codes": queries.listed_codes(campaign),
        "breadcrumbs": crumbs(
            (_("Promotions"), reverse("promotions")), (f"{campaign.year}, {category.code}", None)
        ),
    }
    return render(request, "promotions/official.html", context)


def _download(kind: str, campaign: PromotionCampaign, category: Category, source: ListRows) -> HttpResponse:
    heads = [
        _("Place"), _("Federation number"), _("Player"), _("Club"), _("Points of the year"), _("To the cut"),
        _("State"), _("Moves to"),
    ]  # fmt: skip
    rows = (
        [
            row["rank"], int(row["number"]), row["name"], row["club"], exports.points_value(row["points"]),
            exports.points_value(row["margin"]), row["words"], row["target"],
        ]
        for start in range(0, source.count(), ROWS * 10)
        for row in source.rows(start, start + ROWS * 10)
    )  # fmt: skip
    name = "-".join((_("category-change"), str(campaign.year), category.code.lower()))
    return exports.download(kind, name, heads, rows, get_language() or "")


# --- A player's own -----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Own:
    """A published campaign as it is for one player; `row` is None for who is in none of its lists.

    `row` is that of the list as it was approved; `waiting` is a decision on a claim since then, which changes
    it once approved.

    left: they were to move and were left as they are, because they had another category by then
    under: the number that the row is of, if it was merged into the player's since; it moves nobody
    undone: what reversing the campaign made of the player's move (CampaignChange.Undone), "" for nothing
    """

    campaign: PromotionCampaign
    category: Category | None
    document: ListDocument | None
    row: Row | None
    left: bool
    from_day: date
    may_claim: bool
    claims: list
    under: Player | None = None
    waiting: CampaignDecision | None = None
    undone: str = ""

    @property
    def reversed(self) -> bool:
        """Whether the whole change was taken back."""
        return self.campaign.state == PromotionCampaign.State.REVERSED

    @property
    def conflict(self) -> bool:
        """Whether the category stayed at the reversal, because somebody had changed it by hand."""
        return self.undone == CampaignChange.Undone.CONFLICT

    @property
    def answer(self) -> str:
        """What the office answered to the accepted claim that decided the row; "" where none did."""
        return answered_reason(self.row)

    @property
    def short(self) -> int | None:
        """Hundredths missing to the cut, for who stays below it."""
        margin = self.row.place.margin if self.row else None
        return -margin if margin is not None and margin < 0 else None

    @property
    def decided_to_stay(self) -> bool:
        """Whether people, not the rules, said that the player stays."""
        return self.row is not None and self.row.decision is not None and not self.row.final

    @property
    def moves(self) -> bool:
        """Whether the player gets another category."""
        return self.row is not None and self.row.final and not self.left and not self.under


def answered_reason(row: Row | None) -> str:
    """The answer to the claim behind a row's decision; other decisions have reasons of the office's own."""
    decision = row.decision if row else None
    return decision.answer.text if decision and decision.answer_id else ""


def own_of(player: Player, campaign: PromotionCampaign) -> Own:
    """What the campaign says of the player, and what they have said to it."""
    listed_as = number_in_list(campaign, player) or player
    found = row_of(campaign, listed_as, queries.approved_decisions(campaign))
    category, document, row = found or (None, None, None)
    decided = queries.waiting_decisions(campaign).get(listed_as.pk)
    claims = list(claims_of(player).filter(campaign=campaign))
    waiting = any(not hasattr(claim, "answer") for claim in claims)
    may_claim = claims_open(campaign) and not waiting and campaigns.has_list(campaign, player)
    change = campaign.changes.filter(player=listed_as).first()
    left = bool(change and change.problem)
    under = None if listed_as == player else listed_as
    return Own(
        campaign, category, document, row, left, holds_from(campaign), may_claim, claims, under, decided,
        change.undone if change else "",
    )  # fmt: skip


def claims_of(player: Player) -> QuerySet[CampaignClaim]:
    """What a player contested, also under numbers merged into theirs; the latest first."""
    own = CampaignClaim.objects.filter(player__in=Player.objects.numbers_of(player))
    return own.select_related("answer").order_by("-pk")


def newest_for(player: Player, day: date) -> Own | None:
    """What the player's own page says of the last year's change, once it is public."""
    campaign = of_year(day.year - 1)
    return own_of(player, campaign) if campaign else None


def claims_left(player: Player, day: date) -> list[CampaignClaim]:
    """Claims of the last year without an answer, whose lists were withdrawn or abandoned."""
    open_ones = claims_of(player).filter(answer=None, campaign__year=day.year - 1)
    shown = (*PUBLIC, PromotionCampaign.State.REVERSED)  # there the letter has them
    return list(open_ones.exclude(campaign__state__in=shown).select_related("campaign"))


def _own_campaign(request: HttpRequest, year: int) -> tuple[Player, PromotionCampaign]:
    """The signed-in player and the year's campaign that they have a letter of.

    403 without a player; 404 while no lists of the year have been public.
    """
    player = getattr(request.user, "player", None)
    require(player is not None)
    campaign = of_year(year)
    if campaign is None:
        raise Http404(_("The lists of that year are not public."))
    return player, campaign


@login_required
@require_safe
def letter(request: HttpRequest, year: int) -> HttpResponse:
    """The signed-in player's own letter, how it was worked out, their claims and the answers."""
    player, campaign = _own_campaign(request, year)
    own = own_of(player, campaign)
    context = {
        "own": own,
        "campaign": campaign,
        "player": player,
        "breadcrumbs": crumbs(
            (_("Players"), reverse("players")),
            (player.full_name, player.get_absolute_url()),
            (_("Category change"), None),
        ),
    }
    if own.row:
        listed_as = own.under or player
        sessions = with_method(sessions_of(campaign, own.category.code, listed_as.pk))
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
    """The signed-in player contests the published list."""
    player, campaign = _own_campaign(request, year)
    own = own_of(player, campaign)
    form = ClaimForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            campaigns.claim(campaign.pk, player, form.cleaned_data["text"], request.user)
        except ValidationError as refused:
            form.add_error(None, refused)
        else:
            messages.success(request, _("Your claim has reached the office. You will read the answer here."))
            return redirect("promotion_letter", year)
    context = {
        "own": own,
        "campaign": campaign,
        "form": form if own.may_claim or form.is_bound else None,
        "breadcrumbs": crumbs(
            (player.full_name, player.get_absolute_url()),
            (_("Category change"), reverse("promotion_letter", args=[year])),
            (_("Claim"), None),
        ),
    }
    return render(request, "promotions/campaign/claim.html", context, status=422 if form.is_bound else 200)
