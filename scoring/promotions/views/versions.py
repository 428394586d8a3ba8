"""What changed since a campaign was frozen: late results, and how frozen versions differ."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.ledger.conditional import standings_state
from scoring.ledger.queries.people import people
from scoring.promotions.models import CampaignSnapshot, PromotionCampaign
from scoring.promotions.pure.selection import Place
from scoring.promotions.pure.states import STEPS, Verb
from scoring.promotions.queries import late as campaign_late
from scoring.promotions.queries.late import Cause, PlayerDifference
from scoring.promotions.tables.campaigns import CauseTable, DifferenceTable, VersionTable
from scoring.promotions.views.access import campaign_crumbs, may, with_lists
from scoring.promotions.views.words import goes_words
from scoring.promotions.wording import STATES
from tournaments.models import Tournament
from ui.formatting import format_date
from ui.paging import Pages, paged

CAUSES, CAUSE_PAGE = 20, "pagina-torneos"  # the page has another table, of players
MOST_NAMES = 5  # of the players of one late tournament; the table of players has them all


class DifferenceRows:
    """Differences of two lists, a page at a time: records for `DifferenceTable`."""

    def __init__(self, differences: Sequence[PlayerDifference]) -> None:
        self.all = differences

    def count(self) -> int:
        """How many players there are."""
        return len(self.all)

    def rows(self, start: int, stop: int) -> list[dict]:
        """Records from `start` to before `stop`; one query."""
        some = self.all[start:stop]
        known = people((each.player_id for each in some), desk=True)
        return [{**known[each.player_id], **_record(each)} for each in some]


def _record(each: PlayerDifference) -> dict:
    return {
        "player_id": each.player_id,
        "category": each.after_category or each.before_category,
        "before": each.before and each.before.entrant.points,
        "after": each.after and each.after.entrant.points,
        "was": _stood(each.before, each.before_category, each.before_target),
        "becomes": _stood(each.after, each.after_category, each.after_target),
    }


def _stood(place: Place | None, category: str | None, target: str | None) -> str:
    if place is None:
        return _("in no list")
    return _("%(code)s, %(goes)s: %(why)s") % {
        "code": category, "goes": goes_words(target), "why": STATES[place.state],
    }  # fmt: skip


def moment_words(moment) -> str:
    """A day and an hour, in local time."""
    local = timezone.localtime(moment)
    return f"{format_date(local.date(), get_language() or '')}, {local:%H:%M}"


@with_lists
@require_safe
def late(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """What freezing the lists again would change, and the tournaments that came late."""
    found = campaign_late.late_results(campaign, standings_state().version)
    table = paged(
        DifferenceTable, request, DifferenceRows(found.differences),
        caption=_("Players whose line would change, whoever would move otherwise first"),
    )  # fmt: skip
    came_late = Pages(found.causes, _causes)
    causes = paged(CauseTable, request, came_late, per_page=CAUSES, page_field=CAUSE_PAGE)
    context = {
        "campaign": campaign,
        "differing": len(found.differences),
        "otherwise": sum(each.moves_differently for each in found.differences),
        "may_freeze": (campaign.state, Verb.FREEZE) in STEPS and may(request.user, Verb.FREEZE),
        "may_withdraw": (campaign.state, Verb.WITHDRAW) in STEPS and may(request.user, Verb.WITHDRAW),
        "table_html": table.as_html(request) if found.differences else "",
        "causes_html": causes.as_html(request) if found.causes else "",
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Late results"), None)
        ),
    }
    return render(request, "promotions/campaign/late.html", context)


def _causes(causes: list[Cause]) -> list[dict]:
    known = Tournament.objects.in_bulk({each.tournament_id for each in causes if each.tournament_id})
    named = {pk for each in causes for pk in sorted(each.player_ids)[:MOST_NAMES]}
    concerned = people(named, desk=True)
    return [
        {
            "name": _title(each, known.get(each.tournament_id)),
            "url": known[each.tournament_id].get_absolute_url() if each.tournament_id else "",
            "day": each.played_on,
            "posted": moment_words(each.posted_at),
            "players": len(each.player_ids),
            "who": _names([concerned[pk]["name"] for pk in sorted(each.player_ids)[:MOST_NAMES]], each),
        }
        for each in causes
    ]


def _title(cause: Cause, tournament: Tournament | None) -> str:
    if tournament and tournament.annulled_at:
        return _("%(name)s (annulled)") % {"name": cause.title}
    return cause.title


def _names(names: list[str], cause: Cause) -> str:
    more = "" if len(cause.player_ids) <= MOST_NAMES else "…"
    return ", ".join([*names, more] if more else names)


@with_lists
@require_safe
def versions(request: HttpRequest, campaign: PromotionCampaign) -> HttpResponse:
    """The frozen versions, and how one differs from the one before it."""
    found = list(campaign.snapshots.select_related("taken_by"))
    asked = request.GET.get("version", "")
    newer = next((each for each in found if str(each.version) == asked), found[0])
    older = next((each for each in found if each.version == newer.version - 1), None)
    context = {
        "campaign": campaign,
        "newer": newer,
        "older": older,
        "versions_html": VersionTable([_version(each) for each in found]).as_html(request),
        "breadcrumbs": campaign_crumbs(
            request, (str(campaign.year), campaign.get_absolute_url()), (_("Frozen versions"), None)
        ),
    }
    if older:
        differences = campaign_late.differences(older, newer)
        caption = _("Players whose line differs, whoever moves otherwise first")
        table = paged(DifferenceTable, request, DifferenceRows(differences), caption=caption)
        context |= {
            "differing": len(differences),
            "otherwise": sum(each.moves_differently for each in differences),
            "table_html": table.as_html(request) if differences else "",
        }
    return render(request, "promotions/campaign/versions.html", context)


def _version(snapshot: CampaignSnapshot) -> dict:
    return {
        "version": str(snapshot.version),
        "url": f"{reverse('campaign_versions', args=[snapshot.campaign_id])}?version={snapshot.version}",
        "at": moment_words(snapshot.taken_at),
        "by": snapshot.taken_by.get_username(),
        "players": snapshot.players,
        "digest": snapshot.digest,
    }
