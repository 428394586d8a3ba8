"""The points systems. Each defines the tournament data and the regulations of one family of points.

Each family has its own standings; points of different families are never added up. `settings.FAMILIES` names
the systems that an installation offers. Scored tournaments of other families stay readable.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine.errors import EngineError
from scoring.engine.eventjson import event_from_json, event_to_json
from tournaments.drafts import Header, Row
from tournaments.models import Tournament

from . import aeb, placed

Family = Tournament.Family
GO, STRENGTH = "egf", "strength"  # families of regulations that give no points


class Builder(Protocol):
    """A function that returns (field, event) pairs: the engine's input for each field of a ranking.

    codes: {player id: category code}
    licensed: ids of the players with a licence
    """

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
    """The points system of one family of points: its regulations and how it stores the engine's events.

    engine_family: the engine's name for the family
    by_category: whether its standings are split by category, as the AEB's are
    kinds: (code, label) of its event types; empty if its regulations have a table of event types
    input_of: function that returns what `manage.py score` takes of a stored event; its arguments are the
        regulation and the stored event
    params: keys of `Tournament.params`, the data of a tournament that only this system needs
    decimals: function that returns the number of decimals of a tournament's points, from the tournament's
        `params` and last day
    """

    family: str
    engine_family: str
    regulation_for: Callable[[Header], Any]
    build: Builder
    to_json: Callable[[Any], dict[str, Any]]
    from_json: Callable[[Any, Any], Any]
    input_of: Callable[[Any, Mapping[str, Any]], dict[str, Any]]
    by_category: bool = False
    kinds: tuple[tuple[str, Any], ...] = ()
    params: tuple[str, ...] = ()
    decimals: Callable[[Mapping[str, Any], date], int] = lambda _params, _day: 2

    @property
    def label(self) -> str | Promise:
        return Family(self.family).label


ALL = {
    system.family: system
    for system in (
        System(
            family=Family.AEB.value,
            engine_family="aeb",
            regulation_for=aeb.regulation_for,
            build=aeb.build,
            to_json=event_to_json,
            from_json=lambda _regulation, value: event_from_json(value),
            input_of=lambda _regulation, stored: dict(stored),
            by_category=True,
        ),
        System(
            family=Family.SBF_BRONZE.value,
            engine_family="sbf",
            regulation_for=placed.bronze_for,
            build=placed.build,
            to_json=placed.to_json,
            from_json=placed.from_json,
            input_of=placed.input_of,
            kinds=(("bronze", _("Bronze event")),),
            params=("decimals", "places_table"),
            decimals=placed.decimals_of_bronze,
        ),
        System(
            family=Family.SBF_SILVER.value,
            engine_family="sbf-silver",
            regulation_for=placed.silver_for,
            build=placed.build,
            to_json=placed.to_json,
            from_json=placed.from_json,
            input_of=placed.input_of,
            kinds=(("silver", _("Silver event")),),
            params=("decimals",),
            decimals=placed.decimals_of_silver,
        ),
        System(
            family=Family.ACBL.value,
            engine_family="acbl",
            regulation_for=placed.acbl_for,
            build=placed.build,
            to_json=placed.to_json,
            from_json=placed.from_json,
            input_of=placed.input_of,
            kinds=(("overall", _("Overall awards")), ("club", _("Club or section awards"))),
            params=("tables", "rating", "sessions", "restriction", "limit", "contest"),
        ),
    )
}


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
    """Return the systems that this installation offers, in the order of the setting `FAMILIES`."""
    return [ALL[family] for family in settings.FAMILIES if family in ALL]


def offers_go() -> bool:
    """Return whether this installation rates games of Go."""
    return "go" in settings.FAMILIES


def is_listed(engine_family: str) -> bool:
    """Return whether pages list the regulations of a family, given by the engine's name.

    Families that this installation does not offer are not listed. The adjustment for the strength of the
    opponents belongs to no system.
    """
    if engine_family == GO:
        return offers_go()
    return engine_family == STRENGTH or engine_family in [system.engine_family for system in offered()]


def others() -> list[System]:
    """Return the offered systems other than the federation's own."""
    return [system for system in offered() if system.family != aeb.FAMILY]
