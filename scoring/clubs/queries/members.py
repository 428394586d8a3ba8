"""Read the members of a club."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, OuterRef, Subquery, Value, When

from players.categories import categories_on
from players.models import Category, Club, Licence, LicenceState, Player
from scoring.clubs.access import sees_hidden_members
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry, Standing
from ui.text import fold

WITHOUT = "sin"  # the filter for members without a valid licence


@dataclass(frozen=True, slots=True)
class MemberFilter:
    """The filters of the list of members.

    text: words of the name, or the number
    licence: WITHOUT for members without a valid licence, or ""
    category: the code of a category, or ""
    """

    text: str = ""
    licence: str = ""
    category: str = ""

    @property
    def narrowed(self) -> bool:
        return bool(self.text or self.licence or self.category)

    def accepts(self, record: dict[str, Any]) -> bool:
        """Return whether the filters leave the member in the list.

        record: as `member_records` returns
        """
        if self.licence == WITHOUT and record["state"] == LicenceState.VALID:
            return False
        if self.category and record["category"] != self.category:
            return False
        words = fold(self.text).split()
        text = fold(f"{record['number']} {record['name']}")
        return all(word in text for word in words)


def member_records(club: Club, day: date, viewer) -> list[dict[str, Any]]:
    """Return the members of a club as records of `MemberTable`, sorted by name. Three queries.

    A member's `until` is the last day of the licence that counts on `day`, or else of the last one before;
    `renewed` is the first day of the next licence, if there is one.

    viewer: the account that reads the list; it may see the names of the hidden members or not
    """
    licences = Licence.objects.counting().filter(player=OuterRef("pk"))
    begun, next_ones = licences.filter(valid_from__lte=day), licences.filter(valid_from__gt=day)
    # The reversal is a query of its own: for each member, PostgreSQL would join all of the federation.
    back = LedgerEntry.objects.filter(reverses=OuterRef("pk")).values("pk")[:1]
    awards = LedgerEntry.objects.filter(player=OuterRef("pk"), family=FAMILY, kind=LedgerEntry.Kind.AWARD)
    # PostgreSQL expects that IS NULL leaves one row in two hundred, and would read all awards of a member
    # before it takes the last one. Of a CASE it expects every other row.
    stands = Case(When(back=None, then=Value(True)), default=Value(False))
    played = awards.annotate(back=Subquery(back)).filter(stands)
    standing = Standing.objects.filter(player=OuterRef("pk"), family=FAMILY)
    players = list(
        Player.objects.unmerged()
        .filter(club=club)
        .annotate(
            until=Subquery(begun.order_by("-valid_to").values("valid_to")[:1]),
            renewed=Subquery(next_ones.order_by("valid_from").values("valid_from")[:1]),
            played=Subquery(played.order_by("-played_on").values("played_on")[:1]),
            points=Subquery(standing.values("points")),
        )
    )
    ids = [player.pk for player in players]
    categories, states = categories_on(day, ids), Licence.objects.states(day, ids)
    sees_names = sees_hidden_members(viewer, club)
    return [_record(player, categories.get(player.pk), states[player.pk], sees_names) for player in players]


def _record(player: Any, category: Category | None, state: LicenceState, sees_names: bool) -> dict[str, Any]:
    """Return the record of a member.

    player: with the annotations of `member_records`
    """
    return {
        "player_id": player.pk,
        "number": player.number,
        "name": player.desk_name if sees_names else player.public_name,
        "public_name": player.public_name,
        "hidden": player.hidden,
        "surname": player.surname,
        "given_name": player.given_name,
        "url": player.get_absolute_url(),
        "category": category and category.code,
        "state": state,
        "until": player.until,
        "renewed": player.renewed,
        "points": player.points or 0,
        "played": player.played,
    }


def for_file(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the records for a file, in which hidden members are numbers and come last."""
    for record in sorted(records, key=lambda record: record["hidden"]):
        yield {**record, "name": record["public_name"]}


def count_members(club: Club, day: date) -> tuple[int, int]:
    """Return the number of the club's members, and of those with a licence that counts on `day`."""
    members = Player.objects.unmerged().filter(club=club)
    return members.count(), members.with_licence(day).filter(licensed=True).count()
