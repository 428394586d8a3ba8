"""The simulation of tournaments' results."""

from decimal import Decimal
from random import Random
from statistics import fmean

from tournaments.drafts import Row, SeatRow
from tournaments.models import Tournament

from . import names
from .fixtures import Fixture
from .people import Person

TEAMS = names.words(
    """Ases Cantiles Contras Descartes Destinos Doblos Faroles Fallos Impases Naipes Ochos
Oros Reyes Semifallos Tréboles Triunfos Vientos Vulnerables"""
)


def play(fixture: Fixture, rng: Random) -> list[Row]:
    """Simulate a tournament and return the rows of its ranking, as `ranked` orders them.

    A contestant's result is its strength plus a random number, and those of a field have the mean 50. In some
    tournaments the results are rounded to halves, which produces ties.
    """
    header = fixture.header
    strengths = [sum(person.skill for person in entrant) / len(entrant) for entrant in fixture.entrants]
    step = Decimal("0.5") if rng.random() < 0.1 else Decimal("0.01")
    guest = rng.randrange(len(strengths)) if header.event_type == "pool" and rng.random() < 0.04 else None
    two_winners = header.ranking == Tournament.Ranking.TWO
    fields = 2 if two_winners else 1
    results = [4 * strength + rng.gauss(0, 5) for strength in strengths]
    means = [fmean(results[field::fields]) for field in range(fields)]
    rows = []
    for number, entrant in enumerate(fixture.entrants):
        result = min(80, max(20, 50 + results[number] - means[number % fields]))
        is_team = header.format == Tournament.Format.TEAMS
        rounded = Decimal(round(Decimal(result) / step)) * step
        rows.append(
            Row(
                position=0,
                place=0,
                seats=_seats(entrant, number == guest, rng),
                label=str(number + 1),
                field=("NS", "EW")[number % 2] if two_winners else "",
                team_name=_team(number) if is_team else "",
                score=rounded if is_team else None,
                percentage=None if is_team else rounded,
            )
        )
    return ranked(rows)


def ranked(rows: list[Row]) -> list[Row]:
    """Return the rows of a ranking in the order of their results, with `position` and `place` set.

    `position` numbers all rows from 1. With two fields, North-South comes first, and each field has places
    of its own. Tied rows share a place, as in 1, 2, 2, 4.
    """
    ranking = []
    for field in sorted({row.field for row in rows}, reverse=True):
        field_rows = [row for row in rows if row.field == field]
        field_rows.sort(key=_result, reverse=True)
        place, previous = 0, None
        for index, row in enumerate(field_rows, start=1):
            if _result(row) != previous:
                place, previous = index, _result(row)
            ranking.append(_at_place(row, len(ranking) + 1, place))
    return ranking


def _at_place(row: Row, position: int, place: int) -> Row:
    # dataclasses.replace takes three times as long, and the largest size has millions of rows.
    return Row(position, place, row.seats, row.field, row.label, row.team_name, row.score, row.percentage)


def _result(row: Row) -> Decimal:
    return row.score if row.percentage is None else row.percentage


def _seats(entrant: tuple[Person, ...], with_guest: bool, rng: Random) -> tuple[SeatRow, ...]:
    seats = [SeatRow(person.pk) for person in entrant]
    if with_guest:
        given_name, surname, _woman = names.person(rng)
        seats[-1] = SeatRow(None, f"{given_name} {surname}")
    return tuple(seats)


def _team(number: int) -> str:
    name = f"Los {TEAMS[number % len(TEAMS)]}"
    return name if number < len(TEAMS) else f"{name} {number // len(TEAMS) + 1}"
