"""Queries for lists of players with category, points and licence."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from django.db.models import OuterRef, QuerySet, Subquery

from players.categories import in_force_on
from players.models import Category, CategoryAssignment, Club, Licence, Player
from scoring.ledger.models import Standing
from scoring.ledger.queries.people import FIELDS, display_name, public_club, url_builder
from ui.memo import per_version

CHUNK = 2000  # how many rows of an exported file are fetched from the database at a time


@per_version(4)
def count_visible(version: int) -> int:
    """Count the players who are not hidden, which is the length of the public list of players.

    version: the version of the standings; the result is cached until it changes
    """
    return Player.objects.unmerged().filter(hidden=False).count()


def player_records(players: Sequence[Player], day: date) -> list[dict]:
    """Return records of `PlayerTable` for the players, in the same order. Two queries."""
    ids = [player.pk for player in players]
    records = {row["player_id"]: row for row in _records(_rows(Player.objects.filter(pk__in=ids), day), day)}
    return [records[pk] for pk in ids]


def stream_records(players: QuerySet[Player], day: date) -> Iterator[dict]:
    """Yield records of `PlayerTable` for the players, in the order of the queryset, fetched in chunks."""
    return _records(_rows(players, day).iterator(CHUNK), day)


def _rows(players: QuerySet[Player], day: date) -> QuerySet:
    # At most one row each, so sorting and what it needs would be for nothing.
    assignment = CategoryAssignment.objects.filter(player=OuterRef("pk")).in_force(day).order_by()
    standing = Standing.objects.filter(player=OuterRef("pk"), family="aeb").order_by()
    rows = players.with_licence(day).annotate(
        held=Subquery(assignment.values("category")), points=Subquery(standing.values("points"))
    )
    return rows.values_list("pk", "club__name", "held", "points", "licensed", *FIELDS)


def _records(rows: Iterable[tuple], day: date) -> Iterator[dict]:
    ladder = {category.pk: category for category in Category.objects.all()}
    current = {pk: in_force_on(category, day, ladder) for pk, category in ladder.items()}
    url_of = url_builder()
    for pk, club, held, points, licensed, *person in rows:
        category = current.get(held)
        yield {
            "player_id": pk,
            "number": person[0],
            "name": display_name(*person),
            "url": url_of(*person),
            "club": public_club(club, person[3]),
            "category": category and category.code,
            "order": category.order if category else 0,
            "points": points or 0,
            "licensed": licensed,
        }


def members_of(club: Club, day: date) -> list[dict]:
    """Return records of `PlayerTable` for a club's licensed members.

    The members with the highest category come first, then those with most points, then the lowest numbers.
    """
    players = (
        Player.objects.unmerged().filter(club=club, licences__in=Licence.objects.valid_on(day)).distinct()
    )
    return sorted(
        player_records(list(players), day),
        key=lambda row: (-row["order"], -row["points"], int(row["number"])),
    )
