"""Tournaments of the Swedish and ACBL points systems, and example factors for the ACBL formula."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from scoring.ledger.models import ScoringFactor
from scoring.ledger.services import runs
from scoring.regulations.acbl import OVERALL
from tournaments import drafts
from tournaments.models import Tournament

from .people import Host

# No source gives the ACBL formula's factors M and T and the depth of its awards. These are round numbers to
# illustrate the formula, and the pages say so.
FACTORS = {"M": Decimal("1"), "T": Decimal("0.9"), "depth": Decimal("0.25")}
SOURCE = "Valor inventado para esta demostración: no es de la ACBL ni de ningún documento."


@dataclass(frozen=True, slots=True)
class SystemEvent:
    """A tournament of another points system than the AEB's.

    kind: the event type
    params: further parameters of the tournament, by name
    """

    family: str
    kind: str
    name: str
    params: dict[str, Any] = field(default_factory=dict)


EVENTS = [
    SystemEvent(Tournament.Family.SBF_BRONZE.value, "bronze", "Bronce sueco"),
    SystemEvent(Tournament.Family.SBF_SILVER.value, "silver", "Plata sueca"),
    SystemEvent(Tournament.Family.ACBL.value, "club", "Club ACBL"),
    SystemEvent(
        Tournament.Family.ACBL.value, "overall", "Sectional ACBL", {"rating": "sectional", "sessions": 1}
    ),
]


def enter_factors(office) -> None:
    """Store example factors for the ACBL formula, as if entered by the office's account."""
    for name, value in FACTORS.items():
        ScoringFactor.objects.create(
            regulation=OVERALL.code,
            name=name,
            value=value,
            source=SOURCE,
            set_by=office,
            valid_from=OVERALL.valid_from,
        )


def play(home: Host, by) -> list[Tournament]:
    """Store and score the tournaments of EVENTS, reusing the rankings of the club's latest pairs pools.

    by: the account that uploads them
    """
    pools = Tournament.objects.filter(
        club_id=home.pk,
        event_type="pool",
        format=Tournament.Format.PAIRS,
        ranking=Tournament.Ranking.ONE,
        venue=Tournament.Venue.IN_PERSON,
        published__isnull=False,
    )
    tournaments = []
    for pool, event in zip(pools.order_by("-end_date", "-pk")[: len(EVENTS)], EVENTS, strict=False):
        header = replace(
            drafts.header_of(pool),
            name=event.name,
            family=event.family,
            event_type=event.kind,
            params=event.params,
            source_id="",
        )
        revision = drafts.store(header, drafts.rows_of(pool.published), by)
        runs.score(runs.create_run(revision, by).pk)
        tournaments.append(revision.tournament)
    return tournaments
