"""What the awards of a changeover add up to, and where that differs from the old list."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Count, Sum
from django.db.models.functions import ExtractYear

from players.models import Player
from scoring.changeover import reading
from scoring.changeover.models import Changeover, ChangeoverAward, ChangeoverBalance, ChangeoverFile
from scoring.changeover.reading import Unreadable
from scoring.ledger.evaluation import FAMILY
from scoring.ledger.models import LedgerEntry
from scoring.ledger.windows import first_day
from tournaments.formats.issues import IssueList
from tournaments.formats.licence import normalise

_BATCH = 5_000


def totals(changeover: Changeover) -> dict[str, Any]:
    """Return what the awards to be posted add up to, in hundredths.

    {"awards", "players", "points", "years": [{"year", "awards", "players", "tournaments", "points"}]}
    Tournaments are counted by day, title and venue.
    """
    awards = ChangeoverAward.objects.filter(changeover_id=changeover.pk).order_by()
    played = awards.values_list("played_on", "title", "online").distinct()
    tournaments = Counter(day.year for day, _title, _online in played.iterator(chunk_size=10_000))
    by_year = awards.values(year=ExtractYear("played_on")).annotate(
        awards=Count("pk"), players=Count("player_id", distinct=True), points=Sum("points")
    )
    years = [row | {"tournaments": tournaments[row["year"]]} for row in by_year.order_by("year")]
    return {
        "awards": sum(row["awards"] for row in years),
        "players": awards.aggregate(number=Count("player_id", distinct=True))["number"],
        "points": sum(row["points"] for row in years),
        "years": years,
    }


def compare_with_list(changeover: Changeover, file: ChangeoverFile) -> IssueList:
    """Store the differences between the old list and the points after applying. Return the list's issues.

    Numbers that were merged count for the number that was kept, in the old list too.
    """
    issues = IssueList()
    stated = _stated(file, issues)
    computed = points_after(changeover)
    numbers = dict(Player.objects.order_by().values_list("number", "pk").iterator(chunk_size=10_000))
    kept = dict(
        Player.objects.filter(merged_into__isnull=False)
        .order_by()
        .values_list("number", "merged_into__number")
    )
    by_number: dict[str, int] = {}
    for number, points in stated.items():
        owner = kept.get(number, number)
        by_number[owner] = by_number.get(owner, 0) + points
    ids = {pk: number for number, pk in numbers.items()}
    wrong = list(_differences(by_number, {ids[pk]: points for pk, points in computed.items()}, numbers))
    ChangeoverBalance.objects.filter(changeover=changeover).delete()
    ChangeoverBalance.objects.bulk_create(
        (
            ChangeoverBalance(changeover=changeover, number=number, stated=points, computed=ours)
            for number, points, ours in wrong
        ),
        batch_size=_BATCH,
    )
    changeover.differences = len(wrong)
    changeover.totals |= {"stated": sum(stated.values()), "listed": len(stated)}
    changeover.totals |= {"computed": sum(computed.values())}
    return issues


def _stated(file: ChangeoverFile, issues: IssueList) -> dict[str, int]:
    """Return {number: hundredths} of the old list. Add issues about rows that cannot be read."""
    stated: dict[str, int] = {}
    heading = {column.key: column.names[0] for column in reading.BALANCES}
    try:
        for row in reading.rows_of(bytes(file.content), reading.BALANCES):
            file.rows += 1
            number = normalise(row.cells.get("number", ""))
            points = reading.hundredths(row.cells.get("points", ""))
            if number is None:
                issues.add("bad_federation_number", row.line, heading["number"], row.cells.get("number", ""))
            elif points is None:
                issues.add("bad_points", row.line, heading["points"], row.cells.get("points", ""))
            elif number in stated:
                issues.add("changeover_listed_twice", row.line, heading["number"], number)
            else:
                stated[number] = points
    except Unreadable as error:
        issues.add(error.code, error.line, **error.params)
    return stated


def points_after(changeover: Changeover) -> dict[int, int]:
    """Return {player id: hundredths} of the ledger after applying, in the period of the old list.

    Players without points are left out.
    """
    first, last = period(changeover)
    awards = ChangeoverAward.objects.filter(changeover_id=changeover.pk, played_on__range=(first, last))
    entries = LedgerEntry.objects.filter(family=FAMILY, played_on__range=(first, last))
    result: dict[int, int] = {}
    for rows in (awards, entries):
        sums = rows.order_by().values_list("player_id").annotate(Sum("points"))
        for player, points in sums.iterator(chunk_size=10_000):
            result[player] = result.get(player, 0) + points
    return {player: points for player, points in result.items() if points}


def period(changeover: Changeover) -> tuple[date, date]:
    """Return the first and the last day of the points that the old list counts."""
    if changeover.list_day is None:
        raise ValueError("the changeover has no old list")
    first = date.min if changeover.period == Changeover.Period.ALL else first_day(changeover.list_day)
    return first, changeover.list_day


def _differences(
    stated: dict[str, int], computed: dict[str, int], known: dict[str, int]
) -> Iterator[tuple[str, int | None, int | None]]:
    """Yield (number, hundredths in the old list or None, hundredths computed or None) where they differ.

    A number that is in only one of them has zero points in the other, but a number that no player has
    differs also with zero points.
    """
    for number in sorted(stated.keys() | computed.keys(), key=lambda text: (len(text), text)):
        if stated.get(number, 0) != computed.get(number, 0) or number not in known:
            ours = computed.get(number, 0) if number in known else None
            yield number, stated.get(number), ours


def digest(changeover: Changeover) -> str:
    """Return a digest of what was read and compared: a second person approves just this."""
    files = [(file.position, file.sha256, file.is_list) for file in changeover.files.defer("content")]
    content = (
        files,
        changeover.number,
        changeover.same,
        changeover.totals,
        changeover.differences,
        str(changeover.list_day),
        changeover.period,
    )
    return hashlib.sha256(repr(content).encode()).hexdigest()
