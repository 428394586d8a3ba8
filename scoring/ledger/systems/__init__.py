"""Points systems: the tournament data that each family needs, and how its rankings become engine events.

Each family has its own lists; points of different families are never added up. `settings.FAMILIES` names the
systems that an installation offers. Scored tournaments of other families stay readable.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from scoring.engine.errors import EngineError
from tournaments.drafts import Header, Row
from tournaments.models import Tournament

from . import aeb, placed

Family = Tournament.Family


class Builder(Protocol):
    """Build (field, event) pairs of a ranking. `codes` maps player ids to categories; `licensed` has ids."""

    def __call__(
        self,
        regulation: Any,
        header: Header,
        rows: Sequence[Row],
        codes: Mapping[int, str],
        licensed: Container[int],
    ) -> list[tuple[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class System:
    """One family of points. `engine_family` is the engine's name for it.

    by_category: whether its lists are split by category, as the AEB's are
    kinds: (code, label) of its event types; empty if the regulations have a table of them
    params: names of the tournament data that only this system has
    decimals: function of such data and the last day that returns the decimals of the points
    """

    family: str
    engine_family: str
    regulation_for: Callable[[Header], Any]
    build: Builder
    to_json: Callable[[Any], dict[str, Any]]
    from_json: Callable[[Any, Any], Any]
    by_category: bool = False
    kinds: tuple[tuple[str, Any], ...] = ()
    params: tuple[str, ...] = ()
    decimals: Callable[[Mapping[str, Any], date], int] = lambda _params, _day: 2

    @property
    def label(self) -> str:
        return Family(self.family).label


def _by_place(family, engine_family, regulation_for, kinds, params, **options) -> System:
    return System(
        family, engine_family, regulation_for, placed.build, placed.to_json, placed.from_json,
        kinds=kinds, params=params, **options,
    )  # fmt: skip


ALL = {
    system.family: system
    for system in (
        System(
            Family.AEB.value, "aeb", aeb.regulation_for, aeb.build, aeb.to_json, aeb.from_json,
            by_category=True,
        ),
        _by_place(
            Family.SBF_BRONZE.value, "sbf", placed.bronze_for, (("bronze", _("Bronze event")),),
            ("decimals", "places_table"), decimals=placed.decimals_of_bronze,
        ),
        _by_place(
            Family.SBF_SILVER.value, "sbf-silver", placed.silver_for, (("silver", _("Silver event")),),
            ("decimals",), decimals=placed.decimals_of_silver,
        ),
        _by_place(
            Family.ACBL.value, "acbl", placed.acbl_for,
            (("overall", _("Overall awards")), ("club", _("Club or section awards"))),
            ("tables", "rating", "sessions", "restriction", "limit", "contest"),
        ),
    )
}  # fmt: skip


def of(family: str) -> System:
    """Return the system of a family. Raise KeyError if unknown."""
    return ALL[family]


def points_decimals(tournament: Header | Tournament) -> int:
    """Return the number of decimals of a tournament's points."""
    return of(tournament.family).decimals(tournament.params, tournament.end_date)


def of_regulation(regulation: Any) -> System:
    """Return the system of a regulation.

    Raise EngineError `unknown_regulation` if the regulation gives no points.
    """
    for system in ALL.values():
        if system.engine_family == regulation.family:
            return system
    raise EngineError("unknown_regulation", "regulation", f"{regulation.code!r} gives no points")


def offered() -> list[System]:
    """Return the systems that this installation offers, in the order of the setting."""
    return [ALL[family] for family in settings.FAMILIES]


def others() -> list[System]:
    """Return the offered systems other than the federation's own."""
    return [system for system in offered() if system.family != aeb.FAMILY]
