"""The promotion rules: all sets, one with its history, and the form that changes it or makes a new one."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require, roles_of
from scoring.promotions.forms.rule_sets import RuleSetEditor
from scoring.promotions.models import PromotionCampaign, PromotionRule, PromotionRuleSet
from scoring.promotions.rule_wording import EXPLAINED, source_of, years_of
from scoring.promotions.services import rule_sets as service
from scoring.promotions.tables.rule_sets import ChangeTable, RuleSetTable, RuleTable
from scoring.promotions.views.access import campaign_crumbs, for_campaigns
from ui.paging import Pages, paged

FAMILY = "aeb"
CHANGES_A_PAGE = 10


def _crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict]:
    here = (_("Promotion rules"), reverse("rule_sets") if steps else None)
    return campaign_crumbs(request, here, *steps)


@for_campaigns
@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    """Every set with its years, and whether it is official."""
    found = PromotionRuleSet.objects.filter(family=FAMILY)
    context = {
        "table_html": RuleSetTable(found).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs(request),
    }
    return render(request, "promotions/rule_sets/index.html", context)


@for_campaigns
@require_safe
def rule_set(request: HttpRequest, pk: int) -> HttpResponse:
    """One set: every figure in a sentence, which frozen campaigns took it, and its history."""
    found = get_object_or_404(PromotionRuleSet, pk=pk, family=FAMILY)
    changes = paged(
        ChangeTable, request, Pages(found.changes.select_related("by"), list), per_page=CHANGES_A_PAGE
    )
    context = {
        "rule_set": found,
        "years": years_of(found),
        "source": source_of(found),
        "rules_html": RuleTable(_rules_of(found), average=found.average).as_html(request),
        "changes_html": changes.as_html(request),
        "frozen": _frozen(found),
        "open_from": service.open_from(found),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs(request, (found.name, None)),
    }
    return render(request, "promotions/rule_sets/rule_set.html", context)


@for_campaigns
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a set. With POST it is stored as a whole, or not at all."""
    require(roles_of(request.user).office)
    found = get_object_or_404(PromotionRuleSet, pk=pk, family=FAMILY)
    rules = list(_rules_of(found))
    return _edited(request, found, rules, service.digest_of(service.figures(found, rules)))


@for_campaigns
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest) -> HttpResponse:
    """A new set: the form begins as a copy of the latest, from the next year end on."""
    require(roles_of(request.user).office)
    base = PromotionRuleSet.objects.filter(family=FAMILY).latest("valid_from")
    read = service.digest_of(service.figures(base))
    return _edited(request, *service.copy(base), read)


def _edited(
    request: HttpRequest, found: PromotionRuleSet, rules: Iterable[PromotionRule], read: str
) -> HttpResponse:
    """Show the form, or store what it sends: 422 with what is wrong, 409 when somebody else came first."""
    # As they are stored: the form writes on the instance.
    name, key = found.name, found.pk
    about = {
        "open_from": service.open_from(found),
        "years": years_of(found),
        "stored_from": found.valid_from.year,
    }
    editor = RuleSetEditor(request.POST or None, found, rules, read)
    status = 200
    if request.method == "POST":
        status = 422
        if editor.is_valid():
            try:
                saved = editor.save(request.user)
            except ValidationError as refused:
                editor.form.add_error(None, refused)
            except service.Superseded:
                text = _("Somebody else changed these rules meanwhile. Open them again and enter yours anew.")
                editor.form.add_error(None, text)
                status = 409
            else:
                messages.success(request, _stored(saved, key))
                return redirect("rule_set", saved.pk)
    last = (_("Change"), None) if key else (_("New rules"), None)
    steps = [(name, reverse("rule_set", args=[key])), last] if key else [last]
    context = {
        "editor": editor,
        "name": name,
        "key": key,
        "explained": EXPLAINED,
        "frozen": _frozen(found) if key else [],
        **about,
        "breadcrumbs": _crumbs(request, *steps),
    }
    return render(request, "promotions/rule_sets/edit.html", context, status=status)


def _stored(saved: PromotionRuleSet, key: int | None) -> str:
    """What is said once the form is stored: a change for later years has made a set of its own."""
    if key in (None, saved.pk):
        return _("The rules are stored.")
    text = _("Stored as %(name)s, %(years)s; the years before keep their rules.")
    return text % {"name": saved.name, "years": years_of(saved)}


def _rules_of(found: PromotionRuleSet):
    return found.rules.select_related("category", "target", "demotion_target").order_by("category__order")


def _frozen(found: PromotionRuleSet) -> list[PromotionCampaign]:
    """The campaigns whose frozen lists were made with this set: they keep the figures of that moment."""
    return list(found.campaigns.filter(snapshot__isnull=False))
