"""The list of players, the page of a player, and the receipt of an award."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import is_player, name_for, require, roles_of
from players.models import Player, Proposal
from scoring.calculator.aeb import calculator_address
from scoring.engine.errors import EngineError
from scoring.ledger import systems
from scoring.ledger.conditional import conditional, standings_state
from scoring.ledger.models import LedgerEntry, ScoringRun
from scoring.ledger.place_wording import colour
from scoring.ledger.queries import awards
from scoring.ledger.receipts import receipt_of
from scoring.ledger.source_keys import back_key, origin_of, proposal_id_of, taken_back_by
from scoring.ledger.windows import first_day, leaves_on
from scoring.office.services import adjustments
from scoring.pages.player_pages import overview, result_list, results_url
from scoring.pages.points_chart import points_chart
from scoring.pages.queries import profile, results
from scoring.pages.queries.members import count_visible, player_records, stream_records
from scoring.pages.queries.receipt import entry_lines, result_in_words
from scoring.pages.queries.tournaments import exception_reason
from scoring.pages.tables import AwardTable, PlayerTable, ResultTable
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.paging import FoundPages, Pages
from ui.shared import shared

LATEST = 8  # results on a player's page
NOT_COUNTED = 3  # tournaments without points on a player's page


@require_safe
@shared
def index(request: HttpRequest) -> HttpResponse:
    """List the players by name, or those that match a search. Hidden players are found by number only."""
    state = standings_state()
    text = request.GET.get("q", "").strip().replace("\x00", "")[:100]
    records = partial(player_records, day=state.as_of)
    if text:
        players = Player.objects.search(text).order_by("sort_key", "pk")
        source = FoundPages(players, records)
    else:
        players = Player.objects.unmerged().filter(hidden=False).order_by("sort_key", "pk")
        source = Pages(players, records, partial(count_visible, state.version))
    table = exports.file_or_table(
        request,
        PlayerTable,
        f"{_('players')}-{state.as_of.isoformat()}",
        source,
        file_source=lambda: stream_records(players, state.as_of),
        caption=_("Players") if not text else _("Players found"),
        own_id=own_player_id(request),
        empty_text=_("No player has that name or number.") if text else _("No player is registered yet."),
        empty_link=(reverse("players"), _("See all players"))
        if text
        else (f"{reverse('help')}#office", _("How a federation begins")),
    )
    if isinstance(table, HttpResponseBase):
        return table
    return render(
        request,
        "pages/players.html",
        {
            "table_html": table.as_html(request),
            "total": len(table.rows),
            "cut_off": source.cut_off,
            "text": text,
            "as_of": state.as_of,
            "changed_at": state.changed_at,
            "breadcrumbs": crumbs((_("Players"), None)),
        },
    )


def by_slug(text: str, players: QuerySet[Player] | None = None) -> Player:
    """Return the player named by a URL part such as 462158-ana-ruiz, or raise Http404.

    Only the number at its beginning counts, without leading zeros.

    players: a query with further columns of the player
    """
    players = Player.objects.all() if players is None else players
    return get_object_or_404(
        players.select_related("club__region", "merged_into"), number=text.split("-", 1)[0].lstrip("0")
    )


@require_safe
@conditional
def player(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's points, place and latest results, or return all the player's ledger entries as a file.

    The page is the same for every reader, so that shared caches may keep it: what only the player may read is
    on the pages of `scoring.mypage`.
    """
    state = request.standings
    player = by_slug(slug, profile.players(state)).current
    if request.path != player.get_absolute_url():
        # The redirect is not permanent, because a merge, a change of name or hiding the player changes the
        # URL again.
        query = request.GET.urlencode()
        return redirect(f"{player.get_absolute_url()}{'?' if query else ''}{query}")
    if file := exports.requested_file(
        request,
        AwardTable,
        f"{_('points')}-{player.number}",
        lambda: awards.award_records(awards.entries_of(player), player.number),
    ):
        return file
    context = overview(player, state)
    latest = results.rows_of(context["totals"].latest(state.as_of, LATEST))
    table = ResultTable(
        results.result_records(latest, player), caption=_("Latest results"), exclude=("kind", "reason")
    )
    awaiting, not_counted = awards.without_points(player)
    context |= {
        "changed_at": state.changed_at,
        "unplayed": not latest and not context["position"].points,
        "results_html": table.html_or_blank(request),
        "results_url": results_url(player),
        "export_links": [(name.upper(), f"{results_url(player)}?formato={name}") for name in exports.FORMATS],
        "partners": results.partners_of(player, first_day(state.as_of), state.as_of),
        "awaiting": awaiting,
        "not_counted": not_counted[:NOT_COUNTED],
        "not_counted_more": len(not_counted),
        "example": results.example_of(latest, state.as_of),
        "breadcrumbs": crumbs((_("Players"), reverse("players")), (context["name"], None)),
    }
    return render(request, "pages/player.html", context)


@require_safe
@conditional
def player_results(request: HttpRequest, slug: str) -> HttpResponse:
    """List all results of a player, filtered, as a page or a file."""
    state = request.standings
    player = by_slug(slug).current
    if request.path != results_url(player):
        return redirect(f"{results_url(player)}?{request.GET.urlencode()}")
    listed = result_list(request, player, state, player.public_name)
    if isinstance(listed, HttpResponseBase):
        return listed
    listed["changed_at"] = state.changed_at
    listed["breadcrumbs"] = crumbs(
        (_("Players"), reverse("players")),
        (player.public_name, player.get_absolute_url()),
        (_("Results"), None),
    )
    return render(request, "pages/player_results.html", listed)


@require_safe
@login_required
def categories(request: HttpRequest, number: str) -> HttpResponse:
    """Show how a player got each category, with the reasons and documents, which are not public.

    For the player, the office, the committee and auditors. A hidden player's name is shown.
    """
    player = by_slug(number).current
    require(roles_of(request.user).reads_everything or is_player(request.user, player))
    context = {
        "player": player,
        "name": name_for(request.user, player),
        "history": player.assignments.select_related("category").order_by("-valid_from", "-pk"),
        "breadcrumbs": crumbs(
            (_("Players"), reverse("players")),
            (name_for(request.user, player), player.get_absolute_url()),
            (_("Categories"), None),
        ),
    }
    return render(request, "pages/player_categories.html", context)


@require_safe
@shared
def award(request: HttpRequest, number: str, entry: int) -> HttpResponse:
    """Show the receipt of a ledger entry, which tells how its points were computed or who decided them."""
    owner = by_slug(number)
    entries = LedgerEntry.objects.select_related(
        "run", "contestant", "tournament__club", "reverses", "reversed_by__run", "leaf"
    )
    ledger_entry = get_object_or_404(entries, pk=entry, player=owner)
    if number != owner.number:
        return redirect("award", number=owner.number, entry=ledger_entry.pk)
    player = owner.current  # after a merge, an entry keeps the number under which it was stored
    name = name_for(request.user, player)
    context = {
        "entry": ledger_entry,
        "origin": _origin(ledger_entry),
        "act": _act(ledger_entry),
        "takes_back": taken_back_by(ledger_entry.source_key),
        "counter_entry": _counter_entry(ledger_entry),
        "may_adjust": roles_of(request.user).office and not player.merged_into_id,
        "reads_inputs": roles_of(request.user).reads_everything,
        "reads_document": roles_of(request.user).reads_everything or is_player(request.user, player),
        "player": player,
        "number": owner.number,
        "name": name,
        "breadcrumbs": crumbs(
            (_("Players"), reverse("players")), (name, player.get_absolute_url()), (_("Receipt"), None)
        ),
        "last_day": leaves_on(ledger_entry.played_on) - timedelta(days=1),
        "leaf": getattr(ledger_entry, "leaf", None),
        "entries": entry_lines(ledger_entry) if ledger_entry.tournament_id else [],
        **_event_context(ledger_entry),
    }
    if ledger_entry.kind == LedgerEntry.Kind.AWARD:
        context |= _receipt_context(ledger_entry, player, context["decimals"])
    return render(request, "pages/award.html", context)


def _event_context(entry: LedgerEntry) -> dict[str, Any]:
    """Return the template context to show a ledger entry: its title, number of decimals and colour of points.

    The values are those of the entry's tournament. An entry without a tournament has a title of its own, the
    usual number of decimals of its points, and no colour.
    """
    if entry.tournament_id is None:
        return {
            "title": entry.title,
            "decimals": systems.of(entry.family).decimals({}, entry.played_on),
            "colour": "",
        }
    return {
        "title": entry.tournament.name,
        "decimals": systems.points_decimals(entry.tournament),
        "colour": colour(entry.tournament),
    }


def _receipt_context(entry: LedgerEntry, player: Player, decimals: int) -> dict[str, Any]:
    """Return the template context of an award's receipt.

    If the current version of the engine cannot read the stored inputs of the run, the context has only the
    error message.

    player: the player who has the award today
    decimals: of points
    """
    try:
        receipt = receipt_of(entry, get_language() or "")
        chart = points_chart(receipt.regulation, receipt.scored, decimals, receipt.award)
    except EngineError as error:
        # A different version of the engine stored the inputs. The page says so.
        return {"unreadable": str(error)}
    return {
        "receipt": receipt,
        "chart": chart,
        "result": result_in_words(entry, receipt, player),
        "calculator": calculator_address(receipt.regulation, receipt.scored),
        "recorded": recorded_at(entry.run) if systems.of(entry.family).by_category else None,
        "exception": exception_reason(entry.run) if receipt.instead_of else "",
    }


def recorded_at(run: ScoringRun) -> datetime:
    """Return when a run read its inputs, such as the players' categories, from the database.

    A run that restores an annulled tournament reuses the inputs of an earlier run.
    """
    if run.purpose != ScoringRun.Purpose.RESTORE:
        return run.created_at
    return ScoringRun.objects.filter(tournament=run.tournament_id, input_digest=run.input_digest).aggregate(
        first=Min("created_at")
    )["first"]


def _act(entry: LedgerEntry) -> Proposal | None:
    """Return the approved proposal by which an adjustment was made, or None if there is none."""
    lookup = {"pk": proposal_id_of(entry.source_key)}
    if takes_back := taken_back_by(entry.source_key):
        lookup = {"kind": adjustments.KIND, "key": back_key(takes_back)}
    return Proposal.objects.filter(state=Proposal.State.APPROVED, **lookup).order_by("-pk").first()


def _counter_entry(entry: LedgerEntry) -> LedgerEntry | None:
    """Return the ledger entry that takes this entry back, or None if there is none.

    It is a reversal or, for an adjustment, an opposite adjustment.
    """
    if entry.kind == LedgerEntry.Kind.ADJUSTMENT:
        return awards.counter_entries([(entry.player_id, entry.pk)]).get(entry.pk)
    return getattr(entry, "reversed_by", None)


def _origin(entry: LedgerEntry) -> LedgerEntry | None:
    """Return the entry of which this entry is a copy, or None if it is no copy.

    Entries are copied to another player when two players are merged, and when a merge is undone.
    """
    origin = origin_of(entry.source_key)
    if origin is None:
        return None
    _moved_back, _merge, entry_id = origin
    return LedgerEntry.objects.select_related("player").get(pk=entry_id)
