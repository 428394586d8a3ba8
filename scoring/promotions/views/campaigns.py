"""The year-end category changes: all of them, and where one stands."""

from datetime import date, timedelta

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from players.access import require, roles_of
from players.models import Player
from scoring.promotions.forms.campaigns import OpenForm
from scoring.promotions.models import CampaignAct, CampaignChange, CampaignTask, PromotionCampaign
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries.candidates import rule_set_of
from scoring.promotions.queries.merges import RUNNING, merged_since
from scoring.promotions.services import campaigns
from scoring.promotions.tables.campaigns import CampaignTable, LogTable
from scoring.promotions.views import stage
from scoring.promotions.views.access import COMMITTEE, campaign_crumbs, campaign_of, for_campaigns, may
from scoring.promotions.views.public import claims_open, holds_from
from scoring.promotions.views.rows import lists_html
from scoring.promotions.views.stage import Missing
from scoring.promotions.views.steps import ONWARD, Step, possible
from scoring.promotions.views.versions import moment_words
from scoring.promotions.views.words import act_words
from ui import progress as progresses
from ui.clock import today
from ui.formatting import format_date
from ui.paging import Pages, paged

State = PromotionCampaign.State
CLAIMS = timedelta(days=15)  # offered for the days of a new campaign; its rules say how many there are
LOG_ROWS = 20


@for_campaigns
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """All campaigns; for the office, the form that opens one."""
    office = roles_of(request.user).office
    form = None
    if request.method == "POST":
        require(office)
        form = OpenForm(request.POST)
        if form.is_valid():
            try:
                opened = campaigns.open_campaign(by=request.user, **form.cleaned_data)
            except ValidationError as refused:
                form.add_error(None, refused)
            else:
                return redirect(opened)
    elif office:
        form = OpenForm(initial=_proposed(today()))
    found = list(PromotionCampaign.objects.select_related("rule_set", "opened_by"))
    rows = [_row(each) for each in found]
    live = [each for each in found if each.state not in (State.APPLIED, State.REVERSED, State.ABANDONED)]
    context = {
        "form": form,
        "running": live[0] if live else None,
        "table_html": CampaignTable(rows).as_html(request) if rows else "",
        "breadcrumbs": campaign_crumbs(request),
    }
    return render(
        request, "promotions/campaign/index.html", context, status=422 if form and form.is_bound else 200
    )


def _proposed(day: date) -> dict:
    """What a campaign opened on `day` would usually say: the points of the last year that has none yet."""
    over = (State.REVERSED, State.ABANDONED)
    done = PromotionCampaign.objects.filter(year=day.year - 1).exclude(state__in=over).exists()
    year = day.year if done else day.year - 1
    intake = campaigns.usual_intake(year)
    claimed = max(intake, day) + CLAIMS + timedelta(days=15)
    following = (claimed.replace(day=1) + timedelta(days=32)).replace(day=1)
    return {"year": year, "rule_set": rule_set_of(year), "intake_until": intake, "effective_on": following}


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


@for_campaigns
@require_safe
def campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Where a campaign stands, what comes next, its lists and its log."""
    found = campaign_of(pk)
    lang = get_language() or ""
    work = stage.work_of(found)
    lacking = stage.missing(found)
    steps = _ready(possible(found, request.user), lacking)
    main = _main(found, steps, lacking)
    context = {
        "campaign": found,
        "lead": _lead(found, work, lang),
        "stages": stage.stages(found, lang),
        "progress": stage.progress(work) if stage.is_under_way(work) else None,
        "stopped": work if work and work.state == CampaignTask.State.FAILED else None,
        "scheduled": work if stage.is_scheduled(work) else None,
        "missing": lacking,
        "steps": steps,
        "main": main,
        "turn": "" if main else _turn(found, request.user, lacking, work),
        "listed": merged_since(found) if found.state in RUNNING else [],
        "may_write": roles_of(request.user).office,
        "lists_html": lists_html(request, found) if found.snapshot_id else "",
        "claims": found.claims.count(),
        "claims_ended": stage.claims_ended(found),
        "log_html": _log_html(request, found),
        "breadcrumbs": campaign_crumbs(request, (str(found.year), None)),
    }
    return render(request, "promotions/campaign/campaign.html", context)


def _ready(steps: list[Step], lacking: list[Missing]) -> list[Step]:
    """The steps without those that what is missing still stands before."""
    return [step for step in steps if not (lacking and step.verb in (Verb.FREEZE, Verb.APPLY))]


def _main(campaign: PromotionCampaign, steps: list[Step], lacking: list[Missing]) -> Step | None:
    """The step that leads on: the page's one main button."""
    onward = [step for step in steps if step.verb in ONWARD.get(campaign.state, [])]
    if any(each.code != "claims" for each in lacking):
        onward = [step for step in onward if step.verb == Verb.APPROVE]
    return onward[0] if onward else None


def _turn(campaign: PromotionCampaign, user, lacking: list[Missing], work: CampaignTask | None) -> str:
    """Whose turn it is, for who has no step that leads on and is not the one who should take it."""
    if stage.is_under_way(work) or stage.is_scheduled(work):
        return ""
    verb, words = stage.turn(campaign, lacking)
    judged = verb in COMMITTEE  # one of the committee may still have worked on the list
    return words if judged or not may(user, verb) else ""


def _lead(campaign: PromotionCampaign, work: CampaignTask | None, lang: str) -> str:
    """Where it stands, and who has to do what next, in two sentences."""
    if stage.is_under_way(work):
        return _("The work is under way.")
    words = {
        State.DRAFT: lambda: _("Opened: nothing is frozen yet. Next, the office freezes the lists."),
        State.FROZEN: lambda: _(
            "The lists are frozen. The office looks at each of them, below, and decides by hand where "
            "needed; then somebody of the committee who took no part in that approves them."
        ),
        State.APPROVED: lambda: _("The lists are approved. Next, the office publishes them."),
        State.PUBLISHED: lambda: _published(campaign),
        State.APPLIED: lambda: (
            _("The change is applied; the new categories hold from %(day)s.")
            % {"day": format_date(holds_from(campaign), lang)}
        ),
        State.REVERSED: lambda: _reversed(campaign),
        State.ABANDONED: lambda: _("The campaign was abandoned: nobody moves."),
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


def _log_html(request: HttpRequest, campaign: PromotionCampaign) -> str:
    source = Pages(campaign.acts.select_related("by"), _log_rows)
    return paged(LogTable, request, source, per_page=LOG_ROWS).as_html(request)


def _log_rows(acts: list[CampaignAct]) -> list[dict]:
    """Records for `LogTable`; steps about one player bear the number."""
    about = {act.pk: act.detail["player"] for act in acts if "player" in act.detail}
    numbers = dict(Player.objects.filter(pk__in=about.values()).values_list("pk", "number"))
    return [
        {
            "at": moment_words(act.at),
            "step": act_words(act, numbers.get(about.get(act.pk), "")),
            "by": act.by.get_username() if act.by else _("by itself"),
            "reason": act.reason,
        }
        for act in acts
    ]


@for_campaigns
@require_GET
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """The fragment that the campaign's page asks for each second; it ends by loading the page anew."""
    found = campaign_of(pk)
    work = stage.work_of(found)
    if work:
        return progresses.answer(request, stage.progress(work))
    return redirect(found)
