"""The public pages of a published category change, and the signed-in player's own letter and claim."""

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
from scoring.promotions.views.lists import SESSIONS, frozen_list, row_of
from scoring.promotions.views.rows import ListRows
from scoring.promotions.views.words import own_words, with_method
from scoring.promotions.wording import rule_words
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.clock import today
from ui.paging import ROWS, paged

PUBLIC = (PromotionCampaign.State.PUBLISHED, PromotionCampaign.State.APPLIED)


def published(year: int) -> PromotionCampaign | None:
    """Return the year's campaign if its lists are public."""
    matches = PromotionCampaign.objects.filter(family="aeb", year=year, state__in=PUBLIC)
    return matches.select_related("rule_set", "snapshot").first()


def campaign_with_letters(year: int) -> PromotionCampaign | None:
    """Return the year's campaign for which players have letters: the public or the last reversed one."""
    if public := published(year):
        return public
    matches = PromotionCampaign.objects.filter(
        family="aeb", year=year, state=PromotionCampaign.State.REVERSED
    )
    return matches.select_related("rule_set", "snapshot").order_by("-pk").first()


def published_years() -> set[int]:
    """Return the years whose lists are public."""
    matches = PromotionCampaign.objects.filter(family="aeb", state__in=PUBLIC)
    return set(matches.values_list("year", flat=True))


def holds_from(campaign: PromotionCampaign) -> date:
    """Return the day from which the new categories are in force.

    While the lists are published and not applied yet, return the earliest possible day.
    """
    assigned = campaign.changes.filter(assignment__isnull=False)
    if first_day := assigned.values_list("assignment__valid_from", flat=True).first():
        return first_day
    if campaign.state != PromotionCampaign.State.PUBLISHED:
        return campaign.effective_on
    return max(campaign.effective_on, campaign.claims_until + timedelta(days=1), today())


def claims_open(campaign: PromotionCampaign) -> bool:
    """Whether players may contest the lists today."""
    return campaign.state == PromotionCampaign.State.PUBLISHED and today() <= campaign.claims_until


def official(request: HttpRequest, campaign: PromotionCampaign, code: str) -> HttpResponse:
    """Show one category's published list, as a page or a download."""
    category, document = frozen_list(campaign, code)
    all_rows = queries.approved_list(campaign, category)
    rows = [queries.public_row(row, document) for row in all_rows if row.place.rank or row.final]
    source = ListRows(rows, document, public=True)
    kind = exports.requested_format(request)
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
class OwnResult:
    """The result of a published campaign for one player.

    row: the player's row of the approved list, None if they are in no list
    left: the player was to move, but was left unchanged because their category had changed meanwhile
    under: the listed number, if it has been merged into the player's since; such a row moves nobody
    waiting: a decision on a claim that has not been approved yet
    undone: what reversing did with the player's move (CampaignChange.Undone), "" if nothing
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
        """Whether the whole campaign was reversed."""
        return self.campaign.state == PromotionCampaign.State.REVERSED

    @property
    def conflict(self) -> bool:
        """Whether reversing left the category unchanged, because somebody had changed it by hand."""
        return self.undone == CampaignChange.Undone.CONFLICT

    @property
    def answer(self) -> str:
        """The office's answer to the claim that decided the row, "" if none did."""
        return answered_reason(self.row)

    @property
    def short(self) -> int | None:
        """Hundredths missing to the cut, None if the player is not below it."""
        margin = self.row.place.margin if self.row else None
        return -margin if margin is not None and margin < 0 else None

    @property
    def decided_to_stay(self) -> bool:
        """Whether a decision, not the rules, keeps the player in their category."""
        return self.row is not None and self.row.decision is not None and not self.row.final

    @property
    def moves(self) -> bool:
        """Whether the player gets another category."""
        return self.row is not None and self.row.final and not self.left and not self.under


def answered_reason(row: Row | None) -> str:
    """Return the answer to the claim behind a row's decision; reasons of other decisions are not public."""
    decision = row.decision if row else None
    return decision.answer.text if decision and decision.answer_id else ""


def own_result(player: Player, campaign: PromotionCampaign) -> OwnResult:
    """Return the campaign's result for a player, with the player's claims."""
    listed_as = number_in_list(campaign, player) or player
    approved = queries.approved_decisions(campaign)
    category, document, row = row_of(campaign, listed_as, approved) or (None, None, None)
    claims = list(claims_of(player).filter(campaign=campaign))
    unanswered = any(not hasattr(claim, "answer") for claim in claims)
    change = campaign.changes.filter(player=listed_as).first()
    return OwnResult(
        campaign=campaign,
        category=category,
        document=document,
        row=row,
        left=bool(change and change.problem),
        from_day=holds_from(campaign),
        may_claim=claims_open(campaign) and not unanswered and campaigns.has_list(campaign, player),
        claims=claims,
        under=None if listed_as == player else listed_as,
        waiting=queries.waiting_decisions(campaign).get(listed_as.pk),
        undone=change.undone if change else "",
    )


def claims_of(player: Player) -> QuerySet[CampaignClaim]:
    """Return the claims of a player, including those of merged numbers, latest first."""
    own = CampaignClaim.objects.filter(player__in=Player.objects.numbers_of(player))
    return own.select_related("answer").order_by("-pk")


def latest_result(player: Player, day: date) -> OwnResult | None:
    """Return the result of last year's campaign for a player, None while it is not public."""
    campaign = campaign_with_letters(day.year - 1)
    return own_result(player, campaign) if campaign else None


def orphaned_claims(player: Player, day: date) -> list[CampaignClaim]:
    """Return last year's unanswered claims against lists that have been withdrawn or abandoned."""
    unanswered = claims_of(player).filter(answer=None, campaign__year=day.year - 1)
    with_letters = (*PUBLIC, PromotionCampaign.State.REVERSED)  # the letter shows these claims
    return list(unanswered.exclude(campaign__state__in=with_letters).select_related("campaign"))


def _own_campaign(request: HttpRequest, year: int) -> tuple[Player, PromotionCampaign]:
    """Return the signed-in player and the year's campaign with letters.

    Raises PermissionDenied for an account without a player, and Http404 before publication.
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
    own = own_result(player, campaign)
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
    """Let the signed-in player contest the published list."""
    player, campaign = _own_campaign(request, year)
    own = own_result(player, campaign)
    form = ClaimForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            campaigns.claim(campaign.pk, player, form.cleaned_data["text"], request.user)
        except ValidationError as error:
            form.add_error(None, error)
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
