"""The pages of promotion rules: all rule sets, one set with its history, and the form to edit or add one."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.access import require, roles_of
from scoring.promotions.forms.rule_sets import RuleSetEditor, same_for_all
from scoring.promotions.models import PromotionCampaign, PromotionRule, PromotionRuleSet, RuleSetChange
from scoring.promotions.services import rule_sets as service
from scoring.promotions.tables.rule_sets import ChangeTable, RuleSetTable, RuleTable
from scoring.promotions.views.access import campaign_crumbs, campaign_role_required
from scoring.promotions.wording import EXPLAINED, source_of, years_of
from ui.paging import Pages, paged

FAMILY = "aeb"
CHANGES_PER_PAGE = 10


def _crumbs(request: HttpRequest, *steps: tuple[str, str | None]) -> list[dict]:
    here = (_("Promotion rules"), reverse("rule_sets") if steps else None)
    return campaign_crumbs(request, here, *steps)


@campaign_role_required
@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    """List the rule sets with their years, and whether they are confirmed."""
    sets = PromotionRuleSet.objects.filter(family=FAMILY)
    context = {
        "table_html": RuleSetTable(sets).as_html(request),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs(request),
    }
    return render(request, "promotions/rule_sets/index.html", context)


@campaign_role_required
@require_safe
def rule_set(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a rule set: its rules in words, the campaigns frozen with it, and its history."""
    rule_set = get_object_or_404(PromotionRuleSet, pk=pk, family=FAMILY)
    changes = paged(
        ChangeTable, request, Pages(rule_set.changes.select_related("by"), list), per_page=CHANGES_PER_PAGE
    )
    context = {
        "rule_set": rule_set,
        "years": years_of(rule_set),
        "source": source_of(rule_set),
        "rules_html": RuleTable(_rules_of(rule_set), average=rule_set.average).as_html(request),
        "changes_html": changes.as_html(request),
        "frozen": _frozen_campaigns(rule_set),
        "open_from": service.open_from(rule_set),
        "may_write": roles_of(request.user).office,
        "breadcrumbs": _crumbs(request, (rule_set.name, None)),
    }
    return render(request, "promotions/rule_sets/rule_set.html", context)


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Edit a rule set with all its rules."""
    require(roles_of(request.user).office)
    rule_set = get_object_or_404(PromotionRuleSet, pk=pk, family=FAMILY)
    rules = list(_rules_of(rule_set))
    return _edit(request, rule_set, rules, service.digest_of(service.figures(rule_set, rules)))


@campaign_role_required
@require_http_methods(["GET", "HEAD", "POST"])
def rule_set_new(request: HttpRequest) -> HttpResponse:
    """Add a rule set. The form begins as a copy of the latest set for the following year."""
    require(roles_of(request.user).office)
    base = PromotionRuleSet.objects.filter(family=FAMILY).latest("valid_from")
    read = service.digest_of(service.figures(base))
    return _edit(request, *service.copy(base), read)


def _edit(
    request: HttpRequest, rule_set: PromotionRuleSet, rules: Iterable[PromotionRule], read: str
) -> HttpResponse:
    """Show or process the form of a rule set.

    Respond with status 422 if the form is invalid, and 409 if somebody else has changed the rules meanwhile.

    read: digest of the figures with which the form is filled
    """
    # Keep the stored values, because the form changes the instance.
    name, key = rule_set.name, rule_set.pk
    about = {
        "open_from": service.open_from(rule_set),
        "years": years_of(rule_set),
        "stored_from": rule_set.valid_from.year,
    }
    editor = RuleSetEditor(request.POST or None, rule_set, rules, read)
    status = 200
    if figure := request.POST.get("same"):
        data = same_for_all(request.POST, figure, [row.prefix for row in editor.rows])
        editor = RuleSetEditor(data, rule_set, rules, read)
        editor.leave_unchecked()
    elif editor.is_outdated:
        status = 409
        editor.form.add_error(None, _outdated_message())
    elif request.method == "POST":
        status = 422
        if editor.is_valid():
            try:
                saved = editor.save(request.user)
            except ValidationError as error:
                editor.form.add_error(None, error)
            except service.Superseded:
                editor.form.add_error(None, _outdated_message())
                status = 409
            else:
                messages.success(request, _saved_message(saved, key))
                return redirect("rule_set", saved.pk)
    last = (_("Change"), None) if key else (_("New rules"), None)
    steps = [(name, reverse("rule_set", args=[key])), last] if key else [last]
    context = {
        "editor": editor,
        "name": name,
        "key": key,
        "explained": EXPLAINED,
        "frozen": _frozen_campaigns(rule_set) if key else [],
        **about,
        "breadcrumbs": _crumbs(request, *steps),
    }
    return render(request, "promotions/rule_sets/edit.html", context, status=status)


def _outdated_message() -> str:
    """Return the message for the second of two people who change the rules at the same time."""
    change = RuleSetChange.objects.filter(rule_set__family=FAMILY).select_related("by").first()
    if change is None:
        return _(
            "Somebody else has stored changes to these rules. Yours are not stored yet, but all are here."
        )
    text = _(
        "%(who)s has stored changes to these rules since you opened this form: “%(note)s”. Yours are not"
        " stored yet, but all are here. Compare them with the stored rules; if you store yours now, they"
        " replace these."
    )
    return text % {"who": change.by.username, "note": change.note}


def _saved_message(saved: PromotionRuleSet, key: int | None) -> str:
    """Return the message after a rule set has been saved. It tells if the change was stored as a new set.

    key: the primary key of the edited set, None if the form added a set
    """
    if key in (None, saved.pk):
        return _("The rules are stored.")
    text = _("Stored as %(name)s, %(years)s; the years before keep their rules.")
    return text % {"name": saved.name, "years": years_of(saved)}


def _rules_of(rule_set: PromotionRuleSet):
    return rule_set.rules.select_related("category", "target", "demotion_target").order_by("category__order")


def _frozen_campaigns(rule_set: PromotionRuleSet) -> list[PromotionCampaign]:
    """Return the campaigns frozen with this rule set. They keep the figures of the time of the freeze."""
    return list(rule_set.campaigns.filter(snapshot__isnull=False))
