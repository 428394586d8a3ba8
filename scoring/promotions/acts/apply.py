"""The act of applying a campaign: it gives the new categories."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from players.services import categories
from scoring.ledger.services import queue
from scoring.promotions.acts.base import Act, LongAct, Obstacle, act_by_verb, mark_done, register
from scoring.promotions.acts.forms import ActForm, sure_field
from scoring.promotions.models import CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries import plans
from scoring.promotions.queries.tasks import OPEN_TASKS
from ui.clock import today
from ui.formatting import format_date

BATCH = 1000
# The act that removes an obstacle to applying, by the obstacle's code. The first one needed comes next.
REMOVED_BY = {"unanswered": Verb.ANSWER, "approval": Verb.APPROVE, "claims": Verb.CLAIM}


class ApplyForm(ActForm):
    """The form to confirm that the categories change."""

    sure = sure_field(_("Yes, give the new categories."))


@register
class Apply(LongAct):
    """The act of applying a campaign: all players who move get their new category, in one transaction."""

    verb = Verb.APPLY
    label = _("Apply the change")
    says = _(
        "Every player who moves gets the new category, all at once or nobody. Points and old tournaments "
        "do not change."
    )
    logged = _("change applied")
    turn_words = _("It is the office’s turn: it applies the change.")
    reminder = _("The time for claims of %(year)s is over: the change can be applied.")
    progress = _("Giving the new categories")
    form_class = ApplyForm
    template = "promotions/campaign/_to_apply.html"

    def has_effect(self, campaign: PromotionCampaign, user, scheduled: bool) -> bool:
        return not scheduled

    def obstacles(self, campaign: PromotionCampaign) -> list[Obstacle]:
        """Return what still prevents applying the campaign.

        The codes are "claims" (the claims period is not over), "unanswered" (a claim has no answer) and
        "approval" (the lists have changed since they were approved).
        """
        missing = []
        last_day = campaign.claims_until
        if last_day is None or today() <= last_day:
            text = gettext("Players may contest the list until %(day)s.")
            values = {"day": format_date(last_day, get_language())}
            missing.append(Obstacle("claims", text % values, until=last_day))
        if number := campaign.claims.filter(answer=None).count():
            text = ngettext(
                "%(number)s claim has no answer yet.", "%(number)s claims have no answer yet.", number
            )
            url = reverse("campaign_claims", args=[campaign.pk])
            link = gettext("Answer the claims")
            missing.append(Obstacle("unanswered", text % {"number": number}, url=url, link=link))
        if campaign.approved_digest != queries.list_digest(campaign):
            text = gettext("The list has changed since it was approved: it has to be approved again.")
            missing.append(Obstacle("approval", text))
        return missing

    def next_act(self, missing: set[str]) -> Act:
        return act_by_verb(next((verb for code, verb in REMOVED_BY.items() if code in missing), self.verb))

    def waits_for(self, campaign: PromotionCampaign, user) -> bool:
        asked_for = any(task.state in OPEN_TASKS for task in campaign.tasks.all())
        return self.may(user) and not asked_for and not self.obstacles(campaign)

    def preview(self, request: HttpRequest, campaign: PromotionCampaign) -> dict[str, Any]:
        """Return the template's context: how many players would change category today, and from which day."""
        grants = plans.planned_grants(campaign)
        unchanged = sum(bool(grant.problem) for grant in grants)
        day = max(campaign.effective_on, today())
        return {"application": {"changed": len(grants) - unchanged, "left": unchanged, "from_day": day}}

    @transaction.atomic
    def work(self, task: CampaignTask) -> None:
        """Assign the new categories from the campaign's effective day on, or from today if that is later.

        Players keep their category if it has changed since the freeze, or if they have died or were merged.
        The campaign's report names them.
        """
        campaign = self.lock(task.campaign_id)
        queue.lock_held(task)
        self.refuse_obstacles(campaign)
        day = max(campaign.effective_on, today())
        moving = queries.movers(campaign)
        # Lock the players before reading their categories, as assigning a category by hand does.
        categories.lock(row.place.entrant.player_id for row in moving)
        grants = plans.grants_of(moving, day)
        conflicts = sum(bool(grant.problem) for grant in grants)
        detail = {
            "task": task.pk,
            "from": day.isoformat(),
            "digest": campaign.approved_digest,
            "changed": len(grants) - conflicts,
            "conflicts": conflicts,
        }
        # Scheduling logged the account; applying on the scheduled day is logged without an account.
        by = None if task.due_on else task.created_by
        # Change the state first: the database accepts changes only for an applied campaign.
        self.finish(campaign, by, task.reason, detail, applied_at=timezone.now())
        _assign(campaign, grants, day, task.created_by)
        mark_done(task)


def _assign(campaign: PromotionCampaign, grants: Iterable[plans.Grant], day: date, by) -> None:
    pairs = [(grant.player_id, grant.target) for grant in grants if not grant.problem]
    assignments = {
        assignment.player_id: assignment
        for assignment in categories.assign_all(pairs, day, reason_of(campaign), by)
    }
    changes = [
        CampaignChange(
            campaign=campaign,
            player_id=grant.player_id,
            category_id=grant.category.pk,
            target_id=grant.target.pk,
            assignment=assignments.get(grant.player_id),
            problem=grant.problem,
        )
        for grant in grants
    ]
    CampaignChange.objects.bulk_create(changes, batch_size=BATCH)


def reason_of(campaign: PromotionCampaign) -> str:
    """Return the reason for a category assigned by a campaign, as shown in the player's history."""
    return gettext("Year-end category change of %(year)s") % {"year": campaign.year}
