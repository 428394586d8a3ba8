"""Open a case, read it, and write in it."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import require, roles_of
from players.models import Club, Player
from players.services.limits import TooSoon
from scoring.cases import services, states
from scoring.cases.access import case_to_read, is_own, name_of, party_of
from scoring.cases.forms import CaseForm, MessageForm
from scoring.cases.models import Case
from scoring.cases.queries import lists
from scoring.cases.states import Act, Party, State
from scoring.cases.tables import state_light
from scoring.cases.wording import message_records
from scoring.ledger.models import LedgerEntry
from scoring.ledger.systems import offers_go
from scoring.ratings.models import RatingTournament
from tournaments.models import Seat, Tournament
from ui.addresses import crumbs, office_crumbs, one_of, parse_day
from ui.clock import today
from ui.fields import submitted
from ui.form_errors import errors_on
from ui.formatting import format_date

DONE = {
    Act.WRITE: gettext_lazy("Added."),
    Act.ANSWER: gettext_lazy("Answered. The player sees it."),
    Act.HAND_OVER: gettext_lazy("Passed on."),
    Act.CLOSE: gettext_lazy("Closed."),
    Act.REOPEN: gettext_lazy("Open again. The office looks at it now."),
}

GO_MISSING = "falta"  # in an address: a Go tournament that the site does not have


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def case_open(request: HttpRequest) -> HttpResponse:
    """Open a case of the account's player.

    The query parameters fill the form: `torneo` (id of a tournament), `partida` (id of an entry of the
    player), `go` (id of a Go tournament, or `falta` for a missing one), `tipo` (a kind), `dia` and `club`.
    """
    player = getattr(request.user, "player", None)
    if player is None:
        return render(request, "cases/no_player.html", {"breadcrumbs": _open_crumbs()})
    tournament, kind = _asked_tournament(request, player.current)
    initial = {
        "kind": one_of(request.GET.get("tipo", ""), Case.Kind.values, kind),
        "day": parse_day(request.GET.get("dia", "")),
        "club": request.GET.get("club", "") or (player.club.slug if player.club else ""),
    }
    go_tournament = _asked_go_tournament(request)
    if go_tournament:
        # Its own text names it, and no club reads the case: a Go tournament belongs to none.
        initial |= {"kind": Case.Kind.OTHER, "day": go_tournament.end_date, "club": ""}
        initial["text"] = _go_text(go_tournament)
    misses_go = offers_go() and request.GET.get("go") == GO_MISSING
    if misses_go:
        initial |= {"kind": Case.Kind.OTHER, "club": "", "text": _("Go tournament that is missing:") + "\n"}
    form = CaseForm(
        submitted(request.POST) if request.method == "POST" else None,
        initial=initial,
        tournament=tournament,
        clubs=Club.objects.filter(active=True).order_by("sort_key", "pk"),
        today=today(),
    )
    if form.is_valid() and (case := _opened(request, form, player.current)):
        messages.success(request, _sent_to(case))
        return redirect(case)
    context = {
        "form": form,
        "tournament": tournament,
        "club_answers": tournament and services.can_answer(tournament.club, player.current),
        "club_days": settings.CASE_CLUB_DAYS,
        "go_tournament": go_tournament,
        "misses_go": misses_go,
        "breadcrumbs": _open_crumbs(),
    }
    return render(request, "cases/open.html", context, status=422 if form.is_bound else 200)


def _open_crumbs() -> list[dict[str, str | None]]:
    return crumbs((_("My cases"), reverse("cases")), (_("Open a case"), None))


def _asked_tournament(request: HttpRequest, player: Player) -> tuple[Tournament | None, str]:
    """Return the tournament that the address names, if the player may know it, and the kind it suggests."""
    entry, pk = request.GET.get("partida", ""), request.GET.get("torneo", "")
    numbers = Player.objects.numbers_of(player)
    if entry.isdecimal() and len(entry) < 19:
        row = LedgerEntry.objects.filter(pk=entry, player__in=numbers).select_related("tournament__club")
        own = row.first()
        return (own.tournament if own else None), Case.Kind.POINTS
    if pk.isdecimal() and len(pk) < 19:
        seated = Seat.objects.filter(revision__tournament=OuterRef("pk"), player__in=numbers)
        known = Tournament.objects.filter(Q(published__isnull=False) | Exists(seated), pk=pk)
        return known.select_related("club").first(), ""
    return None, ""


def _asked_go_tournament(request: HttpRequest) -> RatingTournament | None:
    """Return the Go tournament that the address names. All are public, where Go is rated."""
    pk = request.GET.get("go", "")
    if not (offers_go() and pk.isdecimal() and len(pk) < 19):
        return None
    return RatingTournament.objects.filter(pk=pk).first()


def _go_text(tournament: RatingTournament) -> str:
    """Return how the text of a case about a Go tournament begins: cases store tournaments of bridge alone."""
    day = format_date(tournament.end_date, get_language() or "")
    return _("Go tournament “%(name)s” (%(day)s):") % {"name": tournament.name, "day": day} + "\n"


def _opened(request: HttpRequest, form: CaseForm, player: Player) -> Case | None:
    """Open the case of the valid form. Return None if an error was added to the form."""
    data = form.cleaned_data
    with errors_on(form):
        try:
            return services.open_case(
                player,
                request.user,
                data["kind"],
                data["text"],
                club=data.get("club"),
                day=data.get("day"),
                tournament=form.tournament,
            )
        except TooSoon as wait:
            form.add_error(None, too_soon(wait))
    return None


def too_soon(wait: TooSoon) -> str:
    """Return the message for an account that wrote too much."""
    text = ngettext(
        "You have written a lot in a short time. You can write again in %(minutes)s minute.",
        "You have written a lot in a short time. You can write again in %(minutes)s minutes.",
        wait.minutes,
    )
    return text % {"minutes": wait.minutes}


def _sent_to(case: Case) -> str:
    if case.state == State.CLUB and case.club:
        text = _("Sent to %(club)s. You see the answer on this page.")
        return text % {"club": case.club.name}
    return _("Sent to the office. You see the answer on this page.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def case(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a case with all that was written, and write in it."""
    case = case_to_read(request, pk)
    party = party_of(request.user, case)
    if request.method == "POST":
        require(party is not None)
    acts = _offered(case, party)
    form = _message_form(request, case, acts, party)
    if form.is_bound and not _offers(form, acts):
        # The case has changed since the page was loaded, or the act is not this reader's.
        _refuse(request, case, party)
    if form.is_bound and form.is_valid() and _performed(request, form, case):
        messages.success(request, str(DONE[Act(form.cleaned_data["act"])]))
        return redirect(case)
    context = {
        "case": case,
        "title": lists.title_of(case),
        "light": state_light(case.state),
        "own": party == Party.PLAYER,
        "name": name_of(request.user, case.player.current),
        "entries": message_records(case, request.user),
        "form": form if acts or form.is_bound else None,
        "buttons": _buttons(case, acts),
        "reopens_until": case.reopens_until,
        "waited": lists.waited_days(case),
        "club_days": settings.CASE_CLUB_DAYS,
        "breadcrumbs": _case_crumbs(request, case),
    }
    return render(request, "cases/case.html", context, status=422 if form.is_bound else 200)


def _offered(case: Case, party: Party | None) -> list[Act]:
    """Return the acts that the page offers to a party."""
    acts = states.acts_of(case.state, party) if party else []
    if Act.REOPEN in acts and timezone.now() > case.reopens_until:
        acts.remove(Act.REOPEN)
    if Act.HAND_OVER in acts and case.state == State.OFFICE and case.kind == Case.Kind.PERSONAL:
        acts.remove(Act.HAND_OVER)
    return acts


def _offers(form: MessageForm, acts: list[Act]) -> bool:
    return form.data.get("act") in set(acts)


def _refuse(request: HttpRequest, case: Case, party: Party | None) -> None:
    """Raise PermissionDenied for an act that is never this party's; of others the form says what is wrong."""
    act = request.POST.get("act", "")
    if act in states.ACTORS and party not in states.ACTORS[act]:
        raise PermissionDenied


def _message_form(request: HttpRequest, case: Case, acts: list[Act], party: Party | None) -> MessageForm:
    is_office = party == Party.OFFICE
    gives = is_office and case.state == State.OFFICE
    form = MessageForm(
        submitted(request.POST) if request.method == "POST" else None,
        initial={"club": case.club.slug if case.club else ""},
        acts=acts,
        revisions=lists.mending(case) if Act.ANSWER in acts else None,
        clubs=Club.objects.filter(active=True).order_by("sort_key", "pk") if gives else None,
    )
    if case.state == State.ANSWERED and Act.ANSWER in acts:
        form.fields["text"].label = _("Another answer")
    return form


def _performed(request: HttpRequest, form: MessageForm, case: Case) -> bool:
    """Perform the act of the valid form. Return False if an error was added to the form."""
    data = form.cleaned_data
    with errors_on(form):
        try:
            services.perform(
                case.pk,
                data["act"],
                request.user,
                data["text"],
                club=data.get("club"),
                revision=data.get("revision"),
                seen=data["seen"],
            )
        except TooSoon as wait:
            form.add_error(None, too_soon(wait))
        else:
            return True
    return False


def _buttons(case: Case, acts: list[Act]) -> list[dict[str, Any]]:
    """Return the buttons of a case, the main one first, as dictionaries of `act` and `label`."""
    answered = case.state == State.ANSWERED
    labels = {
        Act.ANSWER: _("Send the answer"),
        Act.WRITE: _("Send"),
        Act.REOPEN: _("Something is still wrong: write again") if answered else _("Reopen the case"),
        Act.HAND_OVER: _("Pass it to the office") if case.state == State.CLUB else _("Pass it to the club"),
        Act.CLOSE: _("It is fine: close the case") if answered else _("It is solved: close the case"),
    }
    return [{"act": act.value, "label": label} for act, label in labels.items() if act in acts]


def _case_crumbs(request: HttpRequest, case: Case) -> list[dict[str, str | None]]:
    """Return the breadcrumbs: through the reader's own list of cases."""
    roles, title = roles_of(request.user), lists.title_of(case)
    if is_own(request.user, case):
        return crumbs((_("My cases"), reverse("cases")), (title, None))
    if roles.office or roles.auditor or case.club is None:
        return office_crumbs((_("Cases"), reverse("office_cases")), (title, None))
    return crumbs(
        (case.club.name, case.club.get_absolute_url()),
        (_("Cases"), reverse("club_cases", args=[case.club.slug])),
        (title, None),
    )
