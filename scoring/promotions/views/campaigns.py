"""The year-end category changes: the index, and the page of one campaign."""

from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from players.access import require, roles_of
from players.models import Player
from scoring.promotions.act_pages import ActPage, turn
from scoring.promotions.acts import logged_words
from scoring.promotions.acts.base import Who
from scoring.promotions.acts.open import Open, usual_intake
from scoring.promotions.acts.reverse import reversal_waiting
from scoring.promotions.forms.acts import OpenForm
from scoring.promotions.models import CampaignAct, CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure import states
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.queries.merges import merged_since
from scoring.promotions.queries.own import claims_open, holds_from
from scoring.promotions.queries.tasks import is_scheduled, is_under_way, latest_task
from scoring.promotions.tables.campaigns import CampaignTable, LogTable
from scoring.promotions.tables.rows import lists_html
from scoring.promotions.views import steps
from scoring.promotions.views.access import campaign_crumbs, campaign_of, campaign_role_required
from scoring.promotions.views.steps import Missing
from scoring.promotions.views.versions import moment_words
from ui import progress as progresses
from ui.clock import today
from ui.formatting import format_date
from ui.paging import Pages, paged

CampaignState = PromotionCampaign.State
CLAIMS = timedelta(days=15)  # claims period assumed to propose a campaign's dates
LOG_ROWS = 20


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """List all campaigns and, for the office, show the form to open one."""
    office = roles_of(request.user).office
    form = None
    if request.method == "POST":
        require(office)
        form = OpenForm(request.POST)
        if form.submit(Open().perform, by=request.user):
            return redirect(form.result)
    elif office:
        form = OpenForm(initial=_initial(today()))
    all_campaigns = list(PromotionCampaign.objects.select_related("rule_set", "opened_by"))
    rows = [_row(item) for item in all_campaigns]
    ended = (CampaignState.APPLIED, *states.VOID)
    context = {
        "form": form,
        "office": office,
        "running": next((item for item in all_campaigns if item.state not in ended), None),
        "table_html": CampaignTable(rows).as_html(request) if rows else "",
        "breadcrumbs": campaign_crumbs(request),
    }
    return render(
        request, "promotions/campaign/index.html", context, status=422 if form and form.is_bound else 200
    )


def _initial(day: date) -> dict:
    """Return the initial values of the form to open a campaign, if it is opened on `day`.

    The year is last year, or this year if last year already has a campaign.
    """
    exists = PromotionCampaign.objects.filter(year=day.year - 1).exclude(state__in=states.VOID).exists()
    year = day.year if exists else day.year - 1
    intake = usual_intake(year)
    claims_over = max(intake, day) + CLAIMS + timedelta(days=15)
    next_month = (claims_over.replace(day=1) + timedelta(days=32)).replace(day=1)
    return {"year": year, "rule_set": rule_set_of(year), "intake_until": intake, "effective_on": next_month}


def _row(campaign: PromotionCampaign) -> dict:
    return {
        "year": str(campaign.year),
        "url": campaign.get_absolute_url(),
        "state": campaign.get_state_display(),
        "rules": campaign.rule_set.name,
        "opened_by": campaign.opened_by.get_username(),
        "opened_at": campaign.opened_at,
        "effective_on": campaign.effective_on,
    }


@campaign_role_required
@require_safe
def campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a campaign: its stages, next steps, lists and log."""
    campaign = campaign_of(pk)
    lang = get_language() or ""
    task = latest_task(campaign)
    conditions = steps.missing(campaign)
    ready = _ready(steps.possible_steps(campaign, request.user), campaign, conditions)
    main = _main(ready, campaign, conditions)
    log = paged(LogTable, request, Pages(campaign.acts.select_related("by"), _log_rows), per_page=LOG_ROWS)
    context = {
        "campaign": campaign,
        "lead": _lead(campaign, task, lang),
        "stages": steps.stages(campaign, lang),
        "progress": steps.progress(task) if is_under_way(task) else None,
        "stopped": task if task and task.state == CampaignTask.State.FAILED else None,
        "scheduled": task if is_scheduled(task) else None,
        "waiting": reversal_waiting(campaign),
        "missing": conditions,
        "steps": ready,
        "main": main,
        "turn": "" if main else _turn(campaign, request.user, conditions, task),
        "listed": merged_since(campaign) if campaign.state in states.LISTED else [],
        "may_write": roles_of(request.user).office,
        "lists_html": lists_html(request, campaign) if campaign.snapshot_id else "",
        "claims": campaign.claims.count(),
        "claims_ended": steps.claims_ended(campaign),
        "log_html": log.as_html(request),
        "breadcrumbs": campaign_crumbs(request, (str(campaign.year), None)),
    }
    return render(request, "promotions/campaign/campaign.html", context)


def _ready(pages: list[ActPage], campaign: PromotionCampaign, conditions: list[Missing]) -> list[ActPage]:
    """Return `pages`; if there are `conditions`, leave out the page of the act that leads to the next state.

    conditions: the obstacles to the act that leads to the next state
    """
    leading = states.leading_on(campaign.state)
    return [page for page in pages if not (conditions and page.verb == leading)]


def _main(pages: list[ActPage], campaign: PromotionCampaign, conditions: list[Missing]) -> ActPage | None:
    """Return the page that the main button opens, None if no act can move the campaign forward.

    conditions: the obstacles to the act that leads to the next state
    """
    onward, codes = states.ONWARD.get(campaign.state, ()), {item.code for item in conditions}
    return next((page for page in pages if page.verb in onward and page.act.leads_on(codes)), None)


def _turn(campaign: PromotionCampaign, user, conditions: list[Missing], task: CampaignTask | None) -> str:
    """Return a sentence that says who has to perform the next act.

    Return "" if the reader has to, if there is no next act, or if a task is under way or scheduled.

    conditions: the obstacles to the act that leads to the next state
    """
    act = steps.next_act(campaign, conditions)
    if act is None or is_under_way(task) or is_scheduled(task):
        return ""
    # A reader of the committee who worked on the list may not approve it, so it is not their turn.
    own = act.who is Who.OFFICE and act.may(user)
    return "" if own else turn(campaign, act)


def _lead(campaign: PromotionCampaign, task: CampaignTask | None, lang: str) -> str:
    """Describe the campaign's state, and who has to do what next."""
    if is_under_way(task):
        return _("The work is under way.")
    words = {
        CampaignState.DRAFT: lambda: _("Opened: nothing is frozen yet. Next, the office freezes the lists."),
        CampaignState.FROZEN: lambda: _(
            "The lists are frozen. The office looks at each of them, below, and decides by hand where "
            "needed; then somebody of the committee who took no part in that approves them."
        ),
        CampaignState.APPROVED: lambda: _("The lists are approved. Next, the office publishes them."),
        CampaignState.PUBLISHED: lambda: _published(campaign),
        CampaignState.APPLIED: lambda: (
            _("The change is applied; the new categories hold from %(day)s.")
            % {"day": format_date(holds_from(campaign), lang)}
        ),
        CampaignState.REVERSED: lambda: _reversed(campaign),
        CampaignState.ABANDONED: lambda: _("The campaign was abandoned: nobody moves."),
    }
    return words[campaign.state]()


def _published(campaign: PromotionCampaign) -> str:
    if claims_open(campaign):
        return _(
            "The lists are public and players may contest them. When the claims are over and answered, the "
            "office applies the change."
        )
    return _("The lists are public and the time for claims is over. Next, the office applies the change.")


def _reversed(campaign: PromotionCampaign) -> str:
    if campaign.changes.filter(undone=CampaignChange.Undone.CONFLICT).exists():
        return _(
            "The change was reversed: everybody has the category they had before, except those changed by "
            "hand meanwhile; the report names them."
        )
    return _("The change was reversed: everybody has the category they had before.")


def _log_words(act: CampaignAct, number: str = "") -> str:
    """Describe an act for the log.

    number: federation number of the player whom the act concerns, "" if it concerns none
    """
    words = logged_words(act.verb)
    if act.detail.get("own"):
        words = _("%(step)s, by somebody whose own category they change") % {"step": words}
    return _("%(step)s: number %(number)s") % {"step": words, "number": number} if number else words


def _log_rows(acts: list[CampaignAct]) -> list[dict]:
    """Return records for `LogTable`. Acts on a player show the player's federation number."""
    player_ids = {act.pk: act.detail["player"] for act in acts if "player" in act.detail}
    numbers = dict(Player.objects.filter(pk__in=player_ids.values()).values_list("pk", "number"))
    return [
        {
            "at": moment_words(act.at),
            "step": _log_words(act, numbers.get(player_ids.get(act.pk), "")),
            "by": act.by.get_username() if act.by else _("by itself"),
            "reason": act.reason,
        }
        for act in acts
    ]


@campaign_role_required
@require_GET
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the HTML fragment of a task's progress. The page polls it, and reloads when the task ends."""
    campaign = campaign_of(pk)
    task = latest_task(campaign)
    if task:
        return progresses.answer(request, steps.progress(task))
    return redirect(campaign)
