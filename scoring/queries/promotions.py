"""The candidates of a year, from the rules in force at its end."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from players.categories import codes_read_as
from players.models import Category, CategoryAssignment, Licence
from scoring.memo import per_version
from scoring.models import LedgerEntry, PromotionRule, PromotionRuleSet
from scoring.promotions import Selection, select


@dataclass(frozen=True, slots=True)
class Campaign:
    """One category's list at the end of a year, or as of today in the year that runs."""

    year: int
    day: date
    category: Category
    rule: PromotionRule | None  # None: nobody of this category moves up by points
    selection: Selection | None

    @property
    def final(self) -> bool:
        """Whether the year is over."""
        return self.day == date(self.year, 12, 31)


def reference_day(year: int, today: date) -> date:
    """The day on which categories and licences are looked at: 31 December, or today before it."""
    return min(date(year, 12, 31), today)


def rule_set_of(year: int) -> PromotionRuleSet | None:
    """The rules in force at the end of the year."""
    end = date(year, 12, 31)
    sets = PromotionRuleSet.objects.filter(family="aeb", valid_from__lte=end).order_by("-valid_from")
    return next((each for each in sets if each.valid_to is None or each.valid_to >= end), None)


def rule_of(rules: PromotionRuleSet, category: Category, day: date) -> PromotionRule | None:
    """The rule of a category that has a target."""
    rows = rules.rules.filter(category_id__in=codes_read_as(category, day), target__isnull=False)
    return rows.select_related("target", "category", "rule_set").first()


@per_version(64)
def _selected(
    version: int, year: int, day: date, category_ids: tuple[int, ...], share: Fraction, minimum: int
) -> Selection:
    in_force = CategoryAssignment.objects.in_force(day).values("pk")
    holders = CategoryAssignment.objects.filter(pk__in=in_force, category_id__in=category_ids)
    totals = LedgerEntry.objects.totals(date(year, 1, 1), day).filter(
        player_id__in=holders.values("player_id")
    )
    licensed = Licence.objects.valid_on(day).values("player_id")
    rows = totals.filter(player_id__in=licensed)
    return select(((player, total) for player, total, _in_person, _remote in rows), share, minimum)


def campaign(version: int, year: int, day: date, category: Category, rules: PromotionRuleSet) -> Campaign:
    """The list of a category as of `day`, kept under the version of the standings."""
    rule = rule_of(rules, category, day)
    if rule is None:
        return Campaign(year, day, category, None, None)
    codes = tuple(codes_read_as(category, day))
    selection = _selected(version, year, day, codes, Fraction(rule.top_share), rule.minimum)
    return Campaign(year, day, category, rule, selection)
