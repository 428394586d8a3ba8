"""The result of the year-end change for one player: the row of the list, the letter and the claims."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import QuerySet

from players.categories import categories_on, category_of
from players.models import Category, CategoryAssignment, Player
from scoring.promotions.models import CampaignChange, CampaignClaim, CampaignDecision, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Row
from scoring.promotions.queries.merges import number_in_list
from ui.clock import today


def published(year: int) -> PromotionCampaign | None:
    """Return the year's campaign if its lists are public, else None."""
    matches = PromotionCampaign.objects.filter(family="aeb", year=year, state__in=states.PUBLIC)
    return matches.select_related("rule_set", "snapshot").first()


def campaign_with_letters(year: int) -> PromotionCampaign | None:
    """Return the year's campaign whose result players can read on their letter pages.

    A letter page states to one player whether the player moves to another category, and why. The campaign is
    the one whose lists are public. If there is none, it is the last reversed one. Return None without either.
    """
    with_letters = (*states.PUBLIC, PromotionCampaign.State.REVERSED)
    matches = PromotionCampaign.objects.filter(family="aeb", year=year, state__in=with_letters)
    campaigns = matches.select_related("rule_set", "snapshot").order_by("-pk")
    return max(campaigns, key=lambda campaign: campaign.state in states.PUBLIC, default=None)


def published_years() -> set[int]:
    """Return the years whose lists are public."""
    matches = PromotionCampaign.objects.filter(family="aeb", state__in=states.PUBLIC)
    return set(matches.values_list("year", flat=True))


def holds_from(campaign: PromotionCampaign) -> date:
    """Return the day from which the new categories are in force. One query once the lists were applied.

    While the lists are published and not applied yet, return the earliest possible day.
    """
    if campaign.state == PromotionCampaign.State.PUBLISHED:
        return max(campaign.effective_on, campaign.claims_until + timedelta(days=1), today())
    assigned = campaign.changes.filter(assignment__isnull=False)
    return assigned.values_list("assignment__valid_from", flat=True).first() or campaign.effective_on


def claims_open(campaign: PromotionCampaign) -> bool:
    """Return whether players may contest the lists today."""
    return campaign.state == PromotionCampaign.State.PUBLISHED and today() <= campaign.claims_until


@dataclass(frozen=True, slots=True)
class OwnResult:
    """The result of a published campaign for one player.

    document: the list in which the player is, None if the player is in no list
    row: the player's row of the approved list, None if the player is in no list
    left: whether applying skipped the player, who should have moved, because of a problem such as a changed
        category
    from_day: the day from which the new categories are in force
    may_claim: whether the player may contest the list now
    claims: the player's claims against the campaign's lists
    under: the merged player, if the list has a number that was merged into the player's number; else None.
        Applying skips merged players, so such a player does not move.
    waiting: a decision on the player that the committee has not approved yet
    undone: what reversing did with the player's move (CampaignChange.Undone), "" if nothing
    """

    campaign: PromotionCampaign
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
        """Whether reversing left the player's category unchanged, because it had been changed by hand."""
        return self.undone == CampaignChange.Undone.CONFLICT

    @property
    def answer(self) -> str:
        """The office's answer to the claim that led to the row's decision, "" if no claim did."""
        return answered_reason(self.row)

    @property
    def short(self) -> int | None:
        """The points, in hundredths, that the player lacks to reach the cut; None if none are lacking."""
        margin = self.row.place.margin if self.row else None
        return -margin if margin is not None and margin < 0 else None

    @property
    def decided_to_stay(self) -> bool:
        """Whether a decision, not the rules, keeps the player in the present category."""
        return self.row is not None and self.row.decision is not None and not self.row.final

    @property
    def moves(self) -> bool:
        """Whether the player gets another category."""
        return self.row is not None and self.row.final and not self.left and not self.under


def answered_reason(row: Row | None) -> str:
    """Return the office's answer to the claim that led to the row's decision, "" if no claim did.

    Reasons of other decisions are private.
    """
    decision = row.decision if row else None
    return decision.answer.text if decision and decision.answer_id else ""


def own_result(
    player: Player, campaign: PromotionCampaign, history: Iterable[CategoryAssignment]
) -> OwnResult:
    """Return the campaign's result for a player, with the player's claims.

    history: from `players.categories.history_of`
    """
    number = number_in_list(campaign, player)
    listed_as = number or player
    approved, waiting = queries.approved_and_waiting(campaign)
    code = queries.category_in_list(campaign, listed_as.pk)
    row = queries.row_in(campaign, code, listed_as.pk, approved) if code else None
    claims = list(claims_of(player).filter(campaign=campaign))
    unanswered = any(not hasattr(claim, "answer") for claim in claims)
    contestable = number is not None or has_list_of(campaign, category_of(history, campaign.last_day))
    change = _change_of(listed_as, campaign)
    return OwnResult(
        campaign=campaign,
        document=queries.document_of(campaign, code) if code else None,
        row=row,
        left=bool(change and change.problem),
        from_day=_holds_from(campaign, change),
        may_claim=claims_open(campaign) and not unanswered and contestable,
        claims=claims,
        under=None if listed_as == player else listed_as,
        waiting=waiting.get(listed_as.pk),
        undone=change.undone if change else "",
    )


def _change_of(player: Player, campaign: PromotionCampaign) -> CampaignChange | None:
    """Return what applying a campaign did for a player. No query before it was applied."""
    if campaign.state == PromotionCampaign.State.PUBLISHED:
        return None
    return campaign.changes.filter(player=player).select_related("assignment").first()


def _holds_from(campaign: PromotionCampaign, change: CampaignChange | None) -> date:
    """Return what `holds_from` does, from a player's own change if it has an assignment."""
    return change.assignment.valid_from if change and change.assignment else holds_from(campaign)


def claims_of(player: Player) -> QuerySet[CampaignClaim]:
    """Return the claims of a player, including those made under merged numbers, latest first."""
    own = CampaignClaim.objects.filter(player__in=Player.objects.numbers_of(player))
    return own.select_related("answer").order_by("-pk")


def latest_result(player: Player, day: date, history: Iterable[CategoryAssignment]) -> OwnResult | None:
    """Return the result of last year's campaign for a player, None while its lists are not public.

    day: today
    history: as for `own_result`
    """
    campaign = campaign_with_letters(day.year - 1)
    return own_result(player, campaign, history) if campaign else None


def orphaned_claims(player: Player, day: date) -> list[CampaignClaim]:
    """Return a player's unanswered claims against lists of last year that were withdrawn or abandoned.

    day: today
    """
    unanswered = claims_of(player).filter(answer=None, campaign__year=day.year - 1)
    with_letters = (*states.PUBLIC, PromotionCampaign.State.REVERSED)  # letters show the claims
    return list(unanswered.exclude(campaign__state__in=with_letters).select_related("campaign"))


def row_of(
    campaign: PromotionCampaign, player: Player, decisions: queries.Decisions
) -> tuple[Category, ListDocument, Row] | None:
    """Return the category in whose list a player is, that frozen list, and the player's row.

    Return None if no list contains the player.

    decisions: the decisions to apply to the row, by player id
    """
    code = queries.category_in_list(campaign, player.pk)
    if code is None:
        return None
    category = Category.objects.get(code=code)
    document = queries.document_of(campaign, code)
    return category, document, queries.row_in(campaign, code, player.pk, decisions)


def has_list(campaign: PromotionCampaign, player: Player) -> bool:
    """Return whether there is a list that the player may contest: that of the player's category.

    The list need not contain the player, who may lack points. A list that contains a number merged into the
    player's is enough too.
    """
    if number_in_list(campaign, player):
        return True
    return has_list_of(campaign, categories_on(campaign.last_day, [player.pk]).get(player.pk))


def has_list_of(campaign: PromotionCampaign, category: Category | None) -> bool:
    """Return whether there is a frozen list of a category."""
    return category is not None and category.code in queries.listed_codes(campaign)
