"""Plan, player by player, what applying or reversing a campaign would do now.

Pages show these plans in advance, and the acts carry them out, so both follow the same rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Q

from players.categories import categories_on, in_force_on
from players.models import Category, CategoryAssignment, Player
from scoring.promotions.models import CampaignChange, PromotionCampaign
from scoring.promotions.queries import campaigns as queries
from scoring.promotions.queries.campaigns import Row
from ui.chunks import chunks
from ui.clock import today

CHUNK = 5000  # SQLite limits the parameters of a query
Undone = CampaignChange.Undone

CHANGED = "changed"  # the player's category is no longer that of the list
DECEASED = "deceased"  # the player has died since
MERGED = "merged"  # the number was merged, with its points, into another number of the same person


@dataclass(frozen=True, slots=True)
class Grant:
    """A planned category change of a player who moves by the current lists.

    problem: code of the reason why applying will skip the player, else ""
    """

    player_id: int
    category: Category  # the category of the list
    target: Category
    problem: str


@dataclass(frozen=True, slots=True)
class Reversal:
    """The planned reversal of one category change that a campaign applied.

    undone: how the change is undone
    former: the category that the player had before the change
    """

    change: CampaignChange
    undone: str  # CampaignChange.Undone
    former: Category


def planned_grants(campaign: PromotionCampaign) -> list[Grant]:
    """Plan, player by player, what applying the campaign today would do."""
    return grants_of(queries.movers(campaign), max(campaign.effective_on, today()))


def grants_of(moving: list[Row], day: date) -> list[Grant]:
    """Plan a category change for each of these rows, which all move a player.

    Return the planned changes in the order of player ids.

    day: the first day of the new categories
    """
    moving = sorted(moving, key=lambda row: row.place.entrant.player_id)
    ids = [row.place.entrant.player_id for row in moving]
    ladder = _Ladder(day)
    present = _categories_on(day, ids)
    problems = {pk: problem for chunk in chunks(ids, CHUNK) for pk, problem in _problems(chunk)}
    planned = []
    for player, row in zip(ids, moving, strict=True):
        category, target = ladder.of_code(row.category), ladder.of_code(row.target)
        same = player in present and present[player].pk == category.pk
        problem = problems.get(player, "" if same else CHANGED)
        planned.append(Grant(player, category, target, problem))
    return planned


def reversals(campaign: PromotionCampaign, today: date) -> list[Reversal]:
    """Plan the reversal of an applied campaign, ordered by player id.

    An assignment that begins today or later is revoked. An earlier one stays in the history, and the player
    gets the former category again. Players who have been assigned another category since count as conflicts.
    """
    changes = list(campaign.changes.filter(problem="").select_related("assignment").order_by("player_id"))
    if not changes:
        return []
    # All assignments of a campaign begin on the same day.
    day = max(today, changes[0].assignment.valid_from)
    ladder = _Ladder(day)
    ids = [change.player_id for change in changes]
    present, newest = _categories_on(day, ids), _newest_assignment(ids)
    planned = []
    for change in changes:
        target = ladder.of_pk(change.target_id)
        untouched = (
            newest.get(change.player_id) == change.assignment_id
            and change.player_id in present
            and present[change.player_id].pk == target.pk
        )
        if not untouched:
            undone = Undone.CONFLICT
        elif change.assignment.valid_from >= today:
            undone = Undone.REVOKED
        else:
            undone = Undone.RESTORED
        planned.append(Reversal(change, undone, ladder.of_pk(change.category_id)))
    return planned


class _Ladder:
    """A lookup of the category that replaces another one on a day, for example MN-O instead of MN in 2026."""

    def __init__(self, day: date) -> None:
        self._day = day
        self._by_pk = {category.pk: category for category in Category.objects.all()}
        self._by_code = {category.code: category for category in self._by_pk.values()}

    def of_code(self, code: str) -> Category:
        return in_force_on(self._by_code[code], self._day, self._by_pk)

    def of_pk(self, pk: int) -> Category:
        return in_force_on(self._by_pk[pk], self._day, self._by_pk)


def _categories_on(day: date, ids: list[int]) -> dict[int, Category]:
    categories: dict[int, Category] = {}
    for chunk in chunks(ids, CHUNK):
        categories.update(categories_on(day, chunk))
    return categories


def _problems(ids: list[int]) -> Iterator[tuple[int, str]]:
    """Yield (player id, code of the problem) for players who have died or were merged."""
    gone = Q(deceased_on__isnull=False) | Q(merged_into__isnull=False)
    rows = Player.objects.filter(gone, pk__in=ids)
    for player, merged in rows.values_list("pk", "merged_into"):
        yield player, MERGED if merged else DECEASED


def _newest_assignment(ids: list[int]) -> dict[int, int]:
    """Return the id of each player's newest assignment that is not revoked, by player id."""
    newest = {}
    for chunk in chunks(ids, CHUNK):
        rows = CategoryAssignment.objects.filter(player_id__in=chunk, revoked_at=None).order_by()
        newest.update(rows.values_list("player_id").annotate(Max("pk")))
    return newest
