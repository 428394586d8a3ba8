"""The pages of the acts of a campaign: their texts, forms and previews.

`scoring.promotions.acts` defines who may perform an act and what it does. The acts of opening a campaign,
deciding on a player, contesting a list and answering a claim have their forms on other pages.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.acts import act_by_verb
from scoring.promotions.acts.approve import own_moves
from scoring.promotions.acts.base import Act, Obstacle
from scoring.promotions.acts.publish import usual_last_day
from scoring.promotions.forms.acts import (
    ActForm,
    ApplyForm,
    ApproveForm,
    DatesForm,
    FreezeAgainForm,
    PublishForm,
    ReasonForm,
    ScheduleForm,
    SureForm,
)
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.states import State, Verb
from scoring.promotions.queries import plans
from scoring.promotions.queries.campaigns import list_digest
from scoring.promotions.tables.campaigns import ChangeTable
from scoring.promotions.tables.rows import conflicts, decided_html, lists_html
from ui.addresses import WAITING_MESSAGE
from ui.clock import today
from ui.formatting import format_date
from ui.paging import paged


@dataclass(frozen=True, slots=True)
class ActPage:
    """The page of an act. The campaign's page links to it.

    verb: identifies the act
    label: text of the button that leads to the page
    says: text that explains the consequences of the act
    done: message after the act; "" if the next page shows the result itself
    progress: message shown while a worker carries out the act
    danger: whether the act is hard to undo
    form: class of the form; its fields are arguments of the act's `perform`
    initial: function that takes the campaign and returns the initial values of the form
    template: name of a template fragment that shows what the act would change; "" for none
    preview: function that takes the request and the campaign and returns the context of `template`
    """

    verb: Verb
    label: Promise
    says: Promise
    done: Promise | str = ""
    progress: Promise | str = ""
    danger: bool = False
    form: type[ActForm] = ActForm
    initial: Callable[[PromotionCampaign], dict[str, Any]] = lambda campaign: {}
    template: str = ""
    preview: Callable[[HttpRequest, PromotionCampaign], dict[str, Any]] = lambda request, campaign: {}

    @property
    def act(self) -> Act:
        """The act that the page performs."""
        return act_by_verb(self.verb)


# --- Initial values and previews ----------------------------------------------------------------------------
def _first_day(campaign: PromotionCampaign) -> dict[str, Any]:
    first_day = max(campaign.claims_until + timedelta(days=1), today())
    return {"due_on": max(first_day, campaign.effective_on)}


def _lists(request: HttpRequest, campaign: PromotionCampaign) -> dict[str, Any]:
    """Return the template context that previews an approval.

    It contains the lists, the decisions, and the list rows that move the user's own player.
    """
    return {
        "lists_html": lists_html(request, campaign),
        "decided_html": decided_html(request, campaign),
        "own_moves": own_moves(campaign, request.user),
    }


def _application(request: HttpRequest, campaign: PromotionCampaign) -> dict[str, Any]:
    """Return the template context that previews the application of a campaign.

    It contains the number of players who would get a new category, the number of those who would not, and the
    first day of the new categories.
    """
    grants = plans.planned_grants(campaign)
    unchanged = sum(bool(grant.problem) for grant in grants)
    day = max(campaign.effective_on, today())
    return {"application": {"changed": len(grants) - unchanged, "left": unchanged, "from_day": day}}


def _reversal(request: HttpRequest, campaign: PromotionCampaign) -> dict[str, Any]:
    """Return the template context that previews the reversal of a campaign.

    It contains the number of players who would get their former category back, and the number and a table of
    those whose category would stay unchanged.
    """
    planned = plans.reversals(campaign, today())
    kept = conflicts(planned)
    table = paged(ChangeTable, request, kept, caption=gettext("Players who would be left as they are"))
    return {
        "reversal": {
            "taken_back": len(planned) - kept.count(),
            "kept": kept.count(),
            "conflicts_html": table.as_html(request) if kept.count() else "",
        }
    }


# --- The pages, in the order of `Verb` ----------------------------------------------------------------------
_PAGES = (
    ActPage(
        Verb.EDIT,
        _("Change the rules or the days"),
        _("As long as nothing is frozen, the rules and the days can be changed."),
        done=_("The campaign was changed."),
        form=DatesForm,
        initial=lambda campaign: {name: getattr(campaign, name) for name in DatesForm.base_fields},
    ),
    ActPage(
        Verb.FREEZE,
        _("Freeze the lists"),
        _(
            "The lists of every category are made and kept as they are; results that come later are shown "
            "apart and change nothing by themselves. Nobody’s category changes yet."
        ),
        progress=_("Making the lists"),
    ),
    ActPage(
        Verb.APPROVE,
        _("Approve the lists"),
        _("You agree to the lists as they are shown here. The office can then publish them."),
        done=_("The lists are approved."),
        form=ApproveForm,
        initial=lambda campaign: {"digest": list_digest(campaign)},
        template="promotions/campaign/_to_approve.html",
        preview=_lists,
    ),
    ActPage(
        Verb.RETURN,
        _("Give the lists back to the office"),
        _("The approval is taken back, and the office can change the lists again."),
        done=_("The lists are with the office again."),
        form=ReasonForm,
    ),
    ActPage(
        Verb.PUBLISH,
        _("Publish the lists"),
        _(
            "Everybody can read the lists, players find on their page whether they move, and may contest it "
            "until the last day for claims. Nobody’s category changes yet."
        ),
        done=_("The lists are published."),
        form=PublishForm,
        initial=lambda campaign: {"claims_until": usual_last_day(campaign)},
    ),
    ActPage(
        Verb.CLOSE,
        _("End the time for claims now"),
        _(
            "From now on nobody can contest the lists, although the last day announced has not come. Claims "
            "already made are still answered."
        ),
        done=_("The time for claims is over."),
        danger=True,
        form=SureForm,
    ),
    ActPage(
        Verb.SCHEDULE,
        _("Have it applied on a day"),
        _(
            "On that day the change is applied by itself, if by then the claims are over and answered and "
            "the lists are approved; otherwise it stops and the office is told."
        ),
        done=_("The change will be applied on that day."),
        form=ScheduleForm,
        initial=_first_day,
        template="promotions/campaign/_to_apply.html",
        preview=_application,
    ),
    ActPage(
        Verb.UNSCHEDULE,
        _("Do not apply it on that day"),
        _("The change will not be applied by itself. The lists stay published."),
        done=_("The change is no longer scheduled."),
        form=ReasonForm,
    ),
    ActPage(
        Verb.APPLY,
        _("Apply the change"),
        _(
            "Every player who moves gets the new category, all at once or nobody. Points and old tournaments "
            "do not change."
        ),
        progress=_("Giving the new categories"),
        form=ApplyForm,
        template="promotions/campaign/_to_apply.html",
        preview=_application,
    ),
    ActPage(
        Verb.WITHDRAW,
        _("Withdraw the publication"),
        _(
            "The public no longer sees the lists. The office can change or freeze them again, and the "
            "committee has to approve them anew."
        ),
        done=_("The lists are no longer public."),
        danger=True,
        form=SureForm,
    ),
    ActPage(
        Verb.REVERSE,
        _("Reverse the whole change"),
        _(
            "Once a second person has approved it, everybody gets back the category they had, except those "
            "whose category was changed by hand afterwards: they are left as they are."
        ),
        done=WAITING_MESSAGE,
        progress=_("Taking the new categories back"),
        danger=True,
        form=SureForm,
        template="promotions/campaign/_to_reverse.html",
        preview=_reversal,
    ),
    ActPage(
        Verb.ABANDON,
        _("Abandon the campaign"),
        _(
            "The campaign ends here and nobody moves. It stays on record; another one can be opened for the "
            "year."
        ),
        done=_("The campaign is abandoned."),
        danger=True,
        form=SureForm,
    ),
)
PAGES = {page.verb: page for page in _PAGES}
# The pages of acts that are repeated, by the state of the campaign.
_REPEATED = {
    (State.FROZEN, Verb.FREEZE): replace(
        PAGES[Verb.FREEZE],
        label=_("Freeze the lists again"),
        says=_(
            "The lists are made anew from today’s results, as a new version beside the old one; what was "
            "decided by hand stays, except on players whose category is another one now. Only needed when "
            "late results should count."
        ),
        form=FreezeAgainForm,
    ),
    (State.PUBLISHED, Verb.APPROVE): replace(
        PAGES[Verb.APPROVE],
        says=_(
            "You agree to the lists as they are now, with what claims changed. The office can apply the "
            "change when the claims are over."
        ),
    ),
}


def page_of(campaign: PromotionCampaign, verb: str) -> ActPage | None:
    """Return the page of an act on this campaign, None if the act has no page."""
    return _REPEATED.get((campaign.state, verb)) or PAGES.get(verb)


# --- Texts for other pages ----------------------------------------------------------------------------------
# Sentences that say whose turn it is, by the state of the campaign and the act that comes next.
TURNS = {
    (State.DRAFT, Verb.FREEZE): _("It is the office’s turn: it freezes the lists."),
    (State.FROZEN, Verb.APPROVE): _(
        "It is the committee’s turn: somebody of it who took no part in the lists approves them."
    ),
    (State.APPROVED, Verb.PUBLISH): _("It is the office’s turn: it publishes the lists."),
    (State.PUBLISHED, Verb.CLAIM): _("It is the players’ turn: they may contest the lists until %(day)s."),
    (State.PUBLISHED, Verb.ANSWER): _("It is the office’s turn: it answers the claims."),
    (State.PUBLISHED, Verb.APPROVE): _(
        "It is the committee’s turn: somebody of it who took no part in the lists approves them anew."
    ),
    (State.PUBLISHED, Verb.APPLY): _("It is the office’s turn: it applies the change."),
}
# Texts that remind people on their home pages of the acts that move a campaign forward.
REMINDERS = {
    (State.FROZEN, Verb.APPROVE): _("The lists of %(year)s wait for your approval."),
    (State.APPROVED, Verb.PUBLISH): _("The lists of %(year)s are approved and can be published."),
    (State.PUBLISHED, Verb.APPROVE): _(
        "The published list of %(year)s has changed and waits for your approval."
    ),
    (State.PUBLISHED, Verb.APPLY): _("The time for claims of %(year)s is over: the change can be applied."),
}


def link_past(obstacle: Obstacle, campaign: PromotionCampaign) -> tuple[str, str]:
    """Return the URL of the page where the obstacle can be removed, and the text of the link to it.

    Both are "" if there is no such page.
    """
    if obstacle.code == "unanswered":
        return reverse("campaign_claims", args=[campaign.pk]), gettext("Answer the claims")
    if obstacle.code in ("rule_set", "rules"):
        return reverse("rule_set", args=[campaign.rule_set_id]), gettext("See and confirm the rules")
    # After the first freeze the campaign's rule set can no longer be changed.
    if obstacle.code == "not_in_force" and campaign.state == State.DRAFT:
        return reverse("campaign_step", args=[campaign.pk, Verb.EDIT]), gettext("Choose other rules")
    return "", ""


def turn(campaign: PromotionCampaign, act: Act) -> str:
    """Return a sentence that says who has to perform `act`, the campaign's next act."""
    words = TURNS[campaign.state, act.verb]
    last_day = campaign.claims_until
    return words % {"day": last_day and format_date(last_day, get_language() or "")}


def reminders(campaign: PromotionCampaign, user) -> Iterator[str]:
    """Yield the reminders for an account's home page: a sentence for each act that waits for it."""
    for (state, verb), text in REMINDERS.items():
        if state == campaign.state and act_by_verb(verb).waits_for(campaign, user):
            yield text % {"year": campaign.year}
