"""Players with their category, points and licence: of the federation, of a search, of a club."""

from collections.abc import Iterator, Sequence
from datetime import date

from django.db.models import OuterRef, QuerySet, Subquery

from players.categories import categories_on, in_force_on
from players.models import Category, CategoryAssignment, Club, Licence, Player
from scoring.ledger.evaluation import licensed_on
from scoring.ledger.models import Standing
from scoring.ledger.queries.people import FIELDS, display_name, people
from ui.memo import per_version

CHUNK = 2000  # rows of a file at a time


@per_version(4)
def count_named(version: int) -> int:
    """How many players the list by name has: those who did not ask to be hidden."""
    return Player.objects.unmerged().filter(hidden=False).count()


def player_records(players: Sequence[Player], day: date) -> list[dict]:
    """The players as `PlayerTable` shows them, in their order; a fixed number of queries."""
    ids = [player.pk for player in players]
    known = people(ids)
    points = dict(Standing.objects.filter(player_id__in=ids, family="aeb").values_list("player_id", "points"))
    categories = categories_on(day, ids)
    licensed = licensed_on(day, ids)
    return [
        {
            **known[pk],
            "player_id": pk,
            "category": categories[pk].code if pk in categories else None,
            "order": categories[pk].order if pk in categories else 0,
            "points": points.get(pk, 0),
            "licensed": pk in licensed,
        }
        for pk in ids
    ]


def every_record(players: QuerySet[Player], day: date) -> Iterator[dict]:
    """The same of a whole list, for a file: one query, read as it is written out."""
    ladder = {each.pk: each for each in Category.objects.all()}
    codes = {pk: in_force_on(each, day, ladder).code for pk, each in ladder.items()}
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
    """The licensed members of a club, highest category first, then most points, then number."""
    players = (
        Player.objects.unmerged().filter(club=club, licences__in=Licence.objects.valid_on(day)).distinct()
    )
    records = player_records(list(players), day)
    return sorted(records, key=lambda row: (-row["order"], -row["points"], int(row["number"])))
