"""Lists of players with category, points and licence."""

from collections.abc import Iterator, Sequence
from datetime import date

from django.db.models import OuterRef, QuerySet, Subquery

from players.categories import categories_on, in_force_on
from players.models import Category, CategoryAssignment, Club, Licence, Player
from scoring.ledger.evaluation import licensed_on
from scoring.ledger.models import Standing
from scoring.ledger.queries.people import FIELDS, display_name, people
from ui.memo import per_version

CHUNK = 2000  # rows of a file fetched at a time


@per_version(4)
def count_visible(version: int) -> int:
    """Count the players in the list by name, which leaves hidden players out."""
    return Player.objects.unmerged().filter(hidden=False).count()


def player_records(players: Sequence[Player], day: date) -> list[dict]:
    """Return the players as records of `PlayerTable`, in their order. A fixed number of queries."""
    ids = [player.pk for player in players]
    names = people(ids)
    points = dict(Standing.objects.filter(player_id__in=ids, family="aeb").values_list("player_id", "points"))
    categories = categories_on(day, ids)
    licensed = licensed_on(day, ids)
    return [
        {
            **names[pk],
            "player_id": pk,
            "category": categories[pk].code if pk in categories else None,
            "order": categories[pk].order if pk in categories else 0,
            "points": points.get(pk, 0),
            "licensed": pk in licensed,
        }
        for pk in ids
    ]


def export_records(players: QuerySet[Player], day: date) -> Iterator[dict]:
    """Yield the players for a file, fetched in chunks by one query."""
    ladder = {category.pk: category for category in Category.objects.all()}
    codes = {pk: in_force_on(category, day, ladder).code for pk, category in ladder.items()}
    assignment = CategoryAssignment.objects.filter(player=OuterRef("pk")).in_force(day)
    standing = Standing.objects.filter(player=OuterRef("pk"), family="aeb")
    rows = players.with_licence(day).annotate(
        held=Subquery(assignment.values("category")), points=Subquery(standing.values("points"))
    )
    columns = rows.values_list("club__name", "held", "points", "licensed", *FIELDS)
    for club, held, points, licensed, *name in columns.iterator(CHUNK):
        yield {
            "name": display_name(*name),
            "number": name[0],
            "category": codes.get(held),
            "club": club,
            "points": points or 0,
            "licensed": licensed,
        }


def members_of(club: Club, day: date) -> list[dict]:
    """Return a club's licensed members, by descending category and points, then by number."""
    players = (
        Player.objects.unmerged().filter(club=club, licences__in=Licence.objects.valid_on(day)).distinct()
    )
    records = player_records(list(players), day)
    return sorted(records, key=lambda row: (-row["order"], -row["points"], int(row["number"])))
