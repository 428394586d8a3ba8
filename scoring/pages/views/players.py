"""The list of players, one player's page, and the receipt of an award."""

from datetime import date, datetime
from functools import partial

from django.conf import settings
from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.access import is_player, name_for, roles_of
from players.models import Player, Proposal
from scoring.engine.errors import EngineError
from scoring.ledger import systems
from scoring.ledger.conditional import conditional, standings_state
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import colour
from scoring.ledger.queries import awards
from scoring.ledger.receipts import receipt_of
from scoring.ledger.services import posting
from scoring.ledger.source_keys import back_key, origin_of, taken_back_by
from scoring.office.services import adjustments
from scoring.pages.queries import profile
from scoring.pages.queries.members import count_named, every_record, player_records
from scoring.pages.queries.tournaments import exception_reason
from scoring.pages.tables.players import AwaitingTable, AwardTable, ExpiredTable, NotCountedTable, PlayerTable
from scoring.promotions.views import public
from tournaments.models import Tournament
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.paging import Pages, paged

EXPIRED_ROWS = 15  # what no longer counts is the longest list of the page and the least asked for


def index(request: HttpRequest) -> HttpResponse:
    """Players by name; those who asked to be hidden are found by their number alone."""
    state = standings_state()
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    if text:
        found, count = Player.objects.search(text).order_by("hidden", "sort_key", "pk"), None
    else:
        found = Player.objects.unmerged().filter(hidden=False).order_by("sort_key", "pk")
        count = partial(count_named, state.version)
    if kind := exports.requested_format(request):
        return _list_file(kind, found, state.as_of)
    source = Pages(found, lambda players: player_records(players, state.as_of), count)
    table = paged(
        PlayerTable,
        request,
        source,
        caption=_("Players") if not text else _("Players found"),
        own_id=own_player_id(request),
        empty_text=_("No player has that name or number."),
        empty_link=(reverse("players"), _("See all players")),
        exports=exports.FORMATS,
    )
    context = {
        "table_html": table.as_html(request),
        "total": len(table.rows),
        "text": text,
        "as_of": state.as_of,
        "breadcrumbs": crumbs((_("Players"), None)),
    }
    return render(request, "pages/players.html", context)


def _list_file(kind: str, found: QuerySet[Player], day: date) -> HttpResponse:
    """The list as a file, with the columns and the names of the page."""
    heads = [
        _("Player"), _("Federation number"), _("Category"), _("Club"), _("Points of 12 months"), _("Licence"),
    ]  # fmt: skip
    rows = (
        [
            row["name"], int(row["number"]), row["category"], row["club"],
            exports.points_value(row["points"]), _("yes") if row["licensed"] else _("no"),
        ]
        for row in every_record(found, day)
    )  # fmt: skip
    return exports.download(kind, f"{_('players')}-{day.isoformat()}", heads, rows, get_language() or "")


def by_number(text: str) -> Player:
    """The player of a number, with or without leading zeros and the name behind it."""
    number = text.split("-", 1)[0].lstrip("0")
    return get_object_or_404(Player.objects.select_related("club__region", "merged_into"), number=number)


@conditional
def player(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything about one player's points."""
    found = by_number(slug).current
    if request.path != found.get_absolute_url():
        # Not permanent: the address of a player who was merged, asks to be hidden or married changes again.
        query = request.GET.urlencode()
        return redirect(f"{found.get_absolute_url()}{'?' if query else ''}{query}")
    state = request.standings
    kind = exports.requested_format(request)
    if kind:
        return _download(kind, found)
    position = profile.position_of(found, state.as_of)
    rolling = profile.rolling_of(found, state.as_of)
    counting = awards.award_records(awards.counting_entries(found, state.as_of), found.number)
    table = AwardTable(counting, caption=_("Awards of the last 12 months"), export_param="formato")
    expired = awards.expired_entries(found, state.as_of)
    name = name_for(request.user, found)
    own = is_player(request.user, found)
    prospect = profile.prospect_of(found, position.category, state, own=own)
    request.outdated = prospect is not None and prospect.campaign.outdated is not None
    cut = prospect.cut if prospect else None
    change = public.latest_result(found, state.as_of) if own else None
    context = {
        "player": found,
        "name": name,
        "own": own,
        "change": change,
        "claims_left": public.orphaned_claims(found, state.as_of) if own and not change else [],
        "reads_everything": roles_of(request.user).reads_everything,
        "as_of": state.as_of,
        "position": position,
        "prospect": prospect,
        "history": profile.history_of(found),
        "chart": profile.chart_of(rolling, state.as_of, get_language() or ""),
        "year_chart": profile.year_chart_of(rolling, state.as_of, get_language() or "", cut),
        "leaving": next(iter(rolling.ahead(state.as_of)[1:]), None),
        "awards_html": table.as_html(request) if counting else "",
        "expired_html": _expired_html(request, expired, found.number),
        "awaiting_html": _awaiting_html(request, found),
        "not_counted_html": _not_counted_html(request, found),
        "others": _others(request, found, state.as_of),
        "breadcrumbs": crumbs((_("Players"), reverse("players")), (name, None)),
    }
    return render(request, "pages/player.html", context)


def _expired_html(request: HttpRequest, expired, number: str) -> str:
    if not expired.exists():
        return ""
    source = Pages(expired.values(*awards.FIELDS), lambda rows: awards.award_records(rows, number))
    caption = _("Awards that have left the 12 months")
    table = paged(ExpiredTable, request, source, per_page=EXPIRED_ROWS, caption=caption, prefix="fuera-")
    return table.as_html(request)


def _others(request: HttpRequest, found: Player, day: date) -> list[dict]:
    """The player's points of other systems: totals and a table each; a fixed number of queries a system."""
    sections = awards.other_totals(found, day)
    for section in sections:
        family = section["system"].family
        section["listed"] = family in settings.FAMILIES
        section["colours"] = awards.colour_totals(found, day) if family == Tournament.Family.ACBL else []
        records = awards.award_records(awards.counting_entries(found, day, family), found.number)
        section["decimals"] = section["system"].decimals({}, day)
        table = AwardTable(records, caption=section["system"].label, points_decimals=section["decimals"])
        table.exports = ()
        section["html"] = table.as_html(request) if records else ""
    return sections


def _awaiting_html(request: HttpRequest, found: Player) -> str:
    rows = awards.awaiting_approval(found)
    return AwaitingTable(rows).as_html(request) if rows else ""


def _not_counted_html(request: HttpRequest, found: Player) -> str:
    rows = awards.not_counted(found)
    return NotCountedTable(rows, caption=_("Tournaments that did not count")).as_html(request) if rows else ""


def _download(kind: str, found: Player) -> HttpResponse:
    """Every line of the account; no name in it, as it is the account of a number."""
    heads = [
        _("Date"), _("Kind"), _("Tournament"), _("Club"), _("Place"), _("Contestants"), _("Points"),
        _("Leaves on"), _("Reason"),
    ]  # fmt: skip
    kinds = dict(LedgerEntry.Kind.choices)
    rows = (
        [
            row["day"], str(kinds[row["kind"]]), row["title"], row["club"], row["place"], row["size"],
            exports.points_value(row["points"]), row["leaves"], row["reason"],
        ]
        for row in awards.award_records(awards.entries_of(found), found.number)
    )  # fmt: skip
    return exports.download(kind, f"{_('points')}-{found.number}", heads, rows, get_language() or "")


def award(request: HttpRequest, number: str, entry: int) -> HttpResponse:
    """Why an entry of the ledger has the points it has."""
    found = by_number(number)
    lines = LedgerEntry.objects.select_related(
        "run", "contestant", "tournament__club", "reverses", "reversed_by__run", "posted_by"
    )
    line = get_object_or_404(lines, pk=entry, player=found)
    if number != found.number:
        return redirect("award", number=found.number, entry=line.pk)
    person = found.current  # the entries of a merged number stay where they are
    name = name_for(request.user, person)
    context = {
        "entry": line,
        "origin": _origin(line),
        "act": _act(line),
        "takes_back": taken_back_by(line.source_key),
        "gone": _gone(line),
        "may_adjust": roles_of(request.user).office and not person.merged_into_id,
        "reads_document": roles_of(request.user).reads_everything or is_player(request.user, person),
        "player": person,
        "number": found.number,
        "name": name,
        "title": line.tournament.name if line.tournament_id else line.title,
        "decimals": systems.points_decimals(line.tournament)
        if line.tournament_id
        else systems.of(line.family).decimals({}, line.played_on),
        "colour": colour(line.tournament) if line.tournament_id else "",
        "breadcrumbs": crumbs(
            (_("Players"), reverse("players")), (name, person.get_absolute_url()), (_("Receipt"), None)
        ),
    }
    if line.kind == LedgerEntry.Kind.AWARD:
        try:
            context["receipt"] = receipt_of(line, get_language() or "")
            if systems.of(line.family).by_category:
                context["recorded"] = recorded_at(line.run)
            if context["receipt"].instead_of:
                context["exception"] = exception_reason(line.run)
        except EngineError as error:
            # The stored inputs belong to another version of the engine: said, not hidden.
            context["unreadable"] = str(error)
    return render(request, "pages/award.html", context)


def recorded_at(run: ScoringRun) -> datetime:
    """When the categories that a run used were read: a restored one has them from the run before."""
    if run.purpose != ScoringRun.Purpose.RESTORE:
        return run.created_at
    same = ScoringRun.objects.filter(tournament=run.tournament_id, input_digest=run.input_digest)
    return same.aggregate(first=Min("created_at"))["first"]


def _act(line: LedgerEntry) -> Proposal | None:
    """The act of two persons that an adjustment stands on."""
    known = {"pk": posting.proposal_id_of(line.source_key)}
    if takes_back := taken_back_by(line.source_key):
        known = {"kind": adjustments.KIND, "key": back_key(takes_back)}
    return Proposal.objects.filter(state=Proposal.State.APPROVED, **known).order_by("-pk").first()


def _gone(line: LedgerEntry) -> LedgerEntry | None:
    """The entry that takes this one back: a reversal, or of an adjustment another one."""
    if line.kind == LedgerEntry.Kind.ADJUSTMENT:
        return awards.counter_entries([(line.player_id, line.pk)]).get(line.pk)
    return getattr(line, "reversed_by", None)


def _origin(line: LedgerEntry) -> LedgerEntry | None:
    """The entry of another number that this one was moved from, where numbers were merged or parted."""
    said = origin_of(line.source_key)
    return said and LedgerEntry.objects.select_related("player").get(pk=said[2])
