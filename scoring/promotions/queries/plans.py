"""What applying or reversing a campaign would do, player by player, if it were done now.

The acts themselves follow these plans, and pages show them beforehand: one rule for both.
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

CHUNK = 5000  # SQLite limits the parameters of a query
Undone = CampaignChange.Undone

CHANGED = "changed"  # the player's category is no longer that of the list
DECEASED = "deceased"  # the player has died since
MERGED = "merged"  # the number was merged into another of the same person, and its points with it


@dataclass(frozen=True, slots=True)
class Grant:
    """A player of the list in force who moves; `problem` (changed, …) says why they will not."""

    player_id: int
    category: Category  # of the list
    target: Category
    problem: str


@dataclass(frozen=True, slots=True)
class Reversal:
    """What becomes of a change that was applied; `former` is the category that it took away."""

    change: CampaignChange
    undone: str  # CampaignChange.Undone
    former: Category


def grants(campaign: PromotionCampaign, day: date) -> list[Grant]:
    """What applying gives from `day` on, by player."""
    return grants_of(queries.movers(campaign), day)


def grants_of(moving: list[Row], day: date) -> list[Grant]:
    """The same of the movers of a list."""
    moving = sorted(moving, key=lambda row: row.place.entrant.player_id)
    ids = [row.place.entrant.player_id for row in moving]
    ladder = _Ladder(day)
    held = _held(day, ids)
    stopped = {pk: problem for chunk in chunks(ids, CHUNK) for pk, problem in _stopped(chunk)}
    found = []
    for player, row in zip(ids, moving, strict=True):
        category, target = ladder.of_code(row.category), ladder.of_code(row.target)
        same = player in held and held[player].pk == category.pk
        problem = stopped.get(player, "" if same else CHANGED)
        found.append(Grant(player, category, target, problem))
    return found


def reversals(campaign: PromotionCampaign, today: date) -> list[Reversal]:
    """What reversing an applied campaign does with each player whom it moved.

    An assignment that is not in force before today is revoked; one that is stays in the history, and the
    former category is given back. Whoever has been given another category meanwhile is left alone.
    """
    changes = list(campaign.changes.filter(problem="").select_related("assignment").order_by("player_id"))
    if not changes:
        return []
    # All of them hold from one day: that of the act.
    day = max(today, changes[0].assignment.valid_from)
    ladder = _Ladder(day)
    ids = [change.player_id for change in changes]
    held, newest = _held(day, ids), _newest_assignment(ids)
    found = []
    for change in changes:
        target = ladder.of_pk(change.target_id)
        untouched = (
            newest.get(change.player_id) == change.assignment_id
            and change.player_id in held
            and held[change.player_id].pk == target.pk
        )
        revoked = change.assignment.valid_from >= today
        undone = Undone.CONFLICT if not untouched else Undone.REVOKED if revoked else Undone.RESTORED
        found.append(Reversal(change, undone, ladder.of_pk(change.category_id)))
    return found


class _Ladder:
    """Categories as they are read on a day: MN is MN-O from 2026 on."""

    def __init__(self, day: date) -> None:
        self._day = day
        self._by_pk = {category.pk: category for category in Category.objects.all()}
        self._by_code = {category.code: category for category in self._by_pk.values()}

    def of_code(self, code: str) -> Category:
        return in_force_on(self._by_code[code], self._day, self._by_pk)

    def of_pk(self, pk: int) -> Category:
        return in_force_on(self._by_pk[pk], self._day, self._by_pk)


def _held(day: date, ids: list[int]) -> dict[int, Category]:
    return {
        player: held for chunk in chunks(ids, CHUNK) for player, held in categories_on(day, chunk).items()
    }


def _stopped(ids: list[int]) -> Iterator[tuple[int, str]]:
    """(player, problem) of those who have died or were merged."""
    gone = Q(deceased_on__isnull=False) | Q(merged_into__isnull=False)
    rows = Player.objects.filter(gone, pk__in=ids)
    for player, merged in rows.values_list("pk", "merged_into"):
        yield player, MERGED if merged else DECEASED


def _newest_assignment(ids: list[int]) -> dict[int, int]:
    """Player id -> the last assignment made that nobody has revoked."""
    found = {}
    for chunk in chunks(ids, CHUNK):
        rows = CategoryAssignment.objects.filter(player_id__in=chunk, revoked_at=None).order_by()
        found.update(rows.values_list("player_id").annotate(Max("pk")))
    return found
