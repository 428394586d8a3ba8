"""Pools whose boards are known, so that adjusted results and modified averages have something to show."""

from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from random import Random

from django.db import transaction

from scoring.engine.boards import TravellerLine, means, percentages
from scoring.ledger.services import runs
from scoring.strength import services as strength
from tournaments import boards, drafts
from tournaments.boards import MATCHPOINTS, BoardRow
from tournaments.drafts import Header, Row, SeatRow
from tournaments.models import Revision, Tournament

from . import play
from .people import Couple, Host
from .session import BOARDS_A_ROUND, howell

NAME = "Pool Howell con manos"
PAIRS, ROUNDS = 12, 8
DECEMBER = (12, 15)
CENT = Decimal("0.01")


@transaction.atomic
def session(host: Host, day: date, by, rng: Random) -> Revision | None:
    """Play, store and score the pool; None in a club with too few couples.

    Not everybody meets everybody, so that the opponents differ in strength.
    """
    ready = [c for c in host.couples if all(p.joined <= day and day.year in p.licensed for p in c)]
    couples = ready[: min(PAIRS, len(ready) // 2 * 2)]
    if len(couples) < 6:
        return None
    played = _results(couples, rng)
    rows = _ranking(couples, played)
    header = Header(
        name=NAME, club_id=host.pk, event_type="pool", format=Tournament.Format.PAIRS.value,
        venue=Tournament.Venue.IN_PERSON.value, start_date=day, end_date=day, boards=_boards(couples),
        boards_scheduled=_boards(couples),
    )  # fmt: skip
    revision = drafts.store(header, rows, by)
    place = {int(row.label): row.position for row in rows}
    boards.store_boards(
        revision, MATCHPOINTS, [replace(each, ns=place[each.ns], ew=place[each.ew]) for each in played]
    )
    strength.store_figures(revision)
    runs.score(runs.create_run(revision, by).pk)
    return revision


def _boards(couples: list[Couple]) -> int:
    return min(ROUNDS, len(couples) - 1) * BOARDS_A_ROUND


def _results(couples: list[Couple], rng: Random) -> list[BoardRow]:
    """All results; the sides by the number of the pair."""
    skill = [sum(person.skill for person in couple) for couple in couples]
    results = []
    for turn in range(min(ROUNDS, len(couples) - 1)):
        for board in range(turn * BOARDS_A_ROUND + 1, (turn + 1) * BOARDS_A_ROUND + 1):
            for ns, ew in howell(len(couples), turn):
                score = 10 * round((skill[ns - 1] - skill[ew - 1]) * 2.5 + rng.gauss(0, 32))
                results.append(BoardRow(board, "", ns, ew, score))
    return results


def _ranking(couples: list[Couple], played: list[BoardRow]) -> list[Row]:
    earned = percentages([TravellerLine(each.board, each.score) for each in played])
    sides = [
        side
        for each, got in zip(played, earned, strict=True)
        if got
        for side in ((each.ns, got.ns), (each.ew, got.ew))
    ]
    rows = []
    for number, mean in means(sides).items():
        seats = tuple(SeatRow(person.pk) for person in couples[number - 1])
        rows.append(Row(position=0, place=0, seats=seats, label=str(number), percentage=_percent(mean)))
    return play.ranked(rows)


def _percent(share: Fraction) -> Decimal:
    return (Decimal(share.numerator) / share.denominator).quantize(CENT, ROUND_HALF_UP)
