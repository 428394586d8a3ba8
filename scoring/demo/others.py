"""Events of the points systems beside the AEB's, and the factors that one of them waits for."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from scoring.ledger.models import ScoringFactor
from scoring.ledger.services import runs
from scoring.regulations.acbl import OVERALL
from tournaments import drafts
from tournaments.models import Tournament

from .people import Host

# No source gives M, T and the depth. These are round numbers to show the formula with, and say so wherever
# a page names their source.
FACTORS = {"M": Decimal("1"), "T": Decimal("0.9"), "depth": Decimal("0.25")}
SOURCE = "Valor inventado para esta demostración: no es de la ACBL ni de ningún documento."


@dataclass(frozen=True, slots=True)
class Other:
    """An event that the demo plays."""

    family: str
    kind: str
    name: str
    params: dict[str, Any] = field(default_factory=dict)


OTHERS = [
    Other(Tournament.Family.SBF_BRONZE.value, "bronze", "Bronce sueco"),
    Other(Tournament.Family.SBF_SILVER.value, "silver", "Plata sueca"),
    Other(Tournament.Family.ACBL.value, "club", "Club ACBL"),
    Other(
        Tournament.Family.ACBL.value, "overall", "Sectional ACBL", {"rating": "sectional", "sessions": 1}
    ),
]  # fmt: skip


def enter_factors(office) -> None:
    """What the office types into its form of factors, as examples."""
    for name, value in FACTORS.items():
        ScoringFactor.objects.create(
            regulation=OVERALL.code, name=name, value=value, source=SOURCE, set_by=office,
            valid_from=OVERALL.valid_from,
        )  # fmt: skip


def play(home: Host, by) -> list[Tournament]:
    """The events: the same tables as at the club's latest pools of pairs."""
    pools = Tournament.objects.filter(
        club_id=home.pk, event_type="pool", format=Tournament.Format.PAIRS, ranking=Tournament.Ranking.ONE,
        venue=Tournament.Venue.IN_PERSON, published__isnull=False,
    )  # fmt: skip
    made = []
    for pool, other in zip(pools.order_by("-end_date", "-pk")[: len(OTHERS)], OTHERS, strict=False):
        header = replace(
            drafts.header_of(pool), name=other.name, family=other.family, event_type=other.kind,
            params=other.params, source_id="",
        )  # fmt: skip
        revision = drafts.store(header, drafts.rows_of(pool.published), by)
        runs.score(runs.create_run(revision, by).pk)
        made.append(revision.tournament)
    return made
