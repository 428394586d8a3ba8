"""The standings of a day as the dataset has them: the lists of the licensed players, from the ledger alone.

The dump and the command `dataset standings` write them with this code, so that an installation that imported
a dump gives the same bytes.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.db.models import Q

from players.categories import categories_on
from players.models import Licence, Player
from scoring.dataset import schema
from scoring.dataset.rows import Row, number_of
from scoring.ledger import systems
from scoring.ledger.models.ledger import LedgerEntryQuerySet
from scoring.ledger.windows import first_day
from ui.chunks import chunks

FIGURES = ("points", "points_in_person", "points_online", "tournaments")


def lists_of(day: date, entries: LedgerEntryQuerySet) -> Iterator[tuple[schema.File, list[Row]]]:
    """Yield the lists that have players, each with the file that it is written to.

    entries: the ledger entries that count; those of other days are ignored
    """
    licensed = Licence.objects.holders(day)
    for family, system in systems.ALL.items():
        categories = categories_on(day) if system.by_category else {}
        figures: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
        for player, sums in entries.sums(first_day(day), day, family):
            category = categories.get(player)
            if sums["points"] > 0 and player in licensed and (category or not system.by_category):
                figures[category.code if category else ""][player] = sums
        for code in sorted(figures):
            yield schema.standing(family, code), _ranked(figures[code])


def _ranked(figures: dict[int, dict[str, Any]]) -> list[Row]:
    """Return the rows of a list: by points, equal ones by number, players without a number last.

    figures: {player id: sums}
    """
    rows = [(people, figures[player]) for player, people in _people(figures).items()]
    rows.sort(key=lambda row: (-row[1]["points"], _order(*row[0][:2])))
    ranked: list[Row] = []
    for position, (people, sums) in enumerate(rows, 1):
        is_shared = ranked and ranked[-1][1 + len(people)] == sums["points"]
        rank = ranked[-1][0] if is_shared else position
        ranked.append((rank, *people, *(sums[name] for name in FIGURES)))
    return ranked


def _order(number: str, person: str) -> tuple[bool, int, str, str]:
    return not number, len(number), number, person


def _people(ids: dict[int, Any]) -> dict[int, Row]:
    """Return {player id: (number, pseudonym, given name, surname, club)}, as the public sees them."""
    people: dict[int, Row] = {}
    columns = ("pk", number_of(), "pseudonym__code", "given_name", "surname", "club__code")
    for part in chunks(ids):
        rows = Player.objects.filter(pk__in=part).annotate(is_shown=Q(hidden=False, erased_on=None))
        for pk, number, person, *names, is_shown in rows.values_list(*columns, "is_shown"):
            people[pk] = (number, person or "", *(names if is_shown else ("", "", "")))
    return people
