"""Every player's sessions of the modified average, as a rule set wants them worked out."""

from collections.abc import Iterator, Mapping
from datetime import date
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
# The C4 is the whole session's, so with two rankings either of them has it.
FIELD_C4 = KT("outcome__lines__0__coefficients__C4")


class Played(NamedTuple):
    """A tournament that gave AEB points, and its ranking in force."""

    day: date
    tournament_id: int
    revision_id: int
    boards: int
    regulation: str
    c4: int  # ten-thousandths


def year_sessions(
    rule_set: PromotionRuleSet, first: date, last: date, codes: Mapping[int, str]
) -> tuple[list[int], Sessions]:
    """Players by id, and their sessions in tournaments that ended from `first` to `last`.

    Only pairs tournaments that gave AEB points, as now published, and of them those with percentages. Three
    queries. Whose number was merged played as the one kept.

    codes: the code of the category that each player is judged in; others have no sessions
    """
    tournaments = _tournaments(first, last)
    played = _played(tournaments)
    players, known = sorted(codes), sorted(set(codes.values()))
    column = {code: position for position, code in enumerate(known)}
    seats = _seats(tournaments, _positions(players), [each.revision_id for each in played])
    categories = _whole(column[codes[player]] for player in players)
    found = sessions(rule_set.average, rule_set.field_weight, _events(played, known), seats, categories)
    return players, found


def _positions(players: list[int]) -> dict[int, int]:
    """Where each number stands: a merged one where the number kept does."""
    found = {player: position for position, player in enumerate(players)}
    merged = Player.objects.all().kept()
    whose = {number: merged.get(number, number) for number in {*players, *merged}}
    return {number: found[player] for number, player in whose.items() if player in found}


def _tournaments(first: date, last: date) -> QuerySet[Tournament]:
    found = Tournament.objects.filter(
        family=FAMILY,
        format=Tournament.Format.PAIRS,
        end_date__range=(first, last),
        published__isnull=False,
    )
    return found.exclude(published__boards_scored=IMPS)


def _played(tournaments: QuerySet[Tournament]) -> list[Played]:
    """Those that count, as their last calculation says; by day and id."""
    # A correction may be about to make an AEB tournament of one that gives other points until it is scored.
    runs = ScoringRun.objects.filter(
        revision__published_as__in=tournaments, state=ScoringRun.State.DONE, regulation__in=REGULATIONS
    )
    rows = runs.order_by("number").values_list(
        "eligible", "tournament__end_date", "tournament_id", "revision_id", "tournament__boards",
        "regulation", FIELD_C4,
    )  # fmt: skip
    last = {row[3]: row for row in rows.iterator(chunk_size=CHUNK)}  # by revision
    return sorted(
        Played(*described, units(Decimal(c4))) for eligible, *described, c4 in last.values() if eligible
    )


def _events(played: list[Played], codes: list[str]) -> Events:
    """codes: of the categories in whose order `worth` has its columns"""
    worth = {
        regulation: [value_of(regulation, code) for code in codes]
        for regulation in {each.regulation for each in played}
    }
    table = [worth[each.regulation] for each in played]
    return Events(
        tournament=_whole(each.tournament_id for each in played),
        day=[each.day for each in played],
        boards=_whole(each.boards for each in played),
        c4=_whole(each.c4 for each in played),
        worth=np.array(table, np.int64).reshape(len(played), len(codes)),
    )


@cache
def value_of(regulation: str, code: str) -> int:
    """What a category is worth in the C4 of a regulation, both by code, in ten-thousandths.

    NONE for a category of other times that the regulation has no word for.
    """
    scheme = regulations.get(regulation)
    try:
        known = category_code(scheme, code)
    except KeyError:
        return NONE
    return units(scheme.categories.find(known).value)


def _seats(tournaments: QuerySet[Tournament], players: Mapping[int, int], revisions: list[int]) -> Seats:
    """The seats of these players in these rankings. players: position by number."""
    rows = Seat.objects.filter(player__isnull=False, revision__in=tournaments.values("published"))
    columns = rows.order_by().values_list(
        "player_id", "revision_id", Coalesce("contestant__boards_played", Value(0)),
        _in_units("contestant__percentage"), _in_units("contestant__adjusted"),
    )  # fmt: skip
    found = np.fromiter(chain.from_iterable(_rows(columns)), np.int64).reshape(-1, 5).T
    player = _looked_up(found[0], players)
    event = _looked_up(found[1], {revision: at for at, revision in enumerate(revisions)})
    counts = (player >= 0) & (event >= 0)
    return Seats(player[counts], event[counts], *(column[counts] for column in found[2:]))


def _in_units(name: str) -> Coalesce:
    """A percentage in ten-thousandths: to make a Decimal of each takes longer than to read them."""
    return Coalesce(Cast(Round(F(name) * SCALE), BigIntegerField()), Value(NONE))


def _rows(query: QuerySet) -> Iterator[tuple[int, ...]]:
    """The rows of a query of whole numbers, as they come.

    Not by `iterator`: for a cursor of the server's PostgreSQL plans without parallel workers.
    """
    with connection.cursor() as cursor:
        cursor.execute(*query.query.sql_with_params())
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


def _looked_up(ids: Whole, positions: Mapping[int, int]) -> Whole:
    """The position of each id, -1 for others."""
    known = _whole(sorted(positions))
    if not len(known):
        return np.full(len(ids), -1)
    at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[at] == ids, _whole(positions[each] for each in known.tolist())[at], -1)


def _whole(values) -> Whole:
    return np.fromiter(values, np.int64)
