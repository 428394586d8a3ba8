"""Pages that annul or restore a tournament of bridge or Go, and the log of annulments."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require
from players.models import Proposal
from players.office_only import for_office
from players.proposals import act_of
from scoring.annulments import annulment_act, queries, services
from scoring.annulments.forms import AnnulmentForm
from scoring.annulments.models import Annulment
from scoring.annulments.tables import AnnulmentTable
from scoring.ledger.queries.annulled import last_act
from scoring.ledger.services import approval
from scoring.ledger.wording import approvers
from scoring.ratings.access import go_crumbs, may_upload
from scoring.ratings.models import RatingTournament
from tournaments.addresses import by_slug
from tournaments.models import Tournament
from ui.addresses import crumbs, office_crumbs
from ui.form_errors import errors_on
from ui.paging import Pages, paged

Act = Annulment.Act
Verbs = dict[str, Callable]
BRIDGE: Verbs = {Act.ANNULLED: services.annul, Act.RESTORED: services.restore}
GO: Verbs = {Act.ANNULLED: services.annul_go, Act.RESTORED: services.restore_go}
SUCCESS = {
    Act.ANNULLED: gettext_lazy("The tournament is annulled: it counts no more."),
    Act.RESTORED: gettext_lazy("The tournament is restored: it counts again."),
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def annulment(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """Annul or restore a bridge tournament; GET shows how many players and points are affected."""
    tournament = by_slug(slug)
    require(services.may_annul(request.user, tournament))
    players, points = queries.players_and_points(tournament)
    context = {
        "players": players,
        "points": points,
        "breadcrumbs": crumbs(
            (_("Tournaments"), reverse("tournaments")),
            (tournament.name, tournament.get_absolute_url()),
            (_("Annulment"), None),
        ),
    }
    return _respond(request, tournament, BRIDGE, context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def go_annulment(request: HttpRequest, pk: int) -> HttpResponse:
    """Annul or restore a Go tournament; GET shows how many players and later tournaments are affected."""
    event = get_object_or_404(RatingTournament, pk=pk)
    require(may_upload(request.user) and services.may_annul(request.user, event))
    context = {
        "go": True,
        "players": event.entrants.count(),
        "later": queries.count_rated_again(event),
        "breadcrumbs": go_crumbs(
            (_("Tournaments"), reverse("go_tournaments")),
            (event.name, event.get_absolute_url()),
            (_("Annulment"), None),
        ),
    }
    return _respond(request, event, GO, context)


def _respond(request: HttpRequest, event: services.Event, verbs: Verbs, context: dict[str, Any]):
    """Show the form that annuls or restores the tournament, or why this is not possible now.

    POST annuls or restores the tournament, and redirects to its page.
    """
    offered = Act.RESTORED if event.annulled_at else Act.ANNULLED
    allowed = offered == Act.ANNULLED or services.may_restore(request.user, event)
    form = AnnulmentForm(request.POST or None, initial={"act": offered})
    asks, waiting = services.needs_second_person(request.user, event), _waiting(event)
    if request.method == "POST":
        require(allowed)
        if form.is_valid() and not waiting:
            act, reason = Act(form.cleaned_data["act"]), form.cleaned_data["reason"]
            with errors_on(form):
                if asks:
                    return redirect(annulment_act.request(event, act, reason, request.user))
                verbs[act](event.pk, reason, request.user)
                messages.success(request, SUCCESS[act])
                return redirect(event)
    obstacle = waiting or (services.obstacle(event) if allowed else None)
    context |= {
        "obstacle": obstacle,
        "blocking_url": _blocking_url(request, event, obstacle),
        "event": event,
        "offered": offered,
        "allowed": allowed,
        "asks": asks,
        "form": form,
        "last": last_act(event),
    }
    return render(
        request, "annulments/annulment.html", context, status=422 if request.method == "POST" else 200
    )


def _waiting(event: services.Event) -> services.Obstacle | None:
    """Return the obstacle that the act is proposed already and waits for a decision; None if it is not."""
    proposal = approval.waiting_annulment(event) if isinstance(event, Tournament) else None
    if proposal is None:
        return None
    texts = {
        Act.ANNULLED: _("Annulling it was asked for already, and waits for approval by %(approvers)s."),
        Act.RESTORED: _("Restoring it was asked for already, and waits for approval by %(approvers)s."),
    }
    text = texts[proposal.data["act"]] % {"approvers": approvers(regional=False)}
    return services.Obstacle(text, proposal)


def _blocking_url(request: HttpRequest, event: services.Event, obstacle: services.Obstacle | None) -> str:
    """Return the URL of the proposal or tournament that blocks the act; "" if there is none.

    For a proposal that the user may not see, return the URL of the event, whose page says what waits.
    """
    blocking = obstacle and obstacle.blocking
    if not blocking:
        return ""
    hidden = isinstance(blocking, Proposal) and not act_of(blocking).may_see(request.user, blocking)
    return (event if hidden else blocking).get_absolute_url()


@for_office
@require_safe
def annulments(request: HttpRequest) -> HttpResponse:
    """Show the log of annulled and restored tournaments, latest first."""
    table = paged(AnnulmentTable, request, Pages(queries.annulment_log(), queries.records))
    context = {
        "table_html": table.as_html(request),
        "breadcrumbs": office_crumbs((_("Annulled tournaments"), None)),
    }
    return render(request, "office/annulments.html", context)
