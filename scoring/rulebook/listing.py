"""Which regulations have a page here, and what lists say of them."""

from datetime import date
from typing import Any

from scoring import regulations
from scoring.ledger import systems
from scoring.ledger.wording import regulation_name, regulation_title
from scoring.regulations.declaration import Declaration
from scoring.regulations.families import FAMILIES


def listed_rows(day: date) -> dict[str, list[dict[str, Any]]]:
    """Return {family: records of its regulations, the oldest first} of the families that pages list."""
    return {
        family.code: [row_of(scheme, day) for scheme in regulations.of_family(family.code)]
        for family in FAMILIES
        if systems.is_listed(family.code)
    }


def row_of(scheme: Any, day: date) -> dict[str, Any]:
    """Return what lists say of a regulation: code, names, dates, and whether it is in force on `day`."""
    begins, ends = scheme.valid_from, regulations.valid_to(scheme)
    return {
        "code": scheme.code,
        "name": regulation_name(scheme.code),
        "title": regulation_title(scheme),
        "valid_from": begins,
        "valid_to": ends,
        "in_force": begins is not None and begins <= day and (ends is None or day <= ends),
    }


def declaration_of(code: str) -> Declaration | None:
    """Return the declaration of the regulation with this code; None if it has no page here.

    Regulations of points keep their pages where the system is no longer offered: old tournaments cite them.
    """
    declaration = regulations.DECLARATIONS.get(code)
    if declaration and declaration.regulation.family == systems.GO and not systems.offers_go():
        return None
    return declaration
