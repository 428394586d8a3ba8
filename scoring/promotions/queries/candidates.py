"""Compute the promotion lists of a year from the current data. The public candidates: `ranked`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import compress
from typing import NamedTuple

from django.db.models import Case, F, FilteredRelation, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce

from players.categories import categories_on, in_force_on
from players.models import Category, Licence, Player
from scoring.ledger.models import LedgerEntry
from scoring.promotions.models import PromotionRule, PromotionRuleSet
from scoring.promotions.pure import documents
from scoring.promotions.pure.documents import ListDocument
from scoring.promotions.pure.selection import Entrant, Rule, select
from scoring.promotions.queries.averages import sessions_by_month
from ui.memo import collector_off


@dataclass(frozen=True, slots=True)
class CategoryList:
    """One category's list as computed from the current data.

    target: the category to which players move up, None if nobody does
    document: the list in the form in which it is frozen
    sessions: the session lines behind the modified averages, as texts of `documents.lines_text`, by player id
    """

    category: Category
    target: Category | None
    document: ListDocument
    sessions: dict[int, str]


class Figures(NamedTuple):
    """The players' figures of a year, from which the lists are built.

    members: the players with points, by category id
    sessions: the session lines behind each modified average, as JSON texts by player id; empty if not needed
    """

    members: dict[int, list[Entrant]]
    sessions: dict[int, str]


def rule_set_of(year: int) -> PromotionRuleSet | None:
    """Return the rule set in force at the end of the year, None if there is none."""
    end = date(year, 12, 31)
    sets = PromotionRuleSet.objects.filter(family="aeb", valid_from__lte=end).order_by("-valid_from")
    return next((rule_set for rule_set in sets if rule_set.holds_on(end)), None)


def unconfirmed(rule_set: PromotionRuleSet) -> QuerySet:
    """Return the set's unconfirmed rules that move players up or down, lowest category first."""
    moving = Q(target__isnull=False) | Q(demotion_target__isnull=False)
    return rule_set.rules.filter(moving, confirmed=False).order_by("category__order")


# The column of `PromotionRule` for a figure of `Rule`, if the two names differ.
COLUMNS = {
    "share": "top_share",
    "count": "top_count",
    "points": "points_threshold",
    "tournaments": "minimum_tournaments",
    "licence": "licence_required",
    "average": "average_threshold",
    "effect": "average_effect",
    "demote_below": "demotion_threshold",
}


def criteria(row: PromotionRule) -> Rule:
    """Convert a category's rule, as stored, to the `Rule` that the selection uses."""
    figures = {field.name: getattr(row, COLUMNS.get(field.name, field.name)) for field in fields(Rule)}
    if row.target_id is None:
        figures |= {"share": None, "count": 0, "points": None}  # nobody moves up; some may move down
    elif row.top_share is not None:
        figures["share"] = Fraction(row.top_share)
    return Rule(**figures)


# --- The figures of a year ------------------------------------------------------------------------------
def entrants(day: date, averages: Mapping[int, Decimal | None]) -> Iterator[Entrant]:
    """Yield the players with points from 1 January to `day`, ordered by player id. Makes three queries.

    averages: modified averages in percent, by player id; players may be missing
    """
    clubs, deceased = {}, set()
    for player, club, died in Player.objects.values_list("pk", "club_id", "deceased_on"):
        clubs[player] = club
        if died:
            deceased.add(player)
    licensed = Licence.objects.holders(day)
    # Without `iterator`: PostgreSQL uses no parallel workers for cursors and takes three times as long.
    for player, points, remote, tournaments, boards in _year(day):
        if points > 0:
            yield Entrant(
                player_id=player,
                points=points,
                in_person=points - remote,
                online=remote,
                tournaments=tournaments,
                boards=boards,
                licensed=player in licensed,
                deceased=player in deceased,
                club_id=clubs.get(player),
                average=averages.get(player),
            )


def _year(day: date) -> QuerySet:
    """Select each player's (id, points, online points, tournaments, boards) from 1 January to `day`.

    Only players with ledger entries are included. An award and its reversal cancel out, in points,
    tournaments and boards. Opening awards count as tournaments with unknown boards.
    """
    sign = Case(
        When(kind="reversal", then=Value(-1)), When(kind="adjustment", then=Value(0)), default=Value(1)
    )
    # Few rankings have results of boards: PostgreSQL need not keep the others for the join.
    with_boards = FilteredRelation("contestant", condition=Q(contestant__boards_played__isnull=False))
    boards = Coalesce("with_boards__boards_played", "tournament__boards", Value(0))
    return (
        LedgerEntry.objects.between(date(day.year, 1, 1), day)
        .alias(with_boards=with_boards)
        .order_by("player_id")
        .values_list("player_id")
        .annotate(
            total=Sum("points"),
            remote=Sum(Case(When(online=True, then=F("points")), default=Value(0))),
            tournaments=Sum(sign),
            boards=Sum(sign * boards),
        )
    )


# --- Whole lists ----------------------------------------------------------------------------------------
def gather(year: int, day: date, rule_set: PromotionRuleSet) -> list[CategoryList]:
    """Build the list of every category whose rules move players, lowest category first.

    The lists use the points from 1 January of `year` to `day`, the categories and licences of `day`, and the
    clubs and deaths as known now. The number of queries is constant. Raises ValueError for a day of another
    year.
    """
    if day.year != year:
        raise ValueError(f"{day} is not in {year}")
    rules = _rules_by_category(rule_set.rules.all(), day)
    figures = _figures(day, rule_set.average, rule_set.field_weight, with_sessions=True)
    return _lists(rules, figures)


def gather_by(day: date, *rule_sets: PromotionRuleSet) -> list[list[CategoryList]]:
    """Build the lists of several rule sets as `gather` does, but with an empty `CategoryList.sessions`.

    Rule sets that agree in how modified averages are computed share the figures of the players.
    """
    figures: dict[tuple[str, Decimal], Figures] = {}
    lists = []
    for rule_set in rule_sets:
        method = rule_set.average, rule_set.field_weight
        if method not in figures:
            figures[method] = _figures(day, *method, with_sessions=False)
        lists.append(_lists(_rules_by_category(rule_set.rules.all(), day), figures[method]))
    return lists


def _figures(day: date, method: str, weight: Decimal, *, with_sessions: bool) -> Figures:
    """Collect the figures of all players with points from 1 January to `day`, except holders of titles.

    method, weight: how the modified averages are computed (`PromotionRuleSet.average`, `field_weight`)
    with_sessions: whether to include the session lines
    """
    rule_set = PromotionRuleSet(average=method, field_weight=weight)
    with collector_off():
        categories = {
            player: category for player, category in categories_on(day).items() if not category.is_title
        }
        averages, sessions = _averages(rule_set, day, categories, with_sessions)
        members: dict[int, list[Entrant]] = defaultdict(list)
        for entrant in entrants(day, averages=averages):
            if entrant.player_id in categories:
                members[categories[entrant.player_id].pk].append(entrant)
        return Figures(members, sessions)


def _lists(rules: dict[int, tuple[Category, PromotionRule]], figures: Figures) -> list[CategoryList]:
    lists = []
    with collector_off():
        for category, row in rules.values():
            members = figures.members.get(category.pk, [])
            document = _document(category, row, members)
            ids = (entrant.player_id for entrant in members)
            sessions = {player: figures.sessions[player] for player in ids if player in figures.sessions}
            lists.append(CategoryList(category, row.target, document, sessions))
    return lists


def _averages(
    rule_set: PromotionRuleSet, day: date, categories: Mapping[int, Category], with_sessions: bool
) -> tuple[dict[int, Decimal | None], dict[int, str]]:
    """Return {player id: modified average} and {player id: the player's session lines as a JSON text}.

    A session line (`SessionLine`) is a tournament that counts in the average. Players without sessions are
    left out. The second dict is empty unless `with_sessions`.

    categories: the players' categories, by player id
    """
    if rule_set.average == PromotionRuleSet.Average.NONE:
        return {}, {}
    codes = {player: category.code for player, category in categories.items()}
    sums, texts = None, []
    for sessions in sessions_by_month(rule_set, date(day.year, 1, 1), day, codes=codes):
        sums = sums.plus(sessions.sums()) if sums else sessions.sums()
        if with_sessions:
            texts.append(documents.lines_texts(sessions))
    assert sums  # a year has a month
    players, played = sorted(codes), (sums.number > 0).tolist()
    averages = dict(compress(zip(players, sums.means(), strict=True), played))
    if not with_sessions:
        return averages, {}
    lines = map(documents.lines_text, zip(*texts, strict=True))
    return averages, dict(compress(zip(players, lines, strict=True), played))


def _rules_by_category(rows: QuerySet[PromotionRule], day: date) -> dict[int, tuple[Category, PromotionRule]]:
    """Map category id to (the category in force on `day`, its rule), lowest category first. One query.

    If a category has been replaced by `day`, its rule applies to the successor, unless that has a rule of its
    own. Rules that move nobody are left out. Titles have no rules, because they are granted.

    rows: the rules of one set
    """
    rules = {}
    for row in rows.select_related("category__successor", "target", "demotion_target", "rule_set"):
        category = in_force_on(row.category, day)
        moves = row.target_id or row.demotion_target_id
        own = category.pk == row.category_id
        if moves and not category.is_title and (own or category.pk not in rules):
            rules[category.pk] = category, row
    return dict(sorted(rules.items(), key=lambda item: item[1][0].order))


def _document(category: Category, row: PromotionRule, members: list[Entrant]) -> ListDocument:
    rule = criteria(row)
    return ListDocument(
        category=category.code,
        target=row.target and row.target.code,
        demotion=row.demotion_target and row.demotion_target.code,
        rule=rule,
        selection=select(members, rule),
    )


# --- The rules of one category ----------------------------------------------------------------------------
def rule_of(rules: PromotionRuleSet, category: Category, day: date) -> PromotionRule | None:
    """Return the rule by which players of a category move up on a day, or None if nobody does."""
    _category, row = _rules_by_category(rules.rules.all(), day).get(category.pk, (None, None))
    return row if row and row.target_id else None


def rules_in_force(day: date) -> dict[int, PromotionRule]:
    """Return the rules by which players move up at the end of the year of `day`, by category id. One query.

    They are those of `rule_set_of`. Categories from which nobody moves up are left out.
    """
    end = date(day.year, 12, 31)
    lasting = Q(valid_to=None) | Q(valid_to__gte=end)
    sets = PromotionRuleSet.objects.filter(lasting, family="aeb", valid_from__lte=end)
    latest_set = sets.order_by("-valid_from").values("pk")[:1]
    rows = _rules_by_category(PromotionRule.objects.filter(rule_set=latest_set), day)
    return {pk: row for pk, (_category, row) in rows.items() if row.target_id}
