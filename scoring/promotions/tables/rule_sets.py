"""Tables of promotion rules: the rule sets, and the rules and history of a set."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.promotions.models import PromotionRule, PromotionRuleSet, RuleSetChange
from scoring.promotions.tables.campaigns import ProseTable
from scoring.promotions.wording import FigureChange, differences, sentences, source_of, years_of
from ui.columns import CategoryColumn, DateColumn


def state_text(confirmed: bool) -> str:
    """Return the text that says whether figures are confirmed."""
    return gettext("confirmed") if confirmed else gettext("proposed, to be confirmed")


class RuleSetTable(ProseTable):
    """All rule sets, latest first. Records are `PromotionRuleSet`s."""

    caption = _("Sets of promotion rules")
    row_header = "name"

    name = tables.Column(verbose_name=_("Rules"))
    years = tables.Column(verbose_name=_("Years"), accessor="valid_from")
    average = tables.Column(verbose_name=_("Modified average"), accessor="get_average_display")
    confirmed = tables.Column(verbose_name=_("State"))
    source = tables.Column(verbose_name=_("Source"))

    class Meta(ProseTable.Meta):
        empty_text = _("There are no promotion rules.")

    def render_name(self, record: PromotionRuleSet) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("rule_set", args=[record.pk]), record.name)

    def render_years(self, record: PromotionRuleSet) -> str:
        return years_of(record)

    def render_confirmed(self, value: bool) -> str:
        return state_text(value)

    def render_source(self, record: PromotionRuleSet) -> str:
        return source_of(record)


class RuleTable(ProseTable):
    """The rules of a set, lowest category first. Records are `PromotionRule`s."""

    caption = _("Rules by category")
    row_header = "category"

    category = CategoryColumn(accessor="category__code")
    target = CategoryColumn(verbose_name=_("Moves up to"), accessor="target__code", default=_("nobody"))
    says = tables.Column(verbose_name=_("Who and how many"), accessor="category_id")
    confirmed = tables.Column(verbose_name=_("State"))

    class Meta(ProseTable.Meta):
        empty_text = _("The set has no rows: nobody moves up.")

    def __init__(self, *args: Any, average: str, **kwargs: Any) -> None:
        self.average = average
        super().__init__(*args, **kwargs)

    def render_says(self, record: PromotionRule) -> str:
        return " ".join(sentences(record, self.average))

    def render_confirmed(self, value: bool) -> str:
        return state_text(value)


class ChangeTable(ProseTable):
    """The history of a rule set, latest change first. Records are `RuleSetChange`s."""

    caption = _("History of the rules")
    row_header = "at"

    at = DateColumn(verbose_name=_("Day"))
    by = tables.Column(verbose_name=_("Who"), accessor="by__username")
    note = tables.Column(verbose_name=_("Why"))
    after = tables.Column(verbose_name=_("What changed"))

    class Meta(ProseTable.Meta):
        empty_text = _("Nothing has been changed since the rules were entered.")

    def render_after(self, record: RuleSetChange) -> str | SafeString:
        if not record.before:
            return gettext("The set was entered.")
        changes = differences(record.before, record.after)
        items = format_html_join("", "<li>{}</li>", ((_change_text(change),) for change in changes))
        return format_html("<ul>{}</ul>", items)


def _change_text(change: FigureChange) -> str:
    values = {
        "what": change.label,
        "before": change.before,
        "after": change.after,
        "category": change.category,
    }
    if change.category:
        return gettext("%(category)s, %(what)s: %(before)s → %(after)s") % values
    return gettext("%(what)s: %(before)s → %(after)s") % values
