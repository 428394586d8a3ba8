"""What came of a campaign, or would: the report, and what applying and reversing would do."""

from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Category
from scoring.ledger.queries.people import people
from scoring.promotions.models import CampaignChange, PromotionCampaign
from scoring.promotions.queries import plans
from scoring.promotions.tables.campaigns import ChangeTable
from scoring.promotions.views.access import campaign_crumbs, with_lists
from scoring.promotions.views.public import holds_from
from ui import exports
from ui.addresses import one_of
from ui.clock import today
from ui.paging import Pages, paged

State = PromotionCampaign.State
SHOW = {"conflictos": "problem", "deshecho": "undone"}


def problem_words(code: str) -> str:
    """Why a player of the list was, or would be, left as they are."""
    words = {
        plans.CHANGED: _("not changed: the category is another one meanwhile"),
        plans.DECEASED: _("not changed: deceased"),
        plans.MERGED: _("not changed: the number was merged into another one"),
    }
    return words[code]


def change_words(change: CampaignChange) -> str:
    """What applying did for a player, and reversing after it."""
    if change.problem:
        return problem_words(change.problem)
    return str(change.get_undone_display()) if change.undone else _("changed")


@with_lists
@require_safe
def report(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """Who was changed and who was not; before the change is applied, who would not be."""
    applied = campaign.state in (State.APPLIED, State.REVERSED)
    context = {
        "campaign": campaign,
        "applied": applied,
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Report"), None)
        ),
    }
    kind = exports.asked(request)
    if not applied:
        if kind:
            raise Http404(_("There is no list to download."))
        return render(request, "promotions/campaign/report.html", {**context, **_ahead(request, campaign)})
    changes = campaign.changes.select_related("category", "target", "assignment").order_by("pk")
    if kind:
        return _download(kind, campaign, changes)
    show = one_of(request.GET.get("ver", ""), SHOW)
    shown = changes.exclude(**{SHOW[show]: ""}) if show else changes
    table = paged(
        ChangeTable, request, Pages(shown, _records), caption=_("Players of the change"),
        exports=tuple(exports.FORMATS),
    )  # fmt: skip
    context |= {
        "show": show,
        "from_day": holds_from(campaign),
        "changed": changes.filter(problem="").count(),
        "problems": changes.exclude(problem="").count(),
        "undone": Counter(changes.exclude(undone="").values_list("undone", flat=True)),
        "table_html": table.as_html(request),
    }
    return render(request, "promotions/campaign/report.html", context)


def planned_grants(campaign: PromotionCampaign) -> list[plans.Grant]:
    """What applying the change would do today, player by player."""
    return plans.grants(campaign, max(campaign.effective_on, today()))


def unchanged_players(campaign: PromotionCampaign) -> set[int]:
    """Whom applying did not change; before that, whom it would not: nothing is promised to them."""
    if campaign.state == State.PUBLISHED:
        return {each.player_id for each in planned_grants(campaign) if each.problem}
    return set(campaign.changes.exclude(problem="").values_list("player_id", flat=True))


def _ahead(request: HttpRequest, campaign: PromotionCampaign) -> dict:
    planned = planned_grants(campaign)
    stopped = [each for each in planned if each.problem]
    source = Pages(stopped, _stopped_records)
    caption = _("Players who would be left as they are")
    table = paged(ChangeTable, request, source, caption=caption, exclude=("since",)) if stopped else None
    return {
        "changed": len(planned) - len(stopped),
        "problems": len(stopped),
        "table_html": table.as_html(request) if table else "",
    }


def _stopped_records(stopped: list[plans.Grant]) -> list[dict]:
    known = people((each.player_id for each in stopped), desk=True)
    return [
        {
            **known[each.player_id],
            "category": each.category.code,
            "target": each.target.code,
            "since": None,
            "words": problem_words(each.problem),
        }
        for each in stopped
    ]


def _records(changes: list[CampaignChange], *, desk: bool = True) -> list[dict]:
    known = people((change.player_id for change in changes), desk=desk)
    return [
        {
            **known[change.player_id],
            "category": change.category.code,
            "target": change.target.code,
            "since": change.assignment and change.assignment.valid_from,
            "words": change_words(change),
        }
        for change in changes
    ]


def _download(kind: str, campaign: PromotionCampaign, changes) -> HttpResponse:
    heads = [
        _("Federation number"), _("Player"), _("Club"), _("Category before"), _("By the list"), _("Since"),
        _("Result"),
    ]  # fmt: skip
    rows = (
        [
            int(row["number"]), row["name"], row["club"], row["category"], row["target"], row["since"],
            row["words"],
        ]
        for start in range(0, changes.count(), 500)
        for row in _records(list(changes[start : start + 500]), desk=False)
    )  # fmt: skip
    name = "-".join((_("category-change-report"), str(campaign.year)))
    return exports.download(kind, name, heads, rows, get_language() or "")


def reversal_conflicts(request: HttpRequest, campaign: PromotionCampaign) -> dict:
    """What reversing would do: counts, and the players it would leave as they are."""
    planned = plans.reversals(campaign, today())
    kept = [each.change for each in planned if each.undone == CampaignChange.Undone.CONFLICT]
    source = Pages(kept, _conflict_records)
    caption = _("Players who would be left as they are")
    return {
        "taken_back": len(planned) - len(kept),
        "kept": len(kept),
        "conflicts_html": paged(ChangeTable, request, source, caption=caption).as_html(request)
        if kept
        else "",
    }


def _conflict_records(kept: list[CampaignChange]) -> list[dict]:
    known = people((change.player_id for change in kept), desk=True)
    codes = dict(Category.objects.values_list("pk", "code"))
    return [
        {
            **known[change.player_id],
            "category": codes[change.category_id],
            "target": codes[change.target_id],
            "since": change.assignment.valid_from,
            "words": _("changed by hand meanwhile: would be left as it is"),
        }
        for change in kept
    ]
