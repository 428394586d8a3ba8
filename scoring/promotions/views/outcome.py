"""The report of a campaign: what applying it, and reversing it, did or would do."""

from collections import Counter
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ledger.queries.people import people
from scoring.promotions.models import CampaignChange, PromotionCampaign
from scoring.promotions.queries.own import holds_from
from scoring.promotions.queries.plans import Grant, planned_grants
from scoring.promotions.tables.campaigns import ChangeTable
from scoring.promotions.views.access import campaign_crumbs, frozen_lists_required
from scoring.promotions.wording import problem_words
from ui import exports
from ui.addresses import one_of
from ui.paging import Pages, paged

CampaignState = PromotionCampaign.State
SHOW = {"conflictos": "problem", "deshecho": "undone"}


def change_words(change: CampaignChange) -> str:
    """Describe what applying the campaign, and reversing it, did for a player."""
    if change.problem:
        return problem_words(change.problem)
    return str(change.get_undone_display()) if change.undone else _("changed")


@frozen_lists_required
@require_safe
def report(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """Show the report of a campaign: the players whose category was changed, and those whose was not.

    Before the campaign is applied, the report lists only the players whom applying it today would skip.
    """
    applied = campaign.state in (CampaignState.APPLIED, CampaignState.REVERSED)
    context = {
        "campaign": campaign,
        "applied": applied,
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Report"), None)
        ),
    }
    if not applied:
        if exports.requested_format(request):
            raise Http404(_("There is no list to download."))
        return render(request, "promotions/campaign/report.html", {**context, **_forecast(request, campaign)})
    changes = campaign.changes.select_related("category", "target", "assignment").order_by("pk")
    show = one_of(request.GET.get("ver", ""), SHOW)
    shown = changes.exclude(**{SHOW[show]: ""}) if show else changes
    table = exports.file_or_table(
        request,
        ChangeTable,
        "-".join((_("category-change-report"), str(campaign.year))),
        Pages(shown, _records),
        file_source=Pages(shown, partial(_records, desk=False)),
        caption=_("Players of the change"),
    )
    if isinstance(table, HttpResponseBase):
        return table
    context |= {
        "show": show,
        "from_day": holds_from(campaign),
        "changed": changes.filter(problem="").count(),
        "problems": changes.exclude(problem="").count(),
        "undone": Counter(changes.exclude(undone="").values_list("undone", flat=True)),
        "table_html": table.as_html(request),
    }
    return render(request, "promotions/campaign/report.html", context)


def unchanged_players(campaign: PromotionCampaign) -> set[int]:
    """Return the ids of the players who should move but whom applying skipped, or would skip today."""
    if campaign.state == CampaignState.PUBLISHED:
        return {grant.player_id for grant in planned_grants(campaign) if grant.problem}
    return set(campaign.changes.exclude(problem="").values_list("player_id", flat=True))


def _forecast(request: HttpRequest, campaign: PromotionCampaign) -> dict:
    planned = planned_grants(campaign)
    unchanged = [grant for grant in planned if grant.problem]
    source = Pages(unchanged, _unchanged_records)
    caption = _("Players who would be left as they are")
    table = paged(ChangeTable, request, source, caption=caption, exclude=("since",)) if unchanged else None
    return {
        "changed": len(planned) - len(unchanged),
        "problems": len(unchanged),
        "table_html": table.as_html(request) if table else "",
    }


def _unchanged_records(grants: list[Grant]) -> list[dict]:
    persons = people((grant.player_id for grant in grants), desk=True)
    return [
        {
            **persons[grant.player_id],
            "category": grant.category.code,
            "target": grant.target.code,
            "since": None,
            "words": problem_words(grant.problem),
        }
        for grant in grants
    ]


def _records(changes: list[CampaignChange], *, desk: bool = True) -> list[dict]:
    persons = people((change.player_id for change in changes), desk=desk)
    return [
        {
            **persons[change.player_id],
            "category": change.category.code,
            "target": change.target.code,
            "since": change.assignment and change.assignment.valid_from,
            "words": change_words(change),
        }
        for change in changes
    ]
