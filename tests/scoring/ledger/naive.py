"""The lists of past days, computed in plain Python, to compare those of the application with."""

from datetime import date, datetime

from players.models import Category, CategoryAssignment, Licence, Player
from scoring.ledger.models import LedgerEntry
from scoring.ledger.models.standings import VENUE_COLUMNS
from scoring.ledger.queries.scope import FIGURES, Scope
from scoring.ledger.queries.standings import PastList
from scoring.ledger.windows import year_before


class Naive:
    """The lists of a day, computed in plain Python from all entries, assignments and licences.

    before: the time from which on what was recorded is ignored; None to ignore nothing
    """

    def __init__(self, day: date, before: datetime | None = None) -> None:
        self.day, self.before, self.sums = day, before, {}
        self.merged = dict(Player.objects.values_list("pk", "merged_into")) if before else {}
        for entry in LedgerEntry.objects.all():
            if year_before(day) < entry.played_on <= day and not self.is_later(entry.posted_at):
                owner = self.merged.get(entry.player_id) or entry.player_id
                sums = self.sums.setdefault(owner, [0, 0, 0, 0])
                sums[0] += entry.points
                sums[2 if entry.online else 1] += entry.points
                sums[3] += {"award": 1, "opening": 1, "reversal": -1}.get(entry.kind, 0)
        valid = Licence.objects.filter(valid_from__lte=day, valid_to__gte=day)
        self.licensed = {row.player_id for row in valid if not row.issuer or row.equivalent}
        self.categories = {player.pk: self.category_of(player) for player in Player.objects.all()}

    def is_later(self, moment: datetime | None) -> bool:
        return moment is not None and self.before is not None and moment >= self.before

    def is_held(self, row: CategoryAssignment) -> bool:
        revoked = row.revoked_at is not None and not self.is_later(row.revoked_at)
        return row.valid_from <= self.day and not revoked and not self.is_later(row.created_at)

    def category_of(self, player: Player) -> Category | None:
        held = [row for row in player.assignments.select_related("category") if self.is_held(row)]
        worth = [(row.category.order if row.category.is_title else 0, row.valid_from, row.pk) for row in held]
        category = next(row.category for row in held if row.pk == max(worth)[2]) if worth else None
        while category and category.valid_to and category.valid_to < self.day and category.successor:
            category = category.successor
        return category

    def rows(self, scope: Scope) -> list[tuple]:
        column = VENUE_COLUMNS.index(scope.column)
        listed = [
            (-sums[column], player, *sums)
            for player, sums in self.sums.items()
            if sums[column] > 0 and self.categories[player] == scope.category
            if player in self.licensed or not scope.licensed_only
        ]
        return [row[1:] for row in sorted(listed)]


def rows_of(listing: PastList) -> list[tuple]:
    names = ("player_id", *FIGURES)
    return [tuple(row[name] for name in names) for row in listing.rows(0, 99)]
