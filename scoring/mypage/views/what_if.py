"""What a result that the player could have would change, computed by the engine."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.categories import history_of
from scoring.calculator.aeb import Question, points_of_place
from scoring.engine.errors import EngineError
from scoring.ledger.conditional import StandingsVersion
from scoring.ledger.queries.week import place_of
from scoring.ledger.windows import leaves_on
from scoring.ledger.wording import reason_text
from scoring.mypage.forms import WhatIfForm
from scoring.mypage.own import OwnRequest, own_page
from scoring.pages.queries import profile, results
from scoring.regulations.aeb.scheme import Scheme
from ui.addresses import crumbs

LOOKED_AT = 8  # the latest results among which the form's first example is


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a result would change. Points are hundredths.

    points: what the place would give; 0 if the tournament would not count
    reasons: sentences on why it would not count
    total: the player's 12-month total with these points
    rank, of: the place among the players of the category, None without one
    missing: the points still lacking to the promotion cut, 0 or less if it is reached; None without a cut
    leaves: the day on which the points would leave
    """

    points: int
    reasons: list[str]
    total: int
    rank: int | None
    of: int | None
    missing: int | None
    leaves: date

    @property
    def above(self) -> int | None:
        """The points above the promotion cut; None if it is not reached."""
        return -self.missing if self.missing is not None and self.missing <= 0 else None


def outcome_of(
    regulation: Scheme,
    question: Question,
    place: int,
    position: profile.Position,
    prospect: profile.Prospect | None,
    state: StandingsVersion,
) -> Outcome:
    """Return what a place in a hypothetical tournament, played on the day of the standings, would change."""
    reasons = [
        reason_text(regulation.code, reason.code, reason.params)
        for reason in regulation.score(question.event).reasons
    ]
    points = 0 if reasons else points_of_place(regulation, question, place)
    total = position.points + points
    rank = of = None
    if position.category and position.licensed and total > 0:
        rank, listed = place_of(state, position.category.pk, total)
        of = listed + (position.rank is None)
    missing = prospect.missing - points if prospect and not prospect.hindrance else None
    return Outcome(points, reasons, total, rank, of, missing, leaves_on(state.as_of))


@require_safe
@own_page
def what_if(request: OwnRequest) -> HttpResponse:
    """Show the form for a hypothetical result and, if it is valid, what the result would change.

    The address has the whole question, so that it can be kept and shared. Nothing is stored.
    """
    player, state = request.player, request.standings
    totals, history = profile.totals_of(player), history_of(player)
    rows = results.rows_of(totals.latest(state.as_of, LOOKED_AT))
    form = WhatIfForm(request.GET.dict(), state.as_of, results.typical_row(rows, state.as_of))
    position, _week = profile.standing_of(player, history, totals, state)
    prospect = profile.prospect_of(player, position.category, state, own=True)
    context: dict[str, Any] = {
        "form": form,
        "player": player,
        "position": position,
        "prospect": prospect,
        "breadcrumbs": crumbs((_("My page"), reverse("my_page")), (_("What if?"), None)),
    }
    if form.is_valid():
        place = form.cleaned_data["puesto"]
        context |= {"place": place, "question": form.question}
        try:
            context["outcome"] = outcome_of(form.regulation, form.question, place, position, prospect, state)
        except EngineError as error:
            form.add_error(None, str(error))
    return render(request, "mypage/what_if.html", context)
