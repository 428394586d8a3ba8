"""The list of all regulations, with look-up by code or by family and date.

A regulation has ``code``, ``family``, ``title``, ``valid_from`` and ``answer(fields)``, which returns its
output for ``manage.py score``. The other methods depend on the family: award schemes have ``score(event)``,
rating systems ``rate(tournament)`` and adjustments ``adjust(session)``. Each also has ``explain``, which
returns the receipt of one contestant or player.

The folders of this package that define ``DECLARATIONS`` are the regulations. The other folders hold code that
several regulations share.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from scoring.engine.errors import EngineError
from scoring.engine.strictjson import Fields, as_date, as_text

from .declaration import Declaration, Regulation
from .families import FAMILIES


def _in_folders() -> Iterator[tuple[Declaration, str]]:
    """Yield every declaration with the name of its folder."""
    for module in iter_modules(__path__):
        if module.ispkg:
            package = import_module(f"{__name__}.{module.name}")
            for declaration in getattr(package, "DECLARATIONS", ()):
                yield declaration, module.name


def _by_family_and_date(declaration: Declaration) -> tuple[int, date]:
    regulation = declaration.regulation
    order = [family.code for family in FAMILIES]
    return order.index(regulation.family), regulation.valid_from or date.min


_LISTED = sorted(_in_folders(), key=lambda listed: _by_family_and_date(listed[0]))
ALL: tuple[Regulation, ...] = tuple(declaration.regulation for declaration, _folder in _LISTED)
# By the regulation's code: its declaration, and the name of the folder that contains it.
DECLARATIONS = {declaration.regulation.code: declaration for declaration, _folder in _LISTED}
FOLDERS = {declaration.regulation.code: folder for declaration, folder in _LISTED}
# The families in which a tournament's date determines the regulation. In the others it is chosen by code.
DATED = tuple(family.code for family in FAMILIES if family.dated)


def families() -> tuple[str, ...]:
    """Return the codes of the families in which a tournament's date determines the regulation."""
    return DATED


def of_family(family: str) -> tuple[Any, ...]:
    """Return the family's regulations, the oldest first."""
    return tuple(regulation for regulation in ALL if regulation.family == family)


def get(code: str) -> Any:
    """Return the regulation with this code. Raise EngineError ``unknown_regulation`` if there is none."""
    for regulation in ALL:
        if regulation.code == code:
            return regulation
    known = ", ".join(regulation.code for regulation in ALL)
    raise EngineError("unknown_regulation", "regulation", f"{code!r} is not one of {known}")


def in_force(family: str, on: date) -> Any:
    """Return the family's regulation in force on the day.

    Raise EngineError ``unknown_family``, or ``no_regulation`` if the family's first regulation starts later.
    """
    if family not in DATED:
        raise EngineError("unknown_family", "family", f"{family!r} is not one of {', '.join(DATED)}")
    begun = [regulation for regulation in of_family(family) if regulation.valid_from <= on]
    if not begun:
        raise EngineError("no_regulation", "date", f"no {family} regulation was in force on {on.isoformat()}")
    return begun[-1]


def valid_to(regulation: Regulation) -> date | None:
    """Return a regulation's last day: the day before its successor's first, or None if it has none."""
    if regulation.family not in DATED:
        return None
    family = of_family(regulation.family)
    later = family[family.index(regulation) + 1 :]
    return later[0].valid_from - timedelta(days=1) if later else None


def from_fields(fields: Fields) -> Any:
    """Return the regulation that a ``manage.py score`` object names, by code or by family and date."""
    if "regulation" in fields:
        if "family" in fields:
            message = "regulation and family exclude each other"
            raise EngineError("conflicting_fields", "family", message)
        return get(fields.read("regulation", as_text))
    if "family" not in fields:
        raise EngineError("missing_field", "regulation", "either regulation or family is required")
    return in_force(fields.read("family", as_text), fields.read("date", as_date))
