"""The list of all regulations, with look-up by code or by family and date.

A regulation has ``code``, ``family``, ``title``, ``valid_from``, ``valid_to`` (inclusive; None: open end) and
``answer(fields)``, which returns its output for ``manage.py score``. The other methods depend on the family:
award schemes have ``score(event)``, rating systems ``rate(tournament)`` and adjustments ``adjust(session)``.
Each also has ``explain``, which returns the receipt of one contestant or player.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Protocol

from scoring.engine.errors import EngineError
from scoring.engine.strictjson import Fields, as_date, as_text

from . import acbl, aeb_2022, aeb_2026, egf_2021, egf_classic, sbf_2019, strength


class Regulation(Protocol):
    """The attributes of every regulation. One without ``valid_from`` is never chosen by date."""

    @property
    def code(self) -> str: ...

    @property
    def family(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def valid_from(self) -> date | None: ...

    @property
    def valid_to(self) -> date | None: ...

    def answer(self, fields: Fields) -> dict[str, Any]: ...


ALL: tuple[Regulation, ...] = (
    aeb_2022.REGULATION,
    aeb_2026.REGULATION,
    sbf_2019.BRONZE,
    sbf_2019.SILVER_POINTS,
    acbl.OVERALL,
    acbl.CLUB_AWARDS,
    egf_classic.REGULATION,
    egf_2021.REGULATION,
    strength.MATCHPOINTS,
    strength.IMP,
)
# Families whose regulation follows from the date; in the others it is chosen by code.
DATED = ("aeb", "sbf", "egf")


def families() -> tuple[str, ...]:
    """Return the families whose regulation follows from the date."""
    return DATED


def of_family(family: str) -> tuple[Any, ...]:
    """Return the family's regulations in the order of ``ALL``."""
    return tuple(regulation for regulation in ALL if regulation.family == family)


def get(code: str) -> Any:
    """Return the regulation with this code. Raise EngineError ``unknown_regulation`` if there is none."""
    for regulation in ALL:
        if regulation.code == code:
            return regulation
    known = ", ".join(regulation.code for regulation in ALL)
    raise EngineError("unknown_regulation", "regulation", f"{code!r} is not one of {known}")


def in_force(family: str, on: date) -> Any:
    """Return the family's regulation in force on the day. Raise ``unknown_family`` or ``no_regulation``."""
    if family not in DATED:
        raise EngineError("unknown_family", "family", f"{family!r} is not one of {', '.join(DATED)}")
    for regulation in of_family(family):
        if regulation.valid_from <= on and on <= (regulation.valid_to or on):
            return regulation
    raise EngineError("no_regulation", "date", f"no {family} regulation was in force on {on.isoformat()}")


def from_fields(fields: Fields) -> Any:
    """Return the regulation for a ``manage.py score`` object: by its code, or by its family and date."""
    if "regulation" in fields:
        if "family" in fields:
            message = "regulation and family exclude each other"
            raise EngineError("conflicting_fields", "family", message)
        return get(fields.read("regulation", as_text))
    if "family" not in fields:
        raise EngineError("missing_field", "regulation", "either regulation or family is required")
    return in_force(fields.read("family", as_text), fields.read("date", as_date))
