"""The standings of a past day as they were published on it, from those that are known today."""

from datetime import timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.models import CategoryAssignment
from scoring.ledger.models import LedgerEntry, Standing
from scoring.ledger.queries.kept import MOST, POINTS, Past, TooManyChanges, fetch, players_of
from scoring.ledger.queries.scope import Record, Scope
from scoring.ledger.queries.summed import Summed
from scoring.ledger.windows import first_day
from ui.chunks import chunks
from ui.memo import collector_off


class Published:
    """The sums of the players of one list, without what was recorded after its day. Raises TooManyChanges.

    Entries posted later are subtracted. The points of players for whom anything else changed are summed from
    the ledger.

    known: the sums as they are known today
    """

    def __init__(self, known: Past, scope: Scope) -> None:
        self.known, self.scope, self.summed = known, scope, Summed(scope)
        # Players of whom today's list does not say whether they were in the list, or with which points.
        self._unsure = {*self.summed.survivors, *self.summed.survivors.values()}
        self._unsure |= players_of(self._recategorised()) | players_of(self._without_standing())

    def points(self, column: str) -> dict[int, int]:
        """Return {player id: points in hundredths} of the players of the list, those with none included.

        column: one of `VENUE_COLUMNS`
        """
        points = self.known.points(column)
        with collector_off():
            for player in self._unsure & points.keys():
                del points[player]
            sums = self._late.order_by().values_list("player_id").annotate(sum=POINTS[column])
            for player, value in fetch(sums):
                if player in points:
                    points[player] -= value
        for ids in chunks(sorted(self._unsure), MOST):
            points |= self.summed.points(column, ids)
        return points

    def figures(self, ids: list[int]) -> dict[int, Record]:
        """Return {player id: sums}: the points, those of each venue, and the number of tournaments."""
        return self.summed.figures(ids)

    @property
    def _late(self) -> QuerySet[LedgerEntry]:
        """The entries that count on the day and were posted after it."""
        # By days one by one, each of which is a range of the index `ledger_by_day_posted`.
        first, last = first_day(self.scope.day), self.scope.day
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        entries = LedgerEntry.objects.filter(family=self.scope.family, played_on__in=days)
        return entries.filter(posted_at__gte=self.scope.recorded_before)

    def _without_standing(self) -> QuerySet[LedgerEntry]:
        """Return the late entries of players who have no standing on the kept day.

        Corrections may have taken back all that these players had. All others without points in today's list
        have another category or no licence.
        """
        kept = Standing.stored.filter(family=self.scope.family, day=self.known.base)
        return self._late.filter(~Exists(kept.filter(player_id=OuterRef("player_id"))))

    def _recategorised(self) -> QuerySet[CategoryAssignment]:
        """Return the assignments that hold on the day and were recorded, or revoked, after it."""
        later = self.scope.recorded_before
        recorded = Q(created_at__gte=later) | Q(revoked_at__gte=later)
        return CategoryAssignment.objects.filter(recorded, valid_from__lte=self.scope.day)


def published_from(known: Past, scope: Scope) -> Published | Summed:
    """Return the sums of a list as it was published on its day."""
    try:
        return Published(known, scope)
    except TooManyChanges:
        return Summed(scope)
