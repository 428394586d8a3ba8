"""The list of tournaments and the page of a tournament."""

from datetime import date
from fractions import Fraction
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.access import roles_of
from scoring.annulments.services import may_annul
from scoring.calculator.aeb import comparison_address
from scoring.ledger import event_types, place_wording, systems
from scoring.ledger.conditional import standings_state
from scoring.ledger.evaluation import Evaluation
from scoring.ledger.models import ScoringRun
from scoring.ledger.queries import places
from scoring.ledger.queries.annulled import acts_of
from scoring.ledger.receipts import factors_of
from scoring.ledger.services.approval import approvers_of, waiting_annulment
from scoring.ledger.tables import RankingTable, by_person
from scoring.ledger.wording import FIELD_NAMES, approvers, event_type_name, reasons_of, regulation_name
from scoring.office.services.rescore import alternatives
from scoring.pages.points_chart import points_chart
from scoring.pages.queries import tournaments as queries
from scoring.pages.tables import TournamentTable
from scoring.pages.winners import winners
from scoring.regulations.places.scheme import PlaceScheme
from tournaments.addresses import by_slug, key_of
from tournaments.boards import IMPS
from tournaments.models import Revision, Tournament
from ui import exports
from ui.addresses import crumbs, own_player_id
from ui.choices import Asked, grouped_option_tags, id_of
from ui.formatting import format_days, format_share, format_whole
from ui.paging import CONTESTANTS, FoundPages, Pages, paged
from ui.shared import shared


@require_safe
@shared
def index(request: HttpRequest) -> HttpResponse:
    """List the tournaments, latest first."""
    state = standings_state()
    clubs = places.clubs(state.version)
    asked = Asked(request.GET)
    filters = _filters(asked, clubs, queries.years(state.version))
    rows = queries.list_rows(filters.queryset())
    if filters.text:
        source = FoundPages(rows, queries.summary)
    else:
        source = Pages(rows, queries.summary, lambda: queries.count(state.version, filters))
    table = paged(
        TournamentTable,
        request,
        source,
        caption=_("Tournaments, latest first"),
        empty_text=_("No tournament fits: with other filters there may be some.")
        if request.GET
        else _("No tournament has been scored yet."),
        empty_link=(reverse("tournaments"), _("See all tournaments"))
        if request.GET
        else (reverse("help"), _("How a result gets here")),
    )
    club = next((slug for pk, slug, _name in clubs if pk == filters.club_id), "")
    return render(
        request,
        "pages/tournaments.html",
        {
            "table_html": table.as_html(request),
            "total": len(table.rows),
            "cut_off": source.cut_off,
            "filters": filters,
            "years": queries.years(state.version),
            "formats": Tournament.Format.choices,
            "types": grouped_option_tags(_types(filters.family, filters.year), filters.event_type),
            "left_out": asked.left_out,
            "systems": systems.offered() if systems.others() else (),
            "club": places.club_choice(asked, clubs, club, _("any club")),
            "narrowed": filters.narrowed,
            "changed_at": state.changed_at,
            "breadcrumbs": crumbs((_("Tournaments"), None)),
        },
    )


def _filters(asked: Asked, clubs: tuple, years: tuple[int, ...]) -> queries.TournamentFilter:
    """Read the filters of the query string. Raise Http404 for an unknown club.

    Which types are valid depends on the points and the year.
    """
    club_id = id_of(asked.club(clubs, lambda: clubs, places.meant_by), clubs)
    families = [system.family for system in systems.offered()]
    family = asked.one_of("puntos", families, _("Points"))
    year = asked.one_of("ano", [str(year) for year in years], _("Year"))
    chosen_year = int(year) if year else None
    types = event_types.flat(_types(family, chosen_year))
    return queries.TournamentFilter(
        year=chosen_year,
        club_id=club_id,
        format=asked.one_of("modalidad", Tournament.Format.values, _("Format")),
        event_type=asked.one_of("tipo", types, _("Type"), event_type_name),
        family=family,
        counted=asked.one_of("puntua", queries.COUNTED, _("Counts")),
        text=asked.text("q"),
    )


def _types(family: str, year: int | None) -> event_types.Groups:
    """Return the event types of a points system in a year; "" and None stand for all systems and years."""
    span = (date(year, 1, 1), date(year, 12, 31)) if year else ()
    return event_types.groups_of(family, *span)


@require_safe
@shared(keys=key_of)
def tournament(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Show a tournament with its ranking, points and coefficients, and why it counts or not."""
    tournament = by_slug(slug)
    if request.path != tournament.get_absolute_url():
        return redirect(tournament)
    ranking = queries.ranking_of(tournament)
    decimals = systems.points_decimals(tournament)
    name = f"{_('tournament')}-{tournament.pk}"
    records = partial(by_person, ranking.rows)
    if file := exports.requested_file(request, RankingTable, name, records, points_decimals=decimals):
        return file
    evaluation, run = ranking.evaluation, ranking.run
    context = {
        "tournament": tournament,
        "type_name": event_type_name(tournament.event_type, evaluation.regulation if evaluation else None),
        "colour": place_wording.colour(tournament),
        "rankings": _rankings(request, ranking),
        "contestants": len(ranking.rows),
        "run": run,
        "changed_at": run and run.finished_at,
        "reasons": reasons_of(run) if run else [],
        "persons": run.outcome.get("persons") if run else None,
        "winners": winners(ranking.rows, decimals),
        "decimals": decimals,
        "short": evaluation.too_few_boards if evaluation else 0,
        "revisions": list(
            tournament.revisions.order_by("-number").values("pk", "number", "reason", "created_at")
        ),
        "rescorings": queries.rescorings_of(tournament),
        "may_rescore": roles_of(request.user).office and bool(alternatives(tournament)),
        "annulments": acts_of(tournament),
        "link": _short_address(request, tournament),
        "breadcrumbs": crumbs((_("Tournaments"), reverse("tournaments")), (tournament.name, None)),
        **_newest_run_context(request, tournament),
    }
    if evaluation:
        context |= _engine_context(ranking)
    return render(request, "pages/tournament.html", context)


@require_safe
@shared(keys=key_of)
def ranking_sheet(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Show a tournament's ranking alone, to print it on one sheet for the club's wall."""
    tournament = by_slug(slug)
    address = tournament.get_absolute_url()
    if request.path != f"{address}imprimir/":
        return redirect(f"{address}imprimir/")
    ranking = queries.ranking_of(tournament)
    context = {
        "tournament": tournament,
        "rankings": _rankings(request, ranking, downloads=False),
        "type_name": event_type_name(
            tournament.event_type, ranking.evaluation.regulation if ranking.evaluation else None
        ),
        "days": format_days(tournament.start_date, tournament.end_date, get_language() or ""),
        "link": _short_address(request, tournament),
        "breadcrumbs": crumbs(
            (_("Tournaments"), reverse("tournaments")), (tournament.name, address), (_("Print"), None)
        ),
    }
    return render(request, "pages/ranking_sheet.html", context)


@require_safe
@shared
def short_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect the short address of a tournament, which people copy from paper, to its page."""
    return redirect(get_object_or_404(Tournament, pk=pk))


def _short_address(request: HttpRequest, tournament: Tournament) -> str:
    return request.build_absolute_uri(reverse("short_link", args=[tournament.pk]))


def _newest_run_context(request: HttpRequest, tournament: Tournament) -> dict:
    """Return the template context about the newest run, and about what the user may do with the tournament.

    It says whether the run is pending, failed or waits for approval, whether an annulment or restoration
    waits, and whether the user may correct or annul the tournament.
    """
    newest = tournament.runs.defer("inputs").order_by("-pk").first()
    state = newest.state if newest else None
    waits = state == ScoringRun.State.WAITING
    proposed = waiting_annulment(tournament)
    free = not waits and proposed is None
    may_correct = free and request.user.is_authenticated and may_annul(request.user, tournament)
    return {
        "pending": newest if newest and newest.is_under_way else None,
        "failed": newest if state == ScoringRun.State.FAILED else None,
        "approvers": approvers_of(newest) if waits else "",
        "proposed_act": proposed.data["act"] if proposed else "",
        "act_approvers": approvers(regional=False) if proposed else "",
        "may_correct": may_correct and not tournament.annulled_at,
        "may_annul": may_correct,
    }


def _rankings(request: HttpRequest, ranking: queries.ScoredRanking, downloads: bool = True) -> list[dict]:
    """Return the tables of a ranking: two if North-South and East-West are ranked separately, else one.

    downloads: whether the last of them offers files
    """
    fields = list(dict.fromkeys(row["field"] for row in ranking.rows))
    own = own_player_id(request)
    rankings = []
    for field in fields:
        rows = [row for row in ranking.rows if row["field"] == field]
        hidden = [
            name for name in ("percentage", "score", "points") if all(row[name] is None for row in rows)
        ] + ([] if any(row["label"] for row in rows) else ["label"])
        table = paged(
            RankingTable,
            request,
            rows,
            per_page=CONTESTANTS,
            prefix=f"{field}-" if field else "",
            exclude=hidden,
            own_id=own,
            points_decimals=systems.points_decimals(ranking.tournament),
            unit=_unit(ranking.tournament),
            caption=_("Places and points") if not field else FIELD_NAMES[field],
            exports=exports.FORMATS if downloads and field == fields[-1] else (),
        )
        rankings.append({"field": FIELD_NAMES[field], "html": table.as_html(request)})
    return rankings


def _unit(tournament: Tournament) -> str:
    """Return the unit of the scores in the ranking, as in `Revision.unit`."""
    if tournament.published is None:
        return ""
    # Rankings that were stored before their unit was have board results in IMPs only with scores in IMPs.
    default = Revision.Unit.IMPS if tournament.published.boards_scored == IMPS else ""
    return tournament.published.unit or default


def _engine_context(ranking: queries.ScoredRanking) -> dict:
    """Return the template context of the coefficients and charts of a ranking.

    `lines` has an item for each field: one, or two if North-South and East-West are ranked separately.
    """
    evaluation = ranking.evaluation
    regulation = evaluation.regulation
    by_place = isinstance(regulation, PlaceScheme)
    decimals = systems.points_decimals(ranking.tournament)
    lines = [
        {
            "field": FIELD_NAMES[field.field],
            "n": field.result.n,
            "coefficients": field.result.coefficients,
            "factors": () if by_place else factors_of(regulation, field),
            "figures": place_wording.figures(field.result.coefficients) if by_place else (),
            "p_max": field.result.p_max,
            "p_min": field.result.p_min,
            "curve": points_chart(regulation, field, decimals) if field.result.eligible else None,
        }
        for field in evaluation.fields
    ]
    first = evaluation.fields[0]
    return {
        "regulation": regulation,
        "regulation_name": regulation_name(regulation.code),
        "lines": lines,
        "eligible": evaluation.eligible,
        "licensed": None if by_place else _licensed(evaluation),
        "calculator": comparison_address(regulation, first),
        "by_place": by_place,
    }


def _licensed(evaluation: Evaluation) -> str:
    """Return how many of the persons hold a licence, with the percentage."""
    lang, licensed = get_language() or "", sum(seat.licensed for seat in evaluation.seats)
    persons = evaluation.persons
    counts = {"times": format_whole(licensed, lang), "count": format_whole(persons, lang)}
    share = format_share(Fraction(100 * licensed, persons), lang)
    return f"{_('%(times)s of %(count)s') % counts} ({share})"
