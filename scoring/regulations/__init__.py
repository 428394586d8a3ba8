"""The rule books in force over the years: an explicit list, found by code or by family and date.

A regulation is an object with ``code``, ``family``, ``title``, ``valid_from``, ``valid_to`` (inclusive, None:
open) and ``answer(fields)``, its line of ``manage.py score``. What else it offers depends on its family:
award schemes have ``score(event)`` and ``explain(event, result, contestant_id)``.
"""

from __future__ import annotations

from datetime import date

from scoring.engine.errors import EngineError
from scoring.engine.strictjson import Fields, as_date, as_text

from . import aeb_2022, aeb_2026
from .aeb.scheme import Scheme

ALL: tuple[Scheme, ...] = (aeb_2022.REGULATION, aeb_2026.REGULATION)


def families() -> tuple[str, ...]:
    """The families of regulations, each once, in the order of ``ALL``."""
    return tuple(dict.fromkeys(regulation.family for regulation in ALL))


def get(code: str) -> Scheme:
    """The regulation with this code. Raises ``unknown_regulation``."""
    for regulation in ALL:
        if regulation.code == code:
            return regulation
    known = ", ".join(regulation.code for regulation in ALL)
    raise EngineError("unknown_regulation", "regulation", f"{code!r} is not one of {known}")


def in_force(family: str, on: date) -> Scheme:
    """The family's regulation in force on the day. Raises ``unknown_family`` or ``no_regulation``."""
    if family not in families():
        raise EngineError("unknown_family", "family", f"{family!r} is not one of {', '.join(families())}")
    for regulation in ALL:
        if regulation.family == family and regulation.valid_from <= on and on <= (regulation.valid_to or on):
            return regulation
    raise EngineError("no_regulation", "date", f"no {family} regulation was in force on {on.isoformat()}")


def chosen_by(fields: Fields) -> Scheme:
    """The regulation an object of ``manage.py score`` names, or its family's on its date."""
    if "regulation" in fields:
        if "family" in fields:
            message = "regulation and family exclude each other"
            raise EngineError("conflicting_fields", "family", message)
        return get(fields.read("regulation", as_text))
    if "family" not in fields:
        raise EngineError("missing_field", "regulation", "either regulation or family is required")
    return in_force(fields.read("family", as_text), fields.read("date", as_date))
