"""The points systems: what each asks of a tournament and how its ranking becomes events of the engine.

A system is a family of points with lists of its own; points of two families are never added up. Which of
them an installation offers is `settings.FAMILIES`; what was scored stays readable whatever that says.
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
    """Makes (field, event) pairs of a ranking; `codes` are categories, `licensed` players, by player id."""

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
    """One family. `engine_family` is the engine's name of its regulations.

    by_category: whether its lists go by category, as the AEB's do
    kinds: (code, label) of its kinds of event; empty where a regulation's own table says it
    params: the names of its own data of a tournament
    decimals: of the points of a tournament with these data on this day
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
    each.family: each
    for each in (
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
    """The system of a family. Raises KeyError for an unknown one."""
    return ALL[family]


def points_decimals(what: Header | Tournament) -> int:
    """How many decimals the points of a tournament are written with."""
    return of(what.family).decimals(what.params, what.end_date)


def of_regulation(regulation: Any) -> System:
    """The system that a regulation of the engine belongs to.

    Raises EngineError `unknown_regulation` for one that gives no points.
    """
    for system in ALL.values():
        if system.engine_family == regulation.family:
            return system
    raise EngineError("unknown_regulation", "regulation", f"{regulation.code!r} gives no points")


def offered() -> list[System]:
    """The systems that this installation offers, in its own order."""
    return [ALL[family] for family in settings.FAMILIES]


def others() -> list[System]:
    """Those beside the federation's own."""
    return [each for each in offered() if each.family != aeb.FAMILY]
