"""Pages that assign and revoke categories by hand."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.categories import categories_on
from players.models import Category, CategoryAssignment, Player, Proposal
from players.office_only import for_office
from players.services import categories
from players.services.proposals import waiting_for
from scoring.office.acts.categories import WHY
from scoring.office.forms.lists import CategoryForm, FindPlayerForm, LaterCategoryConfirmation, RevokeForm
from scoring.office.services import category_changes
from ui.addresses import WAITING_MESSAGE, office_crumbs
from ui.clock import today


def _page_of(player: Player) -> str:
    return f"{reverse('category_assign')}?numero={player.number}"


def _initial_category(present: Category | None) -> Category | None:
    """Return the form's initial choice: the setting `FIRST_CATEGORY` for a player without one, else None."""
    return None if present else Category.objects.filter(code=settings.FIRST_CATEGORY).first()


def _redirect_to(request: HttpRequest, result: CategoryAssignment | Proposal, text: str, player: Player):
    """Redirect to the result if it is a proposal, else to the player's categories with the message `text`."""
    proposed = isinstance(result, Proposal)
    messages.success(request, WAITING_MESSAGE if proposed else text)
    return redirect(result if proposed else _page_of(player))


def _waiting(player_id: int) -> Proposal | None:
    """Return the pending proposal about a category of the player, None if there is none."""
    return waiting_for(category_changes.KIND, category_changes.proposal_key(player_id)).first()


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def category_assign(request: HttpRequest) -> HttpResponse:
    """Show the categories of the player named in the query string; POST assigns a new one."""
    find = FindPlayerForm.from_request(request)
    player = find.player
    context = {
        "find": find,
        "player": player,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs((_("Categories by hand"), None)),
    }
    if player is None:
        return render(request, "office/category.html", context, status=422 if find.is_bound else 200)
    present = categories_on(today(), [player.pk]).get(player.pk)
    initial = {"valid_from": today(), "category": _initial_category(present)}
    form = CategoryForm(request.POST or None, initial=initial)
    question = None
    if request.method == "POST" and form.is_valid():
        follows = LaterCategoryConfirmation(request.POST).confirmed
        try:
            result = category_changes.assign(player, by=request.user, follows=follows, **form.cleaned_data)
        except categories.Superseded as error:
            form.add_error(None, error)
            question = LaterCategoryConfirmation(initial={"follows": error.by.pk})
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return _redirect_to(request, result, _("The category was given."), player)
    context |= {
        "form": form,
        "question": question,
        "present": present,
        "waiting": _waiting(player.pk),
        "history": player.assignments.select_related("category", "created_by", "revoked_by"),
    }
    return render(request, "office/category.html", context, status=422 if form.is_bound else 200)


@for_office
@require_http_methods(["GET", "HEAD", "POST"])
def category_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a category that should not have been assigned."""
    assignment = get_object_or_404(
        CategoryAssignment.objects.select_related("category", "player"), pk=pk, revoked_at=None
    )
    form = RevokeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            result = category_changes.revoke(assignment, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return _redirect_to(request, result, _("The category was revoked."), assignment.player)
    why = category_changes.assess_revoking(assignment, request.user).why
    context = {
        "form": form,
        "assignment": assignment,
        "why_second": [WHY[code] for code in why],
        "waiting": _waiting(assignment.player_id) if why else None,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (_("Categories by hand"), _page_of(assignment.player)), (str(assignment.player.number), None)
        ),
    }
    return render(request, "office/category_revoke.html", context, status=422 if form.is_bound else 200)
