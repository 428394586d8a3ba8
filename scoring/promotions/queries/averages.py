"""Read the sessions of a year, and compute the modified averages by the method of a rule set.

A tournament of several sessions counts as one session.
"""

from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.db.models import BigIntegerField, F, QuerySet, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Round

from players.models import Player
from scoring import regulations
from scoring.ledger.models import ScoringRun
from scoring.ledger.systems.aeb import FAMILY, category_code
from scoring.promotions.models import PromotionRuleSet
from scoring.promotions.pure.averages import NONE, SCALE, Events, Seats, Sessions, Whole, sessions, units
from tournaments.boards import IMPS
from tournaments.models import Seat, Tournament

CHUNK = 5_000
REGULATIONS = [regulation.code for regulation in regulations.of_family(FAMILY)]
# The coefficient C4 belongs to the whole session. If the session has two fields (North-South and East-West),
# both have the same C4, so read it from the first.
FIELD_C4 = KT("outcome__lines__0__coefficients__C4")


class Played(NamedTuple):
    """A tournament that gave AEB points, with the revision of its ranking that is in force.

    boards: number of the tournament's boards
    regulation: code of the regulation by which it was scored
    c4: the strength of its field, in ten-thousandths
    """

    day: date
    tournament_id: int
    revision_id: int
    boards: int
    regulation: str
    c4: int  # in ten-thousandths


def sessions_by_month(
    rule_set: PromotionRuleSet, first: date, last: date, codes: Mapping[int, str]
) -> Iterator[Sessions]:
    """Yield the sessions that count for the players' modified averages, of one month after the other.

    The players are those of `codes`, in the order of their ids. Includes only sessions of published pairs
    tournaments that ended from `first` to `last`, gave AEB points and have percentages. Tournaments scored in
    IMPs are left out. Sessions of a merged player count for the surviving player. Two queries for each month.

    A large federation has a million seats a month: those of a year would take a gigabyte at once.

    codes: category code by player id; only sessions of these players are included
    """
    players, category_codes = sorted(codes), sorted(set(codes.values()))
    column = {code: position for position, code in enumerate(category_codes)}
    positions = _Positions(_positions(players))
    categories = _whole(column[codes[player]] for player in players)
    for days in _months(first, last):
        tournaments = _tournaments(*days)
        played = _played(tournaments)
        seats = _seats(tournaments, positions, [event.revision_id for event in played])
        events = _events(played, category_codes)
        yield sessions(rule_set.average, rule_set.field_weight, events, seats, categories)


def _months(first: date, last: date) -> Iterator[tuple[date, date]]:
    """Yield the first and last day of each month from `first` to `last`, as far as it is between them."""
    while first <= last:
        end = first.replace(day=monthrange(first.year, first.month)[1])
        yield first, min(end, last)
        first = end + timedelta(days=1)


def _positions(players: list[int]) -> dict[int, int]:
    """Map each player id to the player's index in `players`.

    The id of a merged player maps to the index of the surviving player.
    """
    positions = {player: position for position, player in enumerate(players)}
    merged = Player.objects.all().kept()
    surviving = {pk: merged.get(pk, pk) for pk in {*players, *merged}}
    return {pk: positions[player] for pk, player in surviving.items() if player in positions}


def _tournaments(first: date, last: date) -> QuerySet[Tournament]:
    tournaments = Tournament.objects.filter(
        family=FAMILY,
        format=Tournament.Format.PAIRS,
        end_date__range=(first, last),
        published__isnull=False,
    )
    return tournaments.exclude(published__boards_scored=IMPS)


def _played(tournaments: QuerySet[Tournament]) -> list[Played]:
    """Return the tournaments that gave points by their last scoring run, ordered by day and id."""
    # The family of a tournament can change before its correction is scored, so check the run's regulation.
    runs = ScoringRun.objects.filter(
        revision__published_as__in=tournaments, state=ScoringRun.State.DONE, regulation__in=REGULATIONS
    )
    rows = runs.order_by("number").values_list(
        "eligible",
        "tournament__end_date",
        "tournament_id",
        "revision_id",
        "tournament__boards",
        "regulation",
        FIELD_C4,
    )
    last = {row[3]: row for row in rows.iterator(chunk_size=CHUNK)}  # keyed by revision id
    return sorted(
        Played(*described, units(Decimal(c4))) for eligible, *described, c4 in last.values() if eligible
    )


def _events(played: list[Played], codes: list[str]) -> Events:
    """Convert tournaments to `Events`, that is, to NumPy columns.

    codes: category codes; `Events.worth` gets a column for each of them, in this order
    """
    worth = {
        regulation: [value_of(regulation, code) for code in codes]
        for regulation in {event.regulation for event in played}
    }
    table = [worth[event.regulation] for event in played]
    return Events(
        tournament=_whole(event.tournament_id for event in played),
        day=[event.day for event in played],
        boards=_whole(event.boards for event in played),
        c4=_whole(event.c4 for event in played),
        worth=np.array(table, np.int64).reshape(len(played), len(codes)),
    )


@cache
def value_of(regulation: str, code: str) -> int:
    """Return the C4 value of a category under a regulation, in ten-thousandths.

    C4, the strength of the field, is the mean of these values. Return NONE if the regulation does not define
    the category, which may belong to another period.

    regulation, code: codes of the regulation and of the category
    """
    scheme = regulations.get(regulation)
    try:
        regulation_code = category_code(scheme, code)
    except KeyError:
        return NONE
    return units(scheme.categories.find(regulation_code).value)


def _seats(tournaments: QuerySet[Tournament], players: "_Positions", revisions: list[int]) -> Seats:
    """Read the players' seats in the rankings, as `Seats`, that is, as NumPy columns.

    players: index in the list of players, by player id
    revisions: id of each tournament's revision, in the order of the list of tournaments
    """
    published = tournaments.values("published")
    rows = Seat.objects.filter(player__isnull=False, revision__in=published)
    # The contestants have the same revision. Without this, PostgreSQL would join those of all years.
    rows = rows.filter(contestant__revision__in=published)
    columns = rows.order_by().values_list(
        "player_id",
        "revision_id",
        Coalesce("contestant__boards_played", Value(0)),
        _in_units("contestant__percentage"),
        _in_units("contestant__adjusted"),
    )
    table = np.fromiter(chain.from_iterable(_rows(columns)), np.int64).reshape(-1, 5).T
    player = players.of(table[0])
    event = _Positions({revision: position for position, revision in enumerate(revisions)}).of(table[1])
    counts = (player >= 0) & (event >= 0)
    return Seats(player[counts], event[counts], *(column[counts] for column in table[2:]))


def _in_units(name: str) -> Coalesce:
    """Return a query expression for the percentage in a column, in ten-thousandths; NONE if it is null.

    The database computes it, because creating Decimals takes longer than reading the rows.
    """
    return Coalesce(Cast(Round(F(name) * SCALE), BigIntegerField()), Value(NONE))


def _rows(query: QuerySet) -> Iterator[tuple[int, ...]]:
    """Yield the rows of a query as tuples of integers, skipping Django's conversion of values.

    Do not use `QuerySet.iterator` here: it opens a server-side cursor, for which PostgreSQL uses no
    parallel workers.
    """
    with connection.cursor() as cursor:
        cursor.execute(*query.query.sql_with_params())
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


class _Positions:
    """Positions by id, which are looked up for whole columns of ids."""

    def __init__(self, positions: Mapping[int, int]) -> None:
        self._ids = _whole(sorted(positions))
        self._positions = _whole(positions[pk] for pk in self._ids.tolist())

    def of(self, ids: Whole) -> Whole:
        """Return an array with the position of each id, and -1 for each id that has none."""
        if not len(self._ids):
            return np.full(len(ids), -1)
        index = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[index] == ids, self._positions[index], -1)


def _whole(values) -> Whole:
    return np.fromiter(values, np.int64)
