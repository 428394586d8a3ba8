"""The short steps of a year's category change: each is one transaction, refused or done and logged.

The long ones (freezing, applying, reversing) are work for the workers: `scoring.promotions.services.work`.
Every function raises PermissionDenied for who may not, Refused for what is not possible now.
docs/campaigns.md says which step leads where.
"""

from datetime import date, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from players.access import is_player, require, roles_of
from players.categories import categories_on
from players.models import Category, Player
from players.services.journal import hold_message
from scoring.ledger.services import standings
from scoring.promotions.models import (
    CampaignAct,
    CampaignClaim,
    CampaignDecision,
    ClaimAnswer,
    PromotionCampaign,
    PromotionRuleSet,
)
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.merges import number_in_list
from scoring.promotions.services.steps import (
    MAX_AHEAD,
    OPEN_TASKS,
    OPENED,
    REASON_LENGTH,
    Refused,
    begin,
    cancel_waiting,
    finish,
    log,
    required_text,
)

TEXT_LENGTH = 2000
# Of the log: who did any of these does not approve.
WORK_ON_THE_LIST = [OPENED, Verb.EDIT, Verb.FREEZE, Verb.DECIDE, Verb.ANSWER]
NOT_APPROVED = {"approved_at": None, "approved_by": None, "approved_digest": ""}
NOT_PUBLISHED = {"published_at": None, "claims_until": None}


def usual_intake(year: int) -> date:
    """The last day for late results that is proposed: 15 January of the next year (a ruling)."""
    return date(year + 1, 1, 15)


# --- Before the list is frozen ------------------------------------------------------------------------------
@transaction.atomic
def open_campaign(
    year: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
) -> PromotionCampaign:
    """Begin the category change of a year. There is one that is neither reversed nor abandoned."""
    require(roles_of(by).office)
    _check_dates(year, rule_set, intake_until, effective_on)
    try:
        with transaction.atomic():
            campaign = PromotionCampaign.objects.create(
                year=year, rule_set=rule_set, intake_until=intake_until, effective_on=effective_on,
                opened_by=by,
            )  # fmt: skip
    except IntegrityError as error:  # two people may open it at the same moment
        message = _("The category change of %(year)s has been opened already.")
        raise Refused(message % {"year": year}, code="twice") from error
    log(campaign, OPENED, by, detail=_settings(campaign))
    return campaign


@transaction.atomic
def edit(
    campaign_id: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
) -> PromotionCampaign:
    """Other rules or dates, as long as nothing is frozen."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.EDIT)
    if campaign.tasks.filter(state__in=OPEN_TASKS).exists():
        raise Refused(_("The list is being frozen just now."), code="busy")
    _check_dates(campaign.year, rule_set, intake_until, effective_on)
    before = _settings(campaign)
    changes = {"rule_set": rule_set, "intake_until": intake_until, "effective_on": effective_on}
    act = finish(campaign, Verb.EDIT, by, detail={"before": before}, **changes)
    return act.campaign


def _check_dates(year: int, rule_set: PromotionRuleSet, intake_until: date, effective_on: date) -> None:
    end = date(year, 12, 31)
    if year > standings.today().year:
        raise Refused({"year": _("That year has not begun yet.")})
    if not rule_set.holds_on(end):
        raise Refused({"rule_set": _("These rules do not hold at the end of that year.")})
    if intake_until < end:
        raise Refused({"intake_until": _("Late results can only be closed once the year is over.")})
    if effective_on <= intake_until:
        message = _("The new categories hold from a day after the last day for late results.")
        raise Refused({"effective_on": message})
    if effective_on > max(end, standings.today()) + MAX_AHEAD:
        raise Refused({"effective_on": _("That is more than a year away.")})


def _settings(campaign: PromotionCampaign) -> dict:
    """What a campaign was opened with, for the log."""
    return {
        "rule_set": campaign.rule_set.name,
        "intake_until": campaign.intake_until.isoformat(),
        "effective_on": campaign.effective_on.isoformat(),
    }


# --- Review and approval ------------------------------------------------------------------------------------
@transaction.atomic
def decide(campaign_id: int, player_id: int, target: Category | None, reason: str, by) -> CampaignDecision:
    """A player of the frozen list moves to `target`, or stays (None), whatever the rules say.

    Refused with the code "same" where that is decided already, for that reason: a button pressed twice.
    """
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.DECIDE)
    reason = required_text(reason)
    held = queries.decisions_in_force(campaign).get(player_id)
    if held and (held.target, held.reason) == (target, reason):
        raise Refused(_("That is decided already, for this reason."), code="same")
    decision = _store_decision(campaign, player_id, target, reason, by)
    finish(campaign, Verb.DECIDE, by, decision.reason, _of_decision(decision))
    return decision


def _store_decision(campaign, player_id: int, target, reason: str, by, answer=None) -> CampaignDecision:
    """Add a decision. Nobody decides on themselves; titles are granted by hand, not here."""
    player = Player.objects.select_related("merged_into").filter(pk=player_id).first()
    if player and _is_person(by, player):
        message = _("Nobody decides on themselves: somebody else has to decide on %(number)s.")
        raise Refused(message % {"number": player.number}, code="own")
    code = queries.category_in_list(campaign, player_id)
    if code is None:
        message = _("The player is not in the frozen list. If they should be, it has to be frozen again.")
        raise Refused(message, code="not_listed")
    if target is not None:
        usual = queries.document_of(campaign, code).target
        on_ladder = Category.objects.on(campaign.effective_on).filter(pk=target.pk).exists()
        if target.code == code or not on_ladder or (target.is_title and target.code != usual):
            message = _("Nobody of %(category)s can be moved to %(target)s here.")
            values = {"category": code, "target": target.code}
            raise Refused({"target": message % values}, code="target")
    return CampaignDecision.objects.create(
        campaign=campaign, player_id=player_id, target=target, reason=reason, answer=answer, by=by
    )


def _is_person(by, player: Player) -> bool:
    """Whether the account is that of the player, under this number or another one merged with it."""
    return Player.objects.numbers_of(player.current).filter(user=by).exists()


def _of_decision(decision: CampaignDecision) -> dict:
    return {"player": decision.player_id, "target": decision.target and decision.target.code}


@transaction.atomic
def approve(campaign_id: int, by, digest: str) -> CampaignAct:
    """The committee approves the list whose digest it has looked at.

    The approver is neither who opened, changed or froze the campaign, nor who decided on a player or answered
    a claim. A list that moves the approver may be theirs to approve: the log says so (`own`, ids of players).
    """
    require(roles_of(by).committee)
    campaign = begin(campaign_id, Verb.APPROVE)
    if not may_approve(campaign, by):
        message = _("The list is approved by somebody who has not worked on it.")
        raise Refused(message, code="same_person")
    refuse_held_back(by)
    if digest != queries.list_digest(campaign):
        message = _("The list has changed since you opened the page: look at it again.")
        raise Refused(message, code="changed")
    if digest == campaign.approved_digest:
        raise Refused(_("This list is approved already."), code="approved")
    detail = {"digest": digest}
    if moves := own_moves(campaign, by):
        detail["own"] = [row.place.entrant.player_id for row in moves]
    return finish(
        campaign, Verb.APPROVE, by, detail=detail,
        approved_by=by, approved_at=timezone.now(), approved_digest=digest,
    )  # fmt: skip


def may_approve(campaign: PromotionCampaign, by) -> bool:
    """Whether the account is of the committee and has had no part in the list."""
    return roles_of(by).committee and not campaign.acts.filter(by=by, verb__in=WORK_ON_THE_LIST).exists()


def refuse_held_back(by) -> None:
    """Raise Refused in the waiting days of the account."""
    if text := hold_message(by):
        raise Refused(text, code="waiting")


def own_moves(campaign: PromotionCampaign, by) -> list[queries.Row]:
    """The lines by which the list in force moves the account's own player, under any of their numbers."""
    player = Player.objects.select_related("merged_into").filter(user=by).first()
    if player is None:
        return []
    numbers = list(Player.objects.numbers_of(player.current).values_list("pk", flat=True))
    return [row for row in queries.rows_of(campaign, numbers).values() if row.final]


@transaction.atomic
def give_back(campaign_id: int, by, reason: str) -> CampaignAct:
    """The committee takes its approval back, before the list is published."""
    require(roles_of(by).committee)
    campaign = begin(campaign_id, Verb.RETURN)
    detail = {"digest": campaign.approved_digest}
    return finish(campaign, Verb.RETURN, by, required_text(reason), detail, **NOT_APPROVED)


# --- Publication --------------------------------------------------------------------------------------------
@transaction.atomic
def publish(campaign_id: int, by, claims_until: date | None = None) -> CampaignAct:
    """Show the approved list to everybody. Players contest it up to a day; usually that of the rule set."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.PUBLISH)
    today = standings.today()
    last = claims_until or today + timedelta(days=campaign.rule_set.claims_days)
    if last < today:
        raise Refused({"claims_until": _("That day is over.")})
    if last > today + MAX_AHEAD:
        raise Refused({"claims_until": _("That is more than a year away.")})
    detail = {"claims_until": last.isoformat(), "digest": campaign.approved_digest}
    return finish(campaign, Verb.PUBLISH, by, detail=detail, published_at=timezone.now(), claims_until=last)


@transaction.atomic
def withdraw(campaign_id: int, by, reason: str) -> CampaignAct:
    """Take the publication back: the list is under review again, and nothing is applied on any day."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.WITHDRAW)
    detail = {"cancelled": cancel_waiting(campaign)}
    return finish(campaign, Verb.WITHDRAW, by, required_text(reason), detail, **NOT_APPROVED, **NOT_PUBLISHED)


@transaction.atomic
def abandon(campaign_id: int, by, reason: str) -> CampaignAct:
    """Give the campaign up; another one may be opened for the year."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.ABANDON)
    return finish(campaign, Verb.ABANDON, by, required_text(reason), {"cancelled": cancel_waiting(campaign)})


# --- Claims -------------------------------------------------------------------------------------------------
@transaction.atomic
def claim(campaign_id: int, player: Player, text: str, by) -> CampaignClaim:
    """A player contests the published list: one claim at a time, until the last day for claims."""
    require(is_player(by, player))
    campaign = begin(campaign_id, Verb.CLAIM)
    if standings.today() > campaign.claims_until:
        raise Refused(_("The time for claims is over."), code="claims_over")
    if not has_list(campaign, player):
        raise Refused(_("There is no list of your category."), code="not_listed")
    if campaign.claims.filter(player=player, answer=None).exists():
        raise Refused(_("Your earlier claim has no answer yet."), code="twice")
    made = CampaignClaim.objects.create(
        campaign=campaign, player=player, text=required_text(text, "text", TEXT_LENGTH), by=by
    )
    finish(campaign, Verb.CLAIM, by, detail={"claim": made.pk, "player": player.pk})
    return made


def has_list(campaign: PromotionCampaign, player: Player) -> bool:
    """Whether there is a list of the player's category; being in it takes points besides.

    Who is in a list under a number that was merged into theirs since has that one.
    """
    if number_in_list(campaign, player):
        return True
    held = categories_on(campaign.last_day, [player.pk]).get(player.pk)
    return held is not None and held.code in queries.listed_codes(campaign)


@transaction.atomic
def close_claims(campaign_id: int, by, reason: str) -> CampaignAct:
    """The committee ends the time for claims before its last day; what was contested is still answered.

    Not the office, whose list is contested, nor anybody who worked on it or published it.
    """
    require(roles_of(by).committee)
    campaign = begin(campaign_id, Verb.CLOSE)
    today = standings.today()
    if today > campaign.claims_until:
        raise Refused(_("The time for claims is over."), code="claims_over")
    if not may_close(campaign, by):
        message = _(
            "The time for claims is ended by somebody who neither worked on the list nor published it."
        )
        raise Refused(message, code="same_person")
    refuse_held_back(by)
    detail = {"claims_until": campaign.claims_until.isoformat()}
    yesterday = today - timedelta(days=1)  # the last day that was one for claims to its end
    return finish(campaign, Verb.CLOSE, by, required_text(reason), detail, claims_until=yesterday)


def may_close(campaign: PromotionCampaign, by) -> bool:
    """Whether the account may approve, and did not publish: one person alone leaves no time for claims."""
    return may_approve(campaign, by) and not campaign.acts.filter(by=by, verb=Verb.PUBLISH).exists()


@transaction.atomic
def answer(claim_id: int, accepted: bool, text: str, target: Category | None, by) -> ClaimAnswer:
    """Answer a claim. Accepting it decides on the player: where to they move, or (None) that they stay."""
    require(roles_of(by).office)
    contested = CampaignClaim.objects.select_related("player__merged_into").get(pk=claim_id)
    campaign = begin(contested.campaign_id, Verb.ANSWER)
    if ClaimAnswer.objects.filter(claim=contested).exists():
        raise Refused(_("Somebody else has answered this claim."), code="answered")
    if _is_person(by, contested.player):
        raise Refused(_("Nobody answers their own claim."), code="own")
    text = required_text(text, "text", TEXT_LENGTH)
    made = ClaimAnswer.objects.create(claim=contested, accepted=accepted, text=text, by=by)
    detail = {"claim": contested.pk, "player": contested.player_id, "accepted": accepted}
    if accepted:
        reason = Truncator(text).chars(REASON_LENGTH)
        decision = _store_decision(campaign, contested.player_id, target, reason, by, made)
        detail |= _of_decision(decision)
    finish(campaign, Verb.ANSWER, by, Truncator(text).chars(REASON_LENGTH), detail)
    return made
