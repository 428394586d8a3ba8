"""Pages that assign and revoke categories by hand."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.access import roles_of
from players.categories import categories_on
from players.models import Category, CategoryAssignment, Player, Proposal
from players.office_only import for_office
from players.services import categories
from players.services.proposals import waiting_for
from scoring.office.forms.lists import CategoryForm, FindPlayerForm, LaterCategoryConfirmation, RevokeForm
from scoring.office.services import category_changes
from scoring.office.views.preparing import redirect_after
from ui.addresses import office_crumbs
from ui.clock import today
from ui.form_errors import errors_on


def _page_of(player: Player) -> str:
    return f"{reverse('category_assign')}?numero={player.number}"


def _initial_category(present: Category | None) -> Category | None:
    """Return the category that the form preselects, or None to preselect nothing.

    The form preselects `settings.FIRST_CATEGORY` for a player without a category.

    present: the player's current category
    """
    return None if present else Category.objects.filter(code=settings.FIRST_CATEGORY).first()


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
    form = CategoryForm(request.POST or None, initial=initial, day=today())
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
            return redirect_after(request, result, _page_of(player), _("The category was given."))
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
        with errors_on(form):
            result = category_changes.revoke(assignment, by=request.user, **form.cleaned_data)
            page = _page_of(assignment.player)
            return redirect_after(request, result, page, _("The category was revoked."))
    why = category_changes.assess_revoking(assignment, request.user).why
    context = {
        "form": form,
        "assignment": assignment,
        "why_second": [category_changes.WHY[code] for code in why],
        "waiting": _waiting(assignment.player_id) if why else None,
        "may_write": roles_of(request.user).office,
        "breadcrumbs": office_crumbs(
            (_("Categories by hand"), _page_of(assignment.player)), (str(assignment.player.number), None)
        ),
    }
    return render(request, "office/category_revoke.html", context, status=422 if form.is_bound else 200)
