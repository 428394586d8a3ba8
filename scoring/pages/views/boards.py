"""The pages of a tournament's boards: the list, a board with its hands and results, a contestant's card."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import uploadable_clubs
from scoring.ledger.queries.people import Written, seats_of
from scoring.ledger.services import approval
from scoring.ledger.wording import CARD_OF
from scoring.pages.board_tables import BoardTable, CardTable, MatchTable, TravellerTable
from scoring.pages.queries import boards as queries
from tournaments.addresses import by_slug, key_of
from tournaments.boards import IN_PERCENT, TEAMS
from tournaments.models import Contestant, Revision, Tournament
from tournaments.services.board_origin import Erased, erased_of
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.cards import diagram
from ui.paging import Pages
from ui.shared import shared

MOST_CARDS = 20  # contestants whose cards the list of boards links; the ranking links all
MOST_NUMBERS = 200  # boards that the page of one board links by their numbers


@require_safe
@shared(keys=key_of)
def boards(request: HttpRequest, year: int, slug: str) -> HttpResponseBase:
    """List the boards of a tournament."""
    tournament, session = _session(slug)
    address = f"{tournament.get_absolute_url()}manos/"
    if request.path != address:
        return redirect(address)
    records = queries.summaries(tournament.get_absolute_url(), session)
    table = exports.file_or_table(
        request,
        BoardTable,
        f"{_('boards')}-{tournament.pk}",
        records,
        caption=_("Boards"),
        exclude=() if any(record["contract"] for record in records) else ("contract",),
    )
    if isinstance(table, HttpResponseBase):
        return table
    own = own_player_id(request)
    context = {
        "tournament": tournament,
        "may_correct": may_correct(request.user, tournament),
        "erased": _erased(request, tournament),
        "count": len(records),
        "results": sum(record["count"] for record in records),
        "adjusted": sum(line.adjusted is not None for lines in session.boards.values() for line in lines),
        "hands": queries.count_of_deals(tournament.published_id),
        "scored": Revision.Boards(session.scored).label,
        "percent": session.scored in IN_PERCENT,
        "teams": session.scored == TEAMS,
        "cards": queries.cards(tournament, session, MOST_CARDS),
        "own_card": queries.own_card(tournament, own, session) if own else "",
        "table_html": table.as_html(request),
        "breadcrumbs": _crumbs(tournament, (_("Boards"), None)),
    }
    return render(request, "pages/boards.html", context)


@require_safe
@shared(keys=key_of)
def board(request: HttpRequest, year: int, slug: str, number: int) -> HttpResponseBase:
    """Show a board: its hands and its results at all tables, best for North-South first."""
    tournament, session = _session(slug)
    lines = session.boards.get(number)
    if lines is None:
        raise Http404(_("This tournament has no such board."))
    address = queries.board_address(tournament.get_absolute_url(), number)
    if request.path != address:
        return redirect(address)
    own = own_player_id(request)
    source = Pages(lines, lambda shown: queries.traveller(tournament, shown))
    table = exports.file_or_table(
        request,
        TravellerTable,
        f"{_('board')}-{number}-{tournament.pk}",
        source,
        caption=_("Results of board %(number)s") % {"number": number},
        own_id=own,
        exclude=(*_unknown_play(lines), *(() if may_correct(request.user, tournament) else ("correct",))),
        scored=session.scored,
    )
    if isinstance(table, HttpResponseBase):
        return table
    numbers = list(session.boards)
    at = numbers.index(number)
    context = {
        "tournament": tournament,
        "number": number,
        "deals": [
            diagram(deal.hands.split(), deal.dealer, deal.vulnerable, deal.section)
            for deal in queries.deals_of(tournament.published_id, number)
        ],
        "erased": _erased(request, tournament, number),
        "count": len(lines),
        "numbers": [(other, queries.board_address(tournament.get_absolute_url(), other)) for other in numbers]
        if len(numbers) <= MOST_NUMBERS
        else [],
        "previous": numbers[at - 1] if at else None,
        "next": numbers[at + 1] if at + 1 < len(numbers) else None,
        "percent": session.scored in IN_PERCENT,
        "teams": session.scored == TEAMS,
        "own_card": queries.own_card(tournament, own, session) if own else "",
        "table_html": table.as_html(request),
        "breadcrumbs": _crumbs(
            tournament,
            (_("Boards"), f"{tournament.get_absolute_url()}manos/"),
            (_("Board %(number)s") % {"number": number}, None),
        ),
    }
    return render(request, "pages/board.html", context)


@require_safe
@shared(keys=key_of)
def card(request: HttpRequest, year: int, slug: str, position: int) -> HttpResponseBase:
    """Show all boards of a contestant, with its own results."""
    tournament, session = _session(slug)
    contestant = get_object_or_404(tournament.published.contestants, position=position)
    records = queries.card(tournament, contestant.pk, session)
    if not records:
        raise Http404(_("The results of the single boards of this tournament are not known."))
    address = queries.card_address(tournament.get_absolute_url(), position)
    if request.path != address:
        return redirect(address)
    people = seats_of(tournament.published_id, [contestant.pk]).get(contestant.pk, [])
    names = " – ".join(person["name"] or _("guest") for person in people)
    written = Written([contestant.label, contestant.team_name])
    label = written.label(contestant.label, people) or str(contestant.position)
    team = written.team(contestant.team_name, people)
    figure = session.figures.get(contestant.pk)
    percent, teams = session.scored in IN_PERCENT, session.scored == TEAMS
    unknown = _unknown_play(line for _side, line in session.card_of(contestant.pk))
    table = exports.file_or_table(
        request,
        CardTable,
        f"{_('card')}-{label}-{tournament.pk}",
        records,
        per_page=200,
        caption=_("Boards"),
        exclude=(*unknown, *(() if any(record["partner"] for record in records) else ("partner",))),
        scored=session.scored,
    )
    if isinstance(table, HttpResponseBase):
        return table
    context = {
        "tournament": tournament,
        "contestant": contestant,
        "names": f"{team}: {names}" if team else names,
        "label": label,
        "card_of": CARD_OF[tournament.format],
        "boards": len({record["board"] for record in records}) if teams else len(records),
        "percent": percent,
        "teams": teams,
        "unit": contestant.revision.get_unit_display() or ("" if percent else _("IMPs")),
        "matches_html": _matches(request, tournament, contestant, session) if teams else "",
        "mean": None if figure is None else queries.rounded(figure),
        "differs": percent and figure is not None and queries.differs(contestant.percentage, figure),
        "table_html": table.as_html(request),
        "breadcrumbs": _crumbs(tournament, (f"{CARD_OF[tournament.format]} {label}", None)),
    }
    return render(request, "pages/card.html", context)


def _matches(
    request: HttpRequest, tournament: Tournament, contestant: Contestant, session: queries.PlayedSession
) -> str:
    """Return the table of a team's matches, as HTML."""
    records = queries.matches(tournament, contestant.pk, session)
    hidden = () if any(record["round"] for record in records) else ("round",)
    return MatchTable(records, caption=_("Matches"), exclude=hidden).as_html(request)


def may_correct(user, tournament: Tournament) -> bool:
    """Return whether the user may correct single boards of a tournament now: nothing of it may wait."""
    if not user.is_authenticated or tournament.annulled_at:
        return False
    waits = approval.waiting_run(tournament) or approval.waiting_annulment(tournament)
    return uploadable_clubs(user).filter(pk=tournament.club_id).exists() and not waits


def _erased(
    request: HttpRequest, tournament: Tournament, board: int | None = None
) -> list[tuple[Erased, str]]:
    """Return the erased results, with the addresses to enter them again, if the user may correct boards.

    board: only those of this board
    """
    newest = tournament.published
    if newest is None or not may_correct(request.user, tournament):
        return []
    lines = [line for line in erased_of(newest) if board in (None, line.board)]
    result = newest.boards.order_by("pk").values_list("pk", flat=True).first() if lines else None
    address = reverse("upload_correct_board", args=[result]) if result else ""
    return [(line, f"{address}?borrada={line.index}") for line in lines]


def _session(slug: str) -> tuple[Tournament, queries.PlayedSession]:
    """Return a tournament and its board results. Raise Http404 if there are none."""
    tournament = by_slug(slug)
    session = queries.session_of(tournament.published_id) if tournament.published_id else None
    if session is None:
        raise Http404(_("The results of the single boards of this tournament are not known."))
    return tournament, session


def _crumbs(tournament: Tournament, *steps: tuple[str, str | None]) -> list[dict[str, Any]]:
    return crumbs(
        (_("Tournaments"), reverse("tournaments")),
        (tournament.name, tournament.get_absolute_url()),
        *steps,
    )


def _unknown_play(lines: Iterable[queries.PlayedBoard]) -> tuple[str, ...]:
    """Return the names of the columns about the play for which these results have no values."""
    lines = list(lines)
    known = {
        "contract": any(line.contract for line in lines),
        "lead": any(line.lead for line in lines),
        "tricks": any(line.tricks is not None for line in lines),
    }
    return tuple(name for name, is_known in known.items() if not is_known)
