"""Find tournaments for the office, with their state and what can be done with them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Club
from scoring.ledger.models import ScoringRun
from scoring.ledger.models.work import UNDER_WAY
from scoring.ledger.wording import event_type_name
from tournaments.models import Tournament

State = ScoringRun.State
STATES = {
    "cuentan": _("Counts"),
    "no-cuentan": _("Does not count"),
    "esperan": _("Waits for approval"),
    "en-marcha": _("Being scored"),
    "parados": _("Scoring stopped"),
    "anulados": _("Annulled"),
}


def _runs(**fields: Any) -> Exists:
    return Exists(ScoringRun.objects.filter(tournament=OuterRef("pk"), **fields))


def _of_ranking(**fields: Any) -> Exists:
    """Return whether the tournament's ranking in force has such a run."""
    return _runs(revision=OuterRef("published"), purpose=ScoringRun.Purpose.SCORE, **fields)


def find_tournaments(
    text: str = "", year: int | None = None, club: Club | None = None, state: str = ""
) -> QuerySet[Tournament]:
    """Return the tournaments that match, latest first.

    text: words of the name, or the tournament's number in its address
    state: a key of `STATES`, or ""
    """
    tournaments = Tournament.objects.select_related("club").annotate(
        run_state=Subquery(
            ScoringRun.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("state")[:1]
        ),
        eligible=_of_ranking(state=State.DONE, eligible=True),
    )
    if text.isdecimal():
        return tournaments.filter(pk=min(int(text), 2**31))
    tournaments = tournaments.search(text)
    if year:
        tournaments = tournaments.filter(end_date__year=year)
    if club:
        tournaments = tournaments.filter(club=club)
    if state:
        tournaments = tournaments.filter(_condition(state))
    return tournaments.order_by("-end_date", "-pk")


def _condition(state: str) -> Q | Exists:
    if state == "anulados":
        return Q(annulled_at__isnull=False)
    if state == "esperan":
        return _runs(state=State.WAITING)
    if state == "parados":
        return _runs(state=State.FAILED)
    if state == "en-marcha":
        return _runs(state__in=UNDER_WAY)
    return Q(annulled_at=None) & Q(_of_ranking(state=State.DONE, eligible=state == "cuentan"))


def records(tournaments: Iterable[Any]) -> list[dict[str, Any]]:
    """Return the records of `OfficeTournamentTable` for tournaments of `find_tournaments`."""
    return [_record(tournament) for tournament in tournaments]


def _record(tournament: Any) -> dict[str, Any]:
    address = tournament.get_absolute_url()
    annul = _("Restore") if tournament.annulled_at else _("Annul")
    acts = [(annul, f"{address}anular/")]
    if not tournament.annulled_at:
        acts.append((_("Correct"), f"{reverse('upload_start')}?corrige={tournament.pk}"))
        acts.append((_("Score again"), f"{address}reglamento/"))
    return {
        "title": tournament.name,
        "url": address,
        "day": tournament.end_date,
        "club": tournament.club.name,
        "kind": event_type_name(tournament.event_type),
        "state": STATES[_state(tournament)],
        "acts": acts,
    }


def _state(tournament: Any) -> str:
    if tournament.annulled_at:
        return "anulados"
    by_run = {
        State.WAITING: "esperan",
        State.PENDING: "en-marcha",
        State.RUNNING: "en-marcha",
        State.FAILED: "parados",
    }
    return by_run.get(tournament.run_state) or ("cuentan" if tournament.eligible else "no-cuentan")
