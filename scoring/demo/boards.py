"""Simulate demo pools with board results, for the pages of adjusted results and modified averages."""

from collections.abc import Sequence
from datetime import date
from random import Random

from django.db import transaction

from scoring.ledger.services import runs
from scoring.strength import services as strength
from tournaments import boards, drafts
from tournaments.boards import MATCHPOINTS, BoardRow
from tournaments.drafts import Header, Row, SeatRow
from tournaments.formats.types import Deal
from tournaments.models import Revision, Tournament

from . import play
from .people import Host, Person
from .session import BOARDS_PER_ROUND, play_session

NAME = "Pool Howell con manos"
PAIRS, ROUNDS = 12, 8
DECEMBER = (12, 15)


@transaction.atomic
def session(host: Host, day: date, by, rng: Random) -> Revision | None:
    """Simulate a pool of a club with the results of all boards, store and score it. Return its revision.

    Return None if too few of the club's couples can play. There are fewer rounds than opponents, so that some
    pairs meet stronger opponents than others.

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
    count = min(ROUNDS, len(couples) - 1) * BOARDS_PER_ROUND
    rows, results, deals = play_boards(couples, count, rng)
    header = Header(
        name=NAME,
        club_id=host.pk,
        event_type="pool",
        format=Tournament.Format.PAIRS.value,
        venue=Tournament.Venue.IN_PERSON.value,
        start_date=day,
        end_date=day,
        boards=count,
        boards_scheduled=count,
    )
    revision = drafts.store(header, rows, by)
    boards.store_boards(revision, MATCHPOINTS, results)
    boards.store_deals(revision, deals, results)
    strength.store_figures(revision)
    runs.score(runs.create_run(revision, by).pk)
    return revision


def play_boards(
    couples: Sequence[tuple[Person, ...]], count: int, rng: Random
) -> tuple[list[Row], list[BoardRow], tuple[Deal, ...]]:
    """Simulate a session of pairs board by board. Return ranking, results and deals.

    couples: an even number of pairs, more than there are rounds
    count: the number of boards
    """
    skill = [sum(person.skill for person in couple) for couple in couples]
    played = play_session(couples, skill, count, rng)
    pairs = {pair.number: pair for pair in played.ranking}
    # Those who share a place are listed in the order in which they first played.
    numbers = dict.fromkeys(number for line in played.travellers for number in (line.ns, line.ew))
    rows = play.ranked(
        [
            Row(
                position=0,
                place=0,
                seats=tuple(SeatRow(person.pk) for person in pairs[number].players),
                label=str(number),
                percentage=pairs[number].percentage,
            )
            for number in numbers
        ]
    )
    position = {int(row.label): row.position for row in rows}
    results = [
        BoardRow(
            line.board,
            "",
            position[line.ns],
            position[line.ew],
            line.score,
            contract=line.play.contract,
            declarer=line.play.declarer,
            lead=line.play.lead,
            tricks=line.play.tricks,
        )
        for line in played.travellers
    ]
    return rows, results, played.deals
