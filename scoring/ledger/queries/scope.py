"""What a list of standings shows: its filters, and its rows."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from players.models import Category, has_name_or_number
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models.standings import SUMS
from scoring.ledger.queries.people import display_name, public_club, url_builder

# A row of the table on the page and in the exported file.
Record = dict[str, Any]
FIGURES = ("points", *SUMS)


@dataclass(frozen=True, slots=True)
class Scope:
    """The filters that select a list of standings: category, day, venue, licences, region, club and name.

    category: None for a family of points without categories
    column: points column of the venue; one of `VENUE_COLUMNS`
    text: words to find in the names of players
    """

    category: Category | None
    day: date
    column: str = "points"
    licensed_only: bool = True
    region_id: int | None = None
    club_id: int | None = None
    text: str = ""
    family: str = FAMILY
    as_published: bool = False  # use only data recorded by the end of the day

    @property
    def recorded_before(self) -> datetime | None:
        """The end of the list's day in local time; None unless `as_published` is set."""
        if not self.as_published:
            return None
        return timezone.make_aware(datetime.combine(self.day + timedelta(days=1), time.min))

    @property
    def category_id(self) -> int | None:
        return self.category.pk if self.category else None

    def record_builder(
        self, points: Sequence[int] | None = None
    ) -> Callable[[int, str, Sequence[Any], Record], Record]:
        """Return a function that builds a player's record for the page and for exported files.

        The function has four parameters: the player's id, the club's name, a sequence and a dict. The
        sequence holds the player's values of `people.FIELDS`, the dict those of `FIGURES`.

        points: points of all players of the list in ascending order, from which the function computes the
            rank; None to leave out the rank
        """
        url_of, code = url_builder(), self.category.code if self.category else ""

        def build(player_id: int, club: str, person: Sequence[Any], figures: Record) -> Record:
            record = {
                "player_id": player_id,
                "number": person[0],
                "name": display_name(*person),
                "url": url_of(*person),
                "club": public_club(club, person[3]),
                "category": code,
                **figures,
            }
            if points is not None:
                rank_in(points, record, self.column)
            return record

        return build

    @property
    def narrowed(self) -> bool:
        """Whether the list is filtered by region, club or name."""
        return bool(self.region_id or self.club_id or self.text)

    def players(self, prefix: str = "") -> Q:
        """Return the filter by region, club and name.

        prefix: lookup path from the filtered model to the player; "" if that is `Player`
        """
        condition = Q()
        if self.region_id:
            condition &= Q(**{f"{prefix}club__region_id": self.region_id})
        if self.club_id:
            condition &= Q(**{f"{prefix}club_id": self.club_id})
        if self.text:
            condition &= has_name_or_number(self.text, prefix) & Q(**{f"{prefix}merged_into": None})
        return condition


def rank_in(points: Sequence[int], record: Record, column: str) -> None:
    """Set a record's rank, and whether other players share it.

    points: the points of all players of the category, in ascending order
    column: name of the record's field with the points that decide the rank
    """
    low, high = bisect_left(points, record[column]), bisect_right(points, record[column])
    record["rank"], record["shared"] = len(points) - high + 1, high - low > 1
