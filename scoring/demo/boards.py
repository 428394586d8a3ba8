"""Play demo pools with board results, for the pages of adjusted results and modified averages."""

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
from .session import BOARDS_PER_ROUND, howell

NAME = "Pool Howell con manos"
PAIRS, ROUNDS = 12, 8
DECEMBER = (12, 15)
CENT = Decimal("0.01")


@transaction.atomic
def session(host: Host, day: date, by, rng: Random) -> Revision | None:
    """Play, store and score a pool of a club, with the results of all boards. Return its revision.

    There are fewer rounds than opponents, so that pairs meet opponents of different strength. Return None for
    a club with too few couples.

    by: the account that uploads the pool
    """
    eligible = [
        couple
        for couple in host.couples
        if all(person.joined <= day and day.year in person.licensed for person in couple)
    ]
    couples = eligible[: min(PAIRS, len(eligible) // 2 * 2)]
    if len(couples) < 6:
        return None
    results = _results(couples, rng)
    rows = _ranking(couples, results)
    header = Header(
        name=NAME,
        club_id=host.pk,
        event_type="pool",
        format=Tournament.Format.PAIRS.value,
        venue=Tournament.Venue.IN_PERSON.value,
        start_date=day,
        end_date=day,
        boards=_board_count(couples),
        boards_scheduled=_board_count(couples),
    )
    revision = drafts.store(header, rows, by)
    position = {int(row.label): row.position for row in rows}
    board_rows = [replace(result, ns=position[result.ns], ew=position[result.ew]) for result in results]
    boards.store_boards(revision, MATCHPOINTS, board_rows)
    strength.store_figures(revision)
    runs.score(runs.create_run(revision, by).pk)
    return revision


def _board_count(couples: list[Couple]) -> int:
    return min(ROUNDS, len(couples) - 1) * BOARDS_PER_ROUND


def _results(couples: list[Couple], rng: Random) -> list[BoardRow]:
    """Play all boards. In the results, `ns` and `ew` number the pairs from 1 in the order of `couples`."""
    skill = [sum(person.skill for person in couple) for couple in couples]
    results = []
    for turn in range(min(ROUNDS, len(couples) - 1)):
        for board in range(turn * BOARDS_PER_ROUND + 1, (turn + 1) * BOARDS_PER_ROUND + 1):
            for ns, ew in howell(len(couples), turn):
                score = 10 * round((skill[ns - 1] - skill[ew - 1]) * 2.5 + rng.gauss(0, 32))
                results.append(BoardRow(board, "", ns, ew, score))
    return results


def _ranking(couples: list[Couple], results: list[BoardRow]) -> list[Row]:
    shares = percentages([TravellerLine(result.board, result.score) for result in results])
    sides = [
        side
        for result, share in zip(results, shares, strict=True)
        if share
        for side in ((result.ns, share.ns), (result.ew, share.ew))
    ]
    rows = []
    for number, mean in means(sides).items():
        seats = tuple(SeatRow(person.pk) for person in couples[number - 1])
        rows.append(Row(position=0, place=0, seats=seats, label=str(number), percentage=_percent(mean)))
    return play.ranked(rows)


def _percent(share: Fraction) -> Decimal:
    return (Decimal(share.numerator) / share.denominator).quantize(CENT, ROUND_HALF_UP)
