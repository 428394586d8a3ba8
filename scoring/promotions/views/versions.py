"""Changes since a campaign was frozen: late results, and the differences between frozen versions."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scoring.ledger.queries.people import people
from scoring.promotions.acts import act_by_verb
from scoring.promotions.criteria import STATES
from scoring.promotions.models import PromotionCampaign
from scoring.promotions.pure.selection import Place
from scoring.promotions.pure.states import Verb
from scoring.promotions.queries import late as campaign_late
from scoring.promotions.queries.late import Cause, PlayerDifference
from scoring.promotions.queries.stored import result_of, simulation_of
from scoring.promotions.services import simulations
from scoring.promotions.tables.campaigns import CauseTable, DifferenceTable, VersionTable
from scoring.promotions.views.access import (
    campaign_crumbs,
    campaign_reader_required,
    frozen_lists_required,
    with_frozen_lists,
)
from scoring.promotions.views.stored import computation
from scoring.promotions.wording import move_words
from tournaments.models import Tournament
from ui.formatting import format_date
from ui.paging import Pages, paged

CAUSES, CAUSE_PREFIX = 20, "torneos-"  # the page also has a table of players, with its own page parameter
MAX_NAMES = 5  # names per late tournament; the table of players has all of them


def _difference_records(differences: list[PlayerDifference]) -> list[dict]:
    persons = people((difference.player_id for difference in differences), desk=True)
    return [
        {
            **persons[item.player_id],
            "player_id": item.player_id,
            "category": item.after_category or item.before_category,
            "before": item.before and item.before.entrant.points,
            "after": item.after and item.after.entrant.points,
            "was": _place_words(item.before, item.before_category, item.before_target),
            "becomes": _place_words(item.after, item.after_category, item.after_target),
        }
        for item in differences
    ]


def _place_words(place: Place | None, category: str | None, target: str | None) -> str:
    if place is None:
        return _("in no list")
    values = {"code": category, "goes": move_words(target), "why": STATES[place.state]}
    return _("%(code)s, %(goes)s: %(why)s") % values


def moment_words(moment: datetime) -> str:
    """Format the date and time of a moment, in local time."""
    local = timezone.localtime(moment)
    return f"{format_date(local.date(), get_language() or '')}, {local:%H:%M}"


@campaign_reader_required
@require_http_methods(["GET", "HEAD", "POST"])
@with_frozen_lists
def late(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """Show what freezing the lists again would change, and the tournaments whose points were posted late.

    POST asks a worker to compare the lists with what is known now.
    """
    snapshot = campaign.snapshot
    if request.method == "POST":
        simulations.wait(simulations.ask(campaign.last_day, campaign.rule_set, snapshot=snapshot))
        return redirect("campaign_late", campaign.pk)
    stored = simulation_of(campaign.last_day, campaign.rule_set, snapshot=snapshot)
    value = result_of(stored)
    results = campaign_late.late_results_of(value) if value else campaign_late.LateResults([], [])
    caption = _("Players whose line would change, whoever would move otherwise first")
    table = paged(DifferenceTable, request, Pages(results.differences, _difference_records), caption=caption)
    source = Pages(results.causes, _cause_records)
    causes = paged(CauseTable, request, source, per_page=CAUSES, prefix=CAUSE_PREFIX)
    context = computation(stored) | {
        "campaign": campaign,
        "differing": len(results.differences),
        "otherwise": sum(difference.moves_differently for difference in results.differences),
        "may_freeze": _may(request, campaign, Verb.FREEZE),
        "may_withdraw": _may(request, campaign, Verb.WITHDRAW),
        "table_html": table.as_html(request) if results.differences else "",
        "causes_html": causes.as_html(request) if results.causes else "",
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Late results"), None)
        ),
    }
    return render(request, "promotions/campaign/late.html", context)


def _may(request: HttpRequest, campaign: PromotionCampaign, verb: Verb) -> bool:
    act = act_by_verb(verb)
    return act.is_open(campaign) and act.may(request.user)


def _cause_records(causes: list[Cause]) -> list[dict]:
    tournaments = Tournament.objects.in_bulk({cause.tournament_id for cause in causes if cause.tournament_id})
    shown_ids = {pk for cause in causes for pk in sorted(cause.player_ids)[:MAX_NAMES]}
    persons = people(shown_ids, desk=True)
    return [
        {
            "name": _title(cause, tournaments.get(cause.tournament_id)),
            "url": tournaments[cause.tournament_id].get_absolute_url() if cause.tournament_id else "",
            "day": cause.played_on,
            "posted": moment_words(cause.posted_at),
            "players": len(cause.player_ids),
            "who": _names([persons[pk]["name"] for pk in sorted(cause.player_ids)[:MAX_NAMES]], cause),
        }
        for cause in causes
    ]


def _title(cause: Cause, tournament: Tournament | None) -> str:
    if tournament and tournament.annulled_at:
        return _("%(name)s (annulled)") % {"name": cause.title}
    return cause.title


def _names(names: list[str], cause: Cause) -> str:
    more = "" if len(cause.player_ids) <= MAX_NAMES else "…"
    return ", ".join([*names, more] if more else names)


@frozen_lists_required
@require_safe
def versions(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """List the frozen versions of the lists, and compare one with the version before it."""
    snapshots = list(campaign.snapshots.select_related("taken_by"))
    chosen = request.GET.get("version", "")
    newer = next((item for item in snapshots if str(item.version) == chosen), snapshots[0])
    older = next((item for item in snapshots if item.version == newer.version - 1), None)
    url = reverse("campaign_versions", args=[campaign.pk])
    records = [
        {
            "version": str(item.version),
            "url": f"{url}?version={item.version}",
            "at": moment_words(item.taken_at),
            "by": item.taken_by.get_username(),
            "players": item.players,
            "digest": item.digest,
        }
        for item in snapshots
    ]
    context = {
        "campaign": campaign,
        "newer": newer,
        "older": older,
        "versions_html": VersionTable(records).as_html(request),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Frozen versions"), None)
        ),
    }
    if older:
        differences = campaign_late.differences(older, newer)
        caption = _("Players whose line differs, whoever moves otherwise first")
        table = paged(DifferenceTable, request, Pages(differences, _difference_records), caption=caption)
        context |= {
            "differing": len(differences),
            "otherwise": sum(difference.moves_differently for difference in differences),
            "table_html": table.as_html(request) if differences else "",
        }
    return render(request, "promotions/campaign/versions.html", context)
