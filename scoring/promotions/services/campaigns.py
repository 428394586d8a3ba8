"""The short steps of a year's category change. Each is one transaction: refused, or done and logged.

Workers do the long steps (freeze, apply, reverse): `scoring.promotions.services.work`. Every step raises
PermissionDenied if the account may not take it, and Refused if it is not possible now. docs/campaigns.md
describes the transitions.
"""

from datetime import date, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from players.access import is_player, require, roles_of
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
from scoring.promotions.pure.states import OPENED, Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.own import has_list
from scoring.promotions.queries.steps import OPEN_TASKS, may_approve
from scoring.promotions.services.steps import (
    MAX_AHEAD,
    REASON_LENGTH,
    Refused,
    begin,
    cancel_waiting,
    finish,
    log,
    required_text,
)

TEXT_LENGTH = 2000
NOT_APPROVED = {"approved_at": None, "approved_by": None, "approved_digest": ""}
NOT_PUBLISHED = {"published_at": None, "claims_until": None}


def usual_intake(year: int) -> date:
    """Return the default last day for late results: 15 January of the next year (a ruling)."""
    return date(year + 1, 1, 15)


# --- Before the list is frozen ------------------------------------------------------------------------------
@transaction.atomic
def open_campaign(
    year: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
) -> PromotionCampaign:
    """Open a year's category change. Raises Refused unless the year's others are reversed or abandoned."""
    require(roles_of(by).office)
    _check_dates(year, rule_set, intake_until, effective_on)
    try:
        with transaction.atomic():
            campaign = PromotionCampaign.objects.create(
                year=year,
                rule_set=rule_set,
                intake_until=intake_until,
                effective_on=effective_on,
                opened_by=by,
            )
    except IntegrityError as error:  # two people may open it simultaneously
        message = _("The category change of %(year)s has been opened already.")
        raise Refused(message % {"year": year}, code="twice") from error
    log(campaign, OPENED, by, detail=_settings(campaign))
    return campaign


@transaction.atomic
def edit(
    campaign_id: int, by, *, rule_set: PromotionRuleSet, intake_until: date, effective_on: date
) -> PromotionCampaign:
    """Change the rules or dates before the first freeze."""
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
    """Return the campaign's rules and dates, for the log."""
    return {
        "rule_set": campaign.rule_set.name,
        "intake_until": campaign.intake_until.isoformat(),
        "effective_on": campaign.effective_on.isoformat(),
    }


# --- Review and approval ------------------------------------------------------------------------------------
@transaction.atomic
def decide(campaign_id: int, player_id: int, target: Category | None, reason: str, by) -> CampaignDecision:
    """Decide that a player of the frozen list moves to `target`, or stays (None), whatever the rules say.

    Raises Refused with the code "same" if the last decision is the same: the button was pressed twice.
    """
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.DECIDE)
    reason = required_text(reason)
    last = queries.decisions_in_force(campaign).get(player_id)
    if last and (last.target, last.reason) == (target, reason):
        raise Refused(_("That is decided already, for this reason."), code="same")
    decision = _store_decision(campaign, player_id, target, reason, by)
    finish(campaign, Verb.DECIDE, by, decision.reason, _decision_detail(decision))
    return decision


def _store_decision(campaign, player_id: int, target, reason: str, by, answer=None) -> CampaignDecision:
    """Store a decision about a player of the frozen list.

    Raise Refused if the account belongs to the player, if the player is not in the list, or if the
    target is not allowed: a category that is a title is allowed only if it is the list's own target.
    """
    player = Player.objects.select_related("merged_into").filter(pk=player_id).first()
    if player and _is_person(by, player):
        message = _("Nobody decides on themselves: somebody else has to decide on %(number)s.")
        raise Refused(message % {"number": player.number}, code="own")
    code = queries.category_in_list(campaign, player_id)
    if code is None:
        message = _("The player is not in the frozen list. If they should be, it has to be frozen again.")
        raise Refused(message, code="not_listed")
    if target is not None:
        list_target = queries.document_of(campaign, code).target
        on_ladder = Category.objects.on(campaign.effective_on).filter(pk=target.pk).exists()
        if target.code == code or not on_ladder or (target.is_title and target.code != list_target):
            message = _("Nobody of %(category)s can be moved to %(target)s here.")
            values = {"category": code, "target": target.code}
            raise Refused({"target": message % values}, code="target")
    return CampaignDecision.objects.create(
        campaign=campaign, player_id=player_id, target=target, reason=reason, answer=answer, by=by
    )


def _is_person(by, player: Player) -> bool:
    """Whether the account belongs to the player, under this number or one merged with it."""
    return Player.objects.numbers_of(player.current).filter(user=by).exists()


def _decision_detail(decision: CampaignDecision) -> dict:
    return {"player": decision.player_id, "target": decision.target and decision.target.code}


@transaction.atomic
def approve(campaign_id: int, by, digest: str) -> CampaignAct:
    """Approve, for the committee, the list with this digest, which is the one that the page showed.

    The approver must not have opened, changed or frozen the campaign, decided on a player or answered a
    claim. They may approve a list that moves themselves; the log then names their player ids (`own`).
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
        campaign,
        Verb.APPROVE,
        by,
        detail=detail,
        approved_by=by,
        approved_at=timezone.now(),
        approved_digest=digest,
    )


def refuse_held_back(by) -> None:
    """Raise Refused while the account is in its waiting period."""
    if text := hold_message(by):
        raise Refused(text, code="waiting")


def own_moves(campaign: PromotionCampaign, by) -> list[queries.Row]:
    """Return the rows of the list in force that move the account's own player, under any of their numbers."""
    player = Player.objects.select_related("merged_into").filter(user=by).first()
    if player is None:
        return []
    player_ids = list(Player.objects.numbers_of(player.current).values_list("pk", flat=True))
    return [row for row in queries.rows_of(campaign, player_ids).values() if row.final]


@transaction.atomic
def give_back(campaign_id: int, by, reason: str) -> CampaignAct:
    """Revoke the committee's approval, before publication."""
    require(roles_of(by).committee)
    campaign = begin(campaign_id, Verb.RETURN)
    detail = {"digest": campaign.approved_digest}
    return finish(campaign, Verb.RETURN, by, required_text(reason), detail, **NOT_APPROVED)


# --- Publication --------------------------------------------------------------------------------------------
@transaction.atomic
def publish(campaign_id: int, by, claims_until: date | None = None) -> CampaignAct:
    """Publish the approved list. Players may contest it until a day, by default the one from the rule set."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.PUBLISH)
    today = standings.today()
    last_day = claims_until or today + timedelta(days=campaign.rule_set.claims_days)
    if last_day < today:
        raise Refused({"claims_until": _("That day is over.")})
    if last_day > today + MAX_AHEAD:
        raise Refused({"claims_until": _("That is more than a year away.")})
    detail = {"claims_until": last_day.isoformat(), "digest": campaign.approved_digest}
    return finish(
        campaign, Verb.PUBLISH, by, detail=detail, published_at=timezone.now(), claims_until=last_day
    )


@transaction.atomic
def withdraw(campaign_id: int, by, reason: str) -> CampaignAct:
    """Withdraw the publication: the list returns to review, and scheduled steps are cancelled."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.WITHDRAW)
    detail = {"cancelled": cancel_waiting(campaign)}
    return finish(campaign, Verb.WITHDRAW, by, required_text(reason), detail, **NOT_APPROVED, **NOT_PUBLISHED)


@transaction.atomic
def abandon(campaign_id: int, by, reason: str) -> CampaignAct:
    """Abandon the campaign. Another one may be opened for the year."""
    require(roles_of(by).office)
    campaign = begin(campaign_id, Verb.ABANDON)
    return finish(campaign, Verb.ABANDON, by, required_text(reason), {"cancelled": cancel_waiting(campaign)})


# --- Claims -------------------------------------------------------------------------------------------------
@transaction.atomic
def claim(campaign_id: int, player: Player, text: str, by) -> CampaignClaim:
    """Store a player's claim against the published list: one open claim at a time, until the last day."""
    require(is_player(by, player))
    campaign = begin(campaign_id, Verb.CLAIM)
    if standings.today() > campaign.claims_until:
        raise Refused(_("The time for claims is over."), code="claims_over")
    if not has_list(campaign, player):
        raise Refused(_("There is no list of your category."), code="not_listed")
    if campaign.claims.filter(player=player, answer=None).exists():
        raise Refused(_("Your earlier claim has no answer yet."), code="twice")
    new = CampaignClaim.objects.create(
        campaign=campaign, player=player, text=required_text(text, "text", TEXT_LENGTH), by=by
    )
    finish(campaign, Verb.CLAIM, by, detail={"claim": new.pk, "player": player.pk})
    return new


@transaction.atomic
def close_claims(campaign_id: int, by, reason: str) -> CampaignAct:
    """End the claims period early, for the committee. Claims already made are still answered.

    The office, whose list is contested, may not; nor may anybody who worked on the list or published it.
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
    yesterday = today - timedelta(days=1)  # the last full day for claims
    return finish(campaign, Verb.CLOSE, by, required_text(reason), detail, claims_until=yesterday)


def may_close(campaign: PromotionCampaign, by) -> bool:
    """Whether the account may end the claims period: it may approve, and somebody else published."""
    return may_approve(campaign, by) and not campaign.acts.filter(by=by, verb=Verb.PUBLISH).exists()


@transaction.atomic
def answer(claim_id: int, accepted: bool, text: str, target: Category | None, by) -> ClaimAnswer:
    """Answer a claim. Accepting it decides that the player moves to `target`, or stays (None)."""
    require(roles_of(by).office)
    claim = CampaignClaim.objects.select_related("player__merged_into").get(pk=claim_id)
    campaign = begin(claim.campaign_id, Verb.ANSWER)
    if ClaimAnswer.objects.filter(claim=claim).exists():
        raise Refused(_("Somebody else has answered this claim."), code="answered")
    if _is_person(by, claim.player):
        raise Refused(_("Nobody answers their own claim."), code="own")
    text = required_text(text, "text", TEXT_LENGTH)
    new_answer = ClaimAnswer.objects.create(claim=claim, accepted=accepted, text=text, by=by)
    detail = {"claim": claim.pk, "player": claim.player_id, "accepted": accepted}
    if accepted:
        reason = Truncator(text).chars(REASON_LENGTH)
        decision = _store_decision(campaign, claim.player_id, target, reason, by, new_answer)
        detail |= _decision_detail(decision)
    finish(campaign, Verb.ANSWER, by, Truncator(text).chars(REASON_LENGTH), detail)
    return new_answer
